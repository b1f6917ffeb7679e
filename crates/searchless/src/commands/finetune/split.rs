//! Where a run's time went.

use std::fmt;

use training::Timing;

/// Seconds of all steps so far, by part.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TimeSplit {
    forward: f64,
    play: f64,
    label: f64,
    backward: f64,
    outside_engine: f64,
}

impl TimeSplit {
    /// Takes in a step.
    pub(super) fn add(&mut self, timing: &Timing) {
        self.forward += timing.forward;
        self.play += timing.play;
        self.label += timing.label;
        self.backward += timing.backward;
        self.outside_engine += timing.outside_engine;
    }

    fn total(&self) -> f64 {
        self.forward + self.play + self.label + self.backward
    }

    /// Whether there was a step to speak of.
    pub(super) fn is_empty(&self) -> bool {
        self.total() == 0.0
    }
}

/// In percent of all of it.
impl fmt::Display for TimeSplit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |seconds: f64| 100.0 * seconds / self.total();
        write!(
            formatter,
            "time: forward {:.1}%, play {:.1}%, label {:.1}%, backward {:.1}%; {:.1}% of it outside \
             the engine",
            percent(self.forward),
            percent(self.play),
            percent(self.label),
            percent(self.backward),
            percent(self.outside_engine)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_shares_of_all_steps() {
        let mut split = TimeSplit::default();
        assert!(split.is_empty());
        let step = |forward, backward| Timing {
            forward,
            play: 0.5,
            label: 0.5,
            backward,
            outside_engine: 0.25,
            ..Timing::default()
        };
        split.add(&step(2.0, 3.0));
        split.add(&step(1.0, 2.0));
        assert!(!split.is_empty());
        let expected = "time: forward 30.0%, play 10.0%, label 10.0%, backward 50.0%; 5.0% of it \
                        outside the engine";
        assert_eq!(split.to_string(), expected);
    }
}
