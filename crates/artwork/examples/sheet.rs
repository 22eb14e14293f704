//! Writes a contact sheet of all pictures to a folder: `cargo run -p artwork --example sheet -- <folder>`.

use std::fmt::Write as _;
use std::path::PathBuf;

use artwork::{CoverSpec, category_image, cover, mark, seed_of};

/// The demonstration shelf: subid, title, author, hue.
const BOOKS: [(&str, &str, &str, f64); 16] = [
    ("meditations", "Meditations", "Marcus Aurelius", 265.0),
    ("autobiography-of-benjamin-franklin", "Autobiography of Benjamin Franklin", "Benjamin Franklin", 70.0),
    ("on-the-origin-of-species", "On the Origin of Species", "Charles Darwin", 195.0),
    ("the-wealth-of-nations", "The Wealth of Nations", "Adam Smith", 145.0),
    ("a-vindication-of-the-rights-of-woman", "A Vindication of the Rights of Woman", "Mary Wollstonecraft", 20.0),
    (
        "narrative-of-the-life-of-frederick-douglass",
        "Narrative of the Life of Frederick Douglass",
        "Frederick Douglass",
        70.0,
    ),
    ("walden", "Walden", "Henry David Thoreau", 125.0),
    ("on-liberty", "On Liberty", "John Stuart Mill", 265.0),
    ("the-principles-of-psychology", "The Principles of Psychology", "William James", 330.0),
    ("the-souls-of-black-folk", "The Souls of Black Folk", "W. E. B. Du Bois", 20.0),
    ("the-art-of-war", "The Art of War", "Sun Tzu", 235.0),
    ("the-prince", "The Prince", "Niccolò Machiavelli", 295.0),
    ("montaigne-essays", "Essays", "Michel de Montaigne", 265.0),
    ("the-theory-of-the-leisure-class", "The Theory of the Leisure Class", "Thorstein Veblen", 145.0),
    ("the-economic-consequences-of-the-peace", "The Economic Consequences of the Peace", "John Maynard Keynes", 145.0),
    ("social-life-in-the-insect-world", "Social Life in the Insect World", "Jean-Henri Fabre", 125.0),
];

/// The demonstration categories: subid, hue.
const CATEGORIES: [(&str, f64); 11] = [
    ("philosophy", 265.0),
    ("self-mastery", 45.0),
    ("psychology", 330.0),
    ("economics", 145.0),
    ("society", 20.0),
    ("politics", 295.0),
    ("strategy", 235.0),
    ("science", 195.0),
    ("nature", 125.0),
    ("memoir", 70.0),
    ("history", 95.0),
];

/// Titles and authors that are hard to lay out.
const HARD: [(&str, &str); 12] = [
    ("I", "Q"),
    ("Éloge de l'oisiveté", "Anne Thérèse de Marguenat de Courcelles"),
    ("An Enquiry Concerning the Principles of Morals and Politics", "Alexander Hamilton, James Madison and John Jay"),
    ("孫子兵法", "孫武"),
    ("Zażółć gęślą jaźń", "Łukasz Żółkiewski"),
    ("Donaudampfschifffahrtselektrizitätenhauptbetriebswerk", "Österreichische Gesellschaft"),
    ("\"Why I Write\" & Other <Essays>", "O'Neill"),
    (
        "Thoughts on the Education of Daughters: With Reflections on Female Conduct in the More Important Duties of Life, and Much Else",
        "M. W.",
    ),
    ("On the Duty of Civil Disobedience", "Henry David Thoreau"),
    ("Up from Slavery", "Booker T. Washington"),
    ("1984", "George Orwell"),
    ("", ""),
];

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "target/artwork".to_owned()));
    std::fs::create_dir_all(&folder)?;
    let mut covers = String::new();
    for (subid, title, author, hue) in BOOKS {
        let svg = cover(&CoverSpec { title, author, hue, seed: seed_of(subid) });
        std::fs::write(folder.join(format!("{subid}.svg")), svg)?;
        let _ = write!(covers, r#"<img src="{subid}.svg" alt="">"#);
    }
    let mut marks = String::new();
    for (subid, hue) in CATEGORIES {
        std::fs::write(folder.join(format!("category-{subid}.svg")), category_image(hue, seed_of(subid)))?;
        let _ = write!(marks, r#"<img src="category-{subid}.svg" alt="">"#);
    }
    std::fs::write(folder.join("mark.svg"), mark("Pith"))?;
    for size in [16, 24, 32, 64] {
        let _ = write!(marks, r#"<img src="mark.svg" alt="" style="width:{size}px">"#);
    }
    // Every composition with consecutive seeds, to show its variation, and with titles that are hard to lay out.
    let mut many = String::new();
    for seed in 0..64_u32 {
        let name = format!("seed-{seed}.svg");
        let (title, author) = HARD[seed as usize % HARD.len()];
        let spec = CoverSpec { title, author, hue: f64::from(seed * 47 % 360), seed: u64::from(seed) };
        std::fs::write(folder.join(&name), cover(&spec))?;
        let _ = write!(many, r#"<img src="{name}" alt="">"#);
    }
    let page = format!(
        r"<!doctype html><meta charset=utf-8><title>Contact sheet</title><style>
        body{{margin:0}} section{{padding:24px;display:flex;flex-wrap:wrap;gap:16px;align-items:end}}
        .paper{{background:#fbf7ef}} .dark{{background:#23201d}} .l img{{width:220px}} .m img{{width:160px}} .s img{{width:80px}} .c img{{width:96px}}</style>
        <section class='paper l'>{covers}</section><section class='dark m'>{covers}</section><section class='paper s'>{covers}</section>
        <section class='dark s'>{covers}</section><section class='paper c'>{marks}</section><section class='dark c'>{marks}</section>
        <section class='paper m'>{many}</section>"
    );
    std::fs::write(folder.join("index.html"), page)
}
