//! Books as files: downloads, deliveries to e-readers, and the catalog for e-reader programs.

pub mod book_files;
pub mod download;
pub mod e_reader;
pub mod opds;
pub mod reader_sync;
