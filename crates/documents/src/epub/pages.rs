//! The pages of an EPUB, in reading order.

use std::fmt::Write;

use super::{
    escaped,
    pictures::{cover, file_name},
};
use crate::{
    Recap, Summary,
    text::{Block, Inline},
};

/// One page: an XHTML file.
pub(super) struct Page {
    /// The file name.
    pub(super) file: String,
    /// The title in the table of contents; empty for pages that it omits.
    pub(super) title: String,
    /// Its structural role.
    pub(super) role: Role,
    pub(super) xhtml: String,
}

/// The structural role of a page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Cover,
    Title,
    Contents,
    KeyIdea,
    Recap,
    Quotes,
    Author,
}

impl Role {
    /// The value of `epub:type`.
    fn epub_type(self) -> &'static str {
        match self {
            Self::Cover => "cover",
            Self::Title => "titlepage",
            Self::Contents => "toc",
            Self::KeyIdea => "chapter",
            Self::Recap => "conclusion",
            Self::Quotes | Self::Author => "appendix",
        }
    }
}

/// All pages in reading order.
pub(super) fn pages(summary: &Summary) -> Vec<Page> {
    let mut pages = Vec::new();
    if let Some((name, _)) = cover(summary) {
        let alt = escaped(&format!("Cover: {} by {}", summary.title, summary.author));
        let body = format!("<div class=\"cover\"><img src=\"{name}\" alt=\"{alt}\" role=\"doc-cover\"/></div>");
        pages.push(page(summary, "cover.xhtml", "Cover", Role::Cover, &body));
    }
    pages.push(page(summary, "title.xhtml", &summary.title, Role::Title, &title(summary)));
    let mut ideas = Vec::new();
    let many = summary.sections.len() > 1;
    for (place, section) in summary.sections.iter().enumerate() {
        let number = place + 1;
        let mut body = String::new();
        if many {
            let _ = writeln!(body, "<p class=\"number\">Key idea {number}</p>");
        }
        // A section without a heading gets the book's title.
        let heading = if section.title.is_empty() { &summary.title } else { &section.title };
        let _ = writeln!(body, "<h1>{}</h1>", escaped(heading));
        blocks(&section.blocks, &mut body);
        ideas.push(page(summary, &format!("idea-{number}.xhtml"), heading, Role::KeyIdea, &body));
    }
    if let Some(recap) = &summary.recap {
        ideas.push(page(summary, "recap.xhtml", &recap.title, Role::Recap, &recap_list(recap)));
    }
    if !summary.quotes.is_empty() {
        ideas.push(page(summary, "quotes.xhtml", "In the book’s own words", Role::Quotes, &quotes(summary)));
    }
    ideas.push(page(summary, "author.xhtml", &format!("About {}", summary.author), Role::Author, &author(summary)));
    pages.push(contents(summary, &ideas));
    pages.extend(ideas);
    pages
}

fn page(summary: &Summary, file: &str, title: &str, role: Role, body: &str) -> Page {
    let (language, name, kind) = (escaped(&summary.language), escaped(title), role.epub_type());
    let xhtml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n\
         <html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\" lang=\"{language}\" xml:lang=\"{language}\">\n\
         <head>\n<meta charset=\"utf-8\"/>\n<title>{name}</title>\n<link rel=\"stylesheet\" type=\"text/css\" href=\"style.css\"/>\n</head>\n\
         <body>\n<section epub:type=\"{kind}\">\n{body}\n</section>\n</body>\n</html>\n"
    );
    Page { file: file.to_owned(), title: title.to_owned(), role, xhtml }
}

fn title(summary: &Summary) -> String {
    let ideas = match summary.sections.len() {
        1 => String::new(),
        many => format!(" · {many} key ideas"),
    };
    let minutes = summary.minutes;
    format!(
        "<div class=\"title\">\n<p class=\"number\">A summary</p>\n<h1>{}</h1>\n<p class=\"by\">by {}</p>\n<p class=\"promise\">{}</p>\n\
         <p class=\"small\">{minutes} minutes to read{ideas}</p>\n<p class=\"small\">{} · <a href=\"{}\">{}</a></p>\n</div>",
        escaped(&summary.title),
        escaped(&summary.author),
        escaped(&summary.description),
        escaped(&summary.site),
        escaped(&summary.url),
        escaped(summary.url.split_once("://").map_or(&summary.url, |(_, rest)| rest)),
    )
}

/// The table of contents: a page of the book, and the EPUB navigation document.
fn contents(summary: &Summary, pages: &[Page]) -> Page {
    let mut body = String::from("<nav epub:type=\"toc\" role=\"doc-toc\" id=\"toc\">\n<h1>Contents</h1>\n<ol>\n");
    for page in pages {
        let _ = writeln!(body, "<li><a href=\"{}\">{}</a></li>", page.file, escaped(&page.title));
    }
    let first = pages.first().map_or("", |page| page.file.as_str());
    let _ = write!(
        body,
        "</ol>\n</nav>\n<nav epub:type=\"landmarks\" hidden=\"hidden\">\n<h2>Landmarks</h2>\n<ol>\n\
         <li><a epub:type=\"titlepage\" href=\"title.xhtml\">Title page</a></li>\n\
         <li><a epub:type=\"toc\" href=\"contents.xhtml#toc\">Contents</a></li>\n\
         <li><a epub:type=\"bodymatter\" href=\"{first}\">First key idea</a></li>\n</ol>\n</nav>"
    );
    page(summary, "contents.xhtml", "Contents", Role::Contents, &body)
}

fn recap_list(recap: &Recap) -> String {
    let mut body = format!("<h1>{}</h1>\n<ol>\n", escaped(&recap.title));
    for idea in &recap.ideas {
        let _ = writeln!(body, "<li>{}</li>", escaped(idea));
    }
    body.push_str("</ol>");
    body
}

fn quotes(summary: &Summary) -> String {
    let mut body = String::from("<h1>In the book’s own words</h1>\n");
    for quote in &summary.quotes {
        let _ = writeln!(body, "<p class=\"quote\">“{}”</p>", escaped(&quote.text));
        if !quote.place.is_empty() {
            let _ = writeln!(body, "<p class=\"small\">{}</p>", escaped(&quote.place));
        }
    }
    body
}

/// The last page: about the author, and the source of the summary.
fn author(summary: &Summary) -> String {
    let mut body = format!("<h1>About {}</h1>\n", escaped(&summary.author));
    for paragraph in summary.author_description.lines().filter(|line| !line.trim().is_empty()) {
        let _ = writeln!(body, "<p>{}</p>", escaped(paragraph));
    }
    let (site, url) = (escaped(&summary.site), escaped(&summary.url));
    let _ = write!(
        body,
        "<hr/>\n<p class=\"small\">This summary is by {site}, in its own words; it does not stand in for the book. Read it, \
         listen to it and find others at <a href=\"{url}\">{url}</a>.</p>"
    );
    body
}

fn blocks(all: &[Block], out: &mut String) {
    for block in all {
        match block {
            Block::Heading(words) => element("h2", words, out),
            Block::Paragraph(words) => element("p", words, out),
            Block::List { ordered, items } => {
                let name = if *ordered { "ol" } else { "ul" };
                let _ = writeln!(out, "<{name}>");
                for item in items {
                    out.push_str("<li>");
                    match item.as_slice() {
                        [Block::Paragraph(words)] => line(words, out),
                        several => blocks(several, out),
                    }
                    out.push_str("</li>\n");
                }
                let _ = writeln!(out, "</{name}>");
            }
            Block::Quote(inner) => {
                out.push_str("<blockquote>\n");
                blocks(inner, out);
                out.push_str("</blockquote>\n");
            }
            Block::Rule => out.push_str("<hr/>\n"),
            Block::Picture { picture, alt } => {
                let role = if alt.is_empty() { " role=\"presentation\"" } else { "" };
                let (name, alt) = (file_name(picture), escaped(alt));
                let _ = writeln!(out, "<div class=\"picture\"><img src=\"{name}\" alt=\"{alt}\"{role}/></div>");
            }
        }
    }
}

fn element(name: &str, words: &[Inline], out: &mut String) {
    let _ = write!(out, "<{name}>");
    line(words, out);
    let _ = writeln!(out, "</{name}>");
}

fn line(words: &[Inline], out: &mut String) {
    for inline in words {
        match inline {
            Inline::Text(text) => out.push_str(&escaped(text)),
            Inline::Break => out.push_str("<br/>"),
            Inline::Emphasis(inner) => within("em", inner, out),
            Inline::Strong(inner) => within("strong", inner, out),
            Inline::Link(href, inner) => {
                let _ = write!(out, "<a href=\"{}\">", escaped(href));
                line(inner, out);
                out.push_str("</a>");
            }
        }
    }
}

fn within(name: &str, words: &[Inline], out: &mut String) {
    let _ = write!(out, "<{name}>");
    line(words, out);
    let _ = write!(out, "</{name}>");
}
