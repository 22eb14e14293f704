//! A summary as a file to keep: a PDF for paper and screens, an EPUB for e-readers (`delivery.file-contents`); and its key ideas
//! on one sheet, to print. Besides, the receipts of payments and the reports of
//! quizzes.
//!
//! Pure functions: the same summary gives the same bytes; nothing is read, nothing is fetched, no clock. Typesetting
//! takes a core for a while, so callers keep what they got: [`Summary::print`] says when it would be another file.
//!
//! Words: a *summary* is what a file is made from; a *picture* is its cover; a *block* stands on lines of its own.
//!
//! Invariants: the words of the text are all there, in order, and nothing of it is ever read as markup or as code; a PDF
//! embeds its faces, and is made of any text: what they lack is written in another way ([`glyphs`]); an EPUB is valid.
//! Who may have a file is not decided here.

mod epub;
mod glyphs;
mod pdf;
mod receipt;
mod report;
mod sheet;
mod summary;
mod text;

pub use epub::epub;
pub use pdf::pdf;
pub use receipt::{Receipt, ReceiptLine, receipt_pdf};
pub use report::{QuizReport, ReportBook, ReportPart, report_pdf};
pub use sheet::{Paper, Sheet, SheetIdea, sheet_pdf};
pub use summary::{Date, DocumentError, Picture, PictureKind, Quotation, Section, Summary};
pub use text::{Block, Inline};
