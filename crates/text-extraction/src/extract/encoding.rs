//! Decodes bytes in any encoding to text.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// A page's encoding declaration must be within this many bytes, as the HTML standard says.
const DECLARED_WITHIN: usize = 1_024;

/// Decodes bytes. The encoding is determined by, in this order: a byte order mark; the zeros of UTF-16; valid UTF-8; the server's
/// `charset`; the page's own declaration; detection. Bytes that can't be decoded become U+FFFD.
pub(crate) fn decode(bytes: &[u8], charset: Option<&str>) -> String {
    if Encoding::for_bom(bytes).is_some() {
        return UTF_8.decode(bytes).0.into_owned();
    }
    let encoding = if let Some(encoding) = utf16_of(bytes) {
        encoding
    } else if std::str::from_utf8(bytes).is_ok() && !has_escapes(bytes) {
        UTF_8
    } else {
        charset
            .and_then(|label| Encoding::for_label(label.as_bytes()))
            .or_else(|| declared(bytes))
            .unwrap_or_else(|| detect(bytes))
    };
    encoding.decode(bytes).0.into_owned()
}

/// Whether bytes are UTF-16, by a byte order mark or by their zeros.
pub(crate) fn is_utf16(bytes: &[u8]) -> bool {
    utf16_of(bytes).is_some()
        || Encoding::for_bom(bytes).is_some_and(|(encoding, _)| encoding == UTF_16LE || encoding == UTF_16BE)
}

/// Whether the text is ISO-2022-JP, which is ASCII with escape sequences.
fn has_escapes(bytes: &[u8]) -> bool {
    bytes.contains(&0x1b)
}

/// Detects UTF-16 of mostly Latin letters, in which every other byte is zero.
fn utf16_of(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = &bytes[..bytes.len().min(DECLARED_WITHIN) & !1];
    if sample.len() < 4 {
        return None;
    }
    let zeros = |offset: usize| sample.iter().skip(offset).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd, half) = (zeros(0), zeros(1), sample.len() / 2);
    if odd * 10 > half * 7 && even == 0 {
        Some(UTF_16LE)
    } else if even * 10 > half * 7 && odd == 0 {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// The encoding that a page declares: `<meta charset=…>` or `<?xml encoding=…?>`.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(DECLARED_WITHIN)]).to_lowercase();
    if !head.contains('<') {
        return None;
    }
    let at = ["charset=", "encoding="].iter().find_map(|mark| head.find(mark).map(|at| at + mark.len()))?;
    let label = head[at..].trim_start_matches(['"', '\'', ' ']);
    let end = label.find(|one: char| !one.is_ascii_alphanumeric() && !"-_:.".contains(one)).unwrap_or(label.len());
    let encoding = Encoding::for_label(&label.as_bytes()[..end])?;
    // A page whose declaration could be read as ASCII is not UTF-16, whatever it declares.
    (encoding != UTF_16LE && encoding != UTF_16BE).then_some(encoding)
}

fn detect(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Allow)
}

#[cfg(test)]
mod tests {
    use encoding_rs::{ISO_2022_JP, KOI8_R, SHIFT_JIS, WINDOWS_1252};

    use super::*;

    #[test]
    fn texts_in_other_encodings_are_read() {
        let russian = "Свобода печати есть лучшая защита от дурного правительства, как думают почти все люди.";
        let japanese = "言論の自由は腐敗した政府に対する最良の守りであると多くの人が考えている。";
        let french = "L’été où la liberté fut menacée, les élèves ont défendu leurs idées.";
        for (encoding, text) in
            [(KOI8_R, russian), (SHIFT_JIS, japanese), (ISO_2022_JP, japanese), (WINDOWS_1252, french), (UTF_8, french)]
        {
            let (bytes, _, failed) = encoding.encode(text);
            assert!(!failed);
            assert_eq!(decode(&bytes, None), text, "{}", encoding.name());
        }
    }

    #[test]
    fn utf_16_is_read_with_and_without_a_mark() {
        let text = "Plain words, été.";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [little.clone(), big, [b"\xff\xfe".to_vec(), little].concat()] {
            assert!(is_utf16(&bytes));
            assert_eq!(decode(&bytes, None), text);
        }
    }

    #[test]
    fn what_the_server_and_the_page_say_is_heard() {
        let (bytes, ..) = KOI8_R.encode("Да");
        assert_eq!(decode(&bytes, Some("koi8-r")), "Да");
        let page = [b"<meta charset=\"koi8-r\">".to_vec(), bytes.to_vec()].concat();
        assert_eq!(decode(&page, Some("no-such-charset")), "<meta charset=\"koi8-r\">Да");
        // A wrong charset does not affect valid UTF-8.
        assert_eq!(decode("été".as_bytes(), Some("koi8-r")), "été");
    }
}
