//! Checks what embedding pages rely on: pictures are well-formed, small, self-contained, titled and deterministic.

use std::collections::HashSet;

use artwork::{
    COVER_HEIGHT, COVER_WIDTH, CoverSpec, Good, Ground, HIGHLIGHT_CARD_HEIGHT, HIGHLIGHT_CARD_WIDTH, HighlightCardSpec,
    HighlightColor, IdeaSpec, InfographicSpec, Load, Mood, Motif, SCENE_SIDE, SceneSpec, category_image, cover,
    highlight_card, infographic, mark, scene, seed_of,
};
use proptest::prelude::*;
use roxmltree::Document;

/// The size limit of a picture with an ordinary title, in bytes.
const LIMIT: usize = 25_000;
/// The size limit of a scene with any parameters, in bytes.
const SCENE_LIMIT: usize = 30_000;
/// The size limit of a highlight's card with the longest words, in bytes.
const HIGHLIGHT_LIMIT: usize = 130_000;

fn spec<'a>(title: &'a str, author: &'a str, seed: u64) -> CoverSpec<'a> {
    CoverSpec { title, author, hue: 265.0, seed }
}

/// Parses a picture and checks the common invariants.
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
            // `<use>` refers to an existing element of the same document.
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
    assert_eq!(name_of(&check(&mark("Quire"), 64, 64)), "Quire");
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

/// Motifs with extreme parameters, and one of each kind of parameter.
fn motifs() -> Vec<Motif> {
    let load = |count, size| Load { count, size };
    let mut all = vec![
        Motif::Beasts,
        Motif::Keyhole,
        Motif::Planks { letters: "LSFA & more".into() },
        Motif::Planks { letters: String::new() },
        Motif::Mask { left: Mood::Glad, right: Mood::Weeping },
        Motif::Mask { left: Mood::Watchful, right: Mood::Watchful },
    ];
    for inside in [Good::Bread, Good::Coin, Good::Letter, Good::Book, Good::House, Good::Pin, Good::Seed] {
        all.push(Motif::Mind { inside });
        all.push(Motif::Exchange { give: inside, take: Good::Coin });
    }
    for n in [0, 1, 2, 3, 5, 8, 13, u8::MAX] {
        let flag = n % 2 == 0;
        all.extend([
            Motif::Axe { speckles: n },
            Motif::Balance { left: load(n, n), right: load(1, 4), tilt: i8::try_from(n).unwrap_or(i8::MIN) },
            Motif::Birds { tails: vec![n; 6] },
            Motif::Books { count: n, candle: flag },
            Motif::Branching { generations: n, alive: n },
            Motif::Bridge { stones: n, missing: n },
            Motif::Chain { links: n, open: n },
            Motif::Chairs { count: n, taken: n },
            Motif::Circle { people: n, lit: n },
            Motif::Compass { bearing: u16::from(n) * 200 },
            Motif::Crown { points: n },
            Motif::Dawn { people: n, water: flag },
            Motif::Delta { mouths: n },
            Motif::Depth { layers: n },
            Motif::Divided { parts: n },
            Motif::Doses { drops: n },
            Motif::Dyke { level: n },
            Motif::Eye { grades: n },
            Motif::Flame { logs: n },
            Motif::Fork { ways: n, taken: n },
            Motif::Furrows { rows: n, sprouts: n },
            Motif::Gather { count: n },
            Motif::Hourglass { left: n },
            Motif::Hours { spent: n },
            Motif::Ladder { rungs: n },
            Motif::Lens { across: n },
            Motif::Orbit { bodies: n },
            Motif::Reflection { bands: n },
            Motif::Ripple { rings: n },
            Motif::Scorecard { rows: n, columns: n, marks: n },
            Motif::Seeds { across: n, kept: n },
            Motif::Sizes { count: n },
            Motif::Snail { turns: n },
            Motif::Spoil { stages: n },
            Motif::Stacks { heights: vec![n.min(40); usize::from(n % 9)] },
            Motif::Steps { count: n },
            Motif::Storm { drops: n },
            Motif::Strata { layers: n, shells: n },
            Motif::Stream { stones: n },
            Motif::Street { houses: n, lit: n },
            Motif::Talk { common: n },
            Motif::Tree { crown: n, roots: n },
            Motif::Vat { dips: n },
            Motif::Vine { bunches: n, glass: flag },
            Motif::Wall { ladders: n, door: flag },
            Motif::Web { nodes: n, touched: n },
            Motif::Wheel { segments: n },
            Motif::Wires { poles: n, birds: n },
        ]);
    }
    all
}

#[test]
fn every_motif_draws_with_any_numbers_on_every_ground() {
    for motif in motifs() {
        for ground in [Ground::Flesh, Ground::Paper, Ground::Deep, Ground::Tint] {
            let svg = scene(&SceneSpec { motif: &motif, ground, hue: 125.0, seed: 4, title: "An <idea>" });
            let document = check(&svg, SCENE_SIDE, SCENE_SIDE);
            assert_eq!(name_of(&document), "An <idea>");
            assert!(svg.len() < SCENE_LIMIT, "{motif:?}: {} bytes", svg.len());
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{motif:?}");
        }
    }
}

#[test]
fn numbers_change_the_picture_and_so_does_the_ground() {
    let draw = |motif: Motif, ground| scene(&SceneSpec { motif: &motif, ground, hue: 70.0, seed: 1, title: "" });
    let one = draw(Motif::Hours { spent: 5 }, Ground::Tint);
    assert_eq!(one, draw(Motif::Hours { spent: 5 }, Ground::Tint));
    assert_ne!(one, draw(Motif::Hours { spent: 6 }, Ground::Tint));
    assert_ne!(one, draw(Motif::Hours { spent: 5 }, Ground::Deep));
}

#[test]
fn two_neighbours_of_a_book_stand_on_different_grounds() {
    for place in 0..12 {
        assert_ne!(Ground::at(place), Ground::at(place + 1));
    }
}

/// An infographic with two ideas that have the same title and text.
fn poster(title: &str, body: &str) -> String {
    let scene = SceneSpec { motif: &Motif::Beasts, ground: Ground::Flesh, hue: 265.0, seed: 7, title };
    let ideas = [IdeaSpec { scene, body }; 2];
    infographic(&InfographicSpec { cover: spec("Walden", "Henry David Thoreau", 7), ideas: &ideas, site: "Pith" })
}

/// The tops of the rows and of the foot, and the baselines between the head and the foot, in order.
fn rows_of(svg: &str) -> (Vec<f64>, Vec<f64>) {
    let document = Document::parse(svg).expect("well-formed XML");
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let height = number(document.root_element().attribute("height").expect("a height"));
    let foot = height - 120.0;
    let row = (foot - 520.0) / 2.0;
    let mut baselines: Vec<f64> = document
        .descendants()
        // Only elements of the infographic itself, not of the cover.
        .filter(|node| node.ancestors().filter(|outer| outer.tag_name().name() == "svg").count() == 1)
        .filter_map(|node| {
            node.attribute("transform")?.strip_prefix("translate(")?.split([' ', ')']).nth(1).map(number)
        })
        .filter(|y| (520.0..foot).contains(y))
        .collect();
    baselines.sort_by(f64::total_cmp);
    (vec![520.0, 520.0 + row, foot], baselines)
}

#[test]
fn the_longest_idea_that_can_be_saved_stays_in_its_row() {
    let title = "What happened to you, and what you yourself have added to it";
    // Words of ordinary length, as many as a key idea may have, and much longer ones.
    for body in ["seven letters ".repeat(45), "extraordinary circumstances ".repeat(45)] {
        let svg = poster(title, &body);
        let (edges, baselines) = rows_of(&svg);
        assert_eq!(baselines.len() % 2, 0, "{baselines:?}");
        for (row, lines) in edges.windows(2).zip(baselines.chunks(baselines.len() / 2)) {
            let (first, last) = (lines[0], lines[lines.len() - 1]);
            assert!(first >= row[0] + 24.0 + 24.0, "{first} in {row:?}");
            assert!(last <= row[1] - 24.0, "{last} in {row:?}");
        }
    }
}

#[test]
fn rows_keep_their_height_while_smaller_type_will_do() {
    let tall = |words: usize| {
        let (edges, _) = rows_of(&poster("Two words", &"seven letters ".repeat(words / 2)));
        edges[1] - edges[0]
    };
    assert!((tall(30) - 450.0).abs() < 0.1 && (tall(90) - 450.0).abs() < 0.1);
    assert!(tall(200) > 451.0);
}

fn highlight<'a>(words: &'a str, author: &'a str) -> HighlightCardSpec<'a> {
    let (title, color) = ("Walden & <Civil> Disobedience", HighlightColor::Honey);
    HighlightCardSpec { words, title, author, hue: Some(125.0), color, site: "Pith" }
}

/// Draws a highlight's card and checks that it is well-formed and has all text as outlines.
fn checked_highlight(spec: &HighlightCardSpec<'_>) -> String {
    let svg = highlight_card(spec);
    let document = check(&svg, HIGHLIGHT_CARD_WIDTH, HIGHLIGHT_CARD_HEIGHT);
    assert!(!document.descendants().any(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text"))));
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    svg
}

/// The baselines of all lines of a picture, in the order drawn.
fn baselines_of(svg: &str) -> Vec<f64> {
    let document = Document::parse(svg).expect("well-formed XML");
    let transforms = document.descendants().filter_map(|node| node.attribute("transform"));
    let baselines = transforms.filter_map(|transform| transform.strip_prefix("translate(")?.split([' ', ')']).nth(1));
    baselines.map(|y| y.parse().expect("a number")).collect()
}

#[test]
fn a_highlight_card_is_the_same_each_time_and_shows_words_source_and_color() {
    let spec = highlight("Simplify, simplify.", "Henry David Thoreau");
    let one = checked_highlight(&spec);
    assert_eq!(one, checked_highlight(&spec));
    assert_eq!(name_of(&Document::parse(&one).expect("well-formed XML")), spec.title);
    for other in [
        HighlightCardSpec { words: "Simplify.", ..spec },
        HighlightCardSpec { title: "Walden", ..spec },
        HighlightCardSpec { author: "Ralph Waldo Emerson", ..spec },
        HighlightCardSpec { hue: None, ..spec },
        HighlightCardSpec { site: "Quire", ..spec },
        HighlightCardSpec { color: HighlightColor::Rose, ..spec },
    ] {
        assert_ne!(one, checked_highlight(&other));
    }
}

#[test]
fn the_longest_highlight_stays_above_its_source_and_within_the_limit() {
    let title = "An Inquiry into the Nature and Causes of the Wealth of Nations ".repeat(4);
    for words in
        ["It is life near the bone where it is sweetest. ", "a ", "unintelligibly", "one\n", "A “quoted” line,\n\n"]
    {
        let words: String = words.repeat(1_000).chars().take(2_000).collect();
        let svg = checked_highlight(&HighlightCardSpec { title: &title, ..highlight(&words, "Adam Smith") });
        assert!(svg.len() < HIGHLIGHT_LIMIT, "{} bytes", svg.len());
        // Author, two lines of the title, quotation mark, the words from top to bottom, and the site's name.
        let baselines = baselines_of(&svg);
        let (above, below) = (&baselines[4..baselines.len() - 1], baselines[1]);
        assert!(above.is_sorted() && above.len() > 10, "{above:?}");
        assert!(above[0] > 216.0 && above[above.len() - 1] < below - 40.0, "{above:?} and {below}");
    }
}

#[test]
fn a_highlight_of_an_own_summary_names_no_author() {
    let (with, without) = ("Henry David Thoreau", "");
    let baselines =
        [with, without, " "].map(|author| baselines_of(&checked_highlight(&highlight("Simplify.", author))));
    assert_eq!(baselines[0].len(), baselines[1].len() + 1);
    assert_eq!(baselines[1], baselines[2]);
}

#[test]
fn a_highlight_in_letters_that_the_fonts_lack_is_still_outlines() {
    for words in ["ἀρετή means “excellence” 🙂", "Добро → благо", "孫子兵法", "שלום", "👍", "", " \n ", "①②③ ﬁne"]
    {
        checked_highlight(&HighlightCardSpec { title: words, ..highlight(words, words) });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_highlight_at_all_gives_a_well_formed_card(words in any::<String>(), title in any::<String>(), author in any::<String>(), hue in any::<Option<f64>>(), color in 0..4_usize) {
        let color = HighlightColor::ALL[color];
        checked_highlight(&HighlightCardSpec { words: &words, title: &title, author: &author, hue, color, site: "Pith" });
    }
}
