//! Summaries of short texts (`summaries.short-texts`): the points of a text, each whole.
//!
//! A short text repeats few words, so that their frequency tells little. Its paragraphs and lists tell more: each is a
//! point, or with its neighbors one, and its opening sentence usually states it. A list or a sequence (`First …
//! Second …`) is taken whole, with the sentence that introduces it.

use std::collections::HashSet;

use unicode_segmentation::UnicodeSegmentation;

use crate::engine::headings::Headings;
use crate::engine::language::Vocabulary;
use crate::engine::ranking::{as_float, is_dangling};
use crate::engine::sentences::{Outline, Sentence, begins_list_item, is_heading, paragraphs, read_paragraph, trim};
use crate::engine::source::Source;
use crate::engine::summary::normalise_whitespace;
use crate::engine::terms::Terms;
use crate::engine::titles::Titles;
use crate::{KeyIdea, Passage};

/// The words that are taken of a text outside its lists and sequences, as a share.
const SHARE: f64 = 0.55;
/// A paragraph with fewer words belongs to the point of its neighbor.
const SMALL_PARAGRAPH: usize = 40;
/// Sentences of a section or a paragraph with more words are more than one point …
const LARGE_POINT: usize = 110;
/// … of about this many words each …
const POINT: usize = 75;
/// … and at least.
const SMALL_POINT: usize = 25;
/// The most words of a sequence that is taken with all that is between its items.
const WHOLE_SEQUENCE: usize = 110;
/// Of a list of more words, each item gives its first sentence.
const WHOLE_LIST: usize = 150;
/// The longest line that is an item without a mark of its own, behind an introduction with a colon; in bytes.
const MAX_UNMARKED_ITEM: usize = 160;
/// The longest question that is a heading, in bytes.
const MAX_QUESTION: usize = 80;
/// A quotation of more words is not taken whole.
const MAX_QUOTATION: usize = 90;
/// Marks at which sentences end.
const TERMINATORS: [char; 10] = ['.', '!', '?', '…', '。', '！', '？', '।', '؟', '۔'];
const CLOSING_MARKS: [char; 10] = ['"', '\'', '”', '’', '»', '«', ')', ']', '*', '_'];

/// How sentences of a point are compared. Tuned on the texts of `tests/it/short_texts/tuned_on`.
struct Weights {
    opens_paragraph: f64,
    /// The last sentence of a paragraph is often a remark.
    closes_paragraph: f64,
    /// For words that occur elsewhere in the text too, as a share of the sentence's.
    shared_words: f64,
    /// For a word that states a result, a duty or a contrast.
    cue: f64,
    /// For a word at the beginning that turns to something else.
    turn: f64,
    number: f64,
    /// For a colon, which often introduces what a sentence is about.
    colon: f64,
    question: f64,
    half_quotation: f64,
    /// For fewer than [`TINY`] words.
    tiny: f64,
    /// For a pronoun at the beginning.
    dangling: f64,
    /// The exponent of a sentence's length, which its score is divided by.
    length_power: f64,
}

const WEIGHTS: Weights = Weights {
    opens_paragraph: 1.0,
    closes_paragraph: -0.3,
    shared_words: 1.0,
    cue: 0.2,
    turn: 0.4,
    number: 0.3,
    colon: 0.2,
    question: -0.8,
    half_quotation: -2.3,
    tiny: -0.3,
    dangling: -0.2,
    length_power: 0.35,
};
/// A sentence with fewer words says little.
const TINY: usize = 6;
/// A sentence with fewer words counts as one of this many.
const LEAST_WORDS: usize = 8;

/// Words with which authors mark what matters to them, in English.
const CUES: [&str; 40] = [
    "but",
    "however",
    "should",
    "must",
    "need",
    "needs",
    "found",
    "find",
    "show",
    "shows",
    "suggest",
    "suggests",
    "conclude",
    "because",
    "means",
    "result",
    "results",
    "best",
    "worst",
    "most",
    "only",
    "never",
    "always",
    "every",
    "first",
    "real",
    "instead",
    "today",
    "now",
    "reason",
    "important",
    "key",
    "main",
    "decided",
    "please",
    "worse",
    "better",
    "study",
    "nobody",
    "everyone",
];

/// Pronouns at the beginning of a sentence, in English.
const PRONOUNS: [&str; 16] = [
    "it", "they", "this", "that", "these", "those", "he", "she", "his", "her", "their", "its", "such", "both", "there",
    "it's",
];
/// Words at the beginning of a sentence that turns to something else, in English.
const TURNS: [&str; 12] =
    ["but", "however", "yet", "in fact", "in the", "today", "now", "finally", "still", "instead", "so", "and"];
/// Words at the beginning of a sentence that is not understood without the one before, in English.
const REFERRING: [&str; 8] = ["it", "they", "this", "that", "these", "those", "such", "both"];
/// The most words of a sentence that is taken only because another one, or the heading, needs it.
const MAX_CONTEXT: usize = 25;

/// Words at the beginning of the first item of a sequence, in English, and of those that follow.
const FIRST: [&str; 4] = ["first of", "firstly", "the first", "step one"];
const FOLLOWING: [&str; 19] = [
    "second",
    "secondly",
    "the second",
    "third",
    "thirdly",
    "the third",
    "fourth",
    "the fourth",
    "fifth",
    "the fifth",
    "then",
    "next",
    "after that",
    "finally",
    "lastly",
    "last",
    "the last",
    "the other",
    "step",
];

/// Words at the beginning of the title of a text whose list is what the title says, in English.
const LIST_TITLES: [&str; 13] =
    ["how", "what", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "steps", "tips"];

/// A sentence or an item of a list.
struct Unit {
    range: Passage,
    words: usize,
    /// The index of its paragraph or item.
    paragraph: usize,
    /// The index of its section.
    section: usize,
    is_item: bool,
    /// Whether it ends like a sentence.
    is_complete: bool,
}

#[derive(Default)]
struct Layout {
    units: Vec<Unit>,
    /// The heading of each section; `None` before the first one, or when it is the title of the text.
    headings: Vec<Option<Passage>>,
    /// The first heading of a text that starts with it.
    title: Option<Passage>,
}

/// Sentences about one thing, or a list or a sequence.
struct Point {
    units: Vec<usize>,
    /// Whether it is a list or a sequence, and taken whole.
    is_enumeration: bool,
}

/// The key ideas of a short text.
pub(crate) fn summarise_short(source: &Source<'_>, vocabulary: &Vocabulary, is_english: bool) -> Vec<KeyIdea> {
    let text = source.text();
    let mut layout = layout(source);
    shorten_long_lists(text, &mut layout.units);
    let sentences: Vec<Sentence> = layout.units.iter().map(Unit::as_sentence).collect();
    let terms = Terms::read(text, &sentences, vocabulary);
    let points = points(text, &layout.units, &terms);
    let chosen = choose(text, &layout.units, &terms, &points);
    let headings = Headings { text, terms: &terms, vocabulary, is_english, used: HashSet::new() };
    let mut builder = IdeaBuilder { text, layout: &layout, headings, ideas: Vec::new(), waiting: Vec::new() };
    let taken: Vec<(&Point, Vec<usize>)> = points.iter().zip(chosen).filter(|(_, units)| !units.is_empty()).collect();
    for index in 0..taken.len() {
        builder.add(&taken, index);
    }
    builder.end();
    let outline = Outline { sentences, headings: Vec::new() };
    let mut titles = Titles::new(text, &outline, &terms, vocabulary);
    let idea = |parts: UnitsOfIdea| {
        let passages = passages(&layout.units, &parts.units);
        let said: Vec<String> = passages.iter().map(|passage| normalise_whitespace(&text[passage.clone()])).collect();
        let title = parts.title.unwrap_or_else(|| titles.title_of(&parts.units));
        KeyIdea { title, text: said.join(" "), passages, quotations: Vec::new(), is_supported: true }
    };
    builder.ideas.into_iter().map(idea).collect()
}

/// The sentences of an idea; without a title when they have no whole clause and no whole noun phrase.
struct UnitsOfIdea {
    units: Vec<usize>,
    title: Option<String>,
}

/// Makes ideas of points. A point without a heading is joined with a neighbor in its section, or takes more sentences.
struct IdeaBuilder<'a> {
    text: &'a str,
    layout: &'a Layout,
    headings: Headings<'a>,
    ideas: Vec<UnitsOfIdea>,
    /// The sentences of points without a heading and without a point before them in their section.
    waiting: Vec<usize>,
}

impl IdeaBuilder<'_> {
    fn add(&mut self, points: &[(&Point, Vec<usize>)], index: usize) {
        let (point, taken) = &points[index];
        let section = |index: usize| self.layout.units[points[index].1[0]].section;
        let is_prose = |index: usize| !points[index].0.is_enumeration;
        let is_first = index == 0 || section(index - 1) != section(index);
        let is_list = |units: &[usize]| units.last().is_some_and(|unit| self.layout.units[*unit].is_item);
        let is_only_list = is_list(taken) && points.iter().filter(|(_, units)| is_list(units)).count() == 1;
        let names_list = |title: &Passage| is_only_list && begins_with(&self.text[title.clone()], &LIST_TITLES);
        let own = self.layout.headings[section(index)].clone().filter(|_| is_first);
        let above = own.or_else(|| self.layout.title.clone().filter(names_list));
        let joins_previous = !is_first && is_prose(index - 1) && !self.ideas.is_empty();
        let joins_next = index + 1 < points.len() && section(index + 1) == section(index) && is_prose(index + 1);
        let can_join = !point.is_enumeration && above.is_none() && (joins_previous || joins_next);

        let mut units = std::mem::take(&mut self.waiting);
        units.extend_from_slice(taken);
        let title = self.heading(above, &units, point.is_enumeration, !can_join);
        match self.ideas.last_mut() {
            Some(previous) if title.is_none() && can_join && joins_previous => previous.units.extend(units),
            _ if title.is_none() && can_join => self.waiting = units,
            _ if title.is_none() => self.add_with_more(point, units),
            _ => self.ideas.push(UnitsOfIdea { units, title }),
        }
    }

    /// Adds a point with the shortest further sentence that gives it a heading; without one, joins it with the idea before.
    fn add_with_more(&mut self, point: &Point, units: Vec<usize>) {
        let others = point.units.iter().copied().filter(|unit| {
            let one = &self.layout.units[*unit];
            !units.contains(unit) && one.is_complete && one.words <= MAX_CONTEXT
        });
        let mut others: Vec<usize> = others.collect();
        others.sort_by_key(|unit| self.layout.units[*unit].words);
        for unit in others {
            let mut more = units.clone();
            more.push(unit);
            more.sort_unstable();
            let title = self.heading(None, &more, false, true);
            if title.is_some() {
                self.ideas.push(UnitsOfIdea { units: more, title });
                return;
            }
        }
        match self.ideas.last_mut() {
            Some(previous) => previous.units.extend(units),
            None => self.ideas.push(UnitsOfIdea { units, title: None }),
        }
    }

    fn end(&mut self) {
        let units = std::mem::take(&mut self.waiting);
        if !units.is_empty() {
            self.add_with_more(&Point { units: Vec::new(), is_enumeration: false }, units);
        }
    }

    fn heading(
        &mut self,
        above: Option<Passage>,
        units: &[usize],
        is_enumeration: bool,
        accepts_weak: bool,
    ) -> Option<String> {
        let ranges: Vec<Passage> = units.iter().map(|unit| self.layout.units[*unit].range.clone()).collect();
        self.headings.heading_of(above, &ranges, is_enumeration, accepts_weak)
    }
}

impl Unit {
    fn as_sentence(&self) -> Sentence {
        Sentence {
            range: self.range.clone(),
            paragraph: u32::try_from(self.paragraph).unwrap_or(u32::MAX),
            opens_paragraph: false,
        }
    }
}

/// Consecutive sentences of a paragraph form one passage.
fn passages(units: &[Unit], chosen: &[usize]) -> Vec<Passage> {
    let mut passages: Vec<Passage> = Vec::new();
    let mut last: Option<usize> = None;
    for unit in chosen {
        let here = &units[*unit];
        let goes_on = last.is_some_and(|last| last + 1 == *unit && units[last].paragraph == here.paragraph);
        match passages.last_mut().filter(|_| goes_on) {
            Some(passage) => passage.end = here.range.end,
            None => passages.push(here.range.clone()),
        }
        last = Some(*unit);
    }
    passages
}

/// The sections, paragraphs and lists of a text.
fn layout(source: &Source<'_>) -> Layout {
    let text = source.text();
    let known = source.headings();
    let mut blocks: Vec<(Passage, bool)> = Vec::new();
    let mut start = 0;
    for heading in known {
        blocks.extend(paragraphs(text, start..heading.start).into_iter().map(|range| (range, false)));
        blocks.push((trim(text, heading.clone()), true));
        start = heading.end;
    }
    blocks.extend(paragraphs(text, start..text.len()).into_iter().map(|range| (range, false)));
    let is_item = mark_items(text, &blocks);
    if known.is_empty() {
        for (index, (range, is_head)) in blocks.iter_mut().enumerate() {
            let line = &text[range.clone()];
            *is_head = !is_item[index] && (is_heading(line) || is_question_heading(line));
        }
        if blocks.iter().zip(&is_item).all(|((_, is_head), is_item)| *is_head || *is_item) {
            // A text of short lines only.
            for block in &mut blocks {
                block.1 = false;
            }
        }
    }
    let mut layout = Layout { headings: vec![None], ..Layout::default() };
    let first_text = blocks.iter().position(|(_, is_head)| !is_head).unwrap_or(blocks.len());
    let is_titled = first_text > 0;
    let has_sections = blocks[first_text..].iter().any(|(_, is_head)| *is_head);
    for (index, (range, is_head)) in blocks.into_iter().enumerate() {
        if range.is_empty() {
            continue;
        }
        if is_head {
            if index == 0 && is_titled {
                layout.title = Some(range.clone());
            }
            // Lines above the text are its title and what belongs to it; the last of several can open a section.
            let opens = index > first_text || has_sections && index > 0 && index + 1 == first_text;
            layout.headings.push(opens.then_some(range));
            continue;
        }
        read_block(text, range, index, is_item[index], &mut layout);
    }
    layout
}

/// Which blocks are items of lists.
fn mark_items(text: &str, blocks: &[(Passage, bool)]) -> Vec<bool> {
    let mut is_item: Vec<bool> =
        blocks.iter().map(|(range, is_head)| !is_head && begins_list_item(&text[range.clone()])).collect();
    for index in 0..blocks.len() {
        let introduces = !is_item[index] && text[blocks[index].0.clone()].ends_with(':');
        if !introduces || is_item.get(index + 1) == Some(&true) {
            continue;
        }
        // All with a full stop, or none.
        let ends = |range: &Passage| text[range.clone()].ends_with(TERMINATORS);
        let first_ends = blocks.get(index + 1).is_some_and(|(range, _)| ends(range));
        let unmarked = blocks[index + 1..].iter().take_while(|(range, is_head)| {
            let line = &text[range.clone()];
            !is_head
                && line.len() <= MAX_UNMARKED_ITEM
                && !line.contains(['\n', '"', '“'])
                && !line.ends_with(':')
                && ends(range) == first_ends
                && line.unicode_sentences().count() == 1
        });
        let count = unmarked.count();
        if count > 1 {
            is_item[index + 1..=index + count].fill(true);
        }
    }
    is_item
}

/// Cuts the items of long lists behind their first sentence.
fn shorten_long_lists(text: &str, units: &mut [Unit]) {
    for list in units.chunk_by_mut(|one, next| one.is_item && next.is_item && one.section == next.section) {
        if list.iter().map(|item| item.words).sum::<usize>() <= WHOLE_LIST || !list[0].is_item {
            continue;
        }
        for item in list {
            let line = &text[item.range.clone()];
            // The mark of the item is no sentence.
            let start = line.find(char::is_whitespace).filter(|_| begins_list_item(line)).unwrap_or(0);
            let mut sentences = Vec::new();
            read_paragraph(text, item.range.start + start..item.range.end, 0, &mut String::new(), &mut sentences);
            if let Some(first) = sentences.first() {
                item.range.end = first.range.end;
                item.words = text[item.range.clone()].unicode_words().count();
            }
        }
    }
}

fn is_question_heading(line: &str) -> bool {
    line.len() <= MAX_QUESTION && line.ends_with('?') && !line.contains(['\n', '"', '“', '”', '.', '!'])
}

fn read_block(text: &str, range: Passage, paragraph: usize, is_item: bool, layout: &mut Layout) {
    let section = layout.headings.len() - 1;
    let unit = |range: Passage, is_item: bool| {
        let said = &text[range.clone()];
        let is_complete = is_item || said.trim_end_matches(CLOSING_MARKS).ends_with(TERMINATORS);
        Unit { words: said.unicode_words().count(), range, paragraph, section, is_item, is_complete }
    };
    if is_item {
        layout.units.push(unit(range, true));
        return;
    }
    let mut sentences = Vec::new();
    read_paragraph(text, range, 0, &mut String::new(), &mut sentences);
    let mut open: Option<Passage> = None;
    for Sentence { range, .. } in sentences {
        // The sentences of a quotation stay together, and a dateline with its sentence.
        let joined = open.take().map_or(range.start, |before: Passage| before.start)..range.end;
        let said = &text[joined.clone()];
        let is_open = is_dateline(said) || has_open_quotation(said) && said.unicode_words().count() <= MAX_QUOTATION;
        if is_open {
            open = Some(joined);
        } else {
            layout.units.push(unit(joined, false));
        }
    }
    layout.units.extend(open.map(|range| unit(range, false)));
}

/// Whether it is the place that a news item begins with: `NEW YORK.`
fn is_dateline(text: &str) -> bool {
    text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase) && text.unicode_words().count() <= 3
}

fn has_open_quotation(text: &str) -> bool {
    let count = |mark: char| text.matches(mark).count();
    !count('"').is_multiple_of(2) || count('“') > count('”')
}

/// The points of a text in order; each unit is in one at most.
fn points(text: &str, units: &[Unit], terms: &Terms) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut index = 0;
    while index < units.len() {
        let enumeration = list_at(units, index)
            .or_else(|| sequence_at(text, units, index))
            .or_else(|| parallel_at(text, units, index));
        if let Some((members, end)) = enumeration {
            close(text, units, terms, &mut open, &mut points);
            points.push(Point { units: members, is_enumeration: true });
            index = end;
            continue;
        }
        if let Some(last) = open.last() {
            let (last, here) = (&units[*last], &units[index]);
            let words: usize = open.iter().map(|unit| units[*unit].words).sum();
            let next_words: usize =
                units[index..].iter().take_while(|one| one.paragraph == here.paragraph).map(|one| one.words).sum();
            let is_small = words < SMALL_PARAGRAPH || next_words < SMALL_POINT && words < LARGE_POINT;
            if last.section != here.section || last.paragraph != here.paragraph && !is_small {
                close(text, units, terms, &mut open, &mut points);
            }
        }
        open.push(index);
        index += 1;
    }
    close(text, units, terms, &mut open, &mut points);
    points
}

/// Ends a point, or several if it has many words.
fn close(text: &str, units: &[Unit], terms: &Terms, open: &mut Vec<usize>, points: &mut Vec<Point>) {
    let all = std::mem::take(open);
    let words = |part: &[usize]| part.iter().map(|unit| units[*unit].words).sum::<usize>();
    let total = words(&all);
    let mut cuts: Vec<usize> = Vec::new();
    if total > LARGE_POINT {
        let mut gaps: Vec<(f64, usize)> = (1..all.len()).map(|cut| (gap(text, units, terms, &all, cut), cut)).collect();
        gaps.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        for (_, cut) in gaps {
            let before = cuts.iter().copied().filter(|other| *other < cut).max().unwrap_or(0);
            let after = cuts.iter().copied().filter(|other| *other > cut).min().unwrap_or(all.len());
            let is_balanced = words(&all[before..cut]) >= SMALL_POINT && words(&all[cut..after]) >= SMALL_POINT;
            if cuts.len() + 1 < total.div_ceil(POINT) && is_balanced {
                cuts.push(cut);
            }
        }
        cuts.sort_unstable();
    }
    let mut start = 0;
    for end in cuts.into_iter().chain([all.len()]) {
        if start < end {
            points.push(Point { units: all[start..end].to_vec(), is_enumeration: false });
        }
        start = end;
    }
}

/// How strongly the sentences before `cut` are separated from those after it.
fn gap(text: &str, units: &[Unit], terms: &Terms, all: &[usize], cut: usize) -> f64 {
    let stems = |part: &[usize]| part.iter().flat_map(|unit| terms.content_stems_of(*unit)).collect::<HashSet<_>>();
    let (left, right) = (stems(&all[cut.saturating_sub(2)..cut]), stems(&all[cut..(cut + 2).min(all.len())]));
    let shared = as_float(left.intersection(&right).count()) / as_float(left.len().min(right.len()).max(1));
    let next = &units[all[cut]];
    let paragraph = if units[all[cut - 1]].paragraph == next.paragraph { 0.0 } else { 1.0 };
    let dangling = if is_dangling(&text[next.range.clone()]) { 0.7 } else { 0.0 };
    1.0 - shared + paragraph - dangling
}

/// A list at a unit, or at the unit after its introduction: the units that belong to it, and where it ends.
fn list_at(units: &[Unit], index: usize) -> Option<(Vec<usize>, usize)> {
    let first = units.get(index)?;
    let start = if first.is_item { index } else { index + 1 };
    // A list is introduced by the last sentence of the paragraph before it.
    if !units.get(start).is_some_and(|next| next.is_item && next.section == first.section) {
        return None;
    }
    let end = start + units[start..].iter().take_while(|one| one.is_item && one.section == first.section).count();
    (end - start > 1).then(|| ((index..end).collect(), end))
}

/// A sequence whose items are sentences that begin with ordinal words.
fn sequence_at(text: &str, units: &[Unit], index: usize) -> Option<(Vec<usize>, usize)> {
    let sentence = |unit: usize| {
        units.get(unit).filter(|unit| !unit.is_item && unit.is_complete).map(|unit| &text[unit.range.clone()])
    };
    // Not "First impressions".
    let is_first =
        |unit: usize| sentence(unit).is_some_and(|said| said.starts_with("First,") || begins_with(said, &FIRST));
    let follows = |unit: usize| sentence(unit).is_some_and(|said| begins_with(said, &FOLLOWING));
    let section = units.get(index)?.section;
    let start = if is_first(index) {
        index
    } else if is_first(index + 1) && units[index + 1].section == section && units[index].is_complete {
        index + 1
    } else {
        return None;
    };
    let in_section = units[start..].iter().take_while(|one| one.section == section && !one.is_item).count();
    let items: Vec<usize> = (start + 1..start + in_section).filter(|unit| follows(*unit)).collect();
    let last = *items.last()?;
    let words: usize = units[index..=last].iter().map(|one| one.words).sum();
    let members =
        if words <= WHOLE_SEQUENCE { (index..=last).collect() } else { (index..=start).chain(items).collect() };
    Some((members, last + 1))
}

/// Sentences in a row that begin with a few words and a colon.
fn parallel_at(text: &str, units: &[Unit], index: usize) -> Option<(Vec<usize>, usize)> {
    let first = units.get(index)?;
    let is_labelled = |unit: &Unit| {
        let said = &text[unit.range.clone()];
        !unit.is_item
            && unit.paragraph == first.paragraph
            && said
                .split_once(": ")
                .is_some_and(|(label, _)| (1..=5).contains(&label.split_whitespace().count()) && !label.contains('"'))
    };
    let start = if is_labelled(first) { index } else { index + 1 };
    let end = start + units.get(start..)?.iter().take_while(|one| is_labelled(one)).count();
    (end - start > 1).then(|| ((index..end).collect(), end))
}

/// Whether a sentence begins with one of these words.
fn begins_with(sentence: &str, words: &[&str]) -> bool {
    let mut first = sentence.unicode_words().map(str::to_lowercase);
    let one = first.next().unwrap_or_default();
    let two = format!("{one} {}", first.next().unwrap_or_default());
    words.iter().any(|word| *word == one || *word == two)
}

/// The units of each point that are taken, in order.
fn choose(text: &str, units: &[Unit], terms: &Terms, points: &[Point]) -> Vec<Vec<usize>> {
    let has_complete = units.iter().any(|unit| unit.is_complete);
    let worth: Vec<f64> = (0..units.len()).map(|unit| worth(text, units, terms, unit)).collect();
    // A sentence that is repeated is taken once.
    let mut texts = HashSet::new();
    let is_new: Vec<bool> = units.iter().map(|unit| texts.insert(&text[unit.range.clone()])).collect();
    let can_be_taken = |unit: &usize| {
        let one = &units[*unit];
        is_new[*unit] && one.words > 0 && (one.is_complete || !has_complete)
    };
    let mut taken: Vec<HashSet<usize>> = points.iter().map(|_| HashSet::new()).collect();
    let mut prose: usize = units.iter().map(|unit| unit.words).sum();
    let mut candidates: Vec<(f64, usize, usize)> = Vec::new();
    let mut words = 0;
    for (index, point) in points.iter().enumerate() {
        if point.is_enumeration {
            prose -= point.units.iter().map(|unit| units[*unit].words).sum::<usize>();
            taken[index].extend(point.units.iter().copied());
            continue;
        }
        let mut own: Vec<(f64, usize, usize)> =
            point.units.iter().filter(|unit| can_be_taken(unit)).map(|unit| (worth[*unit], *unit, index)).collect();
        own.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let mut own = own.into_iter();
        if let Some((_, best, _)) = own.next() {
            words += take(units, with_context(text, units, point, best), &mut taken[index]);
        }
        candidates.extend(own);
    }
    candidates.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    for (_, unit, point) in candidates {
        let new = with_context(text, units, &points[point], unit);
        let added: usize = new.iter().filter(|unit| !taken[point].contains(*unit)).map(|unit| units[*unit].words).sum();
        if as_float(words + added) <= SHARE * as_float(prose) {
            words += take(units, new, &mut taken[point]);
        }
    }
    let in_order = |taken: HashSet<usize>| {
        let mut units: Vec<usize> = taken.into_iter().collect();
        units.sort_unstable();
        units
    };
    taken.into_iter().map(in_order).collect()
}

/// A unit, and the one before it when it refers to that.
fn with_context(text: &str, units: &[Unit], point: &Point, unit: usize) -> Vec<usize> {
    let here = &units[unit];
    let before = unit.checked_sub(1).filter(|before| {
        let one = &units[*before];
        point.units.contains(before) && one.paragraph == here.paragraph && one.is_complete && one.words <= MAX_CONTEXT
    });
    before.filter(|_| begins_with(&text[here.range.clone()], &REFERRING)).into_iter().chain([unit]).collect()
}

/// Takes units. Returns the words that this adds.
fn take(units: &[Unit], new: Vec<usize>, taken: &mut HashSet<usize>) -> usize {
    new.into_iter().filter(|unit| taken.insert(*unit)).map(|unit| units[unit].words).sum()
}

/// How much a sentence says of its point.
fn worth(text: &str, units: &[Unit], terms: &Terms, index: usize) -> f64 {
    let unit = &units[index];
    let said = &text[unit.range.clone()];
    let weights = &WEIGHTS;
    let stems: Vec<_> = terms.content_stems_of(index).collect();
    let shared = stems.iter().filter(|stem| terms.stem_count(**stem) > 1).count();
    let words: Vec<String> = said.unicode_words().map(str::to_lowercase).collect();
    let opens = index == 0 || units[index - 1].paragraph != unit.paragraph;
    let closes = units.get(index + 1).is_none_or(|next| next.paragraph != unit.paragraph);
    let when = |condition: bool, weight: f64| if condition { weight } else { 0.0 };
    let sum = 1.0
        + when(opens, weights.opens_paragraph)
        + when(closes, weights.closes_paragraph)
        + weights.shared_words * as_float(shared) / as_float(stems.len().max(3))
        + when(words.iter().any(|word| CUES.contains(&word.as_str())), weights.cue)
        + when(words.iter().any(|word| word.starts_with(|one: char| one.is_ascii_digit())), weights.number)
        + when(said.trim_end_matches(CLOSING_MARKS).ends_with(['?', '？', '؟']), weights.question)
        + when(has_open_quotation(said), weights.half_quotation)
        + when(words.len() < TINY, weights.tiny)
        + when(begins_with(said, &PRONOUNS), weights.dangling)
        + when(begins_with(said, &TURNS), weights.turn)
        + when(said.contains(": "), weights.colon);
    sum / as_float(unit.words.max(LEAST_WORDS)).powf(weights.length_power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::language::guess_language;

    /// The passages of each idea, with their titles.
    fn ideas(text: &str) -> Vec<(String, Vec<&str>)> {
        let vocabulary = Vocabulary::of(guess_language(text));
        let ideas = summarise_short(&Source::plain(text), &vocabulary, true);
        ideas.into_iter().map(|idea| (idea.title, idea.passages.into_iter().map(|one| &text[one]).collect())).collect()
    }

    fn units(text: &str) -> Vec<(&str, bool)> {
        let layout = layout(&Source::plain(text));
        layout.units.into_iter().map(|unit| (&text[unit.range], unit.is_item)).collect()
    }

    #[test]
    fn a_list_is_taken_whole_with_its_introduction() {
        for list in [
            "- a warm coat\n- dry matches\n- a map",
            "1. a warm coat\n2. dry matches\n3. a map",
            "a warm coat\n\ndry matches\n\na map",
        ] {
            let text = format!(
                "The hut is open all year. Hikers should bring three things:\n\n{list}\n\nThe key hangs behind the door."
            );
            let found = ideas(&text);
            let list = found.iter().find(|(_, passages)| passages.len() > 3).map(|(_, passages)| passages.join("|"));
            let list = list.expect("a list");
            assert!(list.starts_with("Hikers should bring three things:|") && list.ends_with("a map"), "{list}");
        }
    }

    #[test]
    fn a_long_list_keeps_the_first_sentence_of_each_item() {
        let item = |number: usize| {
            format!("{number}. Fill the jar number {number}. {}", "Stir it slowly for a while. ".repeat(5))
        };
        let list = (1..=8).map(item).collect::<Vec<_>>().join("\n");
        let text = format!("The jars are filled in order:\n\n{list}");
        let passages = ideas(&text).remove(0).1;
        assert_eq!(
            (passages.len(), passages[0], passages[8]),
            (9, "The jars are filled in order:", "8. Fill the jar number 8.")
        );
    }

    #[test]
    fn a_sequence_is_taken_whole_with_its_introduction() {
        let text = "The oven needs care. Cleaning has three steps. First, heat the oven. Second, spread the paste. It may smell. Finally, \
                    wipe the walls. The door is glass.";
        let sequence =
            ideas(text).into_iter().find(|(_, passages)| passages[0].starts_with("Cleaning")).expect("a sequence");
        assert!(sequence.1[0].ends_with("Finally, wipe the walls."), "{sequence:?}");
    }

    #[test]
    fn quotations_and_datelines_are_not_divided() {
        let text = "OSLO. The bridge is open. \"I am glad. We waited long,\" she said. Nobody paid.";
        let sentences = ["OSLO. The bridge is open.", "\"I am glad. We waited long,\" she said.", "Nobody paid."];
        assert_eq!(units(text), sentences.map(|sentence| (sentence, false)));
    }

    #[test]
    fn a_question_above_a_paragraph_is_its_heading() {
        let text = "Rent a bicycle for a month.\n\nWhat happens when it breaks?\n\nWe repair it within two hours, or we bring another one.";
        assert_eq!(ideas(text)[1].0, "What happens when it breaks?");
    }

    #[test]
    fn salutations_are_no_passages() {
        let text = "Dear Ann,\n\nThe house is sold, and we move in May.\n\nWith love,\nTom";
        assert_eq!(ideas(text)[0].1, ["The house is sold, and we move in May."]);
    }
}
