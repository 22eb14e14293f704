//! Texts of the web app, found by its own script with the TypeScript compiler.

use anyhow::{Context, Result};
use serde_json::Value;

use super::Text;
use crate::checkout::Checkout;
use crate::{frontend, process};

/// The texts of all sources except tests.
pub(super) fn texts(checkout: &Checkout) -> Result<Vec<Text>> {
    let mut script = frontend::tool(checkout, "node")?;
    parse(&process::output(script.arg("scripts/texts.mjs"))?)
}

fn parse(printed: &str) -> Result<Vec<Text>> {
    let texts: Vec<Value> =
        serde_json::from_str(printed).context("scripts/texts.mjs printed something that is not JSON")?;
    texts
        .iter()
        .map(|text| {
            let word = |key: &str| text[key].as_str().map(str::to_owned);
            let line = text["line"].as_u64().and_then(|line| usize::try_from(line).ok());
            Some(Text { path: word("path")?, line: line?, text: word("text")? })
        })
        .collect::<Option<_>>()
        .context("scripts/texts.mjs printed a text without a place")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_needs_its_place() {
        let texts = parse(r#"[{"path":"frontend/src/app/Footer.tsx","line":3,"text":"Log in"}]"#).unwrap();
        assert_eq!(
            texts,
            [Text { path: "frontend/src/app/Footer.tsx".to_owned(), line: 3, text: "Log in".to_owned() }]
        );
        assert!(parse(r#"[{"text":"Log in"}]"#).is_err());
    }
}
