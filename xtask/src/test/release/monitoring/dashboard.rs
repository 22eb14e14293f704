//! The panels of `grafana-dashboard.json`: names, ids and places.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::leading_name;
use super::metrics::{Metrics, name_problems};

/// Columns of a dashboard.
const COLUMNS: u64 = 24;

/// A panel; a row has no targets.
pub(super) struct Panel {
    title: String,
    value: Value,
    /// Expressions with their legends.
    targets: Vec<(String, String)>,
}

/// Reads the panels.
pub(super) fn panels(text: &str) -> Result<Vec<Panel>> {
    let dashboard: Value = serde_json::from_str(text)?;
    let mut panels = Vec::new();
    for value in dashboard["panels"].as_array().context("the dashboard has no panels")? {
        let title = value["title"].as_str().context("a panel has no title")?.to_owned();
        let targets = value["targets"].as_array().map(Vec::as_slice).unwrap_or_default();
        let text = |target: &Value, key: &str| target[key].as_str().unwrap_or_default().to_owned();
        let targets: Vec<_> = targets.iter().map(|one| (text(one, "expr"), text(one, "legendFormat"))).collect();
        ensure!(targets.is_empty() == (value["type"] == "row"), "the panel '{title}' has no expression");
        panels.push(Panel { title, value: value.clone(), targets });
    }
    ensure!(!panels.is_empty(), "the dashboard has no panels");
    Ok(panels)
}

/// What is wrong with the panels.
pub(super) fn problems(panels: &[Panel], metrics: &Metrics) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    let (mut ids, mut cells) = (BTreeSet::new(), BTreeSet::new());
    for Panel { title, value, targets } in panels {
        let mut add = |problem: &str| problems.push(format!("'{title}': {problem}"));
        if !ids.insert(value["id"].as_u64().context("a panel has no id")?) {
            add("another panel has its id");
        }
        let side = |name: &str| value["gridPos"][name].as_u64().with_context(|| format!("'{title}' has no {name}"));
        let (x, y, width, height) = (side("x")?, side("y")?, side("w")?, side("h")?);
        if x + width > COLUMNS {
            add("it is wider than the page");
        }
        let free = (y..y + height).flat_map(|row| (x..x + width).map(move |column| (row, column)));
        if free.filter(|cell| !cells.insert(*cell)).count() > 0 {
            add("it covers another panel");
        }
        if value["type"] != "row" && value["datasource"]["uid"] != "${datasource}" {
            add("it does not take the data source that was chosen");
        }
        for (expression, legend) in targets {
            let shown: Vec<String> = legend.split("{{").skip(1).map(leading_name).collect();
            for problem in name_problems(expression, &shown, metrics) {
                add(&problem);
            }
        }
    }
    Ok(problems)
}

/// The dashboard's expressions as rules, for promtool. JSON is YAML.
pub(super) fn as_rules(panels: &[Panel]) -> String {
    let expressions = panels.iter().flat_map(|panel| &panel.targets);
    let rules = expressions.enumerate().map(|(index, (expression, _))| {
        json!({ "record": format!("dashboard:expression:{index}"), "expr": expression.replace("$__rate_interval", "5m") })
    });
    json!({ "groups": [{ "name": "dashboard", "rules": rules.collect::<Vec<_>>() }] }).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::metrics::tests::metrics;
    use super::*;

    #[test]
    fn panels_have_ids_and_places_of_their_own() {
        let panel = |id: u64, x: u64| {
            json!({ "id": id, "type": "stat", "title": "P", "gridPos": { "x": x, "y": 0, "w": 8, "h": 4 },
                    "datasource": { "uid": "${datasource}" }, "targets": [{ "expr": "a_total", "legendFormat": "{{kind}}" }] })
        };
        let count = |two: Value| {
            let panels = panels(&json!({ "panels": [panel(1, 0), two] }).to_string()).unwrap();
            problems(&panels, &metrics()).unwrap().len()
        };
        assert_eq!(count(panel(2, 8)), 0);
        assert_eq!(count(panel(1, 8)), 1);
        assert_eq!(count(panel(2, 7)), 1);
        assert_eq!(count(panel(2, 17)), 1);
    }
}
