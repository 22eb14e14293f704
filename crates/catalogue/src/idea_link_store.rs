//! What links between key ideas need from storage.

use kernel::{BookId, CategoryId, IdeaLinkId, ListTotal, StoreError};

#[cfg(doc)]
use crate::LINKS_OF_IDEA;
use crate::{IdeaLink, IdeaLinkDraft, IdeaLinkFilter, IdeaLinksQuery, IdeaRef, IdeaText};

/// Reads, callable with any connection. A link is *shown* when it is published, both books are readable, and both have the
/// heading.
pub trait IdeaLinkQueries {
    /// The links of a book that are shown, in the order of its sections: of each idea the newest [`LINKS_OF_IDEA`].
    fn links_of_book(&mut self, book: BookId) -> Result<Vec<IdeaLink>, StoreError>;

    /// The links that are shown of which a book belongs to the category, the newest first, up to `limit`.
    fn links_of_category(&mut self, category: CategoryId, limit: usize) -> Result<Vec<IdeaLink>, StoreError>;

    /// The number of links that are shown, by category; categories without one are left out.
    fn count_links_by_category(&mut self) -> Result<Vec<(CategoryId, u64)>, StoreError>;

    /// The link with this id, in any state.
    fn idea_link(&mut self, id: IdeaLinkId) -> Result<Option<IdeaLink>, StoreError>;

    /// The editors' list of links: up to one more than the limit, which shows that another page follows.
    fn listed_idea_links(&mut self, query: &IdeaLinksQuery) -> Result<Vec<IdeaLink>, StoreError>;

    /// The number of links that match the filter.
    fn count_listed_idea_links(&mut self, filter: &IdeaLinkFilter) -> Result<ListTotal, StoreError>;

    /// The link between two ideas, in any state and direction.
    fn find_idea_link(&mut self, one: &IdeaRef, other: &IdeaRef) -> Result<Option<IdeaLinkId>, StoreError>;

    /// The pairs of ideas of these books that have a link, in any state.
    fn linked_ideas(&mut self, books: &[BookId]) -> Result<Vec<(IdeaRef, IdeaRef)>, StoreError>;

    /// The readable books with a heading that have the fewest links, in any state; of equals the newest first.
    fn least_linked_books(&mut self, limit: usize) -> Result<Vec<BookId>, StoreError>;

    /// The readable books that share most categories, goals and tags with one of these, without these themselves.
    fn related_books(&mut self, books: &[BookId], limit: usize) -> Result<Vec<BookId>, StoreError>;

    /// The key ideas of books with their texts, by book and section. Text without a heading is left out.
    fn idea_texts(&mut self, books: &[BookId]) -> Result<Vec<IdeaText>, StoreError>;
}

/// Writes that need no rule, callable in any transaction. What readers see of a change is announced to all nodes.
pub trait IdeaLinkCommands: IdeaLinkQueries {
    /// Adds a link between two ideas that have none.
    fn insert_idea_link(&mut self, link: &IdeaLinkDraft) -> Result<IdeaLinkId, StoreError>;

    /// Replaces a link. Its two ideas have no other one.
    fn update_idea_link(&mut self, id: IdeaLinkId, link: &IdeaLinkDraft) -> Result<(), StoreError>;

    /// Deletes a link.
    fn delete_idea_link(&mut self, id: IdeaLinkId) -> Result<(), StoreError>;

    /// Changes the heading that links of a book name. A link that would be the second between the same ideas keeps the old one.
    fn rename_linked_idea(&mut self, book: BookId, before: &str, after: &str) -> Result<(), StoreError>;
}
