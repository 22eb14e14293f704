//! HTTP compression of drawings and public responses, in the content codings that browsers accept.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};

/// A content coding of HTTP (`Content-Encoding`).
#[derive(Clone, Copy, Debug)]
pub enum Encoding {
    /// Compresses better.
    Brotli,
    /// Accepted by every client.
    Gzip,
}

/// The codings in which a drawing is stored, the smaller result first.
pub const ENCODINGS: [Encoding; 2] = [Encoding::Brotli, Encoding::Gzip];

impl Encoding {
    /// The value of `Content-Encoding`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// The file extension of a compressed file, without the dot.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gz",
        }
    }

    /// Compresses bytes, at a level for files that are sent often. `None` when compression fails.
    pub fn compress(self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(bytes.len() / 3);
        match self {
            Self::Brotli => {
                // A window of 256 kB is more than any page has; the default of 4 MB would be cleared for each of them.
                let parameters = brotli::enc::BrotliEncoderParams {
                    quality: 5,
                    lgwin: 18,
                    size_hint: bytes.len(),
                    ..Default::default()
                };
                brotli::BrotliCompress(&mut &*bytes, &mut out, &parameters).ok()?;
            }
            Self::Gzip => {
                let mut encoder = GzEncoder::new(&mut out, Compression::new(6));
                encoder.write_all(bytes).ok()?;
                encoder.finish().ok()?;
            }
        }
        Some(out)
    }
}
