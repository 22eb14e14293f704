//! Summaries as files and on e-readers.

mod downloads;
mod e_reader;
mod koreader;
mod opds;
