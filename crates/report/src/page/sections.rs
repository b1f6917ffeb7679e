//! In which order a page shows things.

/// A section of the page.
pub(super) struct Section {
    pub(super) slug: &'static str,
    pub(super) title: &'static str,
    pub(super) items: &'static [Item],
}

/// What stands in a section, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Table(&'static str),
    Figure(&'static str),
    Finding(&'static str),
}

use Item::{Figure, Finding, Table};

/// All sections.
pub(super) const SECTIONS: &[Section] = &[
    Section {
        slug: "strength",
        title: "Accuracy and strength",
        items: &[
            Table("table-1"),
            Finding("dissociation"),
            Figure("tactics-and-strength"),
            Table("table-6"),
            Figure("figure-05"),
            Finding("beta"),
        ],
    },
    Section {
        slug: "mates",
        title: "Forced mates",
        items: &[Figure("figure-01"), Table("table-3")],
    },
    Section {
        slug: "retention",
        title: "Solution probability",
        items: &[Table("table-4"), Figure("figure-06"), Finding("retention")],
    },
    Section {
        slug: "coverage",
        title: "Trajectory coverage",
        items: &[
            Figure("figure-07"),
            Finding("coverage"),
            Finding("collapse"),
            Figure("figure-10"),
        ],
    },
    Section {
        slug: "shape",
        title: "Sampled play and policy shape",
        items: &[Table("table-5"), Finding("sampled")],
    },
    Section {
        slug: "recovery",
        title: "What fine-tuning recovers",
        items: &[
            Figure("figure-08"),
            Finding("recovery"),
            Finding("give-back"),
            Figure("figure-09"),
        ],
    },
    Section {
        slug: "mechanism",
        title: "The mechanism, on real positions",
        items: &[Figure("figure-02"), Figure("figure-03")],
    },
    Section {
        slug: "training",
        title: "Training",
        items: &[
            Figure("training-curves"),
            Figure("opening-diversity-curves"),
            Table("opening-diversity"),
        ],
    },
    Section {
        slug: "values",
        title: "Calibration of the value heads",
        items: &[Figure("calibration"), Table("calibration")],
    },
];
