//! Edits of categories, goals, authors, tags and key ideas (`catalogue.edit-versions`).

use kernel::{BookId, Slug};

use crate::{AuthorDraft, BookDraft, BookRef, CategoryDraft, EditedVisual, GoalDraft, slug_of};

/// An editor's changes to a category. A field that is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CategoryEdit {
    pub name: Option<String>,
    /// The hue, in degrees.
    pub hue: Option<u16>,
    /// The sort position among the others, ascending.
    pub place: Option<i32>,
}

impl CategoryEdit {
    /// A new category, at the position `last` unless the edit states one.
    pub fn draft(self, subid: Slug, last: i32) -> CategoryDraft {
        CategoryDraft {
            subid,
            name: self.name.unwrap_or_default(),
            hue: self.hue.unwrap_or(0),
            small_image: None,
            place: self.place.unwrap_or(last),
        }
    }

    /// The category with the edit applied. Its slug stays.
    pub fn applied(self, there: &CategoryDraft) -> CategoryDraft {
        CategoryDraft {
            name: self.name.unwrap_or_else(|| there.name.clone()),
            hue: self.hue.unwrap_or(there.hue),
            place: self.place.unwrap_or(there.place),
            ..there.clone()
        }
    }
}

/// An editor's changes to a goal. A field that is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoalEdit {
    pub title: Option<String>,
    /// The title where space is short.
    pub short_title: Option<String>,
    /// The title on phones; a new goal without one gets the short title.
    pub mobile_title: Option<String>,
    pub description: Option<String>,
    /// The sort position among the others, ascending.
    pub place: Option<i32>,
}

impl GoalEdit {
    /// A new goal, at the position `last` unless the edit states one.
    pub fn draft(self, slug: Slug, last: i32) -> GoalDraft {
        let short_title = self.short_title.unwrap_or_default();
        GoalDraft {
            slug,
            title: self.title.unwrap_or_default(),
            mobile_title: self
                .mobile_title
                .filter(|text| !text.trim().is_empty())
                .unwrap_or_else(|| short_title.clone()),
            short_title,
            description: self.description.unwrap_or_default(),
            place: self.place.unwrap_or(last),
        }
    }

    /// The goal with the edit applied. Its slug stays.
    pub fn applied(self, there: &GoalDraft) -> GoalDraft {
        GoalDraft {
            slug: there.slug.clone(),
            title: self.title.unwrap_or_else(|| there.title.clone()),
            short_title: self.short_title.unwrap_or_else(|| there.short_title.clone()),
            mobile_title: self.mobile_title.unwrap_or_else(|| there.mobile_title.clone()),
            description: self.description.unwrap_or_else(|| there.description.clone()),
            place: self.place.unwrap_or(there.place),
        }
    }
}

/// An editor's changes to an author. A field that is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuthorEdit {
    pub name: Option<String>,
    /// The name as a directory sorts it, when its last word is not the family name. `Some(None)` removes it.
    pub sort_name: Option<Option<String>>,
    pub description: Option<String>,
}

impl AuthorEdit {
    /// A new author.
    pub fn draft(self, slug: Slug) -> AuthorDraft {
        AuthorDraft {
            slug,
            name: self.name.unwrap_or_default(),
            sort_name: self.sort_name.flatten(),
            description: self.description.unwrap_or_default(),
        }
    }

    /// The author with the edit applied. The slug stays.
    pub fn applied(self, there: &AuthorDraft) -> AuthorDraft {
        AuthorDraft {
            slug: there.slug.clone(),
            name: self.name.unwrap_or_else(|| there.name.clone()),
            sort_name: self.sort_name.unwrap_or_else(|| there.sort_name.clone()),
            description: self.description.unwrap_or_else(|| there.description.clone()),
        }
    }
}

/// An editor's changes to a key idea. A field that is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VisualEdit {
    pub book: Option<BookRef>,
    /// The idea in a few words.
    pub title: Option<String>,
    /// The idea, in plain text.
    pub body: Option<String>,
    /// Whether its picture is removed.
    pub without_image: bool,
}

impl VisualEdit {
    /// The key idea with the edit applied, as one of `book`.
    pub fn applied(self, there: &EditedVisual, book: BookId) -> EditedVisual {
        EditedVisual {
            id: there.id,
            book,
            title: self.title.unwrap_or_else(|| there.title.clone()),
            body: self.body.unwrap_or_else(|| there.body.clone()),
            image: there.image.clone().filter(|_| !self.without_image),
            drawing: there.drawing.clone(),
        }
    }
}

impl BookDraft {
    /// Removes the tag with this slug, and adds the tag `instead`, if given.
    pub fn replace_tag(&mut self, slug: &Slug, instead: Option<&String>) {
        self.tags.retain(|tag| slug_of(tag).as_ref() != Some(slug));
        self.tags.extend(instead.cloned());
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Timestamp, VisualId};

    use super::*;

    fn slug(text: &str) -> Slug {
        Slug::parse(text).unwrap()
    }

    fn text(text: &str) -> String {
        text.to_owned()
    }

    #[test]
    fn a_category_is_added_at_the_end_and_keeps_what_an_edit_does_not_name() {
        let added = CategoryEdit { name: Some(text("History")), ..CategoryEdit::default() }.draft(slug("history"), 4);
        assert_eq!((added.name.as_str(), added.hue, added.place, &added.small_image), ("History", 0, 4, &None));
        let first = CategoryEdit { place: Some(0), ..CategoryEdit::default() }.draft(slug("history"), 4);
        assert_eq!(first.place, 0);
        let there = CategoryDraft { small_image: Some(text("key")), ..added };
        assert_eq!(CategoryEdit::default().applied(&there), there);
        let edit = CategoryEdit { name: Some(text("The past")), hue: Some(7), place: Some(2) };
        let expected = CategoryDraft { name: "The past".to_owned(), hue: 7, place: 2, ..there.clone() };
        assert_eq!(edit.applied(&there), expected);
    }

    #[test]
    fn a_goal_that_is_added_without_a_title_for_phones_has_the_short_one() {
        let edit = |mobile: Option<String>| GoalEdit {
            title: Some(text("Think more clearly")),
            short_title: Some(text("Think")),
            mobile_title: mobile,
            ..GoalEdit::default()
        };
        for blank in [None, Some(text(" "))] {
            assert_eq!(edit(blank).draft(slug("think"), 3).mobile_title, "Think");
        }
        let added = edit(Some(text("Clear"))).draft(slug("think"), 3);
        assert_eq!((added.mobile_title.as_str(), added.description.as_str(), added.place), ("Clear", "", 3));
        assert_eq!(GoalEdit::default().applied(&added), added);
        let blanked = GoalEdit { mobile_title: Some(text("")), ..GoalEdit::default() }.applied(&added);
        assert_eq!(blanked, GoalDraft { mobile_title: String::new(), ..added }, "an edit says what it says");
    }

    #[test]
    fn an_author_keeps_the_name_in_addresses_and_may_lose_the_one_in_directories() {
        let added = AuthorEdit {
            name: Some(text("W. E. B. Du Bois")),
            sort_name: Some(Some(text("Du Bois, W. E. B."))),
            description: None,
        }
        .draft(slug("w-e-b-du-bois"));
        assert_eq!((added.sort_name.as_deref(), added.description.as_str()), (Some("Du Bois, W. E. B."), ""));
        assert_eq!(AuthorEdit::default().applied(&added), added);
        let edit =
            AuthorEdit { name: Some(text("Du Bois")), sort_name: Some(None), description: Some(text("A historian.")) };
        let changed = edit.applied(&added);
        assert_eq!((changed.slug, changed.name.as_str(), changed.sort_name), (added.slug, "Du Bois", None));
        assert_eq!(changed.description, "A historian.");
    }

    #[test]
    fn a_key_idea_loses_its_picture_only_when_the_edit_says_so() {
        let there = EditedVisual {
            id: VisualId::from_store(1),
            book: BookId::from_store(2),
            title: "Simplify".to_owned(),
            body: "Own less.".to_owned(),
            image: Some(text("key")),
            drawing: None,
        };
        assert_eq!(VisualEdit::default().applied(&there, there.book), there);
        let moved = VisualEdit { title: Some(text("Less")), without_image: true, ..VisualEdit::default() };
        let expected =
            EditedVisual { book: BookId::from_store(3), title: "Less".to_owned(), image: None, ..there.clone() };
        assert_eq!(moved.applied(&there, BookId::from_store(3)), expected);
    }

    #[test]
    fn a_tag_is_replaced_by_its_name_in_addresses() {
        let mut draft = BookDraft {
            tags: ["Self Help", "self-help", "Nature"].map(str::to_owned).into(),
            ..BookDraft::blank(slug("walden"), slug("thoreau"), Timestamp::from_millis(0))
        };
        draft.replace_tag(&slug("self-help"), Some(&text("Growth")));
        assert_eq!(draft.tags, ["Nature", "Growth"]);
        draft.replace_tag(&slug("nature"), None);
        draft.replace_tag(&slug("unknown"), None);
        assert_eq!(draft.tags, ["Growth"]);
    }
}
