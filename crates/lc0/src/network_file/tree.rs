//! A message as a tree over the bytes of a file: what has a path is a node, everything else,
//! unknown fields included, stays as the bytes it was.
//!
//! Writing the tree gives the same bytes; replacing a node changes only its own bytes and the
//! lengths around it.

mod edit;
mod read;
mod rope;

pub(super) use read::{Malformed, read};
pub(super) use rope::Rope;

use crate::proto::{Field, Kind, Layer, Structure};
use bytes::Bytes;
use prost::encoding::{WireType, encode_key, encode_varint};
use std::collections::BTreeMap;

/// A message: its parts in the order of the file.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) structure: &'static Structure,
    pub(super) parts: Vec<Part>,
}

/// One or more consecutive fields of a message.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// Fields without paths, as they were.
    Raw(Bytes),
    /// A field with a path.
    Node(Node),
}

/// A field with a path.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) field: &'static Field,
    /// Key and length as they were, for they may be longer than they need be; empty in a new node.
    header: Bytes,
    /// The length that `header` declares.
    declared: usize,
    pub(super) content: Content,
}

/// What a node holds.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Message(Message),
    Layer(Leaf),
}

/// A layer and its bytes.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) bytes: Bytes,
    pub(super) layer: Layer,
}

impl Node {
    fn content_length(&self) -> usize {
        match &self.content {
            Content::Message(message) => message.length(),
            Content::Layer(leaf) => leaf.bytes.len(),
        }
    }

    /// Key and length, as they were where they are still right.
    fn header(&self, length: usize) -> Bytes {
        if !self.header.is_empty() && self.declared == length {
            return self.header.clone();
        }
        let mut header = Vec::new();
        encode_key(self.field.number, WireType::LengthDelimited, &mut header);
        encode_varint(length as u64, &mut header);
        header.into()
    }
}

impl Message {
    /// Bytes of the message, without its own key and length.
    pub(super) fn length(&self) -> usize {
        self.parts
            .iter()
            .map(|part| match part {
                Part::Raw(bytes) => bytes.len(),
                Part::Node(node) => {
                    let length = node.content_length();
                    node.header(length).len() + length
                }
            })
            .sum()
    }

    /// The bytes of the message, in shared pieces.
    pub(super) fn rope(&self) -> Rope {
        let mut rope = Rope::default();
        self.append_to(&mut rope);
        rope
    }

    fn append_to(&self, rope: &mut Rope) {
        for part in &self.parts {
            match part {
                Part::Raw(bytes) => rope.push(bytes.clone()),
                Part::Node(node) => {
                    rope.push(node.header(node.content_length()));
                    match &node.content {
                        Content::Message(message) => message.append_to(rope),
                        Content::Layer(leaf) => rope.push(leaf.bytes.clone()),
                    }
                }
            }
        }
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.parts.iter().filter_map(|part| match part {
            Part::Node(node) => Some(node),
            Part::Raw(_) => None,
        })
    }

    /// The layer at `path`.
    pub(super) fn layer(&self, path: &str) -> Option<&Layer> {
        let (name, rest) = split(path);
        let field = self.structure.by_name(name)?;
        let (index, rest) = match field.kind {
            Kind::Many(_) => {
                let (index, rest) = split(rest?);
                (parse_index(index)?, rest)
            }
            _ => (0, rest),
        };
        let node = self.nodes().filter(|node| node.field.number == field.number).nth(index)?;
        match (&node.content, rest) {
            (Content::Message(message), Some(rest)) => message.layer(rest),
            (Content::Layer(leaf), None) => Some(&leaf.layer),
            _ => None,
        }
    }

    /// Calls `visit` with the path of every layer, in the order of the file.
    pub(super) fn visit<'a>(&'a self, prefix: &str, visit: &mut impl FnMut(String, &'a Layer)) {
        let mut occurrences = BTreeMap::new();
        for node in self.nodes() {
            let path = match node.field.kind {
                Kind::Many(_) => {
                    let index = occurrences.entry(node.field.number).or_insert(0_usize);
                    *index += 1;
                    format!("{prefix}{}.{}", node.field.name, *index - 1)
                }
                _ => format!("{prefix}{}", node.field.name),
            };
            match &node.content {
                Content::Message(message) => message.visit(&format!("{path}."), visit),
                Content::Layer(leaf) => visit(path, &leaf.layer),
            }
        }
    }
}

/// The first name of a path and what follows it.
fn split(path: &str) -> (&str, Option<&str>) {
    match path.split_once('.') {
        Some((name, rest)) => (name, Some(rest)),
        None => (path, None),
    }
}

/// An index as paths write it: decimal, without sign or leading zeros, so that every layer has
/// one path only.
fn parse_index(index: &str) -> Option<usize> {
    index.parse().ok().filter(|value: &usize| value.to_string() == index)
}
