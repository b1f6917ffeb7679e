//! Our side of a comparison; `run.sh` beside this file starts it.
//!
//! `peer export NETWORK POSITIONS FOLDER` writes input planes and the outputs of the first of them;
//! `peer differentiate NETWORK FOLDER` writes the norms of the gradients of the latter.
//! `peer (forward|training) NETWORK BATCH THREADS (f32|bf16)` says "ready", and for each number of
//! seconds that it reads computes batches for so long and answers "POSITIONS SECONDS".

use std::fmt::Write as _;
use std::io::{BufRead, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};
use chess::{HistoryFill, Planes};
use lc0::NetworkFile;
use native::{NativeEngine, NativeTrainer, Precision};
use network::{
    AdamW, EncodedPosition, Engine, HeadSelection, LearningRates, Network, OutputGradients,
    Outputs, TrainableEngine, sample_games,
};

/// Positions on which outputs and gradients are compared.
const CHECKED: usize = 64;

/// The gradient of the policy logits is the logits times this; that of the value logits themselves.
const POLICY_GRADIENT: f32 = 1e-4;

const RATES: LearningRates =
    LearningRates { backbone: 1e-6, final_block: 1e-6, policy_head: 1e-6, value_head: 1e-6 };

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["export", network, positions, folder] => {
            export(load(network)?, positions.parse()?, Path::new(folder))
        }
        ["differentiate", network, folder] => differentiate(load(network)?, Path::new(folder)),
        ["forward", network, batch, threads, precision] => {
            let (network, planes) = prepare(network, batch, threads)?;
            let engine = NativeEngine::with_precision(network, parse(precision)?);
            serve(planes.len(), || {
                std::hint::black_box(engine.evaluate(&planes));
                Ok(())
            })
        }
        ["training", network, batch, threads, precision] => {
            let (network, planes) = prepare(network, batch, threads)?;
            let mut trainer = NativeTrainer::with_precision(network, parse(precision)?);
            serve(planes.len(), || {
                trainer.differentiate(&planes, &|_, outputs| gradients(outputs.clone()))?;
                Ok(trainer.update(&AdamW::default(), &RATES)?)
            })
        }
        _ => bail!("expected export, differentiate, forward or training and their arguments"),
    }
}

fn parse(precision: &str) -> anyhow::Result<Precision> {
    Ok(match precision {
        "f32" => Precision::Float32,
        "bf16" => Precision::Bfloat16,
        _ => bail!("{precision}: expected f32 or bf16"),
    })
}

fn load(path: &str) -> anyhow::Result<Network> {
    Ok(Network::load(&NetworkFile::read(path)?, HeadSelection::default())?)
}

fn encode(network: &Network, count: usize) -> anyhow::Result<Vec<Planes>> {
    let format = network.architecture.input_format;
    let encode = |game| Ok(EncodedPosition::new(game, format, HistoryFill::default())?.planes);
    sample_games(count).iter().map(encode).collect()
}

fn prepare(network: &str, batch: &str, threads: &str) -> anyhow::Result<(Network, Vec<Planes>)> {
    rayon::ThreadPoolBuilder::new().num_threads(threads.parse()?).build_global()?;
    let network = load(network)?;
    let planes = encode(&network, batch.parse()?)?;
    Ok((network, planes))
}

fn gradients(mut outputs: Outputs) -> OutputGradients {
    outputs.policy.iter_mut().for_each(|logit| *logit *= POLICY_GRADIENT);
    outputs.moves_left.clear();
    outputs
}

fn export(network: Network, positions: usize, folder: &Path) -> anyhow::Result<()> {
    let planes = encode(&network, positions.max(CHECKED))?;
    let mut dense = Vec::with_capacity(planes.len() * Planes::LEN);
    for planes in &planes {
        let mut numbers = [0.0; Planes::LEN];
        planes.write_by_plane(&mut numbers);
        dense.extend_from_slice(&numbers);
    }
    let write = |name: &str, values: &[f32]| {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        std::fs::write(folder.join(name), bytes).with_context(|| name.to_owned())
    };
    write("planes.f32", &dense)?;
    let outputs = NativeEngine::new(network).evaluate(&planes[..CHECKED]);
    write("policy.f32", &outputs.policy)?;
    write("value.f32", &outputs.value)
}

fn differentiate(network: Network, folder: &Path) -> anyhow::Result<()> {
    let planes = encode(&network, CHECKED)?;
    let architecture = network.architecture.clone();
    let mut trainer = NativeTrainer::new(network);
    let outputs = trainer.forward(&planes);
    let gradient = trainer.backward(&gradients(outputs))?;
    let mut norms = String::new();
    for tensor in architecture.layout.tensors() {
        let squares = gradient[tensor.range()].iter().map(|&value| f64::from(value).powi(2));
        writeln!(norms, "{} {:e}", tensor.name, squares.sum::<f64>().sqrt())?;
    }
    Ok(std::fs::write(folder.join("gradients.txt"), norms)?)
}

fn serve(positions: usize, mut work: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<()> {
    work()?;
    let mut output = std::io::stdout().lock();
    writeln!(output, "ready")?;
    output.flush()?;
    for line in std::io::stdin().lock().lines() {
        let seconds: f64 = line?.trim().parse()?;
        let (mut done, start) = (0, Instant::now());
        let elapsed = loop {
            work()?;
            done += positions;
            let elapsed = start.elapsed().as_secs_f64();
            if elapsed >= seconds {
                break elapsed;
            }
        };
        writeln!(output, "{done} {elapsed}")?;
        output.flush()?;
    }
    Ok(())
}
