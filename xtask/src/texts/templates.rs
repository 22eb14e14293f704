//! Texts in templates (HTML, Typst) and in tables of texts (TOML).

use super::{Text, kind, reads_as_text, squeezed};

/// HTML attributes that people read or hear.
const SPOKEN: [&str; 6] = ["alt=\"", "aria-label=\"", "content=\"", "data-label=\"", "placeholder=\"", "title=\""];
/// Inline elements, which do not interrupt a text.
const INLINE: [&str; 6] = ["a", "b", "em", "span", "strong", "i"];

/// All texts of a file, in order.
pub(super) fn texts(path: &str, source: &str) -> Vec<Text> {
    let mut found = Vec::new();
    for (index, line) in source.lines().enumerate() {
        let pieces = match kind(path) {
            "html" => of_html(line),
            "typ" if line.trim_start().starts_with("//") => Vec::new(),
            "typ" => of_typst(line),
            _ if line.trim_start().starts_with('#') => Vec::new(),
            _ => of_toml(line),
        };
        let texts = pieces.iter().map(|piece| squeezed(piece)).filter(|piece| reads_as_text(piece));
        found.extend(texts.map(|text| Text { path: path.to_owned(), line: index + 1, text }));
    }
    found
}

/// The texts of a line: between elements, and in readable attributes. An expression becomes `{…}`, a condition is dropped.
fn of_html(line: &str) -> Vec<String> {
    let line = without_conditions(line);
    let mut found = Vec::new();
    let mut text = String::new();
    let mut rest = line.as_str();
    while let Some(start) = rest.find('<') {
        text.push_str(&rest[..start]);
        let end = rest[start..].find('>').map_or(rest.len(), |end| start + end + 1);
        let element = &rest[start..end];
        let name = element.trim_start_matches(['<', '/']).split([' ', '>', '/']).next().unwrap_or_default();
        if !INLINE.contains(&name) {
            found.push(std::mem::take(&mut text));
        }
        for attribute in SPOKEN {
            let values = element.match_indices(attribute).map(|(at, _)| &element[at + attribute.len()..]);
            found.extend(values.map(|value| value.split('"').next().unwrap_or_default().to_owned()));
        }
        rest = &rest[end..];
    }
    text.push_str(rest);
    found.push(text);
    found
}

fn without_conditions(line: &str) -> String {
    let mut plain = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('{') {
        let (close, shown) = match rest.as_bytes().get(start + 1) {
            Some(b'{') => ("}}", "{…}"),
            Some(b'%') => ("%}", " "),
            Some(b'#') => ("#}", " "),
            _ => ("{", "{"),
        };
        plain.push_str(&rest[..start]);
        plain.push_str(shown);
        rest = rest[start..].find(close).map_or("", |end| &rest[start + end + close.len()..]);
    }
    plain.push_str(rest);
    plain
}

/// Quoted texts, and lines of prose, which don't begin like code.
fn of_typst(line: &str) -> Vec<String> {
    let mut found = quoted(line);
    let is_prose = line.trim_start().starts_with(char::is_uppercase);
    found.extend(line.rsplit_once(")[").map(|(_, text)| text.trim_end_matches([']', ',', ')']).to_owned()));
    found.extend(is_prose.then(|| line.trim().to_owned()));
    found
}

/// The value of a key, or a line of a multi-line text.
fn of_toml(line: &str) -> Vec<String> {
    let value = line.split_once(" = ").map_or(line, |(_, value)| value);
    if value.starts_with('"') || value.starts_with('[') { quoted(value) } else { vec![value.to_owned()] }
}

/// The contents of the double quotes on a line.
fn quoted(line: &str) -> Vec<String> {
    line.replace("\\\"", "”").split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, source: &str) -> Vec<String> {
        texts(path, source).into_iter().map(|text| text.text).collect()
    }

    #[test]
    fn a_page_gives_its_text_and_the_attributes_that_are_read() {
        let page = r#"{% if a %}<p class="page lead">Hello {{ name }}, <a href="/try">try it</a>.</p><img alt="A red apple" src="a b">{% endif %}"#;
        assert_eq!(of("crates/web/templates/front.html", page), ["Hello {…}, try it.", "A red apple"]);
    }

    #[test]
    fn a_table_gives_its_values_and_a_printed_page_its_words() {
        let table = "# A comment of three words.\n[try]\ntitle = \"Pricing\"\npaths = [\"/try\"]\nlead = \"\"\"\nTwo words.\n\"\"\"";
        assert_eq!(of("crates/workflows/product/pages.toml", table), ["Pricing", "Two words."]);
        let sheet = "// Not shown to people.\n#text(size: 9pt)[Your detailed report]\n  Taken on #s.taken\n#heading(level: 1, \"Your shares\")";
        assert_eq!(
            of("crates/documents/templates/report.typ", sheet),
            ["Your detailed report", "Taken on #s.taken", "Your shares"]
        );
    }
}
