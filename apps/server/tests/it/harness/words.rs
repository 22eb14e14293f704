//! The web app's tables of words for what the server names.

use std::collections::BTreeSet;

const WORDS: &str = include_str!("../../../../../frontend/src/features/admin/words.ts");

/// The names that a table (`JOBS`, `FIELDS`) has words for.
pub fn named_in(table: &str) -> BTreeSet<String> {
    let lines = WORDS.lines().skip_while(|line| !line.starts_with(&format!("export const {table}:"))).skip(1);
    let names = lines.take_while(|line| *line != "};").filter_map(|line| line.trim().split_once(": '"));
    names.map(|(name, _)| name.to_owned()).collect()
}
