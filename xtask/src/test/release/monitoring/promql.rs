//! The metrics and labels that an expression of Prometheus reads.
//!
//! The crate `promql-parser` builds a whole tree, with a generator of parsers behind it; `promtool` checks the grammar. Names alone are
//! a scan.

use anyhow::{Result, bail};

/// Functions that group: in `sum by (kind) (…)` no bracket follows the name.
const AGGREGATIONS: [&str; 9] = ["avg", "bottomk", "count", "group", "max", "min", "quantile", "sum", "topk"];
const OPERATORS: [&str; 5] = ["and", "bool", "offset", "or", "unless"];
/// Words before a list of labels in brackets.
const LISTS: [&str; 6] = ["by", "group_left", "group_right", "ignoring", "on", "without"];

/// What an expression reads.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct References {
    /// Metrics with the labels that their selectors name.
    pub(super) metrics: Vec<(String, Vec<String>)>,
    /// The labels by which it groups or matches.
    pub(super) groups: Vec<String>,
}

/// Finds the names in an expression.
pub(super) fn references(expression: &str) -> Result<References> {
    let mut found = References::default();
    let mut rest = expression.trim_start();
    while let Some(first) = rest.chars().next() {
        if is_name(first) {
            let (name, after) = split_name(rest);
            rest = after.trim_start();
            if LISTS.contains(&name) {
                let (labels, after) = names_until(rest, ')')?;
                found.groups.extend(labels);
                rest = after;
            } else if rest.starts_with('{') {
                let (labels, after) = names_until(rest, '}')?;
                found.metrics.push((name.to_owned(), labels));
                rest = after;
            } else if !rest.starts_with('(') && !AGGREGATIONS.contains(&name) && !OPERATORS.contains(&name) {
                found.metrics.push((name.to_owned(), Vec::new()));
            }
        } else if first.is_ascii_digit() {
            // A number or a length of time: `0.99`, `6h`.
            rest = rest.trim_start_matches(|character: char| character.is_ascii_alphanumeric() || character == '.');
        } else if first == '[' {
            let Some((_, after)) = rest.split_once(']') else { bail!("`[` is not closed in `{expression}`") };
            rest = after;
        } else if first == '{' {
            bail!("a selector names no metric in `{expression}`");
        } else {
            rest = &rest[first.len_utf8()..];
        }
        rest = rest.trim_start();
    }
    Ok(found)
}

fn is_name(character: char) -> bool {
    character.is_ascii_alphabetic() || character == '_' || character == ':'
}

fn split_name(text: &str) -> (&str, &str) {
    let end = text.find(|character: char| !is_name(character) && !character.is_ascii_digit()).unwrap_or(text.len());
    text.split_at(end)
}

/// The names until the closing bracket, without what stands in quotes, and what follows the bracket.
fn names_until(text: &str, close: char) -> Result<(Vec<String>, &str)> {
    let mut names = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first == close {
            return Ok((names, &rest[1..]));
        }
        if is_name(first) {
            let (name, after) = split_name(rest);
            names.push(name.to_owned());
            rest = after;
        } else if first == '"' {
            let Some((_, after)) = rest[1..].split_once('"') else { bail!("a quotation is not closed in `{text}`") };
            rest = after;
        } else {
            rest = &rest[first.len_utf8()..];
        }
    }
    bail!("`{close}` is missing in `{text}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(expression: &str) -> (Vec<(String, Vec<String>)>, Vec<String>) {
        let found = references(expression).unwrap();
        (found.metrics, found.groups)
    }

    fn metric(name: &str, labels: &[&str]) -> (String, Vec<String>) {
        (name.to_owned(), labels.iter().map(|&label| label.to_owned()).collect())
    }

    #[test]
    fn metrics_are_found_with_the_labels_of_their_selectors() {
        let (metrics, groups) =
            of(r#"sum(rate(a_total{status=~"5..|x}", route!=""}[5m])) / sum(rate(a_total[1h])) > 0.02"#);
        assert_eq!(metrics, [metric("a_total", &["status", "route"]), metric("a_total", &[])]);
        assert!(groups.is_empty());
    }

    #[test]
    fn functions_operators_numbers_and_ranges_are_no_metrics() {
        let (metrics, _) = of("time() - max(a > 0) > 26 * 3600 unless b offset 6h == 1e3 or vector(0)");
        assert_eq!(metrics, [metric("a", &[]), metric("b", &[])]);
    }

    #[test]
    fn labels_of_groups_are_found() {
        let (metrics, groups) =
            of("histogram_quantile(0.99, sum by (le, pool) (rate(a_bucket[$__rate_interval]))) and on () b");
        assert_eq!(metrics, [metric("a_bucket", &[]), metric("b", &[])]);
        assert_eq!(groups, ["le", "pool"]);
    }

    #[test]
    fn an_expression_that_is_cut_or_names_no_metric_is_an_error() {
        for expression in [r#"a{b="c"#, "sum by (a", "a[5m", r#"{job="pith"}"#] {
            assert!(references(expression).is_err(), "{expression}");
        }
    }
}
