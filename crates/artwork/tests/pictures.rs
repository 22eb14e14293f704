//! What every picture owes to whoever embeds it: well-formed, small, self-contained, named, the same each time.

use std::collections::HashSet;

use artwork::{COVER_HEIGHT, COVER_WIDTH, CoverSpec, category_image, cover, mark, seed_of};
use proptest::prelude::*;
use roxmltree::Document;

/// A picture's size limit in bytes, for titles in words.
const LIMIT: usize = 25_000;

fn spec<'a>(title: &'a str, author: &'a str, seed: u64) -> CoverSpec<'a> {
    CoverSpec { title, author, hue: 265.0, seed }
}

/// Parses a picture and checks what holds for all of them.
fn check(svg: &str, width: u32, height: u32) -> Document<'_> {
    let document = Document::parse(svg).expect("well-formed XML");
    let root = document.root_element();
    assert_eq!(root.tag_name().namespace(), Some("http://www.w3.org/2000/svg"));
    assert_eq!(root.attribute("viewBox"), Some(format!("0 0 {width} {height}").as_str()));
    assert_eq!(root.attribute("role"), Some("img"));
    for node in document.descendants() {
        assert!(!matches!(node.tag_name().name(), "script" | "style" | "image" | "foreignObject"));
        for attribute in node.attributes() {
            assert!(!attribute.name().starts_with("on"));
            // Uses point into the picture itself, at something that is there.
            if let Some(id) = attribute.value().strip_prefix('#').filter(|_| attribute.name() == "href") {
                assert!(document.descendants().any(|n| n.attribute("id") == Some(id)), "#{id}");
            } else {
                assert_ne!(attribute.name(), "href");
            }
        }
    }
    document
}

fn name_of(document: &Document<'_>) -> String {
    let title = document.root_element().first_element_child().expect("a child");
    assert_eq!(title.tag_name().name(), "title");
    title.text().unwrap_or_default().to_owned()
}

#[test]
fn a_cover_is_the_same_each_time_and_another_for_another_book() {
    let one = cover(&spec("Walden", "Henry David Thoreau", seed_of("walden")));
    assert_eq!(one, cover(&spec("Walden", "Henry David Thoreau", seed_of("walden"))));
    assert_ne!(one, cover(&spec("Walden", "Henry David Thoreau", seed_of("on-liberty"))));
    assert_ne!(one, cover(&CoverSpec { hue: 30.0, ..spec("Walden", "Henry David Thoreau", seed_of("walden")) }));
}

#[test]
fn a_cover_says_whose_it_is() {
    let svg = cover(&spec("Essays <I> & \"II\"", "Michel de Montaigne", 7));
    assert_eq!(name_of(&check(&svg, COVER_WIDTH, COVER_HEIGHT)), "Essays <I> & \"II\", Michel de Montaigne");
    assert_eq!(name_of(&check(&cover(&spec("Essays", " ", 7)), COVER_WIDTH, COVER_HEIGHT)), "Essays");
}

#[test]
fn every_seed_draws_a_cover_within_the_limit() {
    let title = "An Enquiry Concerning the Principles of Morals and Politics!";
    for seed in 0..250_u16 {
        let author = "Alexander Hamilton, James Madison and John Jay";
        let svg = cover(&CoverSpec { title, author, hue: f64::from(seed) * 7.0, seed: u64::from(seed) });
        check(&svg, COVER_WIDTH, COVER_HEIGHT);
        assert!(svg.len() < LIMIT, "seed {seed}: {} bytes", svg.len());
    }
}

#[test]
fn a_shelf_of_one_category_is_varied() {
    let covers: HashSet<String> = (0..100).map(|seed| cover(&spec("Same", "Same", seed))).collect();
    assert!(covers.len() > 90, "{} of 100 differ", covers.len());
}

#[test]
fn titles_are_outlines_as_long_as_the_bundled_face_has_their_letters() {
    let svg = cover(&spec("Zażółć gęślą jaźń: l’œuvre “ß”", "Niccolò Machiavelli", 3));
    assert!(!svg.contains("<text"));
    let svg = cover(&spec("孫子兵法", "Sun Tzu", 3));
    assert!(svg.contains(">孫子兵法</text>"));
}

#[test]
fn categories_and_the_mark_are_pictures_too() {
    for seed in 0..60 {
        check(&category_image(145.0, seed), 240, 240);
    }
    assert_eq!(category_image(145.0, 9), category_image(145.0, 9));
    assert_ne!(category_image(145.0, 9), category_image(20.0, 9));
    assert_eq!(name_of(&check(&mark(), 64, 64)), "Pith");
}

#[test]
fn a_hue_that_is_no_number_still_gives_a_picture() {
    for hue in [f64::NAN, f64::INFINITY, -90.0, 1e9] {
        check(&cover(&CoverSpec { hue, ..spec("Walden", "Thoreau", 1) }), COVER_WIDTH, COVER_HEIGHT);
        check(&category_image(hue, 1), 240, 240);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_text_at_all_gives_a_well_formed_cover(title in any::<String>(), author in any::<String>(), hue in 0.0..360.0, seed in any::<u64>()) {
        check(&cover(&CoverSpec { title: &title, author: &author, hue, seed }), COVER_WIDTH, COVER_HEIGHT);
    }

    #[test]
    fn sixty_letters_in_words_stay_within_the_limit(
        title in prop::collection::vec("[A-Za-zéüñçø]?[a-z]{1,8}", 1..8),
        author in "[A-Z][a-zéüñ]{2,9} [A-Z][a-z]{2,12}",
        seed in any::<u64>()
    ) {
        let title: String = title.join(" ").chars().take(60).collect();
        let svg = cover(&CoverSpec { title: &title, author: &author, hue: 20.0, seed });
        prop_assert!(svg.len() < LIMIT, "{} bytes", svg.len());
    }
}
