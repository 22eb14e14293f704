//! The body of a response and its compressed forms, each compressed once.

use std::sync::OnceLock;

use bytes::Bytes;
use media::Encoding;
use sha2::{Digest, Sha256};

/// The body of a response, plain and compressed. Without HTTP types.
#[derive(Debug)]
pub struct Encoded {
    plain: Bytes,
    /// Compressed when the first client accepts it; never for personal data.
    gzip: OnceLock<Option<Bytes>>,
    brotli: OnceLock<Option<Bytes>>,
    is_compressible: bool,
    etag: String,
    content_type: &'static str,
}

/// The minimum size for compression, in bytes. Below it compression costs more than it saves.
const WORTH_COMPRESSING: usize = 860;

impl Encoded {
    /// A public body: compressed once, when the first client accepts it. Never for a body with a token or anything
    /// personal: where a stranger can choose text beside a secret, the compressed length reveals the secret.
    pub fn public(bytes: Vec<u8>, content_type: &'static str) -> Self {
        let is_compressible = bytes.len() >= WORTH_COMPRESSING;
        Self { is_compressible, ..Self::personal(bytes, content_type) }
    }

    /// A body that is never compressed.
    pub fn personal(mut bytes: Vec<u8>, content_type: &'static str) -> Self {
        // A buffer that grew has up to twice the capacity that it needs, and would keep it for as long as it is cached.
        bytes.shrink_to_fit();
        let hash = Sha256::digest(&bytes);
        let tag = hex::encode(&hash[..12]);
        Self {
            plain: Bytes::from(bytes),
            gzip: OnceLock::new(),
            brotli: OnceLock::new(),
            is_compressible: false,
            etag: format!("W/\"{tag}\""),
            content_type,
        }
    }

    /// The size in memory, in bytes. Includes the compressed forms, estimated at a third each.
    pub(crate) fn weight(&self) -> u32 {
        let forms = if self.is_compressible { self.plain.len() * 2 / 3 } else { 0 };
        u32::try_from(self.plain.len() + forms + 400).unwrap_or(u32::MAX)
    }

    /// The `ETag`: weak, because it is the same for every content coding.
    pub fn etag(&self) -> &str {
        &self.etag
    }

    /// Whether an `If-None-Match` header matches the `ETag`.
    pub fn matches(&self, if_none_match: &str) -> bool {
        let strip = |text: &str| text.trim().trim_start_matches("W/").to_owned();
        if_none_match.trim() == "*" || if_none_match.split(',').any(|one| strip(one) == strip(&self.etag))
    }

    pub const fn content_type(&self) -> &'static str {
        self.content_type
    }

    /// The bytes in the best content coding of an `Accept-Encoding` header, and the coding's name.
    pub fn form_for(&self, accepted: &str) -> (&Bytes, Option<&'static str>) {
        if self.is_compressible {
            for (encoding, form) in [(Encoding::Brotli, &self.brotli), (Encoding::Gzip, &self.gzip)] {
                if accepts(accepted, encoding.name()) {
                    let made = form.get_or_init(|| encoding.compress(&self.plain).map(Bytes::from));
                    if let Some(bytes) = made {
                        return (bytes, Some(encoding.name()));
                    }
                }
            }
        }
        (&self.plain, None)
    }
}

/// Whether an `Accept-Encoding` header accepts this content coding.
pub fn accepts(list: &str, encoding: &str) -> bool {
    list.split(',').any(|item| {
        let mut parts = item.split(';');
        parts.next().is_some_and(|name| name.trim().eq_ignore_ascii_case(encoding))
            && !parts.any(|parameter| {
                parameter.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok()).is_some_and(|q| q <= 0.0)
            })
    })
}

#[cfg(test)]
mod tests {
    use super::{Encoded, accepts};

    #[test]
    fn an_encoding_is_accepted_by_name_unless_its_quality_is_zero() {
        assert!(accepts("gzip, deflate, br", "br"));
        assert!(accepts("br;q=0.5", "br"));
        assert!(!accepts("gzip;q=0, identity", "gzip"));
        assert!(!accepts("", "gzip"));
    }

    #[test]
    fn only_large_public_bytes_are_compressed() {
        let coding = |encoded: Encoded| encoded.form_for("gzip, br").1;
        assert_eq!(coding(Encoded::public(vec![b'x'; 5_000], "text/plain")), Some("br"));
        assert_eq!(coding(Encoded::public(vec![b'x'; 100], "text/plain")), None);
        assert_eq!(coding(Encoded::personal(vec![b'x'; 5_000], "text/plain")), None);
    }

    #[test]
    fn the_etag_names_the_bytes() {
        let (one, other) =
            (Encoded::personal(b"one".to_vec(), "text/plain"), Encoded::personal(b"two".to_vec(), "text/plain"));
        assert!(one.matches(one.etag()) && one.matches("*") && one.matches(&format!("\"x\", {}", one.etag())));
        assert!(!one.matches(other.etag()));
    }
}
