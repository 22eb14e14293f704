//! Groups the chosen sentences into key ideas, in the order of the text.

use std::collections::HashSet;

use crate::engine::language::Vocabulary;
use crate::engine::ranking::as_float;
use crate::engine::sentences::Outline;
use crate::engine::summary::normalise_whitespace;
use crate::engine::terms::Terms;
use crate::engine::titles::Titles;
use crate::{KeyIdea, Passage};

/// The average number of sentences of an idea.
const SENTENCES: usize = 3;
/// The most ideas of a summary by the built-in engine.
const MAX_IDEAS: usize = 12;
/// The weight of a heading between two sentences for a boundary. Their distance and the difference of their words weigh
/// at most 1 each.
const HEADING_BETWEEN: f64 = 2.0;

/// Groups the chosen sentences into ideas. The order of `chosen` does not matter.
pub(crate) fn group(
    text: &str,
    outline: &Outline,
    terms: &Terms,
    vocabulary: &Vocabulary,
    chosen: &[usize],
) -> Vec<KeyIdea> {
    let mut ordered = chosen.to_vec();
    ordered.sort_unstable();
    let starts = starts_of_ideas(outline, terms, &ordered);
    let mut titles = Titles::new(text, outline, terms, vocabulary);
    starts
        .iter()
        .zip(starts.iter().skip(1).copied().chain([ordered.len()]))
        .map(|(start, end)| idea(text, outline, &ordered[*start..end], &mut titles))
        .collect()
}

/// The indexes in `ordered` at which ideas start.
fn starts_of_ideas(outline: &Outline, terms: &Terms, ordered: &[usize]) -> Vec<usize> {
    if ordered.is_empty() {
        return Vec::new();
    }
    let ideas = ordered.len().div_ceil(SENTENCES).min(MAX_IDEAS);
    let paragraphs = outline.sentences.last().map_or(1, |last| last.paragraph as usize + 1);
    let mut gaps: Vec<(f64, usize)> = ordered
        .windows(2)
        .enumerate()
        .map(|(index, pair)| (gap(outline, terms, paragraphs, pair[0], pair[1]), index + 1))
        .collect();
    // Of equal gaps, the earlier one.
    gaps.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let mut starts: Vec<usize> = gaps.into_iter().take(ideas - 1).map(|(_, index)| index).chain([0]).collect();
    starts.sort_unstable();
    starts
}

/// How strongly two neighboring chosen sentences are separated; ideas start at the greatest gaps.
fn gap(outline: &Outline, terms: &Terms, paragraphs: usize, one: usize, other: usize) -> f64 {
    let (from, to) = (outline.sentences[one].paragraph, outline.sentences[other].paragraph);
    let next_heading = outline.headings.partition_point(|(_, paragraph)| *paragraph <= from);
    let heading = outline.headings.get(next_heading).is_some_and(|(_, paragraph)| *paragraph <= to);
    let distance = (as_float((to - from) as usize) / as_float(paragraphs)).sqrt();
    let stems = |sentence| terms.content_stems_of(sentence).collect::<HashSet<_>>();
    let (left, right) = (stems(one), stems(other));
    let shared = as_float(left.intersection(&right).count());
    let difference = 1.0 - shared / as_float(left.len().min(right.len()).max(1));
    let same_paragraph = if from == to { 1.0 } else { 0.0 };
    distance + difference + if heading { HEADING_BETWEEN } else { 0.0 } - same_paragraph
}

fn idea(text: &str, outline: &Outline, sentences: &[usize], titles: &mut Titles<'_>) -> KeyIdea {
    let mut passages: Vec<Passage> = Vec::new();
    let mut last: Option<usize> = None;
    for sentence in sentences {
        let here = &outline.sentences[*sentence];
        match (passages.last_mut(), last) {
            // Consecutive sentences of a paragraph form one passage.
            (Some(passage), Some(before))
                if before + 1 == *sentence && outline.sentences[before].paragraph == here.paragraph =>
            {
                passage.end = here.range.end;
            }
            _ => passages.push(here.range.clone()),
        }
        last = Some(*sentence);
    }
    let said: Vec<String> = passages.iter().map(|passage| normalise_whitespace(&text[passage.clone()])).collect();
    KeyIdea {
        title: titles.title_of(sentences),
        text: said.join(" "),
        passages,
        quotations: Vec::new(),
        is_supported: true,
    }
}
