//! Highlights as Markdown files for Obsidian and other programs (`study.markdown-files`).

use std::collections::BTreeMap;

use kernel::{Timestamp, many_lines, one_line};

use crate::{
    Tag,
    export::{ExportedHighlight, ExportedSource, file_names::FileNames, utc_text},
};

/// A file for each source: its name and its text. A Markdown parser reads the words and the notes back as they are, apart
/// from control characters, white space at the ends of lines and the number of blank lines.
pub fn markdown_files(sources: &[ExportedSource], exported_at: Timestamp) -> Vec<(String, String)> {
    let mut names = FileNames::default();
    let file = |source: &ExportedSource| (names.name(&source.title, &source.author), file_text(source, exported_at));
    sources.iter().map(file).collect()
}

fn file_text(source: &ExportedSource, exported_at: Timestamp) -> String {
    let mut text = front_matter(source, exported_at);
    let mut section_title = String::new();
    for highlight in source.in_text_order() {
        let title = one_line(highlight.section_title.as_deref().unwrap_or_default());
        if title != section_title {
            // A highlight without a section title is not in the section before it.
            let opening = if title.is_empty() { "***".to_owned() } else { format!("## {}", escaped(&title)) };
            push_block(&mut text, &opening);
            section_title = title;
        }
        push_highlight(&mut text, highlight);
    }
    text
}

fn push_highlight(text: &mut String, highlight: &ExportedHighlight) {
    push_block(text, &block(&highlight.words, "> "));
    // Obsidian wants the id of a quotation on a line of its own between blank lines.
    push_block(text, &format!("^h-{}", highlight.id));
    push_block(text, &block(highlight.note.as_str(), ""));
    let tags: Vec<String> = tag_names(&highlight.tags).iter().map(|tag| format!("#{tag}")).collect();
    push_block(text, &tags.join(" "));
}

/// Adds a block after a blank line; nothing if it is empty.
fn push_block(text: &mut String, block: &str) {
    if !block.is_empty() {
        text.push('\n');
        text.push_str(block);
        text.push('\n');
    }
}

fn front_matter(source: &ExportedSource, exported_at: Timestamp) -> String {
    let tags = tag_names(source.in_text_order().into_iter().flat_map(|highlight| &highlight.tags));
    let tags: Vec<String> = tags.iter().map(|tag| format!("\n  - {}", yaml_string(tag))).collect();
    let tags = if tags.is_empty() { " []".to_owned() } else { tags.concat() };
    format!(
        "---\ntitle: {}\nauthor: {}\nurl: {}\ntags:{tags}\nhighlights: {}\nexported: {}\n---\n",
        yaml_string(&source.title),
        yaml_string(&source.author),
        yaml_string(source.url.as_deref().unwrap_or_default()),
        source.highlights.len(),
        utc_text(exported_at),
    )
}

/// A text in double quotes, with the escapes that YAML and JSON share.
fn yaml_string(text: &str) -> String {
    let escape = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        // What YAML does not print, and what it takes for a line break.
        c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}') => {
            format!("\\u{:04x}", u32::from(c))
        }
        c => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

/// The names of tags in Obsidian, without those that are equal but for case.
fn tag_names<'a>(tags: impl IntoIterator<Item = &'a Tag>) -> Vec<String> {
    let mut names = BTreeMap::new();
    for name in tags.into_iter().filter_map(tag_name) {
        names.entry(name.to_lowercase()).or_insert(name);
    }
    names.into_values().collect()
}

/// A tag with hyphens for spaces and for all else that Obsidian does not take in a tag; `None` if nothing is left.
fn tag_name(tag: &Tag) -> Option<String> {
    let levels = tag.as_str().split('/').map(tag_level).filter(|level| !level.is_empty());
    let name = levels.collect::<Vec<_>>().join("/");
    if name.is_empty() {
        return None;
    }
    // Obsidian does not accept a number as a tag.
    let is_number = name.chars().all(|c| c.is_numeric() || c == '/');
    Some(if is_number { format!("tag-{name}") } else { name })
}

fn tag_level(level: &str) -> String {
    let chars: Vec<char> = level.chars().collect();
    let is_alphanumeric = |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(|c| c.is_alphanumeric());
    let replaced: String = chars
        .iter()
        .enumerate()
        .map(|(at, c)| {
            // At the edge of a word an underscore would begin emphasis.
            let is_inner = *c == '_' && is_alphanumeric(at.checked_sub(1)) && is_alphanumeric(Some(at + 1));
            if is_inner || is_tag_char(*c) { *c } else { '-' }
        })
        .collect();
    replaced.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

fn is_tag_char(c: char) -> bool {
    // General and supplemental punctuation.
    let is_punctuation = matches!(c, '\u{2000}'..='\u{206f}' | '\u{2e00}'..='\u{2e7f}');
    c.is_alphanumeric() || !(c.is_ascii() || c.is_whitespace() || c.is_control() || is_punctuation)
}

/// A text of several lines, with a prefix before each. A line break is a hard one, blank lines separate paragraphs.
fn block(text: &str, prefix: &str) -> String {
    let lines = clean_lines(text);
    let next_lines = lines.iter().skip(1).map(String::as_str).chain([""]);
    let written = lines.iter().zip(next_lines).map(|(line, next)| {
        let is_break = !line.is_empty() && !next.is_empty();
        let written = format!("{prefix}{}", escaped(line));
        if is_break { written + "  " } else { written.trim_end_matches(' ').to_owned() }
    });
    written.collect::<Vec<_>>().join("\n")
}

/// The lines without white space at their ends, and without blank ones at the ends and after others.
fn clean_lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in many_lines(text).split('\n').map(|line| line.trim_matches([' ', '\t'])) {
        if !line.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(line.to_owned());
        }
    }
    lines.pop_if(|last| last.is_empty());
    lines
}

/// A line of plain text with a backslash before each character that Markdown, GitHub or Obsidian would read as syntax.
fn escaped(line: &str) -> String {
    let chars: Vec<char> = line.chars().collect();
    let digits = chars.iter().take_while(|c| c.is_ascii_digit()).count();
    let mut escaped = String::with_capacity(line.len());
    for (at, &c) in chars.iter().enumerate() {
        let (before, after) = (at.checked_sub(1).map(|before| chars[before]), chars.get(at + 1).copied());
        let is_doubled = before == Some(c) || after == Some(c);
        let is_alphanumeric = |neighbor: Option<char>| neighbor.is_some_and(char::is_alphanumeric);
        let is_syntax = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '~' | '$' | '^' => true,
            '_' => !(is_alphanumeric(before) && is_alphanumeric(after)),
            // A heading or a tag.
            '#' => !is_alphanumeric(before),
            // Marked text, or the underline of a heading.
            '=' => at == 0 || is_doubled,
            // A comment of Obsidian.
            '%' => is_doubled,
            '&' => is_character_reference(&chars[at + 1..]),
            // Lists, thematic breaks, table columns and definitions.
            '-' | '+' | ':' => at == 0,
            '.' | ')' => at > 0 && at == digits,
            _ => false,
        };
        if is_syntax {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Whether the characters after an ampersand make it a character reference, such as `&amp;`.
fn is_character_reference(after: &[char]) -> bool {
    let mut rest = after.iter().skip_while(|c| **c == '#').skip_while(|c| c.is_ascii_alphanumeric());
    rest.next() == Some(&';')
}

#[cfg(test)]
mod tests {
    use kernel::one_line;
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag as Element, TagEnd};

    use super::{clean_lines, escaped, markdown_files, tag_name, tag_names, yaml_string};
    use crate::{
        ExportedHighlight, ExportedSource, Note, PlaceRange, PlaceState,
        export::tests::{NOW, highlight, some_source, some_text, source, tag},
    };

    /// A block of a Markdown file, as a parser reads it.
    #[derive(Clone, Debug, PartialEq)]
    enum Block {
        Heading(String),
        Break,
        Quotation(String),
        Paragraph(String),
    }

    fn text_of(source: &ExportedSource) -> String {
        let [(_, text)] = markdown_files(std::slice::from_ref(source), NOW).try_into().expect("one file");
        text
    }

    /// Standard Markdown; the same with all the parser's extensions that leave plain text as it is.
    fn dialects() -> [Options; 2] {
        let common_mark = Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
        let left_out = Options::ENABLE_SMART_PUNCTUATION
            | Options::ENABLE_HEADING_ATTRIBUTES
            | Options::ENABLE_OLD_FOOTNOTES
            | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
        [common_mark, Options::all() - left_out]
    }

    /// The blocks after the front matter. Fails on everything that an export does not write.
    fn blocks(text: &str, options: Options) -> Vec<Block> {
        let mut blocks = Vec::new();
        let (mut is_quoted, mut is_front_matter) = (false, false);
        let mut words = String::new();
        for event in Parser::new_ext(text, options) {
            match event {
                Event::Start(Element::MetadataBlock(_)) => is_front_matter = true,
                Event::End(TagEnd::MetadataBlock(_)) => is_front_matter = false,
                Event::Text(_) if is_front_matter => {}
                Event::Start(Element::BlockQuote(None)) => is_quoted = true,
                Event::End(TagEnd::BlockQuote(None)) => {
                    blocks.push(Block::Quotation(std::mem::take(&mut words)));
                    is_quoted = false;
                }
                Event::Start(Element::Paragraph) if is_quoted && !words.is_empty() => words.push_str("\n\n"),
                Event::Start(Element::Paragraph | Element::Heading { .. }) => {}
                Event::End(TagEnd::Paragraph) if is_quoted => {}
                Event::End(TagEnd::Paragraph) => blocks.push(Block::Paragraph(std::mem::take(&mut words))),
                Event::End(TagEnd::Heading(_)) => blocks.push(Block::Heading(std::mem::take(&mut words))),
                Event::Rule => blocks.push(Block::Break),
                Event::Text(text) => words.push_str(&text),
                Event::HardBreak => words.push('\n'),
                other => panic!("{other:?} in {text}"),
            }
        }
        blocks
    }

    /// The blocks of a text's paragraphs.
    fn paragraphs(text: &str) -> Vec<Block> {
        let clean = clean_lines(text).join("\n");
        clean.split("\n\n").filter(|text| !text.is_empty()).map(|text| Block::Paragraph(text.to_owned())).collect()
    }

    fn expected_blocks(source: &ExportedSource) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut section = String::new();
        for highlight in source.in_text_order() {
            let title = one_line(highlight.section_title.as_deref().unwrap_or_default());
            if title != section {
                blocks.push(if title.is_empty() { Block::Break } else { Block::Heading(title.clone()) });
                section = title;
            }
            let words = clean_lines(&highlight.words).join("\n");
            blocks.extend((!words.is_empty()).then_some(Block::Quotation(words)));
            blocks.push(Block::Paragraph(format!("^h-{}", highlight.id)));
            blocks.extend(paragraphs(highlight.note.as_str()));
            let tags: Vec<String> = tag_names(&highlight.tags).iter().map(|tag| format!("#{tag}")).collect();
            blocks.extend((!tags.is_empty()).then_some(Block::Paragraph(tags.join(" "))));
        }
        blocks
    }

    #[test]
    fn a_file_has_front_matter_and_the_highlights_in_the_order_of_the_text() {
        let at = |start| PlaceRange { section: 0, start, end: start + 5 };
        let economy = Some("Economy".to_owned());
        let first = ExportedHighlight {
            note: Note::new("Mine: [[Thoreau]]\n\n1. one\n2. two").expect("a note"),
            tags: vec![tag("Deep Work"), tag("life")],
            range: at(3),
            section_title: economy.clone(),
            ..highlight(12, "Simplify, *simplify*.\n> 50% of it")
        };
        let second = ExportedHighlight {
            range: at(90),
            section_title: economy,
            tags: vec![tag("deep work")],
            ..highlight(7, "A well-known snake_case & C#")
        };
        let gone = ExportedHighlight { state: PlaceState::Gone, ..highlight(99, "gone") };
        let source = source(vec![gone, second, first]);
        let expected = "---\n\
             title: \"Walden\"\n\
             author: \"Henry David Thoreau\"\n\
             url: \"https://pith.example/books/walden\"\n\
             tags:\n  - \"Deep-Work\"\n  - \"life\"\n\
             highlights: 3\n\
             exported: 2026-03-10T12:00:00Z\n\
             ---\n\
             \n## Economy\n\
             \n> Simplify, \\*simplify\\*.  \n> \\> 50% of it\n\
             \n^h-12\n\
             \nMine: \\[\\[Thoreau\\]\\]\n\n1\\. one  \n2\\. two\n\
             \n#Deep-Work #life\n\
             \n> A well-known snake_case & C#\n\
             \n^h-7\n\
             \n#deep-work\n\
             \n***\n\
             \n> gone\n\
             \n^h-99\n";
        assert_eq!(
            markdown_files(&[source], NOW),
            [("Walden - Henry David Thoreau.md".to_owned(), expected.to_owned())]
        );
    }

    #[test]
    fn sources_of_one_title_have_a_file_each() {
        let other = ExportedSource { title: "WALDEN".to_owned(), url: None, ..source(Vec::new()) };
        let files = markdown_files(&[source(Vec::new()), other], NOW);
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["Walden - Henry David Thoreau.md", "WALDEN - Henry David Thoreau 2.md"]);
        assert!(files[1].1.contains("\nurl: \"\"\ntags: []\nhighlights: 0\n"), "{}", files[1].1);
    }

    #[test]
    fn a_value_of_the_front_matter_is_one_line_whatever_is_in_it() {
        for (text, quoted) in [
            ("Say \"no\"", r#""Say \"no\"""#),
            ("Deep Work: Rules", r#""Deep Work: Rules""#),
            ("C# # not a comment", r#""C# # not a comment""#),
            ("two\nlines\t\\", r#""two\nlines\t\\""#),
            ("---\u{85}\u{2028}\0\u{7f}", r#""---\u0085\u2028\u0000\u007f""#),
            ("", r#""""#),
        ] {
            assert_eq!(yaml_string(text), quoted);
        }
    }

    #[test]
    fn characters_of_markdown_syntax_are_escaped() {
        for (line, expected) in [
            ("# no heading", "\\# no heading"),
            ("(#no-tag) C#", "(\\#no-tag) C#"),
            ("- no list", "\\- no list"),
            ("+ no list", "\\+ no list"),
            ("12) no list, 3.5", "12\\) no list, 3.5"),
            ("> no quotation", "\\> no quotation"),
            ("[[no link]] ![a](b)", "\\[\\[no link\\]\\] !\\[a\\](b)"),
            ("==no mark== a = b", "\\=\\=no mark\\=\\= a = b"),
            ("%%no comment%% 5%", "\\%\\%no comment\\%\\% 5%"),
            ("$no math$", "\\$no math\\$"),
            ("no id ^h-1", "no id \\^h-1"),
            ("&lt; AT&T &", "\\&lt; AT&T &"),
            ("_no_ snake_case", "\\_no\\_ snake_case"),
            (":-- no table", "\\:-- no table"),
            ("= no underline", "\\= no underline"),
            ("C:\\dir `code` a|b ~c~", "C:\\\\dir \\`code\\` a\\|b \\~c\\~"),
        ] {
            assert_eq!(escaped(line), expected);
        }
    }

    #[test]
    fn words_that_look_like_blocks_are_read_back() {
        for words in [
            "a\n=\nb\n-\nc\n---\nd\n***\ne\n___",
            "a|b\n-|-\nc|d",
            "a\n:-\n: b\n::: c",
            "```\ncode\n```\n~~~\n    code",
            "<div>\n<!-- a -->\n<https://a.b>",
            "[a]: https://a.b\n[^1]: a",
            "[!NOTE]\na\\\nb\\",
            "1. a\n\n\n 2) b\n\t- c\n- [ ] d",
            "&amp; &#35; &#x23; \\& \\",
        ] {
            let noted = ExportedHighlight { note: Note::from_store(words.to_owned()), ..highlight(1, words) };
            let source = source(vec![noted]);
            for options in dialects() {
                assert_eq!(blocks(&text_of(&source), options), expected_blocks(&source));
            }
        }
    }

    #[test]
    fn a_tag_has_hyphens_for_what_obsidian_does_not_take() {
        for (text, expected) in [
            ("Deep Work", Some("Deep-Work")),
            ("c#", Some("c")),
            ("a/b c//d/", Some("a/b-c/d")),
            ("snake_case _x_", Some("snake_case-x")),
            ("it’s – ok!", Some("it-s-ok")),
            ("Größe 🐳", Some("Größe-🐳")),
            ("1984", Some("tag-1984")),
            ("2026-03", Some("2026-03")),
            ("!?", None),
        ] {
            assert_eq!(tag_name(&tag(text)).as_deref(), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_parser_reads_the_same_words_notes_and_tags_in_the_order_of_the_text(source in some_source()) {
            let text = text_of(&source);
            for options in dialects() {
                prop_assert_eq!(blocks(&text, options), expected_blocks(&source), "{}", text);
            }
        }

        #[test]
        fn every_line_of_a_quotation_has_its_mark(words in some_text()) {
            let text = text_of(&source(vec![highlight(1, &words)]));
            let (_, body) = text.split_once("\n---\n").expect("the end of the front matter");
            let lines = body.lines().filter(|line| !line.is_empty() && *line != "^h-1");
            prop_assert!(lines.into_iter().all(|line| line.starts_with('>')), "{}", text);
        }

        #[test]
        fn cleaning_a_text_loses_no_words(text in some_text()) {
            let ink = |text: &str| text.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect::<String>();
            prop_assert_eq!(ink(&clean_lines(&text).join("\n")), ink(&text));
        }

        #[test]
        fn front_matter_is_read_back(title in some_text(), author in any::<String>(), url in any::<String>()) {
            let source = ExportedSource { title, author, url: Some(url), highlights: Vec::new() };
            let text = text_of(&source);
            let mut lines = text.lines();
            prop_assert_eq!(lines.next(), Some("---"));
            let url = source.url.as_ref().expect("a URL");
            for (key, value) in [("title", &source.title), ("author", &source.author), ("url", url)] {
                let line = lines.next().expect("a line");
                let quoted = line.strip_prefix(key).and_then(|rest| rest.strip_prefix(": ")).expect("the key");
                let is_break = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
                prop_assert!(!quoted.contains(is_break));
                // A string of JSON is one of YAML, with the same meaning.
                prop_assert_eq!(&serde_json::from_str::<String>(quoted).expect("a string"), value);
            }
            let rest = ["tags: []", "highlights: 0", "exported: 2026-03-10T12:00:00Z", "---"];
            prop_assert_eq!(lines.collect::<Vec<_>>(), rest);
        }
    }
}
