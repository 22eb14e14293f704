//! The PDF and the EPUB of every demo book: made, taken apart and checked.

mod support;

use support::{epub::checked_epub, pdf::checked_pdf, summaries};

#[test]
fn every_demo_book_makes_a_pdf_of_print_quality() {
    let all = summaries();
    std::thread::scope(|scope| {
        for half in all.chunks(all.len().div_ceil(2)) {
            scope.spawn(move || {
                for (name, summary) in half {
                    checked_pdf(name, summary);
                }
            });
        }
    });
}

#[test]
fn every_demo_book_makes_a_valid_epub() {
    for (name, summary) in &summaries() {
        checked_epub(name, summary);
    }
}
