//! How much of a document is read.

/// Limits on reading one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Size of the file, in bytes (`summaries.file-kinds`: 25 MB).
    pub input: usize,
    /// Unpacked size of an archive, in bytes, all parts together.
    pub unpacked: usize,
    /// Number of parts in an archive.
    pub entries: usize,
    /// Number of pages in a PDF.
    pub pages: usize,
    /// Nesting depth of elements.
    pub depth: usize,
    /// Size of the extracted text, in bytes.
    pub text: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            input: 25 * 1024 * 1024,
            unpacked: 64 * 1024 * 1024,
            entries: 10_000,
            pages: 3_000,
            depth: 256,
            text: 20 * 1024 * 1024,
        }
    }
}
