//! Texts in Rust: string literals that look like natural language, except in tests, logs, documentation and panics.

use anyhow::{Result, anyhow};
use proc_macro2::{Delimiter, Literal, TokenStream, TokenTree};

use super::{Text, reads_as_text, squeezed};

/// Functions and macros whose strings no member, visitor or editor sees.
const SILENT: [&str; 28] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "concat",
    "context",
    "debug",
    "debug_assert",
    "debug_span",
    "env",
    "error_span",
    "expect",
    "expect_err",
    "include_bytes",
    "include_str",
    "info",
    "info_span",
    "instrument",
    "matches",
    "panic",
    "sql",
    "sql_query",
    "todo",
    "trace",
    "unimplemented",
    "unreachable",
    "warn",
    "with_context",
    "write_err",
];

/// All texts of a source file, in order. Of attributes only `#[error("…")]` counts, because responses show it.
pub(super) fn texts(path: &str, source: &str) -> Result<Vec<Text>> {
    let tokens: TokenStream = source.parse().map_err(|error| anyhow!("it can't be parsed: {error}"))?;
    let mut found = Vec::new();
    collect(path, tokens, &mut found);
    Ok(found)
}

fn collect(path: &str, tokens: TokenStream, found: &mut Vec<Text>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                let group = tokens[at + 1..].iter().take(2).find_map(|token| match token {
                    TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => Some(group),
                    _ => None,
                });
                if let Some(group) = group {
                    let attribute = group.stream();
                    at += if matches!(tokens.get(at + 1), Some(TokenTree::Group(_))) { 2 } else { 3 };
                    if is_for_tests(&attribute) {
                        at = after_item(&tokens, at);
                    } else if names(&attribute) == Some("error".to_owned()) {
                        collect(path, attribute, found);
                    }
                    continue;
                }
            }
            TokenTree::Group(group) if !is_silent(&tokens[..at], group.delimiter()) => {
                collect(path, group.stream(), found);
            }
            TokenTree::Literal(literal) => found.extend(text(path, literal)),
            _ => {}
        }
        at += 1;
    }
}

/// The literal's text, if it is a string that looks like natural language.
fn text(path: &str, literal: &Literal) -> Option<Text> {
    let line = literal.span().start().line;
    let text = syn::parse_str::<syn::LitStr>(&literal.to_string()).ok()?.value();
    reads_as_text(&text).then(|| Text { path: path.to_owned(), line, text: squeezed(&text) })
}

/// Whether a group contains the arguments of a call or macro in [`SILENT`]. `error!` logs; `.error(…)` and `error(…)` do not.
fn is_silent(before: &[TokenTree], delimiter: Delimiter) -> bool {
    if delimiter == Delimiter::None {
        return false;
    }
    match before {
        [.., TokenTree::Ident(name), TokenTree::Punct(mark)] if mark.as_char() == '!' => {
            *name == "error" || SILENT.iter().any(|silent| name == silent)
        }
        [.., TokenTree::Ident(name)] => {
            delimiter == Delimiter::Parenthesis && SILENT.iter().any(|silent| name == silent)
        }
        _ => false,
    }
}

/// The first name in an attribute.
fn names(attribute: &TokenStream) -> Option<String> {
    match attribute.clone().into_iter().next() {
        Some(TokenTree::Ident(name)) => Some(name.to_string()),
        _ => None,
    }
}

/// Whether an attribute is `#[test]` or `#[cfg(test)]`, also combined with a feature.
fn is_for_tests(attribute: &TokenStream) -> bool {
    match names(attribute).as_deref() {
        Some("test") => true,
        Some("cfg") => attribute.to_string().contains("test"),
        _ => false,
    }
}

/// The index after the item that begins at `at`: behind its braces or its semicolon.
fn after_item(tokens: &[TokenTree], at: usize) -> usize {
    let ends = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    };
    tokens[at..].iter().position(ends).map_or(tokens.len(), |offset| at + offset + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str) -> Vec<(usize, String)> {
        texts("crates/mail/src/letters.rs", source).unwrap().into_iter().map(|text| (text.line, text.text)).collect()
    }

    #[test]
    fn literals_errors_and_the_texts_of_macros_are_found() {
        let source = "//! Letters of the site.\n\
            #[derive(Error)] enum CodeError { /// Taken before.\n#[error(\"This code was used.\")] Used }\n\
            fn letter() { subject(\"Your \\\n   receipt\"); format!(r\"{name} was added.\"); json!({ \"id\": \"Log in\" }); }";
        let expected = ["This code was used.", "Your receipt", "{name} was added.", "Log in"];
        let found = of(source);
        assert_eq!(found.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), expected);
        assert_eq!(found[0].0, 3);
    }

    #[test]
    fn tests_logs_panics_documentation_and_names_are_left_out() {
        let source = "/// A doc comment.\n#[serde(rename = \"A name\")]\nconst KEY: &str = \"id\";\n\
            fn run() { tracing::warn!(\"a log line\"); value.expect(\"a plan has a price\"); error!(\"it failed twice\"); }\n\
            #[cfg(test)]\nmod tests { const A: &str = \"A test's text\"; }\n\
            #[cfg(any(test, feature = \"testing\"))]\nuse a::b;\nconst B: &str = \"Shown.\";";
        assert_eq!(of(source), [(9, "Shown.".to_owned())]);
    }
}
