//! The rules of `alerts.yml`: names, texts and tests.
//!
//! They are read line by line, in the layout of the file: a crate for YAML would serve this alone, and promtool reads the file as
//! Prometheus does.

use anyhow::{Context, Result, ensure};

use super::metrics::{Metrics, name_problems};
use super::{DOCUMENT, leading_name};

const SEVERITIES: [&str; 2] = ["critical", "warning"];

/// A rule.
#[derive(Debug)]
pub(super) struct Alert {
    pub(super) name: String,
    expression: String,
    /// All its lines, with single spaces.
    text: String,
}

/// Splits the file into its rules.
pub(super) fn read(text: &str) -> Result<Vec<Alert>> {
    let rules = text.split("\n      - alert: ").skip(1).map(|rule| {
        let name = rule.lines().next().unwrap_or_default().to_owned();
        let mut lines = rule.lines().skip_while(|line| !line.starts_with("        expr: "));
        let first = lines.next().and_then(|line| line.strip_prefix("        expr: "));
        let first = first.with_context(|| format!("{name} has no expression"))?;
        let expression = match first {
            "|" => lines.take_while(|line| line.starts_with("          ")).map(str::trim).collect::<Vec<_>>().join(" "),
            one => one.to_owned(),
        };
        Ok(Alert { name, expression, text: rule.split_whitespace().collect::<Vec<_>>().join(" ") })
    });
    let alerts = rules.collect::<Result<Vec<_>>>()?;
    ensure!(
        !alerts.is_empty() && alerts.len() == text.matches("- alert:").count(),
        "not every alert has the same layout"
    );
    Ok(alerts)
}

/// What is wrong with the names in a rule, or missing in its texts.
pub(super) fn problems(alert: &Alert, document: &str, metrics: &Metrics) -> Vec<String> {
    let Alert { name, expression, text } = alert;
    let shown: Vec<String> = text.split("$labels.").skip(1).map(leading_name).collect();
    let mut problems = name_problems(expression, &shown, metrics);
    if !SEVERITIES.iter().any(|severity| text.contains(&format!(" labels: {{severity: {severity}}} "))) {
        problems.push("it has no severity".to_owned());
    }
    for part in [" for: ", " summary: ", " description: "] {
        if !text.contains(part) {
            problems.push(format!("it has no `{}`", part.trim()));
        }
    }
    let sections: Vec<&str> =
        text.split("ee '").skip(1).filter_map(|rest| rest.split_once('\'')).map(|(section, _)| section).collect();
    if sections.is_empty() {
        problems.push("it names no section".to_owned());
    }
    for section in sections {
        if !document.contains(&format!("\n## {section}\n")) {
            problems.push(format!("{DOCUMENT} has no section '{section}'"));
        }
    }
    problems.into_iter().map(|problem| format!("{name}: {problem}")).collect()
}

/// Whether a group of `alerts_test.yml` has the alert fire, and not fire.
pub(super) fn is_tested(alert: &str, tests: &str) -> bool {
    let group = tests.split("\n  - name: ").find(|group| group.lines().next() == Some(alert));
    let fires = format!("exp_samples: [{{labels: '{{alertname=\"{alert}\"}}', value: 1}}]");
    group.is_some_and(|group| group.contains("exp_samples: []") && group.contains(&fires))
}

#[cfg(test)]
mod tests {
    use super::super::metrics::tests::{DOCUMENTED, metrics};
    use super::*;

    #[test]
    fn an_alert_needs_severity_texts_and_a_section_that_is_there() {
        let rule = "groups:\n\n      - alert: A\n        # Why.\n        expr: |\n          a_total\n            > 1\n        for: 1m\n        \
                    labels: {severity: warning}\n        annotations:\n          summary: \"Of {{ $labels.kind }}\"\n          \
                    description: >-\n            Look there: see\n            'Mail'.\n";
        let problems_of = |text: &str| problems(&read(text).unwrap()[0], DOCUMENTED, &metrics());
        assert_eq!(read(rule).unwrap()[0].expression, "a_total > 1");
        assert_eq!(problems_of(rule), Vec::<String>::new());
        for (from, to) in [
            ("warning", "loud"),
            ("        for: 1m\n", ""),
            ("summary", "title"),
            ("'Mail'", "'Post'"),
            ("'Mail'", "there"),
            ("$labels.kind", "$labels.pool"),
        ] {
            assert_eq!(problems_of(&rule.replace(from, to)).len(), 1, "{to}");
        }
        assert!(read(&rule.replace("      - alert", "    - alert")).is_err());
    }
}
