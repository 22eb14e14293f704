//! Texts of pages: the sections of a body, and the page with only a title and a sentence.

use askama::Template;

/// A section of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// The heading, in plain text.
    pub title: String,
    /// The HTML below it.
    pub html: String,
}

/// Splits a body into its sections, in order.
pub fn sections(body: &str) -> impl Iterator<Item = Section> {
    catalogue::Body::from_html(body).sections.into_iter().map(|section| Section {
        html: section.html.split_once("</h3>").map_or(section.html.as_str(), |(_, rest)| rest).to_owned(),
        title: section.title,
    })
}

/// [`sections`] for a page that shows the section titles as `h2`: headings below them are raised from `h4` to `h3`.
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

/// The HTML of a page with only `text`; or, without a text, the placeholder of a page that the web app renders: a skeleton
/// until the app has loaded, and a note for browsers without JavaScript.
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
