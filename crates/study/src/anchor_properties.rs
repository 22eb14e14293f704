//! Properties of finding anchors: texts are made of words at random and edited at random, and the passage is followed
//! through the edits.

use std::ops::Range;

use proptest::{prelude::*, sample::Index};

use crate::{
    Anchor, CHANGED_CONTEXT_CHARS, CHANGED_LIKENESS, CONTEXT_CHARS, Found, LONE_QUOTE_CHARS, Likeness, anchor::fold,
    anchor_at, find,
};

/// A word of a text, or a line break.
#[derive(Clone, Debug, PartialEq)]
struct Token {
    text: String,
    /// Whether it belongs to what the edits leave alone.
    is_kept: bool,
}

type Section = Vec<Token>;

const LINE_BREAK: &str = "\n";

impl Token {
    fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_kept: false }
    }

    fn is_break(&self) -> bool {
        self.text == LINE_BREAK
    }
}

/// One of 400 words of three to nine letters, some of them with what typographers replace.
fn word(number: usize) -> String {
    const STARTS: [&str; 20] = [
        "ba", "cor", "de", "fin", "gra", "ho", "ju", "kel", "li", "mor", "na", "ol", "pri", "qua", "re", "sto", "ta",
        "ul", "ver", "zi",
    ];
    const ENDS: [&str; 20] = [
        "n", "den", "st", "ma", "rry", "ck", "ble", "ther", "ssing", "ve", "per", "dom", "x", "ll's", "ght", "tion",
        "-ro", "ph", "nk", "\"s",
    ];
    format!("{}{}", STARTS[number % 20], ENDS[number / 20 % 20])
}

/// The text of a section, and where each token begins, in characters.
fn rendered(section: &[Token]) -> (String, Vec<usize>) {
    let (mut text, mut starts, mut length) = (String::new(), Vec::new(), 0);
    for (at, token) in section.iter().enumerate() {
        let is_glued = at == 0 || token.is_break() || section[at - 1].is_break();
        if !is_glued {
            text.push(' ');
            length += 1;
        }
        starts.push(length);
        text.push_str(&token.text);
        length += token.text.chars().count();
    }
    (text, starts)
}

fn texts_of(sections: &[Section]) -> Vec<String> {
    sections.iter().map(|section| rendered(section).0).collect()
}

fn search(anchor: &Anchor, texts: &[String]) -> Option<Found> {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    find(anchor, &texts)
}

fn anchored(texts: &[String], section: usize, range: Range<usize>) -> Anchor {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    anchor_at(&texts, section, range).expect("a range of the text")
}

fn folded(text: &str) -> String {
    text.chars().map(fold).collect()
}

fn part(text: &str, range: Range<usize>) -> String {
    text.chars().skip(range.start).take(range.len()).collect()
}

/// How often some words occur in the texts, overlapping occurrences included; both folded.
fn count(texts: &[String], words: &str) -> usize {
    let words: Vec<char> = words.chars().map(fold).collect();
    let occurs = |text: &String| {
        let text: Vec<char> = text.chars().map(fold).collect();
        text.windows(words.len().max(1)).filter(|window| *window == words).count()
    };
    texts.iter().map(occurs).sum()
}

fn place(found: Found) -> (usize, Range<usize>) {
    (found.section as usize, found.start as usize..found.end as usize)
}

/// The passage of a document: some words of a section, and the tokens that its window touches.
struct Passage {
    section: usize,
    /// In characters.
    range: Range<usize>,
    /// The tokens that have a character of the passage or of the text around it that the anchor keeps.
    window: Range<usize>,
}

/// A passage of as many tokens, which begins and ends with a word, and has the usual text of its section on both sides if
/// `is_inner`; `None` if the section has none.
fn passage_of(sections: &[Section], section: Index, at: Index, length: usize, is_inner: bool) -> Option<Passage> {
    let section = section.index(sections.len());
    let tokens = &sections[section];
    let (text, starts) = rendered(tokens);
    let ends: Vec<usize> =
        tokens.iter().zip(&starts).map(|(token, start)| start + token.text.chars().count()).collect();
    let chars = text.chars().count();
    let fits = |first: &usize| {
        let last = first + length - 1;
        let is_words = last < tokens.len() && !tokens[*first].is_break() && !tokens[last].is_break();
        is_words && (!is_inner || (starts[*first] >= CONTEXT_CHARS && ends[last] + CONTEXT_CHARS <= chars))
    };
    let fitting: Vec<usize> = (0..tokens.len()).filter(fits).collect();
    let first = *fitting.get(at.index(fitting.len().max(1)))?;
    let range = starts[first]..ends[first + length - 1];
    let around = range.start.saturating_sub(CONTEXT_CHARS)..(range.end + CONTEXT_CHARS).min(chars);
    // A token with the separator after it, and one with the separator before it.
    let window_start = starts.partition_point(|start| *start <= around.start) - 1;
    let window_end = ends.partition_point(|end| *end < around.end) + 1;
    Some(Passage { section, range, window: window_start..window_end })
}

fn some_word() -> impl Strategy<Value = Token> {
    (0..400_usize).prop_map(|number| Token::new(word(number)))
}

fn some_section() -> impl Strategy<Value = Section> {
    proptest::collection::vec(0..430_usize, 30..70).prop_map(|numbers| {
        let mut section: Section = Vec::new();
        for number in numbers {
            if number < 400 {
                section.push(Token::new(word(number)));
            } else if section.last().is_some_and(|token| !token.is_break()) {
                // No empty lines, as in the text of a book.
                section.push(Token::new(LINE_BREAK));
            }
        }
        section
    })
}

fn some_sections() -> impl Strategy<Value = Vec<Section>> {
    proptest::collection::vec(some_section(), 1..4)
}

#[derive(Clone, Debug)]
enum Edit {
    Replace(Index, Index, Token),
    Insert(Index, Index, Token),
    Delete(Index, Index),
    Swap(Index, Index, Index),
    SplitParagraph(Index, Index),
    MoveBlock(Index, Index, Index, Index),
    MoveSection(Index, Index),
    AddSection(Index, Section),
    DeleteSection(Index),
    /// Replaces quotation marks and hyphens of a section by typographic ones.
    Typographic(Index),
}

fn some_edits() -> impl Strategy<Value = Vec<Edit>> {
    let index = any::<Index>;
    let edit = prop_oneof![
        3 => (index(), index(), some_word()).prop_map(|(section, at, word)| Edit::Replace(section, at, word)),
        3 => (index(), index(), some_word()).prop_map(|(section, at, word)| Edit::Insert(section, at, word)),
        3 => (index(), index()).prop_map(|(section, at)| Edit::Delete(section, at)),
        2 => (index(), index(), index()).prop_map(|(section, one, other)| Edit::Swap(section, one, other)),
        2 => (index(), index()).prop_map(|(section, at)| Edit::SplitParagraph(section, at)),
        2 => (index(), index(), index(), index()).prop_map(|(section, from, to, at)| Edit::MoveBlock(section, from, to, at)),
        1 => (index(), index()).prop_map(|(from, to)| Edit::MoveSection(from, to)),
        1 => (index(), some_section()).prop_map(|(at, section)| Edit::AddSection(at, section)),
        1 => index().prop_map(Edit::DeleteSection),
        1 => index().prop_map(Edit::Typographic),
    ];
    proptest::collection::vec(edit, 0..20)
}

/// Does one edit, or nothing if it would touch what is kept.
fn apply(sections: &mut Vec<Section>, edit: &Edit) {
    if sections.is_empty() {
        return;
    }
    let is_kept = |section: &Section| section.iter().any(|token| token.is_kept);
    let is_inside =
        |section: &Section, at: usize| at > 0 && at < section.len() && section[at - 1].is_kept && section[at].is_kept;
    match edit {
        Edit::Replace(section, at, word) => edit_token(sections, *section, *at, |token| *token = word.clone()),
        Edit::Insert(section, at, word) => {
            let section = section.index(sections.len());
            let section = &mut sections[section];
            let at = at.index(section.len() + 1);
            if !is_inside(section, at) {
                section.insert(at, word.clone());
            }
        }
        Edit::SplitParagraph(section, at) => {
            apply(sections, &Edit::Insert(*section, *at, Token::new(LINE_BREAK)));
        }
        // A line break is a token too, so that this also joins paragraphs.
        Edit::Delete(section, at) => {
            let section = section.index(sections.len());
            let section = &mut sections[section];
            let at = at.index(section.len().max(1));
            if section.get(at).is_some_and(|token| !token.is_kept) {
                section.remove(at);
            }
        }
        Edit::Swap(section, one, other) => {
            let section = section.index(sections.len());
            let section = &mut sections[section];
            let [one, other] = [one, other].map(|at| at.index(section.len().max(1)));
            if section.get(one.max(other)).is_some() && !section[one].is_kept && !section[other].is_kept {
                section.swap(one, other);
            }
        }
        Edit::MoveBlock(section, from, to, at) => {
            let section = section.index(sections.len());
            let length = sections[section].len();
            let [one, other] = [from, to].map(|at| at.index(length + 1));
            let range = one.min(other)..one.max(other);
            if is_inside(&sections[section], range.start) || is_inside(&sections[section], range.end) {
                return;
            }
            let block: Section = sections[section].drain(range).collect();
            let section = to.index(sections.len());
            let at = at.index(sections[section].len() + 1);
            let at = if is_inside(&sections[section], at) { 0 } else { at };
            sections[section].splice(at..at, block);
        }
        Edit::MoveSection(from, to) => {
            let section = sections.remove(from.index(sections.len()));
            sections.insert(to.index(sections.len() + 1), section);
        }
        Edit::AddSection(at, section) => sections.insert(at.index(sections.len() + 1), section.clone()),
        Edit::DeleteSection(at) => {
            let at = at.index(sections.len());
            if !is_kept(&sections[at]) {
                sections.remove(at);
            }
        }
        Edit::Typographic(section) => {
            let section = section.index(sections.len());
            for token in &mut sections[section] {
                token.text = token.text.replace('\'', "’").replace('"', "”").replace('-', "–");
            }
        }
    }
}

fn edit_token(sections: &mut [Section], section: Index, at: Index, edit: impl FnOnce(&mut Token)) {
    let section = section.index(sections.len());
    let length = sections[section].len().max(1);
    if let Some(token) = sections[section].get_mut(at.index(length)).filter(|token| !token.is_kept) {
        edit(token);
    }
}

/// Where the kept tokens are now: the section, and the character at which the first of them begins.
fn kept_at(sections: &[Section]) -> (usize, usize) {
    let first = |section: &Section| section.iter().position(|token| token.is_kept);
    let section = sections.iter().position(|section| first(section).is_some()).expect("the edits left it alone");
    let token = first(&sections[section]).expect("it has the kept tokens");
    (section, rendered(&sections[section]).1[token])
}

/// Marks the window of a passage as kept. Returns how many characters the passage begins after it.
fn keep(sections: &mut [Section], passage: &Passage) -> usize {
    let start = rendered(&sections[passage.section]).1[passage.window.start];
    for token in &mut sections[passage.section][passage.window.clone()] {
        token.is_kept = true;
    }
    passage.range.start - start
}

/// The rule of acceptance, said once more: the text on one side is the same in full, or half of both sides, or the words
/// are long and stand nowhere else.
fn may_be_accepted(anchor: &Anchor, texts: &[String], found: Found) -> bool {
    let (section, range) = place(found);
    let chars: Vec<char> = texts[section].chars().map(fold).collect();
    let before: String = chars[..range.start].iter().collect();
    let after: String = chars[range.end..].iter().collect();
    let (prefix, suffix) = (folded(&anchor.prefix), folded(&anchor.suffix));
    let (prefix_chars, suffix_chars) = (prefix.chars().count(), suffix.chars().count());
    let is_full = |side: usize, edge: usize| side == CONTEXT_CHARS || side == edge;
    let has_prefix = before.ends_with(&prefix) && is_full(prefix_chars, range.start);
    let has_suffix = after.starts_with(&suffix) && is_full(suffix_chars, chars.len() - range.end);
    let equal = before.chars().rev().zip(prefix.chars().rev()).take_while(|(a, b)| a == b).count()
        + after.chars().zip(suffix.chars()).take_while(|(a, b)| a == b).count();
    let all = prefix_chars + suffix_chars;
    let is_lone = anchor.exact.chars().count() >= LONE_QUOTE_CHARS && count(texts, &anchor.exact) == 1;
    has_prefix || has_suffix || (all > 0 && equal * 2 >= all) || is_lone
}

/// Each result keeps what it says: the words are the same, or they were edited between unchanged sides.
fn check(anchor: &Anchor, texts: &[String], found: Option<Found>) -> Result<(), TestCaseError> {
    let Some(found) = found else { return Ok(()) };
    let (section, range) = place(found);
    prop_assert!(section < texts.len());
    let length = texts[section].chars().count();
    prop_assert!(range.start <= range.end && range.end <= length);
    let words = folded(&part(&texts[section], range.clone()));
    let exact = folded(&anchor.exact);
    match found.likeness {
        Likeness::Same => {
            prop_assert_eq!(words, exact);
            prop_assert!(may_be_accepted(anchor, texts, found));
        }
        Likeness::Changed => {
            let (prefix, suffix) = (folded(&anchor.prefix), folded(&anchor.suffix));
            let prefix: String = prefix.chars().skip(prefix.chars().count() - CHANGED_CONTEXT_CHARS).collect();
            let suffix: String = suffix.chars().take(CHANGED_CONTEXT_CHARS).collect();
            prop_assert!(folded(&part(&texts[section], 0..range.start)).ends_with(&prefix));
            prop_assert!(folded(&part(&texts[section], range.end..length)).starts_with(&suffix));
            prop_assert!(words != exact);
            prop_assert!(strsim::normalized_levenshtein(&words, &exact) >= CHANGED_LIKENESS);
        }
    }
    Ok(())
}

/// Texts of few different characters, so that the same words occur often.
fn repetitive_texts() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec("[ab’' \n]{0,70}", 1..4)
}

/// Replaces parts of the texts by others, wherever they are.
fn spliced(mut texts: Vec<String>, splices: &[(Index, Index, usize, String)]) -> Vec<String> {
    for (section, at, length, new) in splices {
        let section = section.index(texts.len());
        let chars: Vec<char> = texts[section].chars().collect();
        let at = at.index(chars.len() + 1);
        let rest = chars.iter().skip(at + length);
        texts[section] = chars[..at].iter().copied().chain(new.chars()).chain(rest.copied()).collect();
    }
    texts
}

/// An anchor of a text, and that text after some edits.
fn anchor_and_edited_texts() -> impl Strategy<Value = (Anchor, Vec<String>)> {
    let index = any::<Index>;
    let splice = (index(), index(), 0..6_usize, "[ab’' \n]{0,6}");
    let splices = proptest::collection::vec(splice, 0..5);
    let given = (repetitive_texts(), index(), index(), 1..30_usize, splices);
    given.prop_filter_map("a range of the text", |(texts, section, at, length, splices)| {
        let section = section.index(texts.len());
        let chars = texts[section].chars().count();
        let start = at.index(chars.max(1));
        let range = start..(start + length).min(chars);
        (!range.is_empty()).then(|| (anchored(&texts, section, range), spliced(texts, &splices)))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 20_000, ..ProptestConfig::with_cases(1_000) })]

    #[test]
    fn an_unedited_text_has_each_passage_where_it_was(
        texts in repetitive_texts(), section in any::<Index>(), start in any::<Index>(), end in any::<Index>(),
    ) {
        let section = section.index(texts.len());
        let length = texts[section].chars().count();
        let [one, other] = [start, end].map(|at| at.index(length + 1));
        prop_assume!(one != other);
        let range = one.min(other)..one.max(other);
        let found = search(&anchored(&texts, section, range.clone()), &texts).expect("it is there");
        prop_assert_eq!((place(found), found.likeness), ((section, range), Likeness::Same));
    }

    #[test]
    fn no_other_words_are_found((anchor, texts) in anchor_and_edited_texts()) {
        check(&anchor, &texts, search(&anchor, &texts))?;
    }

    #[test]
    fn any_text_at_all_has_a_place_within_it_or_none(
        texts in proptest::collection::vec(any::<String>(), 0..4),
        [exact, prefix, suffix] in [any::<String>(), any::<String>(), any::<String>()],
        [section, start, end] in [any::<u32>(), any::<u32>(), any::<u32>()],
        cut in any::<Index>(),
    ) {
        let anchor = Anchor { section: Some(section), start, end, exact, prefix, suffix };
        check(&anchor, &texts, search(&anchor, &texts))?;
        // A part of one of the texts, with whatever is around it.
        if let Some(text) = texts.first() {
            let chars: Vec<char> = text.chars().collect();
            let exact: String = chars.iter().skip(cut.index(chars.len() + 1)).take(5).collect();
            let anchor = Anchor { exact, ..anchor };
            check(&anchor, &texts, search(&anchor, &texts))?;
        }
    }

    /// The anchor keeps its words, and takes the place at which they were found.
    #[test]
    fn a_place_that_was_found_is_found_again((anchor, texts) in anchor_and_edited_texts()) {
        let found = search(&anchor, &texts);
        prop_assume!(found.is_some_and(|found| found.likeness == Likeness::Same));
        let found = found.expect("just checked");
        let moved = Anchor { section: Some(found.section), start: found.start, end: found.end, ..anchor };
        prop_assert_eq!(search(&moved, &texts), Some(found));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 2_000, ..ProptestConfig::with_cases(300) })]

    /// Edits around it, and moves of it, leave a passage found; where its window occurs once, exactly there.
    #[test]
    fn a_passage_whose_window_is_unchanged_is_found(
        mut sections in some_sections(), edits in some_edits(),
        section in any::<Index>(), at in any::<Index>(), words in 1..=12_usize,
    ) {
        let passage = passage_of(&sections, section, at, words, false);
        prop_assume!(passage.is_some());
        let passage = passage.expect("just checked");
        let anchor = anchored(&texts_of(&sections), passage.section, passage.range.clone());
        let offset = keep(&mut sections, &passage);
        for edit in &edits {
            apply(&mut sections, edit);
        }
        let texts = texts_of(&sections);
        let (section, kept) = kept_at(&sections);
        let range = kept + offset..kept + offset + passage.range.len();
        prop_assert_eq!(folded(&part(&texts[section], range.clone())), folded(&anchor.exact), "the test follows it");
        let found = search(&anchor, &texts);
        check(&anchor, &texts, found)?;
        let found = found.expect("its window is unchanged");
        prop_assert_eq!(found.likeness, Likeness::Same);
        if count(&texts, &format!("{}{}{}", anchor.prefix, anchor.exact, anchor.suffix)) == 1 {
            prop_assert_eq!(place(found), (section, range));
        }
    }

    /// Whatever was edited, the passage itself included, nothing is taken for it that is not.
    #[test]
    fn any_edits_leave_a_passage_that_is_like_it_or_none(
        mut sections in some_sections(), edits in some_edits(),
        section in any::<Index>(), at in any::<Index>(), words in 1..=12_usize,
    ) {
        let passage = passage_of(&sections, section, at, words, false);
        prop_assume!(passage.is_some());
        let passage = passage.expect("just checked");
        let anchor = anchored(&texts_of(&sections), passage.section, passage.range);
        for edit in &edits {
            apply(&mut sections, edit);
        }
        let texts = texts_of(&sections);
        check(&anchor, &texts, search(&anchor, &texts))?;
    }

    /// The words of few characters occur elsewhere too.
    #[test]
    fn a_deleted_passage_is_not_found_among_other_words(
        mut sections in some_sections(), section in any::<Index>(), at in any::<Index>(), words in 1..=8_usize,
        elsewhere in proptest::collection::vec((any::<Index>(), any::<Index>()), 0..6),
    ) {
        let passage = passage_of(&sections, section, at, words, true);
        prop_assume!(passage.is_some());
        let passage = passage.expect("just checked");
        let before = texts_of(&sections);
        let anchor = anchored(&before, passage.section, passage.range.clone());
        let (_, starts) = rendered(&sections[passage.section]);
        let is_of_it = |token: usize| passage.range.contains(&starts[token]);
        let tokens: Vec<usize> = (0..starts.len()).filter(|token| is_of_it(*token)).collect();
        let copy: Section = tokens.iter().map(|token| sections[passage.section][*token].clone()).collect();
        // All that the anchor knows of the text around is deleted with it.
        sections[passage.section].drain(passage.window.clone());
        for (section, at) in elsewhere {
            let section = section.index(sections.len());
            let at = at.index(sections[section].len() + 1);
            sections[section].splice(at..at, copy.clone());
        }
        let texts = texts_of(&sections);
        let found = search(&anchor, &texts);
        check(&anchor, &texts, found)?;
        let stands_once = count(&texts, &anchor.exact) == 1 && anchor.exact.chars().count() >= LONE_QUOTE_CHARS;
        let has_side = count(&texts, &anchor.prefix[byte_at(&anchor.prefix, CONTEXT_CHARS / 2)..]) > 0
            || count(&texts, &anchor.suffix[..byte_at(&anchor.suffix, CONTEXT_CHARS / 2)]) > 0;
        if !stands_once && !has_side {
            prop_assert_eq!(found, None);
        }
    }

    #[test]
    fn a_passage_of_which_one_word_was_replaced_is_found_as_changed(
        mut sections in some_sections(), section in any::<Index>(), at in any::<Index>(),
        words in 8..=14_usize, replaced in any::<Index>(), new in 0..400_usize,
    ) {
        let passage = passage_of(&sections, section, at, words, true);
        prop_assume!(passage.is_some());
        let passage = passage.expect("just checked");
        let anchor = anchored(&texts_of(&sections), passage.section, passage.range.clone());
        let (_, starts) = rendered(&sections[passage.section]);
        let first = starts.iter().position(|start| *start == passage.range.start).expect("it begins at a word");
        let word_tokens: Vec<usize> =
            (first..first + words).filter(|token| !sections[passage.section][*token].is_break()).collect();
        let token = &mut sections[passage.section][*replaced.get(&word_tokens)];
        prop_assume!(token.text != word(new));
        let grown = word(new).len() + passage.range.end - token.text.len();
        token.text = word(new);
        let texts = texts_of(&sections);
        // Words and sides that occur twice leave a choice.
        let sides = [&anchor.prefix[byte_at(&anchor.prefix, CHANGED_CONTEXT_CHARS)..], &anchor.suffix[..byte_at(&anchor.suffix, CHANGED_CONTEXT_CHARS)]];
        prop_assume!(sides.iter().all(|side| count(&texts, side) == 1) && count(&texts, &anchor.exact) == 0);
        let found = search(&anchor, &texts);
        check(&anchor, &texts, found)?;
        let found = found.expect("it was edited");
        prop_assert_eq!((place(found), found.likeness), ((passage.section, passage.range.start..grown), Likeness::Changed));
    }
}

fn byte_at(text: &str, chars: usize) -> usize {
    text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at)
}

/// A passage is found again in a book of usual length within a fraction of a second, also when all of it was edited.
#[test]
fn two_hundred_passages_of_a_book_are_all_found_again() {
    let sections: Vec<Section> = (0..12_usize)
        .map(|section| {
            (0..420_usize).map(|at| Token::new(word((section * 37 + at * at * 13 + at / 3) % 400))).collect()
        })
        .collect();
    let texts = texts_of(&sections);
    let anchors: Vec<Anchor> =
        (0..200_usize).map(|number| anchored(&texts, number % 12, number * 7..number * 7 + 60 + number % 90)).collect();
    let moved: Vec<String> = texts.iter().rev().map(|text| format!("A new line.\n{text}")).collect();
    let searchable = crate::SearchableTexts::new(&moved);
    for anchor in &anchors {
        let found = searchable.find(anchor).expect("it was only moved");
        assert_eq!((found.section, found.start), (11 - anchor.section.expect("a section"), anchor.start + 12));
    }
}
