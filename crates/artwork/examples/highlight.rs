//! Writes the pictures of some highlights to a folder: `cargo run -p artwork --example highlight -- <folder>`.

use std::path::PathBuf;

use artwork::{HIGHLIGHT_CARD_WIDTH, HighlightCardSpec, HighlightColor, highlight_card, raster};

/// A passage of ordinary length.
const LIVING: &str = "I went to the woods because I wished to live deliberately, to front only the essential facts of life, and \
    see if I could not learn what it had to teach, and not, when I came to die, discover that I had not lived.";
/// A longer passage.
const POST_OFFICE: &str = "For my part, I could easily do without the post-office. I think that there are very few important \
    communications made through it. To speak critically, I never received more than one or two letters in my life—I wrote this \
    some years ago—that were worth the postage. The penny-post is, commonly, an institution through which you seriously offer a \
    man that penny for his thoughts which is so often safely offered in jest. And I am sure that I never read any memorable news \
    in a newspaper. ";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("Which folder?")?);
    let long: String = POST_OFFICE.repeat(5).chars().take(2_000).collect();
    let verses = "Tell me not, in mournful numbers,\nLife is but an empty dream!\nFor the soul is dead that slumbers,\n\
        And things are not what they seem.";
    let spec = |words, title, author, hue, color| HighlightCardSpec { words, title, author, hue, color, site: "Pith" };
    let thoreau = "Henry David Thoreau";
    let long_title = "Narrative of the Life of Frederick Douglass, an American Slave, Written by Himself";
    let cases = [
        ("short", spec("Simplify, simplify.", "Walden", thoreau, Some(125.0), HighlightColor::Honey)),
        ("ordinary", spec(LIVING, "Walden", thoreau, Some(125.0), HighlightColor::Leaf)),
        ("longer", spec(POST_OFFICE, long_title, "Frederick Douglass", Some(265.0), HighlightColor::Sky)),
        ("longest", spec(&long, long_title, "Frederick Douglass", Some(20.0), HighlightColor::Rose)),
        ("own", spec(verses, "Notes on a talk about attention", "", None, HighlightColor::Honey)),
        (
            "foreign",
            spec(
                "The word ἀρετή means “excellence” 🙂, not “virtue”.",
                "孫子兵法",
                "Sun Tzu",
                Some(235.0),
                HighlightColor::Sky,
            ),
        ),
    ];
    for (name, spec) in cases {
        std::fs::write(folder.join(format!("{name}.png")), raster::png(&highlight_card(&spec), HIGHLIGHT_CARD_WIDTH)?)?;
    }
    Ok(())
}
