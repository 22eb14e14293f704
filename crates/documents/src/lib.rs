//! A summary as PDF and as EPUB.
