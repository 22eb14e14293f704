//! Text out of bytes in any encoding.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Where a page names its encoding: within its first bytes, as the HTML standard has it.
const DECLARED_WITHIN: usize = 1_024;

/// Decodes bytes. In this order: a byte order mark; zeros as UTF-16 has them; valid UTF-8; what the server says; what the page
/// says of itself; what the bytes look like. What can't be decoded becomes U+FFFD.
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

/// Whether bytes look like UTF-16 without a byte order mark, or have one.
pub(crate) fn is_utf16(bytes: &[u8]) -> bool {
    utf16_of(bytes).is_some()
        || Encoding::for_bom(bytes).is_some_and(|(encoding, _)| encoding == UTF_16LE || encoding == UTF_16BE)
}

/// ISO-2022-JP is ASCII with escapes.
fn has_escapes(bytes: &[u8]) -> bool {
    bytes.contains(&0x1b)
}

/// UTF-16 of mostly Latin letters: every other byte is zero.
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

/// What a page says of itself: `<meta charset=…>` or `<?xml encoding=…?>`.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(DECLARED_WITHIN)]).to_lowercase();
    if !head.contains('<') {
        return None;
    }
    let at = ["charset=", "encoding="].iter().find_map(|mark| head.find(mark).map(|at| at + mark.len()))?;
    let label = head[at..].trim_start_matches(['"', '\'', ' ']);
    let end = label.find(|one: char| !one.is_ascii_alphanumeric() && !"-_:.".contains(one)).unwrap_or(label.len());
    let encoding = Encoding::for_label(&label.as_bytes()[..end])?;
    // A page whose declaration was read as ASCII is not UTF-16, whatever it says.
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
        // A wrong statement does not spoil valid UTF-8.
        assert_eq!(decode("été".as_bytes(), Some("koi8-r")), "été");
    }
}
