//! Links between key ideas of different books, kept by editors (`catalogue.idea-links`), and which ideas are proposed to
//! them (`catalogue.link-proposals`).

use std::{collections::HashMap, fmt, str::FromStr};

use kernel::{BookId, IdeaLinkId, Limit, one_line};

use crate::{BookName, BookRef, CatalogueError};

/// The most characters of a link's note.
pub const LINK_NOTE_CHARS: usize = 300;
/// The most links that one key idea shows, the newest.
pub const LINKS_OF_IDEA: usize = 20;
/// The most links that the map of one topic shows, the newest first.
pub const IDEA_MAP_LINKS: usize = 300;
/// Two ideas that are less alike are not proposed. Tuned on the demo's books.
const LEAST_LIKENESS: f64 = 0.08;
/// The most proposals for one idea: an idea that is like many others would leave no room for the rest of its book.
const PROPOSALS_OF_IDEA: usize = 3;
/// The most proposals at once.
const PROPOSALS: usize = 30;

/// How two key ideas are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// Both say the same.
    Agrees,
    /// One denies what the other claims.
    Contradicts,
    /// The one that the link is from takes the other further.
    BuildsOn,
}

impl LinkKind {
    pub const ALL: [Self; 3] = [Self::Agrees, Self::Contradicts, Self::BuildsOn];

    /// The stored name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Contradicts => "contradicts",
            Self::BuildsOn => "builds-on",
        }
    }
}

/// Who sees a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkState {
    /// Editors only.
    Draft,
    /// Everyone, while both books are readable and have the ideas.
    Published,
    /// Editors only: the two ideas have nothing to do with each other, and are not proposed again.
    Dismissed,
}

impl LinkState {
    pub const ALL: [Self; 3] = [Self::Draft, Self::Published, Self::Dismissed];

    /// The stored name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Published => "published",
            Self::Dismissed => "dismissed",
        }
    }
}

/// A word that names no kind or no state of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown word")]
pub struct UnknownLinkWord;

impl FromStr for LinkKind {
    type Err = UnknownLinkWord;

    fn from_str(text: &str) -> Result<Self, UnknownLinkWord> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or(UnknownLinkWord)
    }
}

impl FromStr for LinkState {
    type Err = UnknownLinkWord;

    fn from_str(text: &str) -> Result<Self, UnknownLinkWord> {
        Self::ALL.into_iter().find(|state| state.as_str() == text).ok_or(UnknownLinkWord)
    }
}

/// A key idea of a book, by the heading of its section.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IdeaRef {
    pub book: BookId,
    /// The heading.
    pub idea: String,
}

/// A key idea that is linked, with its book's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedIdea {
    pub book: BookName,
    /// The heading.
    pub idea: String,
    /// The index of its section, from 0; `None` when the book has no such heading any more.
    pub section: Option<usize>,
}

impl LinkedIdea {
    /// The idea without its book's name.
    pub fn reference(&self) -> IdeaRef {
        IdeaRef { book: self.book.id, idea: self.idea.clone() }
    }
}

/// A link between key ideas of two books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdeaLink {
    pub id: IdeaLinkId,
    /// Of [`LinkKind::BuildsOn`] the one that builds on the other; of the other kinds either.
    pub from: LinkedIdea,
    pub to: LinkedIdea,
    pub kind: LinkKind,
    /// What the relation is, in a sentence or two that read well at the end of either idea.
    pub note: String,
    pub state: LinkState,
}

/// A link as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdeaLinkDraft {
    pub from: IdeaRef,
    pub to: IdeaRef,
    pub kind: LinkKind,
    pub note: String,
    pub state: LinkState,
}

fn invalid(field: &'static str, message: &str) -> CatalogueError {
    CatalogueError::Invalid { field, message: message.to_owned() }
}

impl IdeaLinkDraft {
    /// The draft with its note on one line.
    ///
    /// # Errors
    /// [`CatalogueError::Invalid`] if it breaks a rule (`catalogue.idea-links`).
    pub fn normalised(mut self) -> Result<Self, CatalogueError> {
        for (field, end) in [("fromIdea", &self.from), ("toIdea", &self.to)] {
            if end.idea.trim().is_empty() {
                return Err(invalid(field, "Please choose a key idea."));
            }
        }
        if self.from.book == self.to.book {
            return Err(invalid("toBookId", "Please choose a key idea of another book."));
        }
        self.note = one_line(&self.note);
        if self.note.is_empty() && self.state != LinkState::Dismissed {
            return Err(invalid("note", "Please say what the relation is."));
        }
        if self.note.chars().count() > LINK_NOTE_CHARS {
            return Err(invalid("note", &format!("Please keep the note to {LINK_NOTE_CHARS} characters.")));
        }
        Ok(self)
    }
}

impl From<&IdeaLink> for IdeaLinkDraft {
    fn from(link: &IdeaLink) -> Self {
        Self {
            from: link.from.reference(),
            to: link.to.reference(),
            kind: link.kind,
            note: link.note.clone(),
            state: link.state,
        }
    }
}

/// An editor's changes to a link. A field that is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdeaLinkEdit {
    pub from_book: Option<BookRef>,
    /// The heading of the idea.
    pub from_idea: Option<String>,
    pub to_book: Option<BookRef>,
    /// The heading of the idea.
    pub to_idea: Option<String>,
    pub kind: Option<LinkKind>,
    pub note: Option<String>,
    pub state: Option<LinkState>,
}

/// The filter of the editors' list of links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdeaLinkFilter {
    /// Part of an idea, of the note or of a book's title, ignoring case; or the exact id.
    pub text: Option<String>,
    pub state: Option<LinkState>,
    pub kind: Option<LinkKind>,
    /// Only links of this book.
    pub book: Option<BookRef>,
    /// Only links of which a heading is no longer in its book.
    pub lost: bool,
}

/// A query for one page of the editors' list of links, the newest first.
#[derive(Clone, Debug)]
pub struct IdeaLinksQuery {
    pub filter: IdeaLinkFilter,
    /// The last link of the previous page.
    pub after: Option<IdeaLinkId>,
    pub limit: Limit,
}

/// A key idea with its text, to be compared with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdeaText {
    pub book: BookId,
    /// The index of its section, from 0.
    pub section: usize,
    /// The heading.
    pub idea: String,
    pub text: String,
}

/// Two ideas that are alike, by their indexes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LikeIdeas {
    pub one: usize,
    pub other: usize,
    /// From 0, nothing in common, to 1, the same words.
    pub likeness: f64,
}

/// The pairs that are proposed to editors: the most alike first, each idea in a few at most (`catalogue.link-proposals`).
pub fn strongest_pairs(mut pairs: Vec<LikeIdeas>) -> Vec<LikeIdeas> {
    pairs.retain(|pair| pair.likeness >= LEAST_LIKENESS);
    pairs.sort_by(|a, b| b.likeness.total_cmp(&a.likeness).then_with(|| (a.one, a.other).cmp(&(b.one, b.other))));
    let mut proposed: HashMap<usize, usize> = HashMap::new();
    pairs.retain(|pair| {
        let ends = [pair.one, pair.other];
        let has_room = ends.iter().all(|end| proposed.get(end).is_none_or(|count| *count < PROPOSALS_OF_IDEA));
        if has_room {
            for end in ends {
                *proposed.entry(end).or_default() += 1;
            }
        }
        has_room
    });
    pairs.truncate(PROPOSALS);
    pairs
}

/// The headings that an edit of a text has changed, before and after: links follow them (`catalogue.lost-headings`). A heading was
/// changed if the one in its place is new and the number of sections is the same; otherwise it can't be said which it became.
pub fn renamed_ideas<'a>(before: &'a [String], after: &'a [String]) -> Vec<(&'a str, &'a str)> {
    if before.len() != after.len() {
        return Vec::new();
    }
    let pairs = before.iter().zip(after);
    let changed = pairs.filter(|(old, new)| !after.contains(old) && !before.contains(new));
    changed.filter(|(old, new)| !old.is_empty() && !new.is_empty()).map(|(old, new)| (&**old, &**new)).collect()
}

impl fmt::Display for IdeaLink {
    /// The link as the audit log names it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} – {}", self.from.idea, self.to.idea)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn end(book: i64, idea: &str) -> IdeaRef {
        IdeaRef { book: BookId::from_store(book), idea: idea.to_owned() }
    }

    fn draft(note: &str, state: LinkState) -> IdeaLinkDraft {
        let (from, to) = (end(1, "One must be a fox"), end(2, "Liberty"));
        IdeaLinkDraft { from, to, kind: LinkKind::Contradicts, note: note.to_owned(), state }
    }

    fn field(draft: IdeaLinkDraft) -> &'static str {
        match draft.normalised() {
            Err(CatalogueError::Invalid { field, .. }) => field,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_link_joins_two_books_and_says_how() {
        let good = draft("Mill  denies\nit.", LinkState::Published).normalised().unwrap();
        assert_eq!(good.note, "Mill denies it.");
        let same = IdeaLinkDraft { to: end(1, "Liberty"), ..draft("x", LinkState::Draft) };
        assert_eq!(field(same), "toBookId");
        assert_eq!(field(IdeaLinkDraft { from: end(1, " "), ..draft("x", LinkState::Draft) }), "fromIdea");
        assert_eq!(field(IdeaLinkDraft { to: end(2, ""), ..draft("x", LinkState::Draft) }), "toIdea");
        assert_eq!(field(draft(" ", LinkState::Draft)), "note");
        assert!(
            draft("", LinkState::Dismissed).normalised().is_ok(),
            "what has nothing to do with each other needs no note"
        );
        assert!(draft(&"é".repeat(LINK_NOTE_CHARS), LinkState::Draft).normalised().is_ok());
        assert_eq!(field(draft(&"é".repeat(LINK_NOTE_CHARS + 1), LinkState::Draft)), "note");
    }

    #[test]
    fn words_are_read_back() {
        for kind in LinkKind::ALL {
            assert_eq!(kind.as_str().parse(), Ok(kind));
        }
        for state in LinkState::ALL {
            assert_eq!(state.as_str().parse(), Ok(state));
        }
        assert_eq!("loves".parse::<LinkKind>(), Err(UnknownLinkWord));
        assert_eq!("".parse::<LinkState>(), Err(UnknownLinkWord));
    }

    #[test]
    fn a_changed_heading_is_followed_where_it_is_certain() {
        let titles = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
        let before = titles(&["", "A fox", "A lion", "Fear"]);
        assert_eq!(renamed_ideas(&before, &titles(&["", "A fox", "Lions", "Fear"])), [("A lion", "Lions")]);
        assert!(renamed_ideas(&before, &titles(&["", "A lion", "A fox", "Fear"])).is_empty(), "they changed places");
        assert!(renamed_ideas(&before, &titles(&["", "A fox", "Lions"])).is_empty(), "one is gone");
        assert!(renamed_ideas(&before, &titles(&["Preface", "A fox", "A lion", "Fear"])).is_empty(), "it had none");
    }

    proptest! {
        #[test]
        fn proposals_are_bounded_sorted_and_spread(
            pairs in prop::collection::vec((0_usize..12, 0_usize..12, 0_u32..=100), 0..200)
        ) {
            let pairs = pairs.into_iter();
            let all: Vec<LikeIdeas> = pairs
                .map(|(one, other, likeness)| LikeIdeas { one, other: other + 12, likeness: f64::from(likeness) / 100.0 })
                .collect();
            let best = strongest_pairs(all.clone());
            prop_assert!(best.len() <= PROPOSALS);
            prop_assert!(best.is_sorted_by(|a, b| a.likeness >= b.likeness));
            for pair in &best {
                prop_assert!(pair.likeness >= LEAST_LIKENESS && all.contains(pair));
                for end in [pair.one, pair.other] {
                    prop_assert!(best.iter().filter(|of| [of.one, of.other].contains(&end)).count() <= PROPOSALS_OF_IDEA);
                }
            }
            let strongest = all.iter().map(|pair| pair.likeness).fold(0.0, f64::max);
            prop_assert!(strongest < LEAST_LIKENESS || best.first().is_some_and(|first| first.likeness >= strongest));
        }
    }
}
