//! The catalogue: books with their sections, and what readers find them by: categories, collections, authors, tags,
//! goals, lists and search.
//!
//! Words: a *book* is a work with its summary; the *body* is the summary's text, divided into *sections*, one key idea
//! each; an *idea link* says how key ideas of two books are related; the *preview* is the part of the body that anyone may read; a *visual* is an illustrated key idea; a *card* is
//! what lists show of a book; a *draft* is what editors write; a *subid* is the URL slug of a book or a category; a
//! book is *readable* when it is published and not coming soon.
//!
//! Invariants: a stored body is sanitized and normalized ([`Body`]); lists, search and book pages show published books
//! only; lists use keyset pagination; a search passage comes only from text that the searcher may read. Who may read
//! what is decided elsewhere, and so is the wire format.

mod book_edit;
mod editing;
mod edits;
mod error;
mod filter_name;
mod html;
mod idea_link_store;
mod idea_links;
mod infographics;
mod letter;
mod lists;
mod model;
mod names;
mod numbers;
mod query;
mod recordings;
mod related;
mod sections;
mod service;
mod spelling;
mod store;
mod unanswered_searches;
mod visual;
mod words;

pub use book_edit::{BookChange, BookEdit, BookEditError, BookFile, FieldTexts, WrittenBook};
pub use editing::{
    BookExtras, BookState, EditingCommands, EditingQueries, Lacking, ListedAuthor, ListedBook, ListedFilter,
    ListedQuery, ListedSort, ListedTag, NamesQuery, Naming,
};
pub use edits::{AuthorEdit, CategoryEdit, GoalEdit, VisualEdit};
pub use error::CatalogueError;
pub use filter_name::FilterName;
pub use html::{Block, Inline, TextPicture};
pub use idea_link_store::{IdeaLinkCommands, IdeaLinkQueries};
pub use idea_links::{
    IDEA_MAP_LINKS, IdeaLink, IdeaLinkDraft, IdeaLinkEdit, IdeaLinkFilter, IdeaLinksQuery, IdeaRef, IdeaText,
    LINK_NOTE_CHARS, LINKS_OF_IDEA, LikeIdeas, LinkKind, LinkState, LinkedIdea, renamed_ideas, strongest_pairs,
};
pub use infographics::{InfographicPeriod, infographics_of_add_on};
pub use kernel::SaveOutcome;
pub use letter::Letter;
pub use lists::CatalogueLists;
pub use model::{
    Author, AuthorCard, AuthorDraft, AuthorName, Book, BookCard, BookDraft, BookName, BookRef, BookTexts, Category,
    CategoryDraft, CategoryKey, CategoryName, Collection, CollectionDraft, Front, Goal, GoalDraft, GoalName,
    GoalPicture, GoalPictures, Quote, Ratings, SoughtBook, Tag, reading_millis, slug_of,
};
pub use query::{
    AuthorCursor, AuthorsQuery, BOOKS_PAGE, BookCursor, Filters, ListQuery, MARK_END, MARK_START, PassageAccess,
    RECOMMENDATIONS, RankedIdea, SearchHit, SearchPage, SearchQuery, SectionTitle, Sort, Suggestions, SuggestionsQuery,
};
pub use recordings::{
    Chapter, Film, Mark, Narration, Passage, PassageRange, Recording, RecordingCommands, RecordingQueries,
    RecordingStore, Recordings, passage_ranges, passages, shown_hash, text_hash,
};
pub use related::{CLASS_WEIGHTS, NearWords};
pub use sections::{Body, RECAP_TITLE, Section, recap};
pub use service::Catalogue;
pub use store::{
    BookRecord, CatalogueCommands, CatalogueQueries, CatalogueStore, CollectionTies, MatchingSection, NEAR_HITS,
    RankedBook, Search, WideningWords,
};
pub use unanswered_searches::{
    FEWEST_SEARCHES, SEARCH_DAYS, SEARCHES_KEPT_DAYS, SEARCHES_PER_DAY, SearchCount, has_result, most_searched,
};
pub use visual::{
    EditedVisual, IdeaDrawing, VISUAL_WORDS, VISUALS_READ_MINUTES, Visual, VisualBook, VisualDraft, VisualSet,
    VisualsDraft, infographic_of_thumb, thumb_of_infographic,
};
pub use words::{KnownWord, Term, Terms, stem, words_of};
