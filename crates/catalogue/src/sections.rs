//! Divides a body into sections (`catalogue.body-sections`) and cuts its preview (`catalogue.preview-cut`).
//!
//! A section begins at each top-level heading of level 3. Before that, a trailing group of level-2 headings is promoted
//! to level 3: those after the last level-3 heading, or all of them when there is none. Text before the first heading
//! is an untitled first section. A heading inside a list or a quotation begins no section and becomes a level-4
//! heading.

use crate::html::{self, Block};

/// The heading of the recap, in files and in the audio as on the page.
pub const RECAP_TITLE: &str = "The key ideas in short";

/// A summary's text, sanitized and divided into sections.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// The normalized HTML. Each section except an untitled first one begins with a top-level `<h3>`.
    pub html: String,
    /// The HTML of the preview: about the first 15%, cut at the end of a paragraph. It is never the whole text if that
    /// has more than one paragraph.
    pub preview: String,
    /// The sections, in order.
    pub sections: Vec<Section>,
}

/// A section of a summary: one key idea.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its index, from 0.
    pub place: usize,
    /// Its heading as plain text; empty for text before the first heading.
    pub title: String,
    /// Its HTML, the heading included.
    pub html: String,
    /// The same without the heading, as a tree.
    pub blocks: Vec<Block>,
    /// Its plain text without the heading, one paragraph per line.
    pub text: String,
    /// How many bytes of `text` the preview shows.
    pub previewed: usize,
}

impl Body {
    /// Sanitizes any HTML against the allow list and divides it. Its own output passes through unchanged.
    pub fn from_html(html: &str) -> Self {
        let mut blocks = html::read(html);
        promote_trailing_group(&mut blocks);
        let shown = cut(&blocks);
        let mut sections: Vec<Section> = parts(&blocks).enumerate().map(|(place, part)| section(place, part)).collect();
        for (section, part) in sections.iter_mut().zip(parts(&shown)) {
            section.previewed = html::text_of(without_heading(part)).len();
        }
        Self { html: written(&blocks), preview: written(&shown), sections }
    }

    /// The number of words in its sections, including headings.
    pub fn words(&self) -> u32 {
        let count = |text: &str| text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
        let words: usize = self.sections.iter().map(|section| count(&section.title) + count(&section.text)).sum();
        u32::try_from(words).unwrap_or(u32::MAX)
    }
}

impl Section {
    /// Its HTML without the heading.
    pub fn html_without_heading(&self) -> String {
        written(&self.blocks)
    }
}

/// The recap at the end of a summary (`catalogue.summary-recap`): the headings of its sections, in order. Empty for fewer than two, which would
/// repeat the heading above the text.
pub fn recap<'a>(headings: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let list: Vec<String> = headings.into_iter().filter(|heading| !heading.is_empty()).map(str::to_owned).collect();
    if list.len() < 2 { Vec::new() } else { list }
}

fn written(blocks: &[Block]) -> String {
    let mut out = String::new();
    html::write(blocks, &mut out);
    out
}

fn promote_trailing_group(blocks: &mut [Block]) {
    let after = blocks.iter().rposition(|block| matches!(block, Block::Heading(3, _))).map_or(0, |at| at + 1);
    for block in &mut blocks[after..] {
        if let Block::Heading(level @ 2, _) = block {
            *level = 3;
        }
    }
}

/// The blocks of each section.
fn parts(blocks: &[Block]) -> impl Iterator<Item = &[Block]> {
    let mut rest = blocks;
    std::iter::from_fn(move || {
        let (_, after_first) = rest.split_first()?;
        let length =
            after_first.iter().position(|block| matches!(block, Block::Heading(3, _))).map_or(rest.len(), |at| at + 1);
        let (part, following) = rest.split_at(length);
        rest = following;
        Some(part)
    })
}

fn section(place: usize, part: &[Block]) -> Section {
    let title = match part.first() {
        Some(Block::Heading(3, line)) => html::text_of_line(line),
        _ => String::new(),
    };
    let blocks = without_heading(part);
    Section { place, title, html: written(part), blocks: blocks.to_vec(), text: html::text_of(blocks), previewed: 0 }
}

fn without_heading(part: &[Block]) -> &[Block] {
    match part {
        [Block::Heading(3, _), rest @ ..] => rest,
        all => all,
    }
}

/// The blocks of the preview.
fn cut(blocks: &[Block]) -> Vec<Block> {
    let mut ends = Ends::default();
    ends.walk(blocks);
    if ends.paragraphs.len() < 2 {
        return blocks.to_vec();
    }
    let wanted = ends.length * 15 / 100;
    let candidates = &ends.paragraphs[..ends.paragraphs.len() - 1];
    let nearest = (0..candidates.len()).min_by_key(|at| candidates[*at].abs_diff(wanted)).unwrap_or(0);
    let mut left = nearest + 1;
    keep(blocks, &mut left)
}

/// Where the paragraphs of a text end, in characters from its start.
#[derive(Default)]
struct Ends {
    length: usize,
    paragraphs: Vec<usize>,
}

impl Ends {
    fn walk(&mut self, blocks: &[Block]) {
        for block in blocks {
            match block {
                Block::Heading(_, line) => self.length += html::text_of_line(line).chars().count(),
                Block::Paragraph(line) => {
                    self.length += html::text_of_line(line).chars().count();
                    self.paragraphs.push(self.length);
                }
                Block::List { items, .. } => items.iter().for_each(|item| self.walk(item)),
                Block::Quote(inner) => self.walk(inner),
                Block::Rule | Block::Picture(_) => {}
            }
        }
    }
}

/// The blocks up to the end of the paragraph at which `left` reaches 0, with the enclosing blocks closed.
fn keep(blocks: &[Block], left: &mut usize) -> Vec<Block> {
    let mut kept = Vec::new();
    for block in blocks {
        if *left == 0 {
            break;
        }
        match block {
            Block::Paragraph(_) => {
                *left -= 1;
                kept.push(block.clone());
            }
            Block::Heading(..) | Block::Rule | Block::Picture(_) => kept.push(block.clone()),
            Block::Quote(inner) => kept.push(Block::Quote(keep(inner, left))),
            Block::List { ordered, items } => {
                let mut some = Vec::new();
                for item in items {
                    if *left == 0 {
                        break;
                    }
                    some.push(keep(item, left));
                }
                kept.push(Block::List { ordered: *ordered, items: some });
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Body;
    use crate::html;

    fn titles(html: &str) -> Vec<String> {
        Body::from_html(html).sections.into_iter().map(|section| section.title).collect()
    }

    #[test]
    fn recap_lists_the_headings_of_two_sections_or_more() {
        assert_eq!(super::recap(["", "A hut", "What it cost"]), ["A hut", "What it cost"]);
        assert!(super::recap(["", "A hut"]).is_empty());
    }

    #[test]
    fn sections_begin_at_level_3_headings() {
        let body =
            Body::from_html("<h3>One</h3><p>a</p><p>b</p><h4>Aside</h4><p>c</p><h3>Two <em>more</em></h3><p>d</p>");
        assert_eq!(body.sections.len(), 2);
        assert_eq!((body.sections[0].place, body.sections[0].title.as_str()), (0, "One"));
        assert_eq!(body.sections[0].text, "a\nb\nAside\nc");
        assert_eq!((body.sections[1].place, body.sections[1].title.as_str()), (1, "Two more"));
        assert_eq!(body.sections[1].html, "<h3>Two <em>more</em></h3><p>d</p>");
    }

    #[test]
    fn text_before_the_first_heading_is_an_untitled_first_section() {
        assert_eq!(titles("<p>Before</p><h3>One</h3><p>a</p>"), ["", "One"]);
        assert_eq!(titles("Bare words"), [""]);
        assert_eq!(titles("  \n "), Vec::<String>::new());
    }

    #[test]
    fn a_trailing_level_2_group_is_promoted_and_an_earlier_one_is_not() {
        assert_eq!(
            titles("<h3>One</h3><p>a</p><h2>Last</h2><p>b</p><h2>Very last</h2><p>c</p>"),
            ["One", "Last", "Very last"]
        );
        assert_eq!(titles("<h2>A</h2><p>a</p><h2>B</h2><p>b</p>"), ["A", "B"]);
        let body = Body::from_html("<h2>Part</h2><h3>One</h3><p>a</p><h2>Middle</h2><p>b</p><h3>Two</h3><p>c</p>");
        assert_eq!(body.sections.iter().map(|section| section.title.as_str()).collect::<Vec<_>>(), ["", "One", "Two"]);
        assert_eq!(body.sections[1].html, "<h3>One</h3><p>a</p><h2>Middle</h2><p>b</p>");
    }

    #[test]
    fn a_heading_within_a_quotation_begins_nothing_and_an_empty_one_is_dropped() {
        assert_eq!(titles("<h3>One</h3><blockquote><h3>No</h3><p>a</p></blockquote><h3> <br></h3><p>b</p>"), ["One"]);
        assert_eq!(titles("<h3>One</h3><p>a</p><h3>&nbsp;</h3><p>b</p>"), ["One"]);
    }

    #[test]
    fn what_is_not_allowed_is_removed_and_its_text_kept() {
        let body = Body::from_html(
            "<script>alert(1)</script><div onclick='x()'>One <b>bold</b><span style='a'> word</span></div>\
             <p><a href='javascript:alert(1)'>bad</a> <a href='https://example.org/?a=1&b=2' target='_blank'>good</a></p><img src=x onerror=y>",
        );
        assert_eq!(
            body.html,
            "<p>One <strong>bold</strong> word</p>\
             <p>bad <a href=\"https://example.org/?a=1&amp;b=2\" rel=\"noopener noreferrer\">good</a></p>"
        );
    }

    #[test]
    fn a_stored_picture_is_a_block_of_its_own_and_any_other_is_left_out() {
        let body = Body::from_html(
            "<p>One <img src='/media/pictures/text-1a.jpg' alt=' A \"hut\"\n by a pond ' width=640 height='480' onerror='x()'>two</p>\
             <p><a href='https://a.example/'><img src='/media/pictures/text-2b.svg' width='wide' height='3'></a></p>\
             <h3>A <img src='/media/pictures/text-3c.jpg'> heading</h3><p>three</p>\
             <img src='https://elsewhere.example/media/pictures/text-1a.jpg' alt='No'><img alt='No'>\
             <p><a href='/media/pictures/text-1a.jpg'>no link</a></p>",
        );
        assert_eq!(
            body.html,
            "<p>One</p><img src=\"/media/pictures/text-1a.jpg\" alt=\"A &quot;hut&quot; by a pond\" width=\"640\" height=\"480\" \
             loading=\"lazy\"><p>two</p><img src=\"/media/pictures/text-2b.svg\" alt=\"\" loading=\"lazy\">\
             <h3>A heading</h3><p>three</p><p>no link</p>"
        );
        assert_eq!(body.sections[0].text, "One\ntwo", "what a picture shows is not read aloud");
    }

    #[test]
    fn the_preview_ends_with_the_paragraph_nearest_to_15_per_cent() {
        let paragraph = |n: usize| format!("<p>{}</p>", "word ".repeat(n).trim());
        let html =
            format!("<h3>One</h3>{}{}{}<h3>Two</h3>{}", paragraph(10), paragraph(6), paragraph(40), paragraph(44));
        let body = Body::from_html(&html);
        assert_eq!(body.preview, format!("<h3>One</h3>{}{}", paragraph(10), paragraph(6)));
        assert_eq!(body.sections[0].previewed, "word ".repeat(10).len() + "word ".repeat(6).len() - 1);
        assert_eq!(body.sections[1].previewed, 0);
    }

    #[test]
    fn the_preview_has_a_paragraph_and_is_never_the_whole_of_several() {
        assert_eq!(Body::from_html("<p>a</p><p>b</p>").preview, "<p>a</p>");
        assert_eq!(Body::from_html("<ul><li>a</li><li>b</li></ul>").preview, "<ul><li>a</li></ul>");
        assert_eq!(Body::from_html("<p>only</p>").preview, "<p>only</p>");
        let body = Body::from_html(&format!("<p>{}</p><blockquote><p>b</p></blockquote>", "a".repeat(500)));
        assert_eq!(body.preview, format!("<p>{}</p>", "a".repeat(500)));
    }

    #[test]
    fn nesting_without_end_is_cut_and_loses_no_text() {
        let deep = format!(
            "{}<p>core</p>{}",
            "<blockquote><ul><li><em>".repeat(400),
            "</em></li></ul></blockquote>".repeat(400)
        );
        let body = Body::from_html(&deep);
        assert_eq!(body.sections[0].text, "core");
        assert_eq!(Body::from_html(&body.html), body);
    }

    /// Text without whitespace, to compare content.
    fn ink(text: &str) -> String {
        text.chars().filter(|c| !c.is_whitespace()).collect()
    }

    /// All text of HTML, extracted independently: by the sanitizer with no tag allowed.
    fn text_by_the_cleaner(html: &str) -> String {
        let stripped = ammonia::Builder::empty()
            .clean_content_tags(["script", "style", "template", "noscript", "iframe", "title"].into())
            .clean(html)
            .to_string();
        ink(&stripped.replace("&nbsp;", "\u{a0}").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    }

    fn check(html: &str) -> Result<(), TestCaseError> {
        let body = Body::from_html(html);
        let all: String =
            body.sections.iter().flat_map(|section| [section.title.as_str(), section.text.as_str()]).collect();
        // Nothing lost, nothing invented.
        prop_assert_eq!(ink(&all), text_by_the_cleaner(html));
        prop_assert_eq!(ink(&all), text_by_the_cleaner(&body.html));
        // The sections together are the body.
        prop_assert_eq!(&body.sections.iter().map(|section| section.html.as_str()).collect::<String>(), &body.html);
        for section in &body.sections {
            prop_assert_eq!(section.title.is_empty(), !section.html.starts_with("<h3>"));
            prop_assert!(section.place == 0 || !section.title.is_empty());
            prop_assert!(section.text.get(..section.previewed).is_some());
        }
        // Normalizing is idempotent.
        prop_assert_eq!(&Body::from_html(&body.html), &body);
        // The preview is well-formed, and the beginning of the text.
        let mut again = String::new();
        html::write(&html::read(&body.preview), &mut again);
        prop_assert_eq!(&again, &body.preview);
        prop_assert!(ink(&all).starts_with(&text_by_the_cleaner(&body.preview)));
        let last = body.sections.iter().rposition(|section| section.previewed > 0);
        let shown = last.map_or(&body.sections[..0], |last| &body.sections[..=last]);
        let shown: String =
            shown.iter().flat_map(|section| [section.title.as_str(), &section.text[..section.previewed]]).collect();
        prop_assert!(ink(&all).starts_with(&ink(&shown)));
        Ok(())
    }

    fn markup() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            3 => "[a-zA-Zé&;<> \u{a0}]{0,12}",
            6 => proptest::sample::select(vec![
                "<h2>", "</h2>", "<h3>", "</h3>", "<h4>", "</h4>", "<p>", "</p>", "<ul>", "</ul>", "<ol>", "</ol>", "<li>",
                "</li>", "<blockquote>", "</blockquote>", "<em>", "</em>", "<strong>", "</strong>",
                "<a href='https://a.example/'>", "<a>", "</a>", "<br>", "<hr>", "<div>", "</div>", "<table>", "<tr>", "<td>",
                "</table>", "<button>", "</button>", "<img src='/media/pictures/text-1a.jpg' alt='A'>", "<h1>", "<b>", "</b>", "&amp;lt;", "&#0;", "<!-- -->", "<svg>", "</svg>",
            ]).prop_map(str::to_owned),
        ];
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn every_markup_keeps_the_rules(html in markup()) {
            check(&html)?;
        }

        #[test]
        fn any_text_at_all_is_read_without_a_panic(html in "\\PC{0,200}") {
            let body = Body::from_html(&html);
            prop_assert_eq!(&Body::from_html(&body.html), &body);
        }
    }
}
