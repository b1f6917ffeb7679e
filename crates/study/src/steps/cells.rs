//! The networks that a sweep makes.

use std::path::{Path, PathBuf};

use crate::arm::{Arm, SelfPlayTemperature, Term, Variant};
use crate::sizes::Sizes;

/// Directory of the sweep.
pub(super) const SWEEP: &str = "sweep";
/// Directory of the sweep with coefficients between the decades.
pub(super) const SWEEP_HALF: &str = "sweep-half";
/// The arm whose curve of coefficients is drawn (paper, Figure 5).
pub(super) const CURVE: Variant =
    Variant::SelfPlay { term: Term::ForwardKl, temperature: SelfPlayTemperature::Adaptive };

/// The cells of the sweep, in the grid's order.
pub(super) fn sweep_cells(sizes: &Sizes) -> Vec<Arm> {
    let mut cells = Vec::new();
    for variant in Variant::all() {
        match variant {
            Variant::SelfPlay { term: Term::None, .. } => {
                cells.push(cell(SWEEP, variant, None, sizes.steps));
            }
            Variant::SelfPlay { .. } => {
                let betas = sizes.betas.iter();
                cells.extend(betas.map(|&beta| cell(SWEEP, variant, Some(beta), sizes.steps)));
            }
            Variant::Base | Variant::PuzzleTuned => {}
        }
    }
    cells
}

/// The cells of the curve alone.
pub(super) fn half_decades(sizes: &Sizes) -> Vec<Arm> {
    let betas = sizes.half_decades.iter();
    betas.map(|&beta| cell(SWEEP_HALF, CURVE, Some(beta), sizes.steps)).collect()
}

/// The network of a run's last step.
pub(super) fn last_network(run: &Path, steps: u64) -> PathBuf {
    run.join("networks").join(format!("step-{steps:06}.pb.gz"))
}

fn cell(sweep: &str, variant: Variant, beta: Option<f64>, steps: u64) -> Arm {
    let name = match beta {
        Some(beta) => format!("{variant}-beta={beta}"),
        None => variant.key(),
    };
    let run = Path::new(sweep).join(&name);
    Arm { name, variant, beta, network: last_network(&run, steps), run: Some(run) }
}

/// The settings of the sweep, for `searchless sweep --config`.
pub(super) fn sweep_settings(settings: &str, sizes: &Sizes) -> String {
    let terms = Term::ALL.map(|term| format!("\"{}\"", term.key())).join(", ");
    let temperatures =
        SelfPlayTemperature::ALL.map(|temperature| format!("\"{}\"", temperature.key())).join(", ");
    grid(settings, &terms, &temperatures, &sizes.betas)
}

/// The settings of the sweep with the coefficients between the decades.
pub(super) fn half_decade_settings(settings: &str, sizes: &Sizes) -> String {
    grid(settings, "\"forward_kl\"", "\"adaptive\"", &sizes.half_decades)
}

fn grid(settings: &str, terms: &str, temperatures: &str, betas: &[f64]) -> String {
    let betas = betas.iter().map(|beta| format!("{beta:?}")).collect::<Vec<_>>().join(", ");
    format!(
        "{settings}\n[grid]\nexploration = [{terms}]\ntemperature = [{temperatures}]\n\
         beta = [{betas}]\n"
    )
}
