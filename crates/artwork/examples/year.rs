//! Writes the pictures of some years to a folder: `cargo run -p artwork --example year -- <folder>`.

use std::path::PathBuf;

use artwork::{HIGHLIGHT_CARD_WIDTH, MonthSpec, YearCardSpec, raster, year_card};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("Which folder?")?);
    let rich = [
        ("43", "summaries"),
        ("27", "hours"),
        ("112", "days of reading"),
        ("19", "days in a row"),
        ("208", "highlights"),
        ("1,340", "cards reviewed"),
    ];
    let poor = [("1", "summary"), ("14", "minutes"), ("2", "days of reading"), ("1", "day in a row")];
    let categories = [("Philosophy", 265.0), ("Self-Mastery", 45.0), ("Economics", 145.0)];
    let hues = [265.0, 265.0, 45.0, 265.0, 145.0, 45.0, 45.0, 265.0, 145.0, 145.0, 265.0, 45.0];
    let mut busy = [120, 80, 60, 200, 30, 0, 90, 140, 160, 110, 170, 190].map(|read| MonthSpec { read, hue: None });
    for (month, hue) in busy.iter_mut().zip(hues) {
        month.hue = Some(hue);
    }
    let mut quiet = [MonthSpec::default(); 12];
    quiet[3].read = 14;
    let cases = [
        (
            "rich",
            YearCardSpec {
                year: "2025",
                is_over: true,
                figures: &rich,
                months: &busy,
                categories: &categories,
                site: "Pith",
            },
        ),
        (
            "poor",
            YearCardSpec {
                year: "2026",
                is_over: false,
                figures: &poor,
                months: &quiet,
                categories: &[],
                site: "The Long Name of a Company Library",
            },
        ),
    ];
    for (name, spec) in cases {
        std::fs::write(folder.join(format!("{name}.png")), raster::png(&year_card(&spec), HIGHLIGHT_CARD_WIDTH)?)?;
    }
    Ok(())
}
