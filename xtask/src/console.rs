//! Prints lines. While several suites run concurrently, each line is prefixed with the name of its suite.
//!
//! Tools like `concurrently` prefix lines too, but start the programs themselves; here most suites are functions of this process.

use std::cell::Cell;

thread_local! {
    static SUITE: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// Prints a line, like `println!`, with the name of the suite that this thread runs.
macro_rules! say {
    ($($argument:tt)*) => { $crate::console::print(&format!($($argument)*)) };
}
pub(crate) use say;

/// Prefixes every line that this thread prints during `work` with the name of a suite.
pub(crate) fn with_suite<T>(name: &'static str, work: impl FnOnce() -> T) -> T {
    SUITE.set(Some(name));
    let result = work();
    SUITE.set(None);
    result
}

/// Whether this thread runs a suite concurrently with others.
pub(crate) fn is_shared() -> bool {
    SUITE.get().is_some()
}

/// Prints each line of the text, with the suite's name if there is one.
pub(crate) fn print(text: &str) {
    match SUITE.get() {
        None => println!("{text}"),
        // A single call, so that lines of other threads are not printed in between.
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
