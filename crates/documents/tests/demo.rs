//! Makes the PDF and the EPUB of every demo book, parses them and checks them.

mod support;

use support::{demo_books, epub::checked_epub, pdf::checked_pdf};

#[test]
fn every_demo_book_makes_a_pdf_of_print_quality() {
    let all = demo_books();
    std::thread::scope(|scope| {
        for half in all.chunks(all.len().div_ceil(2)) {
            scope.spawn(move || {
                for book in half {
                    checked_pdf(book);
                }
            });
        }
    });
}

#[test]
fn every_demo_book_makes_a_valid_epub() {
    for book in &demo_books() {
        checked_epub(book);
    }
}
