//! What a message consists of, as data: the names and numbers by which layers are found and
//! rewritten in the bytes of a file.

use super::Layer;
use bytes::Bytes;

/// A message type: its fields.
#[derive(Debug)]
pub(crate) struct Structure {
    pub(crate) fields: &'static [Field],
}

/// One field of a message.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) number: u32,
    pub(crate) kind: Kind,
}

/// What a field holds, as far as paths are concerned.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Not part of any path.
    Scalar,
    /// At most one tensor: where paths end.
    Layer,
    /// At most one message.
    One(&'static Structure),
    /// A list of messages, indexed from 0 in paths.
    Many(&'static Structure),
}

impl Structure {
    /// The field with this number, and its index in `fields`.
    pub(crate) fn by_number(&self, number: u32) -> Option<(usize, &'static Field)> {
        self.fields.iter().enumerate().find(|(_, field)| field.number == number)
    }

    pub(crate) fn by_name(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// A message with a [`Structure`].
pub(crate) trait Structured {
    const STRUCTURE: &'static Structure;
}

/// The type of a field.
pub(crate) trait Content {
    const KIND: Kind;
}

impl<M: Structured> Content for Option<M> {
    const KIND: Kind = Kind::One(M::STRUCTURE);
}

impl<M: Structured> Content for Vec<M> {
    const KIND: Kind = Kind::Many(M::STRUCTURE);
}

impl Content for Option<Layer> {
    const KIND: Kind = Kind::Layer;
}

macro_rules! scalars {
    ($($scalar:ty),*) => {
        $(impl Content for Option<$scalar> {
            const KIND: Kind = Kind::Scalar;
        })*
    };
}

scalars!(u32, i32, f32, String, Bytes);

/// Declares a `prost` message together with its [`Structure`], so that the numbers by which a
/// message is decoded and those by which it is rewritten cannot differ. The tag comes first.
macro_rules! message {
    (
        $(#[$outer:meta])*
        pub struct $message:ident {
            $(
                $(#[doc = $doc:literal])*
                #[prost(tag = $tag:tt, $($attribute:tt)+)]
                pub $field:ident: $type:ty,
            )*
        }
    ) => {
        $(#[$outer])*
        #[derive(Clone, PartialEq, prost::Message)]
        pub struct $message {
            $(
                $(#[doc = $doc])*
                #[prost(tag = $tag, $($attribute)+)]
                pub $field: $type,
            )*
        }

        impl $crate::proto::structure::Structured for $message {
            const STRUCTURE: &'static $crate::proto::structure::Structure =
                &$crate::proto::structure::Structure {
                    fields: &[$($crate::proto::structure::Field {
                        name: stringify!($field),
                        number: $tag,
                        kind: <$type as $crate::proto::structure::Content>::KIND,
                    }),*],
                };
        }
    };
}

pub(crate) use message;
