//! The table of results, printed at the end.

use std::fmt;
use std::time::Duration;

use super::load::Sample;
use super::site::RunningServer;

/// A ratio, its goal if there is one, and the name of the limit that it relates to.
type Ratio = (f64, Option<f64>, &'static str);

/// Results in the order in which they were measured. Each is also printed at once, because a run takes minutes.
#[derive(Default)]
pub(super) struct Table {
    rows: Vec<[String; 7]>,
    notes: Vec<String>,
}

impl Table {
    /// Adds a limit that other results are compared with.
    pub(super) fn limit(&mut self, name: &str, sample: &Sample) {
        self.row(name, sample, None);
    }

    /// Adds a result of the product.
    pub(super) fn row(&mut self, name: &str, sample: &Sample, ratio: Option<Ratio>) {
        let cost = sample.cost().map_or_else(|| "-".to_owned(), |cost| format!("{cost:.1}"));
        let [p50, p99] = [sample.p50, sample.p99].map(|time| format!("{:.2}", time.as_secs_f64() * 1e3));
        let (ratio, goal) = spelled(ratio);
        self.push([name.to_owned(), format!("{:.0}", sample.per_second()), ratio, goal, cost, p50, p99]);
        if sample.errors > 0 {
            self.note(&format!("{name}: {} of {} requests failed", sample.errors, sample.requests));
        }
    }

    /// Adds a rate that another program measured.
    pub(super) fn rate(&mut self, name: &str, per_second: f64) {
        let nothing = || "-".to_owned();
        self.push([name.to_owned(), format!("{per_second:.0}"), nothing(), nothing(), nothing(), nothing(), nothing()]);
    }

    /// Adds a server's start time as a note.
    pub(super) fn start(&mut self, served: &RunningServer) {
        self.note(&format!("start to first answer: {} (goal: 300 ms)", milliseconds(served.started_in)));
        self.amount("memory idle", served.idle_memory, "50 MB");
    }

    /// Adds a server's current memory as a note.
    pub(super) fn memory(&mut self, name: &str, served: &RunningServer) {
        self.amount(name, served.memory(), "120 MB");
    }

    /// Adds a line below the table.
    pub(super) fn note(&mut self, text: &str) {
        println!("  {text}");
        self.notes.push(text.to_owned());
    }

    fn amount(&mut self, name: &str, bytes: Option<u64>, goal: &str) {
        if let Some(bytes) = bytes {
            self.note(&format!("{name}: {} MB (goal: {goal})", bytes / 1_000_000));
        }
    }

    fn push(&mut self, row: [String; 7]) {
        println!("  {}: {} a second", row[0], row[1]);
        self.rows.push(row);
    }
}

fn spelled(ratio: Option<Ratio>) -> (String, String) {
    let nothing = || "-".to_owned();
    ratio.map_or_else(
        || (nothing(), nothing()),
        |(ratio, goal, of)| (format!("{ratio:.2} of {of}"), goal.map_or_else(nothing, |goal| format!("{goal:.2}"))),
    )
}

fn milliseconds(duration: Duration) -> String {
    format!("{} ms", duration.as_millis())
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&markdown(["row", "a second", "ratio", "goal", "CPU µs", "p50 ms", "p99 ms"], &self.rows))?;
        self.notes.iter().try_for_each(|note| writeln!(f, "{note}"))
    }
}

/// Formats a Markdown table, with the first column aligned left and the others right.
pub(super) fn markdown<const N: usize>(heads: [&str; N], rows: &[[String; N]]) -> String {
    let heads = heads.map(str::to_owned);
    let widths: [usize; N] = std::array::from_fn(|column| {
        let cells = rows.iter().chain([&heads]).map(|row| row[column].chars().count());
        cells.max().unwrap_or_default()
    });
    let rule = std::array::from_fn(|column| "-".repeat(widths[column]));
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).enumerate().map(|(column, (cell, width))| {
            if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    [&heads, &rule].into_iter().chain(rows).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_aligned_and_failures_are_told() {
        let mut table = Table::default();
        let sample = Sample {
            requests: 20_000,
            duration: Duration::from_secs(10),
            p50: Duration::from_micros(900),
            p99: Duration::from_micros(2_500),
            errors: 0,
            processor: Some(Duration::from_millis(500)),
        };
        table.limit("static", &sample);
        table.row("book by id", &Sample { errors: 3, ..sample }, Some((0.7, Some(0.6), "static")));
        let text = table.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "| row        | a second |          ratio | goal | CPU µs | p50 ms | p99 ms |");
        assert_eq!(lines[3], "| book by id |     2000 | 0.70 of static | 0.60 |   25.0 |   0.90 |   2.50 |");
        assert_eq!(lines[4], "book by id: 3 of 20000 requests failed");
        let widths: Vec<usize> = lines[..4].iter().map(|line| line.chars().count()).collect();
        assert!(widths.iter().all(|width| *width == widths[0]), "{text}");
    }
}
