//! Prints lines. While several suites run at once, each line begins with the name of its suite.
//!
//! `concurrently` and its like mark lines too, but start the programs themselves; here most suites are functions of this process.

use std::cell::Cell;

thread_local! {
    static SUITE: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// Prints a line, like `println!`, with the name of the suite that this thread runs.
macro_rules! say {
    ($($argument:tt)*) => { $crate::console::print(&format!($($argument)*)) };
}
pub(crate) use say;

/// Marks every line that this thread prints during `work` with the name of a suite.
pub(crate) fn with_suite<T>(name: &'static str, work: impl FnOnce() -> T) -> T {
    SUITE.set(Some(name));
    let result = work();
    SUITE.set(None);
    result
}

/// Whether this thread runs a suite beside others.
pub(crate) fn is_shared() -> bool {
    SUITE.get().is_some()
}

/// Prints each line of the text.
pub(crate) fn print(text: &str) {
    match SUITE.get() {
        None => println!("{text}"),
        // One call for the whole text, which therefore stays in one piece.
        Some(name) => println!("{}", marked(name, text)),
    }
}

fn marked(name: &str, text: &str) -> String {
    text.split('\n').map(|line| format!("{name:<8} | {line}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_bears_the_name_of_its_suite() {
        assert_eq!(marked("fmt", "one\ntwo"), "fmt      | one\nfmt      | two");
    }
}
