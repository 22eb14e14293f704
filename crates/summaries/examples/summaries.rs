//! Prints summaries as JSON, for `cargo xtask bench --summaries`.
//!
//! Input: the first line has the requested lengths in words, the rest is the text. Output: the sentences in order, a
//! summary for each length, the key ideas of the automatic length with its time in seconds, and the peak memory in
//! bytes.

#![allow(clippy::print_stdout, reason = "a tool speaks on its standard output")]

use std::io::Read;
use std::time::Instant;

use serde_json::{Value, json};
use summaries::engine::{Length, Source, sentences, summarise};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input)?;
    let (lengths, text) = input.split_once('\n').ok_or("the first line names the lengths")?;
    let lengths = lengths.split_whitespace().map(str::parse).collect::<Result<Vec<usize>, _>>()?;
    let source = Source::plain(text);
    let sentences: Vec<&str> = sentences(&source).into_iter().map(|range| &text[range]).collect();
    let started = Instant::now();
    let automatic = summarise(&source, Length::Automatic);
    let seconds = started.elapsed().as_secs_f64();
    let summaries: Vec<Value> = lengths
        .into_iter()
        .map(|words| {
            let summary = summarise(&source, Length::Words(words));
            json!({ "words": words, "text": summary.ideas.iter().map(|idea| idea.text.as_str()).collect::<Vec<_>>().join(" ") })
        })
        .collect();
    let ideas: Vec<Value> =
        automatic.ideas.iter().map(|idea| json!({ "title": idea.title, "text": idea.text })).collect();
    println!(
        "{}",
        json!({ "sentences": sentences, "summaries": summaries, "ideas": ideas, "seconds": seconds, "peak": peak_memory() })
    );
    Ok(())
}

/// The peak memory of this process, in bytes; `None` on systems without `/proc`.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
