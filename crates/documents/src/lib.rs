//! Documents for download: summaries as PDF and EPUB (`delivery.file-contents`), a book's key ideas on one printable sheet,
//! receipts of payments, quiz reports, and review cards as an Anki package.
//!
//! Pure functions without I/O or clock: the same summary gives the same bytes. Typesetting is slow and uses a full core, so
//! callers cache the files; [`Summary::print`] is the cache key.
//!
//! Words: a *summary* is the input of a PDF or EPUB; a *picture* is an image file such as its cover; a *block* is a paragraph,
//! heading, list, quotation, rule or picture.
//!
//! Invariants: a file contains all words of the text, in order; text is never interpreted as markup or code; a PDF embeds its
//! fonts and can be made of any text, because characters that the fonts lack are replaced ([`glyphs`]); an EPUB is valid.
//! Callers check access.

mod anki;
mod epub;
mod glyphs;
mod pdf;
mod picture;
mod receipt;
mod report;
mod sheet;
mod summary;
mod text;

pub use anki::{AnkiCard, AnkiDeck, AnkiError, AnkiSchedule, anki_package};
pub use epub::{epub, first_section_page};
pub use pdf::pdf;
pub use picture::{Picture, PictureKind};
pub use receipt::{Receipt, ReceiptLine, receipt_pdf};
pub use report::{QuizReport, ReportBook, ReportPart, report_pdf};
pub use sheet::{Paper, Sheet, SheetIdea, sheet_pdf};
pub use summary::{Date, DocumentError, Quotation, Recap, Section, Summary};
pub use text::{Block, Inline};
