//! Writes the pictures of some results of quizzes to a folder: `cargo run -p artwork --example result -- <folder>`.

use std::path::PathBuf;

use artwork::{CARD_WIDTH, ResultSpec, ShareSpec, raster, result_card};

/// The nine types with their hues, and the four colours.
const TYPES: [(&str, f64); 9] = [
    ("Linguistic", 15.0),
    ("Logical-Mathematical", 255.0),
    ("Spatial", 195.0),
    ("Musical", 315.0),
    ("Bodily-Kinesthetic", 45.0),
    ("Interpersonal", 345.0),
    ("Intrapersonal", 285.0),
    ("Naturalistic", 135.0),
    ("Existential", 225.0),
];
const COLOURS: [(&str, f64); 4] = [("Red", 30.0), ("Yellow", 90.0), ("Green", 150.0), ("Blue", 255.0)];

/// File name, label, headline, shares by name, and hues.
type Case<'a> = (&'a str, &'a str, &'a str, &'a [(&'a str, f64)], &'a [u16]);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("Which folder?")?);
    let cases: [Case<'_>; 4] = [
        ("types", "I am strongest in", "Spatial and Bodily-Kinesthetic", &TYPES, &[50, 50, 100, 0, 100, 50, 0, 50, 0]),
        ("one", "I am strongest in", "Musical", &TYPES, &[50, 0, 50, 100, 0, 50, 0, 50, 0]),
        ("colours", "My color is", "Green", &COLOURS, &[25, 50, 75, 67]),
        ("none", "", "Nothing stood out", &TYPES, &[0; 9]),
    ];
    for (name, label, headline, dimensions, percents) in cases {
        let greatest = percents.iter().max();
        let shares: Vec<ShareSpec<'_>> = dimensions
            .iter()
            .zip(percents)
            .map(|((name, hue), percent)| ShareSpec {
                name,
                percent: *percent,
                hue: *hue,
                leads: *percent > 0 && Some(percent) == greatest,
            })
            .collect();
        let drawing = result_card(&ResultSpec { label, headline, shares: &shares, site: "Pith" });
        std::fs::write(folder.join(format!("{name}.png")), raster::png(&drawing, CARD_WIDTH)?)?;
    }
    Ok(())
}
