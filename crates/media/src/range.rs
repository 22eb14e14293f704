//! Range and conditional requests: `Range`, `If-Range` and `If-None-Match` (RFC 9110, 13.1 and 14).

use std::ops::Range;

/// The part of a file that a client requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestedRange {
    /// The whole file.
    Whole,
    /// These bytes; never an empty range.
    Part(Range<u64>),
    /// The range begins beyond the end of the file: status 416.
    Unsatisfiable,
}

/// Parses a `Range` header for a file of `size` bytes. Only a single range is supported: several ranges and an invalid header
/// give the whole file, as the standard allows.
pub fn parse_range(header: &str, size: u64) -> RequestedRange {
    let Some((unit, set)) = header.split_once('=') else { return RequestedRange::Whole };
    if !unit.trim().eq_ignore_ascii_case("bytes") || size == 0 {
        return RequestedRange::Whole;
    }
    let mut specs = set.split(',').map(str::trim).filter(|spec| !spec.is_empty());
    let (Some(spec), None) = (specs.next(), specs.next()) else { return RequestedRange::Whole };
    let Some((first, last)) = spec.split_once('-') else { return RequestedRange::Whole };
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last && first < size => {
            RequestedRange::Part(first..last.saturating_add(1).min(size))
        }
        (Some(first), Some(last)) if first <= last => RequestedRange::Unsatisfiable,
        (Some(first), None) if last.is_empty() && first < size => RequestedRange::Part(first..size),
        (Some(_), None) if last.is_empty() => RequestedRange::Unsatisfiable,
        (None, Some(0)) if first.is_empty() => RequestedRange::Unsatisfiable,
        (None, Some(count)) if first.is_empty() => RequestedRange::Part(size.saturating_sub(count)..size),
        _ => RequestedRange::Whole,
    }
}

/// Parses digits; a number that is too large saturates. `None` when there are other characters or none.
fn number(digits: &str) -> Option<u64> {
    let only_digits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    only_digits.then(|| digits.parse().unwrap_or(u64::MAX))
}

/// Whether the `Range` header applies, given an `If-Range` header: only when that equals the current `ETag`. A date never
/// matches, because media files have no `Last-Modified`.
pub fn if_range_holds(header: &str, etag: &str) -> bool {
    header.trim() == etag
}

/// Whether an `If-None-Match` header contains the current `ETag`, so that the response is 304.
pub fn is_not_modified(header: &str, etag: &str) -> bool {
    let strip = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    header.trim() == "*" || header.split(',').any(|tag| strip(tag) == etag)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ranges_are_exact_at_their_edges() {
        let part = |range| RequestedRange::Part(range);
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
            ("bytes=100-", RequestedRange::Unsatisfiable),
            ("bytes=100-100", RequestedRange::Unsatisfiable),
            ("bytes=99999999999999999999999-", RequestedRange::Unsatisfiable),
            ("bytes=-0", RequestedRange::Unsatisfiable),
            ("bytes=1-0", RequestedRange::Whole),
            ("bytes=0-1,3-4", RequestedRange::Whole),
            ("bytes=-", RequestedRange::Whole),
            ("bytes=", RequestedRange::Whole),
            ("bytes=a-b", RequestedRange::Whole),
            ("bytes=1", RequestedRange::Whole),
            ("bytes=+1-2", RequestedRange::Whole),
            ("bytes=--1", RequestedRange::Whole),
            ("lines=0-1", RequestedRange::Whole),
            ("0-1", RequestedRange::Whole),
            ("", RequestedRange::Whole),
        ] {
            assert_eq!(parse_range(header, 100), expected, "{header}");
        }
        assert_eq!(parse_range("bytes=0-0", 0), RequestedRange::Whole);
        assert_eq!(parse_range("bytes=-1", 0), RequestedRange::Whole);
        assert_eq!(parse_range("bytes=0-", u64::MAX), RequestedRange::Part(0..u64::MAX));
    }

    #[test]
    fn if_range_holds_for_the_exact_etag_only() {
        assert!(if_range_holds("\"a\"", "\"a\""));
        for other in ["\"b\"", "W/\"a\"", "a", "", "Sat, 21 Nov 2026 09:00:00 GMT"] {
            assert!(!if_range_holds(other, "\"a\""), "{other}");
        }
    }

    #[test]
    fn if_none_match_takes_weak_tags_lists_and_any() {
        for header in ["\"a\"", "W/\"a\"", "\"b\", \"a\"", "*"] {
            assert!(is_not_modified(header, "\"a\""), "{header}");
        }
        assert!(!is_not_modified("\"b\"", "\"a\"") && !is_not_modified("", "\"a\""));
    }

    proptest! {
        #[test]
        fn a_parsed_range_is_never_empty_and_lies_within_the_file(header in "bytes=[0-9,\\- ]{0,12}|.{0,20}", size in 0_u64..2_000) {
            if let RequestedRange::Part(range) = parse_range(&header, size) {
                prop_assert!(range.start < range.end && range.end <= size);
            }
        }
    }
}
