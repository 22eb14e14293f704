//! The metrics that `OPERATING.md` documents, compared with the names in expressions and in what a server exposes.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail, ensure};

use super::DOCUMENT;
use super::promql::{self, References};

/// Metrics and labels that Prometheus adds itself.
const UP: &str = "up";
const TARGET_LABELS: [&str; 2] = ["job", "instance"];
/// What a histogram's series end with.
const HISTOGRAM: [&str; 3] = ["_bucket", "_sum", "_count"];

/// A metric of the table in `OPERATING.md`.
#[derive(Debug)]
pub(super) struct Metric {
    labels: BTreeSet<String>,
    is_histogram: bool,
}

pub(super) type Metrics = BTreeMap<String, Metric>;

/// The table of metrics.
pub(super) fn documented(document: &str) -> Result<Metrics> {
    let (_, table) = document.split_once("| metric | labels | meaning |\n").context("there is no table of metrics")?;
    let mut metrics = Metrics::new();
    for line in table.lines().skip(1).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        ensure!(cells.len() == 5, "a line of the table of metrics has not three columns: {line}");
        let labels =
            cells[2].split(", ").map(|label| label.trim_matches('`').to_owned()).filter(|label| !label.is_empty());
        let metric = Metric { labels: labels.collect(), is_histogram: cells[3].starts_with("histogram:") };
        ensure!(metrics.insert(cells[1].trim_matches('`').to_owned(), metric).is_none(), "twice: {line}");
    }
    Ok(metrics)
}

/// The labels of a series; `None` when no metric has it.
fn labels_of_series(series: &str, metrics: &Metrics) -> Option<BTreeSet<String>> {
    if series == UP {
        return Some(BTreeSet::new());
    }
    if let Some(metric) = metrics.get(series).filter(|metric| !metric.is_histogram) {
        return Some(metric.labels.clone());
    }
    let end = HISTOGRAM.into_iter().find(|end| series.ends_with(end))?;
    let metric = metrics.get(series.strip_suffix(end)?).filter(|metric| metric.is_histogram)?;
    let le = (end == "_bucket").then(|| "le".to_owned());
    Some(metric.labels.iter().cloned().chain(le).collect())
}

/// What is wrong with the names of an expression, and with those that its texts take from its result.
pub(super) fn name_problems(expression: &str, shown: &[String], metrics: &Metrics) -> Vec<String> {
    let References { metrics: read, groups } = match promql::references(expression) {
        Ok(found) => found,
        Err(error) => return vec![error.to_string()],
    };
    let mut problems = Vec::new();
    let mut known: BTreeSet<String> = TARGET_LABELS.map(str::to_owned).into();
    for (name, labels) in read {
        let Some(of_series) = labels_of_series(&name, metrics) else {
            problems.push(format!("`{name}` is no metric of {DOCUMENT}"));
            continue;
        };
        let is_unknown = |label: &&String| !of_series.contains(*label) && !TARGET_LABELS.contains(&label.as_str());
        problems.extend(labels.iter().filter(is_unknown).map(|label| format!("`{name}` has no label `{label}`")));
        known.extend(of_series);
    }
    let is_unknown = |label: &&String| !known.contains(*label);
    problems.extend(groups.iter().filter(is_unknown).map(|label| format!("no metric has the label `{label}`")));
    // The result has only the labels by which it is grouped.
    let result: BTreeSet<String> = if groups.is_empty() { known } else { groups.into_iter().collect() };
    let is_missing = |label: &&String| !result.contains(*label);
    problems.extend(shown.iter().filter(is_missing).map(|label| format!("the result has no label `{label}`")));
    problems
}

/// How the text of `/metrics` differs from what is documented.
pub(super) fn exposed_problems(text: &str, metrics: &Metrics) -> Result<Vec<String>> {
    let mut kinds = BTreeMap::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("# TYPE ")) {
        let (name, kind) = line.split_once(' ').context("a type without a name")?;
        kinds.insert(name, kind);
    }
    let mut problems = Vec::new();
    for (name, metric) in metrics {
        match kinds.get(name.as_str()) {
            None => problems.push(format!("`{name}` is documented and not there")),
            Some(kind) if (*kind == "histogram") != metric.is_histogram => {
                problems.push(format!("`{name}` is documented as another kind than {kind}"));
            }
            Some(_) => {}
        }
    }
    let undocumented = kinds.keys().filter(|name| !metrics.contains_key(**name));
    problems.extend(undocumented.map(|name| format!("`{name}` is not documented")));
    for line in text.lines().filter(|line| !line.starts_with('#') && line.contains('{')) {
        let References { metrics: read, .. } = promql::references(line)?;
        let Some((series, labels)) = read.first() else { bail!("no series: {line}") };
        let Some(of_series) = labels_of_series(series, metrics) else { continue };
        let is_unknown = |label: &&String| !of_series.contains(*label);
        problems
            .extend(labels.iter().filter(is_unknown).map(|label| format!("`{label}` of `{series}` is not documented")));
    }
    problems.dedup();
    Ok(problems)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) const DOCUMENTED: &str = "# Pith\n\n## Mail\n\n| metric | labels | meaning |\n|---|---|---|\n| `a_total` | `kind`, `state` | jobs |\n\
                              | `b` | | histogram: waits |\n\nText | with | a | bar\n";

    pub(in super::super) fn metrics() -> Metrics {
        documented(DOCUMENTED).unwrap()
    }

    #[test]
    fn a_table_of_metrics_is_read() {
        let found = metrics();
        assert_eq!(found.keys().collect::<Vec<_>>(), ["a_total", "b"]);
        assert_eq!(found["a_total"].labels, BTreeSet::from(["kind".to_owned(), "state".to_owned()]));
        assert!(found["b"].is_histogram && found["b"].labels.is_empty());
    }

    #[test]
    fn names_that_are_not_documented_are_problems() {
        let of = |expression: &str| name_problems(expression, &[], &metrics());
        for right in [
            r#"sum by (kind, instance) (rate(a_total{state="done", job="pith"}[5m]))"#,
            "histogram_quantile(0.5, sum by (le) (rate(b_bucket[5m])))",
            "up == 0",
        ] {
            assert_eq!(of(right), Vec::<String>::new(), "{right}");
        }
        for wrong in [
            "a",
            "b",
            "a_total_bucket",
            r#"a_total{status="done"}"#,
            "sum by (le) (a_total)",
            "sum by (pool) (b_count)",
            r#"b_sum{le="1"}"#,
        ] {
            assert_eq!(of(wrong).len(), 1, "{wrong}");
        }
    }

    #[test]
    fn a_text_shows_only_labels_of_the_result() {
        let shown = ["state".to_owned()];
        assert_eq!(name_problems("a_total > 0", &shown, &metrics()), Vec::<String>::new());
        assert_eq!(name_problems("sum by (kind) (a_total)", &shown, &metrics()).len(), 1);
    }

    #[test]
    fn what_a_server_has_is_compared_with_what_is_documented() {
        let problems = |text: &str| exposed_problems(text, &metrics()).unwrap();
        let right = "# HELP a_total Jobs.\n# TYPE a_total counter\na_total{kind=\"x\",state=\"y\"} 1\n# TYPE b histogram\n\
                     b_bucket{le=\"+Inf\"} 2\nb_sum 1\n";
        assert_eq!(problems(right), Vec::<String>::new());
        for (from, to) in [
            ("# TYPE a_total counter\n", ""),
            ("b histogram", "b gauge"),
            ("# TYPE b", "# TYPE c gauge\n# TYPE b"),
            ("state", "status"),
        ] {
            assert_eq!(problems(&right.replace(from, to)).len(), 1, "{to}");
        }
    }
}
