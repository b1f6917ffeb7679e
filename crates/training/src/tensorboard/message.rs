//! The part that is used of TensorFlow's messages for events.

/// One event.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Event {
    /// Seconds since 1970.
    #[prost(double, tag = 1)]
    pub(super) wall_time: f64,
    /// Step of training.
    #[prost(int64, tag = 2)]
    pub(super) step: i64,
    #[prost(oneof = "event::What", tags = "3, 5, 7")]
    pub(super) what: Option<event::What>,
}

/// Parts of [`Event`].
pub(super) mod event {
    /// What happened.
    #[derive(Clone, PartialEq, prost::Oneof)]
    pub(in super::super) enum What {
        /// First of all: the version of the file.
        #[prost(string, tag = 3)]
        FileVersion(String),
        /// Values of a step.
        #[prost(message, tag = 5)]
        Summary(super::Summary),
        /// The process began or ended.
        #[prost(message, tag = 7)]
        SessionLog(super::SessionLog),
    }
}

/// Values of a step.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Summary {
    #[prost(message, repeated, tag = 1)]
    pub(super) value: Vec<SummaryValue>,
}

/// A value by its tag.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct SummaryValue {
    #[prost(string, tag = 1)]
    pub(super) tag: String,
    #[prost(oneof = "summary_value::Value", tags = "2")]
    pub(super) value: Option<summary_value::Value>,
}

/// Parts of [`SummaryValue`].
pub(super) mod summary_value {
    /// What is plotted.
    #[derive(Clone, Copy, PartialEq, prost::Oneof)]
    pub(in super::super) enum Value {
        /// One number.
        #[prost(float, tag = 2)]
        SimpleValue(f32),
    }
}

/// The process began or ended.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub(super) struct SessionLog {
    #[prost(enumeration = "SessionStatus", tag = 1)]
    pub(super) status: i32,
}

/// What a [`SessionLog`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub(super) enum SessionStatus {
    /// Nothing.
    Unspecified = 0,
    /// Of what earlier files have, nothing counts from the event's step on.
    Start = 1,
}
