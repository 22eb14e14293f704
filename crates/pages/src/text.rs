//! Texts of pages: the sections of a body, and the page that has a title and one sentence.

use askama::Template;

/// A section of a text, its heading apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// The heading, in plain text.
    pub title: String,
    /// The HTML below it.
    pub html: String,
}

/// The sections of a body, one after the other.
pub fn sections(body: &str) -> impl Iterator<Item = Section> {
    catalogue::Body::from_html(body).sections.into_iter().map(|section| Section {
        html: section.html.split_once("</h3>").map_or(section.html.as_str(), |(_, rest)| rest).to_owned(),
        title: section.title,
    })
}

/// The sections of a body whose own headings are on the second level of a page: those below them rise to the third.
pub fn sections_of_page(body: &str) -> Vec<Section> {
    let raise =
        |section: Section| Section { html: section.html.replace("<h4>", "<h3>").replace("</h4>", "</h3>"), ..section };
    sections(body).map(raise).collect()
}

#[derive(Template)]
#[template(path = "plain.html")]
struct Plain<'a> {
    title: &'a str,
    text: Option<&'a str>,
}

/// The HTML of a page whose text is the app's: until it has come, its shape is shown, or that it will not come without
/// scripts. With a text, that text instead.
pub fn plain(title: &str, text: Option<&str>) -> askama::Result<String> {
    Plain { title, text }.render()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_shown_by_its_sections_with_headings_in_order() {
        let body = "<h3>One</h3><p>First.</p><h4>Within</h4><p>More.</p><h3>Two</h3><p>Second.</p>";
        let section = |title: &str, html: &str| Section { title: title.to_owned(), html: html.to_owned() };
        assert_eq!(
            sections(body).collect::<Vec<_>>(),
            [section("One", "<p>First.</p><h4>Within</h4><p>More.</p>"), section("Two", "<p>Second.</p>")]
        );
        assert_eq!(sections_of_page(body)[0].html, "<p>First.</p><h3>Within</h3><p>More.</p>");
    }
}
