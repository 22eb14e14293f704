//! Books as files: downloads, and deliveries to e-readers.

pub mod book_files;
pub mod download;
pub mod e_reader;
