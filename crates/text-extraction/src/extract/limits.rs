//! How much of a document is read.

/// Limits on one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file (`summaries.file-kinds`: 25 MB).
    pub input: usize,
    /// Bytes that all parts of an archive have together, unpacked.
    pub unpacked: usize,
    /// Parts of an archive.
    pub entries: usize,
    /// Pages of a PDF.
    pub pages: usize,
    /// Elements within elements.
    pub depth: usize,
    /// Bytes of the text that comes out.
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
