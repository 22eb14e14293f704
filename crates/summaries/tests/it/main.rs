//! Properties of every summary by the built-in engine.

mod short_texts;

use proptest::prelude::*;
use summaries::{
    Passage,
    engine::{Language, Length, Source, Summary, sentences, summarise},
};
use unicode_segmentation::UnicodeSegmentation;

const WORDS: [&str; 24] = [
    "liberty",
    "government",
    "people",
    "reason",
    "habit",
    "the",
    "of",
    "and",
    "is",
    "makes",
    "character",
    "school",
    "labour",
    "capital",
    "été",
    "Straße",
    "свобода",
    "печати",
    "自由",
    "言論。",
    "حرية",
    "สวัสดี",
    "Mr.",
    "🙂",
];
const ENDS: [&str; 8] = [". ", "! ", "? ", "\n\n", ".\n", "。", " ", ".\n\n- "];

fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(WORDS.to_vec());
    let sentence = (prop::collection::vec(word, 1..18), prop::sample::select(ENDS.to_vec()));
    prop::collection::vec(sentence, 0..60).prop_map(|sentences| {
        sentences.into_iter().flat_map(|(words, end)| [words.join(" "), end.to_owned()]).collect()
    })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The properties that hold for any text.
fn check(text: &str, summary: &Summary) -> Result<(), TestCaseError> {
    let mut end = 0;
    for idea in &summary.ideas {
        prop_assert!(!idea.passages.is_empty() && idea.is_supported);
        let mut said = Vec::new();
        for passage in &idea.passages {
            prop_assert!(passage.start >= end, "passages come in order and never twice");
            end = passage.end;
            let quoted = text.get(passage.clone());
            prop_assert!(quoted.is_some_and(|quoted| !quoted.is_empty() && quoted == quoted.trim()));
            said.push(one_line(quoted.unwrap_or_default()));
        }
        prop_assert_eq!(&idea.text, &said.join(" "));
        prop_assert!(one_line(text).to_lowercase().contains(&idea.title.to_lowercase()), "{:?}", idea.title);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_passage_and_title_stands_in_the_text(text in text(), words in 0_usize..300) {
        for length in [Length::Words(words), Length::Automatic] {
            check(&text, &summarise(&Source::plain(&text), length))?;
        }
    }

    #[test]
    fn any_characters_have_a_summary(text in any::<String>()) {
        check(&text, &summarise(&Source::plain(&text), Length::Automatic))?;
    }

    #[test]
    fn the_same_text_gives_the_same_summary(text in text()) {
        let source = Source::plain(&text);
        prop_assert_eq!(summarise(&source, Length::Automatic), summarise(&source, Length::Automatic));
    }

    #[test]
    fn a_text_with_words_has_ideas(text in text()) {
        let summary = summarise(&Source::plain(&text), Length::Words(50));
        let has_words = text.chars().any(char::is_alphabetic);
        prop_assert_eq!(!summary.ideas.is_empty(), has_words);
    }

    #[test]
    fn a_summary_ends_with_the_sentence_that_makes_it_as_long_as_asked_for(text in text(), words in 1_usize..200) {
        let source = Source::plain(&text);
        let summary = summarise(&source, Length::Words(words));
        let passages: Vec<_> = summary.ideas.iter().flat_map(|idea| idea.passages.iter().cloned()).collect();
        let is_chosen = |sentence: &Passage| passages.iter().any(|one| one.start <= sentence.start && sentence.end <= one.end);
        let length = |sentence: &Passage| text[sentence.clone()].unicode_words().count();
        let (chosen, left): (Vec<_>, Vec<_>) = sentences(&source).into_iter().partition(is_chosen);
        let (sum, longest) = (chosen.iter().map(length).sum::<usize>(), chosen.iter().map(length).max().unwrap_or(0));
        prop_assert!(sum - longest < words, "{sum} words, {longest} of them in one sentence");
        // A sentence that repeats a chosen one is not chosen.
        let is_new = |sentence: &Passage| chosen.iter().all(|one| text[one.clone()] != text[sentence.clone()]);
        prop_assert!(sum >= words || left.iter().all(|one| length(one) == 0 || !is_new(one)), "{sum} words");
    }

    #[test]
    fn sentences_cover_the_text(text in text()) {
        let mut end = 0;
        for range in sentences(&Source::plain(&text)) {
            prop_assert!(range.start >= end && text.get(range.clone()).is_some());
            end = range.end;
        }
    }
}

#[test]
fn empty_and_tiny_texts_have_small_summaries() {
    for text in ["", " \n\n ", "…", "--"] {
        assert!(summarise(&Source::plain(text), Length::Automatic).ideas.is_empty(), "{text:?}");
    }
    for text in ["Word", "One sentence.", "見る。", "a\n\nb"] {
        let summary = summarise(&Source::plain(text), Length::Automatic);
        assert_eq!(summary.ideas.len(), 1, "{text:?}");
    }
}

#[test]
fn a_repeated_sentence_is_chosen_once() {
    let text = "Liberty is the guard of reason. ".repeat(50) + "Habit makes character.";
    let summary = summarise(&Source::plain(&text), Length::Words(500));
    let said: Vec<&str> = summary.ideas.iter().map(|idea| idea.text.as_str()).collect();
    assert_eq!(said.join(" ").matches("Liberty").count(), 1, "{said:?}");
}

#[test]
fn known_headings_become_titles() {
    let text = "Of liberty\n\nLiberty is the guard of reason and of the people. The people need liberty.\n\n\
                Of habit\n\nHabit makes character, and character makes the habit of the people.";
    let headings = [0..10, text.find("Of habit").unwrap()..text.find("Of habit").unwrap() + 8];
    let source = Source::new(text, &headings).unwrap();
    let summary = summarise(&source, Length::Words(1_000));
    assert_eq!(summary.ideas[0].title, "Of liberty");
    assert!(summary.ideas.iter().all(|idea| idea.passages.iter().all(|range| !headings.contains(range))));
}

#[test]
fn titles_are_not_given_twice() {
    let text = "Liberty needs reason. Habit needs labour. Capital needs labour. School needs reason. Reason needs school. \
                Labour needs habit. People need liberty. Government needs people. Character needs habit.";
    let summary = summarise(&Source::plain(text), Length::Words(100));
    let mut titles: Vec<&str> = summary.ideas.iter().map(|idea| idea.title.as_str()).collect();
    let count = titles.len();
    titles.sort_unstable();
    titles.dedup();
    assert!(count > 1 && titles.len() == count, "{titles:?}");
}

#[test]
fn texts_in_other_scripts_are_summarised() {
    for (text, code) in [
        (
            "言論の自由は民主主義の基礎である。政府は言論の自由を守らなければならない。自由がなければ民主主義は続かない。今日は天気がよい。",
            "jpn",
        ),
        (
            "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. Все смешалось в доме Облонских. Жена узнала, что муж был в связи с бывшею в их доме француженкою-гувернанткой, и объявила мужу, что не может жить с ним в одном доме.",
            "rus",
        ),
        (
            "حرية التعبير أساس المجتمع. يجب على الحكومة أن تحمي حرية التعبير. بدون الحرية يموت المجتمع. الطقس جميل اليوم.",
            "ara",
        ),
    ] {
        let summary = summarise(&Source::plain(text), Length::Words(12));
        let language = summarise(&Source::plain(&text.repeat(5)), Length::Automatic).language;
        assert_eq!(language.map(Language::code), Some(code));
        let said: usize = summary.ideas.iter().map(|idea| idea.text.len()).sum();
        assert!(said > 0 && said < text.len(), "{summary:?}");
    }
}
