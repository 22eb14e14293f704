//! Which bytes of a file a request wants (RFC 9110, 13.1.5 and 14).

use std::ops::Range;

/// What a request wants of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All of it.
    Whole,
    /// These bytes; never none.
    Part(Range<u64>),
    /// Bytes that it does not have.
    Nothing,
}

/// Reads a `Range` header for a file of this size. One range is honoured; several at once are answered with the whole
/// file, as is what can't be read: a range is a wish.
pub(super) fn wanted(header: &str, size: u64) -> Wanted {
    let Some((unit, set)) = header.split_once('=') else { return Wanted::Whole };
    if !unit.trim().eq_ignore_ascii_case("bytes") || size == 0 {
        return Wanted::Whole;
    }
    let mut specs = set.split(',').map(str::trim).filter(|spec| !spec.is_empty());
    let (Some(spec), None) = (specs.next(), specs.next()) else { return Wanted::Whole };
    let Some((first, last)) = spec.split_once('-') else { return Wanted::Whole };
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last && first < size => {
            Wanted::Part(first..last.saturating_add(1).min(size))
        }
        (Some(first), Some(last)) if first <= last => Wanted::Nothing,
        (Some(first), None) if last.is_empty() && first < size => Wanted::Part(first..size),
        (Some(_), None) if last.is_empty() => Wanted::Nothing,
        (None, Some(0)) if first.is_empty() => Wanted::Nothing,
        (None, Some(count)) if first.is_empty() => Wanted::Part(size.saturating_sub(count)..size),
        _ => Wanted::Whole,
    }
}

/// Digits as a number; one that is too large counts as the largest.
fn number(digits: &str) -> Option<u64> {
    let only_digits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    only_digits.then(|| digits.parse().unwrap_or(u64::MAX))
}

/// Whether an `If-Range` header lets the range count: only when it names exactly what is there now. A date never does,
/// because files have none here.
pub(super) fn if_range_holds(header: &str, etag: &str) -> bool {
    header.trim() == etag
}

/// Whether an `If-None-Match` header names what is there.
pub(super) fn is_known(header: &str, etag: &str) -> bool {
    let strip = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    header.trim() == "*" || header.split(',').any(|tag| strip(tag) == etag)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ranges_are_right_at_the_edges() {
        let part = |range| Wanted::Part(range);
        for (header, expected) in [
            ("bytes=0-0", part(0..1)),
            ("bytes=0-", part(0..100)),
            ("bytes=0-99", part(0..100)),
            ("bytes=0-100", part(0..100)),
            ("bytes=99-99", part(99..100)),
            ("bytes=99-", part(99..100)),
            ("bytes=99-1000", part(99..100)),
            ("bytes=50-59", part(50..60)),
            ("bytes=-1", part(99..100)),
            ("bytes=-100", part(0..100)),
            ("bytes=-101", part(0..100)),
            ("BYTES= 50-59 ", part(50..60)),
            ("bytes=,50-59,", part(50..60)),
            ("bytes=0-99999999999999999999999", part(0..100)),
            ("bytes=-99999999999999999999999", part(0..100)),
            ("bytes=100-", Wanted::Nothing),
            ("bytes=100-100", Wanted::Nothing),
            ("bytes=99999999999999999999999-", Wanted::Nothing),
            ("bytes=-0", Wanted::Nothing),
            ("bytes=1-0", Wanted::Whole),
            ("bytes=0-1,3-4", Wanted::Whole),
            ("bytes=-", Wanted::Whole),
            ("bytes=", Wanted::Whole),
            ("bytes=a-b", Wanted::Whole),
            ("bytes=1", Wanted::Whole),
            ("bytes=+1-2", Wanted::Whole),
            ("bytes=--1", Wanted::Whole),
            ("lines=0-1", Wanted::Whole),
            ("0-1", Wanted::Whole),
            ("", Wanted::Whole),
        ] {
            assert_eq!(wanted(header, 100), expected, "{header}");
        }
        assert_eq!(wanted("bytes=0-0", 0), Wanted::Whole);
        assert_eq!(wanted("bytes=-1", 0), Wanted::Whole);
        assert_eq!(wanted("bytes=0-", u64::MAX), Wanted::Part(0..u64::MAX));
    }

    #[test]
    fn a_range_counts_for_exactly_what_is_there() {
        assert!(if_range_holds("\"a\"", "\"a\""));
        for other in ["\"b\"", "W/\"a\"", "a", "", "Sat, 21 Nov 2026 09:00:00 GMT"] {
            assert!(!if_range_holds(other, "\"a\""), "{other}");
        }
    }

    #[test]
    fn what_is_known_is_not_sent_again() {
        for header in ["\"a\"", "W/\"a\"", "\"b\", \"a\"", "*"] {
            assert!(is_known(header, "\"a\""), "{header}");
        }
        assert!(!is_known("\"b\"", "\"a\"") && !is_known("", "\"a\""));
    }

    proptest! {
        #[test]
        fn a_part_is_never_empty_and_lies_within_the_file(header in "bytes=[0-9,\\- ]{0,12}|.{0,20}", size in 0_u64..2_000) {
            if let Wanted::Part(range) = wanted(&header, size) {
                prop_assert!(range.start < range.end && range.end <= size);
            }
        }
    }
}
