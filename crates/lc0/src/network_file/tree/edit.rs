//! Changing a tree.

use super::read::fields;
use super::{Content, Leaf, Message, Node, Part, parse_index, split};
use crate::proto::{Field, Kind, Layer};
use bytes::Bytes;
use prost::Message as _;

/// Field numbers of a layer that a new value replaces; the shape stays.
const VALUE_FIELDS: [u32; 4] = [1, 2, 3, 4];

/// One step down a path.
struct Step<'p> {
    field: &'static Field,
    /// The element of a list; `None` for the whole list, or where the field is none.
    index: Option<usize>,
    rest: Option<&'p str>,
}

impl Message {
    /// Gives the layer at `path` the value of `layer`, which has no shape; adds it, and the
    /// messages on the way to it, where they are absent. Fields that `layer` does not have,
    /// unknown ones included, stay. List elements are never added.
    pub(in crate::network_file) fn set(&mut self, path: &str, layer: &Layer) -> Result<(), String> {
        let step = self.step(path)?;
        let index = match (step.field.kind, step.index) {
            (Kind::Many(_), None) => return Err("it names a list, not a layer".to_owned()),
            (_, index) => index.unwrap_or(0),
        };
        let content = match self.position(step.field, index) {
            Some(position) => &mut self.node_mut(position).content,
            None if matches!(step.field.kind, Kind::Many(_)) => {
                return Err(self.out_of_range(step.field));
            }
            None => {
                // Refused paths must leave nothing behind.
                let mut node = Node::empty(step.field);
                node.content.set(step.rest, layer)?;
                self.parts.push(Part::Node(node));
                return Ok(());
            }
        };
        content.set(step.rest, layer)
    }

    /// Removes the layer, the message, the list element or the whole list at `path`. Elements
    /// after a removed one move down.
    pub(in crate::network_file) fn remove(&mut self, path: &str) -> Result<(), String> {
        let step = self.step(path)?;
        let is_list = matches!(step.field.kind, Kind::Many(_));
        if is_list && step.index.is_none() {
            let before = self.parts.len();
            self.parts.retain(
                |part| !matches!(part, Part::Node(node) if node.field.number == step.field.number),
            );
            return if self.parts.len() < before { Ok(()) } else { Err(absent(step.field.name)) };
        }
        let Some(position) = self.position(step.field, step.index.unwrap_or(0)) else {
            let problem =
                if is_list { self.out_of_range(step.field) } else { absent(step.field.name) };
            return Err(problem);
        };
        match (step.rest, &mut self.node_mut(position).content) {
            (None, _) => {
                self.parts.remove(position);
                Ok(())
            }
            (Some(rest), Content::Message(message)) => message.remove(rest),
            (Some(_), Content::Layer(_)) => Err(below_layer(step.field.name)),
        }
    }

    /// Replaces the fields `numbers` of a message without nodes by those of `new`.
    pub(in crate::network_file) fn substitute(
        &mut self,
        numbers: &[u32],
        new: &impl prost::Message,
    ) {
        let mut bytes = Vec::new();
        for part in &self.parts {
            match part {
                Part::Raw(raw) => bytes.extend_from_slice(raw),
                Part::Node(_) => unreachable!("only messages without nodes are substituted"),
            }
        }
        self.parts = vec![Part::Raw(substitute(&bytes.into(), numbers, new))];
    }

    /// The message in the field `name`, added where it is absent.
    pub(in crate::network_file) fn child_mut(&mut self, name: &str) -> &mut Message {
        let (_, field) = self
            .structure
            .fields
            .iter()
            .enumerate()
            .find(|(_, field)| field.name == name)
            .expect("callers name fields of the message");
        let position = self.position(field, 0).unwrap_or_else(|| {
            self.parts.push(Part::Node(Node::empty(field)));
            self.parts.len() - 1
        });
        match &mut self.node_mut(position).content {
            Content::Message(message) => message,
            Content::Layer(_) => unreachable!("callers name messages"),
        }
    }

    fn step<'p>(&self, path: &'p str) -> Result<Step<'p>, String> {
        let (name, rest) = split(path);
        let field = self
            .structure
            .by_name(name)
            .filter(|field| !matches!(field.kind, Kind::Scalar))
            .ok_or_else(|| {
                let names: Vec<&str> = self
                    .structure
                    .fields
                    .iter()
                    .filter(|field| !matches!(field.kind, Kind::Scalar))
                    .map(|field| field.name)
                    .collect();
                format!("nothing is called {name:?} there, expected one of {}", names.join(", "))
            })?;
        let (Kind::Many(_), Some(rest)) = (field.kind, rest) else {
            return Ok(Step { field, index: None, rest });
        };
        let (index, rest) = split(rest);
        let index = parse_index(index)
            .ok_or_else(|| format!("{index:?} after {name:?}, expected an index"))?;
        Ok(Step { field, index: Some(index), rest })
    }

    /// Where in `parts` element `index` of `field` is.
    fn position(&self, field: &Field, index: usize) -> Option<usize> {
        let of_field =
            |part: &Part| matches!(part, Part::Node(node) if node.field.number == field.number);
        let mut positions = self.parts.iter().enumerate().filter(|(_, part)| of_field(part));
        positions.nth(index).map(|(position, _)| position)
    }

    fn node_mut(&mut self, position: usize) -> &mut Node {
        match &mut self.parts[position] {
            Part::Node(node) => node,
            Part::Raw(_) => unreachable!("positions are those of nodes"),
        }
    }

    fn out_of_range(&self, field: &Field) -> String {
        let count = self.nodes().filter(|node| node.field.number == field.number).count();
        format!("there are {count} of {:?}, counted from 0", field.name)
    }
}

impl Node {
    fn empty(field: &'static Field) -> Self {
        let content = match field.kind {
            Kind::Layer => Content::Layer(Leaf { bytes: Bytes::new(), layer: Layer::default() }),
            Kind::One(structure) | Kind::Many(structure) => {
                Content::Message(Message { structure, parts: Vec::new() })
            }
            Kind::Scalar => unreachable!("scalars are no nodes"),
        };
        Self { field, header: Bytes::new(), declared: 0, content }
    }
}

impl Content {
    fn set(&mut self, rest: Option<&str>, layer: &Layer) -> Result<(), String> {
        match (self, rest) {
            (Content::Message(message), Some(rest)) => message.set(rest, layer),
            (Content::Message(_), None) => Err("it names a message, not a layer".to_owned()),
            (Content::Layer(leaf), None) => {
                leaf.bytes = substitute(&leaf.bytes, &VALUE_FIELDS, layer);
                leaf.layer = Layer::decode(leaf.bytes.clone())
                    .expect("fields that were read, and fields just written");
                Ok(())
            }
            (Content::Layer(_), Some(rest)) => Err(below_layer(rest)),
        }
    }
}

/// `message` with the fields `numbers` replaced by those of `new`, which come first.
fn substitute(message: &Bytes, numbers: &[u32], new: &impl prost::Message) -> Bytes {
    let mut bytes = new.encode_to_vec();
    for (number, range) in fields(message) {
        if !numbers.contains(&number) {
            bytes.extend_from_slice(&message[range]);
        }
    }
    bytes.into()
}

fn absent(name: &str) -> String {
    format!("there is no {name:?}")
}

fn below_layer(name: &str) -> String {
    format!("nothing is below a layer, not {name:?}")
}
