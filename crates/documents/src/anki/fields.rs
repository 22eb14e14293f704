//! The fields and tags of an Anki note.

/// The character between two fields of a note.
const SEPARATOR: char = '\u{1f}';

/// The fields of a note as one text, in the form in which Anki stores them.
pub(super) fn joined(fields: [&str; 3]) -> String {
    fields.join(&SEPARATOR.to_string())
}

/// Plain text as the HTML of a field. Line breaks stay; other control characters are dropped.
pub(super) fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.replace("\r\n", "\n").chars() {
        match c {
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => out.push_str("<br>"),
            '\t' => out.push(' '),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Anki reads `[sound:…]` and `[latex]` in fields.
            '[' => out.push_str("&#91;"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// The source of a card, as a link when it has a URL.
pub(super) fn source(text: &str, url: Option<&str>) -> String {
    match url {
        Some(url) if !text.is_empty() => format!("<a href=\"{}\">{}</a>", html(url), html(text)),
        _ => html(text),
    }
}

/// Tags as Anki stores them: separated by spaces, with a space before the first and after the last one.
pub(super) fn tags(tags: &[String]) -> String {
    let names = tags.iter().map(|tag| tag.split(separates_tags).filter(|part| !part.is_empty()).collect::<Vec<_>>());
    let names: Vec<String> = names.map(|parts| parts.join("_")).filter(|name| !name.is_empty()).collect();
    if names.is_empty() { String::new() } else { format!(" {} ", names.join(" ")) }
}

fn separates_tags(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

#[cfg(test)]
mod tests {
    use super::{html, source, tags};

    #[test]
    fn text_stays_text_and_line_breaks_stay() {
        assert_eq!(html("a <b>&\"\r\nc\rd\u{1f}\te"), "a &lt;b&gt;&amp;&quot;<br>c<br>d e");
        assert_eq!(html("[sound:a.mp3] [latex]x[/latex]"), "&#91;sound:a.mp3] &#91;latex]x&#91;/latex]");
    }

    #[test]
    fn a_source_with_a_url_is_a_link() {
        let url = "https://pith.example/books/walden?a=1&b=\"2\"";
        let link = "<a href=\"https://pith.example/books/walden?a=1&amp;b=&quot;2&quot;\">Walden &amp; more</a>";
        assert_eq!(source("Walden & more", Some(url)), link);
        assert_eq!(source("Walden & more", None), "Walden &amp; more");
        assert_eq!(source("", Some(url)), "");
    }

    #[test]
    fn tags_have_no_spaces() {
        let texts = ["deep  work", " life\u{3000}", "", " \n", "a::b"].map(ToOwned::to_owned);
        assert_eq!(tags(&texts), " deep_work life a::b ");
        assert_eq!(tags(&[]), "");
        assert_eq!(tags(&[" ".to_owned()]), "");
    }
}
