//! Writes a contact sheet of all scenes to a folder: `cargo run -p artwork --example scenes -- <folder>`.

use std::fmt::Write as _;
use std::path::PathBuf;

use artwork::{
    CoverSpec, Good, Ground, IdeaSpec, InfographicSpec, Load, Mood, Motif, SceneSpec, infographic, infographic_thumb,
    patchwork, scene, seed_of,
};

/// Every motif once, some of them twice with other parameters.
fn motifs() -> Vec<Motif> {
    let load = |count, size| Load { count, size };
    vec![
        Motif::Balance { left: load(1, 4), right: load(6, 2), tilt: -2 },
        Motif::Beasts,
        Motif::Birds { tails: vec![1, 7, 3, 2] },
        Motif::Books { count: 5, candle: true },
        Motif::Branching { generations: 4, alive: 3 },
        Motif::Bridge { stones: 9, missing: 3 },
        Motif::Bridge { stones: 11, missing: 0 },
        Motif::Chairs { count: 3, taken: 1 },
        Motif::Chain { links: 3, open: 3 },
        Motif::Circle { people: 8, lit: 3 },
        Motif::Compass { bearing: 60 },
        Motif::Crown { points: 5 },
        Motif::Dawn { people: 5, water: false },
        Motif::Dawn { people: 0, water: true },
        Motif::Delta { mouths: 5 },
        Motif::Depth { layers: 4 },
        Motif::Divided { parts: 8 },
        Motif::Doses { drops: 12 },
        Motif::Dyke { level: 4 },
        Motif::Exchange { give: Good::Bread, take: Good::Letter },
        Motif::Exchange { give: Good::Coin, take: Good::Book },
        Motif::Eye { grades: 4 },
        Motif::Flame { logs: 5 },
        Motif::Fork { ways: 2, taken: 2 },
        Motif::Furrows { rows: 9, sprouts: 9 },
        Motif::Gather { count: 8 },
        Motif::Hourglass { left: 2 },
        Motif::Hours { spent: 5 },
        Motif::Keyhole,
        Motif::Ladder { rungs: 4 },
        Motif::Lens { across: 4 },
        Motif::Mask { left: Mood::Glad, right: Mood::Weeping },
        Motif::Mask { left: Mood::Glad, right: Mood::Watchful },
        Motif::Mind { inside: Good::House },
        Motif::Mind { inside: Good::Pin },
        Motif::Mind { inside: Good::Book },
        Motif::Orbit { bodies: 6 },
        Motif::Planks { letters: "LSFA".into() },
        Motif::Reflection { bands: 6 },
        Motif::Ripple { rings: 5 },
        Motif::Scorecard { rows: 13, columns: 7, marks: 22 },
        Motif::Seeds { across: 7, kept: 3 },
        Motif::Sizes { count: 5 },
        Motif::Snail { turns: 4 },
        Motif::Spoil { stages: 3 },
        Motif::Stacks { heights: vec![1, 2, 4, 7, 11] },
        Motif::Steps { count: 6 },
        Motif::Storm { drops: 5 },
        Motif::Strata { layers: 5, shells: 3 },
        Motif::Stream { stones: 1 },
        Motif::Stream { stones: 3 },
        Motif::Street { houses: 5, lit: 4 },
        Motif::Talk { common: 3 },
        Motif::Tree { crown: 5, roots: 1 },
        Motif::Vat { dips: 4 },
        Motif::Vine { bunches: 1, glass: false },
        Motif::Vine { bunches: 1, glass: true },
        Motif::Wall { ladders: 3, door: false },
        Motif::Wall { ladders: 0, door: true },
        Motif::Web { nodes: 6, touched: 1 },
        Motif::Axe { speckles: 9 },
        Motif::Wires { poles: 2, birds: 4 },
    ]
}

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "target/artwork".to_owned()));
    std::fs::create_dir_all(&folder)?;
    let hues = [265.0, 235.0, 125.0, 295.0, 195.0, 145.0, 70.0, 20.0];
    let mut sections = String::new();
    for (class, shift) in [("paper", 0), ("dark", 2)] {
        let mut images = String::new();
        for (i, motif) in motifs().iter().enumerate() {
            let name = format!("scene-{class}-{i}.svg");
            let spec = SceneSpec {
                motif,
                ground: Ground::at(i + shift),
                hue: hues[(i / 6) % hues.len()],
                seed: i as u64 / 6,
                title: "",
            };
            std::fs::write(folder.join(&name), scene(&spec))?;
            let _ = write!(images, r#"<img src="{name}" alt="">"#);
        }
        let _ = write!(sections, "<section class='{class}'>{images}</section>");
    }
    let texts = "On one side lies the event: a remark was made. On the other lies the sentence we add to it: she meant to \
        humiliate me. Most of the pain lives in the second. Before you answer a hurt, ask which part of it happened \
        and which part you wrote yourself.";
    let all = motifs();
    let ideas: Vec<IdeaSpec<'_>> = all
        .iter()
        .skip(11)
        .take(7)
        .enumerate()
        .map(|(i, motif)| IdeaSpec {
            scene: SceneSpec {
                motif,
                ground: Ground::at(i),
                hue: 265.0,
                seed: seed_of("meditations"),
                title: "What happened, and what you added",
            },
            body: texts,
        })
        .collect();
    let cover = CoverSpec { title: "Meditations", author: "Marcus Aurelius", hue: 265.0, seed: seed_of("meditations") };
    let spec = InfographicSpec { cover, ideas: &ideas, site: "Pith" };
    std::fs::write(folder.join("poster.svg"), infographic(&spec))?;
    std::fs::write(folder.join("thumb.svg"), infographic_thumb(&spec))?;
    let scenes: Vec<SceneSpec<'_>> = ideas.iter().map(|idea| idea.scene).collect();
    std::fs::write(folder.join("patchwork.svg"), patchwork(&scenes))?;
    let page = format!(
        r"<!doctype html><meta charset=utf-8><title>Scenes</title><style>
        body{{margin:0}} section{{padding:16px;display:flex;flex-wrap:wrap;gap:12px}} img{{width:232px;border-radius:8px}}
        .paper{{background:#fbf7ef}} .dark{{background:#23201d}}</style>{sections}"
    );
    std::fs::write(folder.join("scenes.html"), page)
}
