//! The committed weights are whole, are those their papers are about, and compute what the papers say.

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tandem_cogrip::agents::{Autonomy, PHIS};
use tandem_cogrip::boards::TASKS_SEED;
use tandem_cogrip::{Split, Task};
use tandem_core::Seed;
use tandem_guide::agent::weights_name;
use tandem_guide::network::{Encoder, Head, Part};
use tandem_guide::vision::Vision;
use tandem_guide::{Cpu, Guide, weights};

fn file(name: &str) -> Vec<u8> {
    let file = format!("{}/weights/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&file).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// A part of the network, which has the right shapes if it can be read, and its papers.
fn part<P: Part>(name: &str) -> (P, Value) {
    let bytes = file(&format!("{name}.safetensors"));
    let papers: Value = serde_json::from_slice(&file(&format!("{name}.json"))).unwrap();
    let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(papers["sha256"], *digest, "{name}");
    (weights::read(&bytes).unwrap(), papers)
}

/// The situation whose outputs the papers tell.
fn golden() -> Task {
    Split::Val.tasks(Seed::new(TASKS_SEED).unwrap()).remove(0)
}

fn close(found: &[f32], told: &Value, name: &str) {
    let told: Vec<f32> = serde_json::from_value(told.clone()).unwrap();
    assert_eq!(found.len(), told.len(), "{name}");
    for (found, told) in found.iter().zip(told) {
        assert!((found - told).abs() < 1e-3 * told.abs().max(1.0), "{name}: {found} for {told}");
    }
}

/// Figures on the test tasks, which no trained Guide of the paper reached.
fn tested(papers: &Value, name: &str) {
    let test = &papers["test"];
    let figure = |name: &str| test[name].as_f64().unwrap();
    assert_eq!(test["tasks"], 420, "{name}");
    assert!(figure("reward") > 1.6 && figure("success") > 0.94, "{name}: {test}");
}

#[test]
fn the_encoder_is_the_one_its_papers_are_about() {
    let (encoder, papers) = part::<Encoder>("encoder");
    let Task { board, target } = golden();
    let features = Vision::new(&encoder).features_from_nothing(&board, target, board.start()).unwrap();
    close(&features[..8], &papers["golden_features"], "encoder");
    tested(&papers, "encoder");
}

#[test]
fn every_head_is_the_one_its_papers_are_about() {
    let (encoder, of_encoder) = part::<Encoder>("encoder");
    let Task { board, target } = golden();
    for autonomy in Autonomy::ALL {
        for phi in PHIS {
            let name = weights_name(autonomy, phi);
            let (head, papers) = part::<Head>(&name);
            assert_eq!(papers["encoder_sha256"], of_encoder["sha256"], "{name}");
            assert_eq!((&papers["follower"], papers["phi"].as_f64()), (&autonomy.name().into(), Some(phi)));
            let mut guide = Cpu::new(&encoder, &head);
            assert!(guide.begin(&board, target));
            let output = guide.step(board.start()).unwrap();
            close(&output.logits, &papers["golden_logits"], &name);
            close(&[output.value], &Value::from(vec![papers["golden_value"].clone()]), &name);
            tested(&papers, &name);
        }
    }
}
