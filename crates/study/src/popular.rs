//! Popular passages: the sentences of a book that many members have highlighted (`study.popular-passages`).

use std::{collections::BTreeMap, ops::Range};

use kernel::UserId;

use crate::text::sentences;

/// From how many members on a sentence is popular.
pub const POPULAR_FROM: u32 = 10;

/// A range that a member has highlighted, in characters of a section's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HighlightedRange {
    pub member: UserId,
    /// The index of the section, from 0.
    pub section: u32,
    pub range: Range<u32>,
}

/// One sentence, or several neighboring ones, that many members have highlighted. It names nobody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PopularPassage {
    /// The index of the section, from 0.
    pub section: u32,
    /// In characters of the section's text.
    pub range: Range<u32>,
    /// How many members have highlighted each of its sentences, at least.
    pub members: u32,
}

/// The popular passages of a text, in its order. A member has highlighted a sentence if their ranges together cover at
/// least half of its characters.
pub fn popular_passages<T: AsRef<str>>(texts: &[T], ranges: &[HighlightedRange]) -> Vec<PopularPassage> {
    let mut by_section: BTreeMap<u32, BTreeMap<UserId, Vec<Range<u32>>>> = BTreeMap::new();
    for HighlightedRange { member, section, range } in ranges {
        by_section.entry(*section).or_default().entry(*member).or_default().push(range.clone());
    }
    let mut found = Vec::new();
    for (section, members) in by_section {
        let Some(text) = usize::try_from(section).ok().and_then(|section| texts.get(section)) else { continue };
        let text = text.as_ref();
        let sentences: Vec<Range<u32>> = sentences(text).into_iter().filter_map(narrowed).collect();
        let mut counts = vec![0; sentences.len()];
        for ranges in members.into_values() {
            let ranges = joined(ranges);
            for (sentence, count) in sentences.iter().zip(&mut counts) {
                if covered(sentence, &ranges) * 2 >= sentence.end - sentence.start {
                    *count += 1;
                }
            }
        }
        add_passages(section, text, &sentences, &counts, &mut found);
    }
    found
}

/// Adds the popular sentences of a section, neighbors in one paragraph joined.
fn add_passages(section: u32, text: &str, sentences: &[Range<u32>], counts: &[u32], found: &mut Vec<PopularPassage>) {
    let breaks: Vec<usize> = text.chars().enumerate().filter(|(_, c)| *c == '\n').map(|(at, _)| at).collect();
    let line_of = |at: u32| breaks.partition_point(|line_break| *line_break < at as usize);
    let mut before: Option<usize> = None;
    for (at, (sentence, members)) in sentences.iter().zip(counts.iter().copied()).enumerate() {
        if members < POPULAR_FROM {
            continue;
        }
        let goes_on = before.is_some_and(|before| before + 1 == at);
        match found.last_mut() {
            Some(last) if goes_on && line_of(last.range.end) == line_of(sentence.start) => {
                last.range.end = sentence.end;
                last.members = last.members.min(members);
            }
            _ => found.push(PopularPassage { section, range: sentence.clone(), members }),
        }
        before = Some(at);
    }
}

fn narrowed(range: Range<usize>) -> Option<Range<u32>> {
    Some(u32::try_from(range.start).ok()?..u32::try_from(range.end).ok()?)
}

/// The ranges in order, those that overlap or touch joined.
fn joined(mut ranges: Vec<Range<u32>>) -> Vec<Range<u32>> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut joined: Vec<Range<u32>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// How many characters of a sentence the ranges cover, which do not overlap.
fn covered(sentence: &Range<u32>, ranges: &[Range<u32>]) -> u32 {
    let first = ranges.partition_point(|range| range.end <= sentence.start);
    let reaching = ranges[first..].iter().take_while(|range| range.start < sentence.end);
    reaching.map(|range| range.end.min(sentence.end).saturating_sub(range.start.max(sentence.start))).sum()
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, ops::Range};

    use kernel::UserId;
    use proptest::prelude::*;

    use super::{HighlightedRange, POPULAR_FROM, PopularPassage, popular_passages};

    const TEXT: &str = "One is here. Two was there. Three!\nFour is here. Five.";

    fn range_of(member: i64, words: &str) -> HighlightedRange {
        let start = u32::try_from(TEXT.find(words).expect("words of the text")).expect("a short text");
        let end = start + u32::try_from(words.len()).expect("a short text");
        HighlightedRange { member: UserId::from_store(member), section: 1, range: start..end }
    }

    fn found(ranges: &[HighlightedRange]) -> Vec<(&'static str, u32)> {
        let passages = popular_passages(&["Another section.", TEXT], ranges);
        let words = |PopularPassage { section, range, members }: PopularPassage| {
            assert_eq!(section, 1);
            (&TEXT[range.start as usize..range.end as usize], members)
        };
        passages.into_iter().map(words).collect()
    }

    #[test]
    fn a_sentence_is_popular_from_ten_members_on() {
        assert_eq!(POPULAR_FROM, 10);
        let mut ranges: Vec<_> = (1..=9).map(|member| range_of(member, "Two was there.")).collect();
        // The same member again does not count.
        ranges.push(range_of(9, "Two was"));
        assert_eq!(found(&ranges), []);
        ranges.push(range_of(10, "Two was"));
        assert_eq!(found(&ranges), [("Two was there.", 10)]);
    }

    #[test]
    fn half_of_a_sentence_in_several_pieces_counts() {
        let with_last = |last: &[&str]| {
            let mut ranges: Vec<_> = (1..=9).map(|member| range_of(member, "Two was there.")).collect();
            ranges.extend(last.iter().map(|words| range_of(10, words)));
            found(&ranges)
        };
        assert_eq!(with_last(&["Two", "ther"]), [("Two was there.", 10)]);
        assert_eq!(with_last(&["Two", "the"]), []);
        assert_eq!(with_last(&["Two wa", "wo was"]), [("Two was there.", 10)]);
        assert_eq!(with_last(&["Two w", "Two", "wo w"]), [], "what overlaps counts once");
    }

    #[test]
    fn neighbors_in_a_paragraph_are_one_passage_with_the_least_number() {
        let mut ranges: Vec<_> =
            (1..=12).map(|member| range_of(member, "Two was there. Three!\nFour is here.")).collect();
        ranges.extend((21..=25).map(|member| range_of(member, "Three!")));
        assert_eq!(found(&ranges), [("Two was there. Three!", 12), ("Four is here.", 12)]);
    }

    #[test]
    fn a_section_that_is_not_there_has_none() {
        let ranges: Vec<_> =
            (1..=10).map(|member| HighlightedRange { section: 2, ..range_of(member, "Two") }).collect();
        assert_eq!(found(&ranges), []);
    }

    fn some_ranges() -> impl Strategy<Value = Vec<HighlightedRange>> {
        let length = u32::try_from(TEXT.len()).expect("a short text");
        let one = (1..=14_i64, 0..length, 1..30_u32).prop_map(move |(member, start, length)| HighlightedRange {
            member: UserId::from_store(member),
            section: 1,
            range: start..start + length,
        });
        proptest::collection::vec(one, 0..80)
    }

    fn has(passages: &[PopularPassage], at: u32) -> Option<u32> {
        passages.iter().find(|passage| passage.range.contains(&at)).map(|passage| passage.members)
    }

    proptest! {
        #[test]
        fn order_makes_no_difference((ranges, shuffled) in some_ranges().prop_flat_map(|ranges| {
            (Just(ranges.clone()), Just(ranges).prop_shuffle())
        })) {
            prop_assert_eq!(found(&shuffled), found(&ranges));
        }

        /// Each popular sentence is held up by ten members at least, each of whom has highlighted something of it.
        #[test]
        fn no_passage_is_counted_of_fewer_than_ten_members(ranges in some_ranges()) {
            for PopularPassage { range: Range { start, end }, members, .. } in popular_passages(&["", TEXT], &ranges) {
                let touching = ranges.iter().filter(|one| one.range.start < end && one.range.end > start);
                let different: BTreeSet<UserId> = touching.map(|one| one.member).collect();
                prop_assert!(members >= POPULAR_FROM && different.len() >= members as usize);
            }
        }

        #[test]
        fn a_member_who_leaves_makes_no_sentence_popular(ranges in some_ranges(), member in 1..=14_i64) {
            let rest: Vec<_> = ranges.iter().filter(|one| one.member.get() != member).cloned().collect();
            let (before, after) = (popular_passages(&["", TEXT], &ranges), popular_passages(&["", TEXT], &rest));
            for at in after.iter().flat_map(|passage| passage.range.clone()) {
                prop_assert!(has(&before, at).is_some());
            }
        }
    }
}
