//! References to a book in bodies and paths: an id or a slug.

use catalogue::BookRef;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::http::{error::ApiError, whole};

/// The id or the `subid` of a book (`catalogue.book-names`).
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(untagged, expecting = "a book is named by a whole number or a text")]
pub enum BookName {
    /// The id.
    Id(#[serde(deserialize_with = "whole::read")] i64),
    /// The `subid`, or the id as a text.
    Subid(String),
}

impl BookName {
    /// Parses the book in a body that must name one.
    pub fn read(name: Option<&Self>) -> Result<BookRef, ApiError> {
        in_path(&name.ok_or_else(|| ApiError::invalid("bookId", "Please specify a book."))?.text())
    }

    /// Parses the book in an editor's form; `None` when the field is left out or blank.
    pub fn in_form(name: Option<&Self>) -> Result<Option<BookRef>, ApiError> {
        let text = name.map(Self::text).unwrap_or_default();
        let unknown = || ApiError::invalid("bookId", "There is no such book.");
        if text.is_empty() { Ok(None) } else { BookRef::parse(&text).map(Some).ok_or_else(unknown) }
    }

    fn text(&self) -> String {
        match self {
            Self::Id(id) => id.to_string(),
            Self::Subid(subid) => subid.trim().to_owned(),
        }
    }
}

/// Parses the book in a path; `404` when it is neither an id nor a slug.
pub fn in_path(name: &str) -> Result<BookRef, ApiError> {
    BookRef::parse(name).ok_or_else(|| ApiError::not_found("book"))
}

#[cfg(test)]
mod tests {
    use super::BookName;
    use catalogue::BookRef;
    use kernel::BookId;

    fn read(json: &str) -> Result<BookRef, crate::http::error::ApiError> {
        BookName::read(Some(&serde_json::from_str(json).expect("a name")))
    }

    #[test]
    fn a_book_is_named_by_number_or_by_text() {
        let twelve = BookRef::Id(BookId::from_store(12));
        assert_eq!(read("12").unwrap(), twelve);
        assert_eq!(read("12.0").unwrap(), twelve);
        assert_eq!(read("\"12\"").unwrap(), twelve);
        assert!(matches!(read("\"walden\"").unwrap(), BookRef::Subid(_)));
        for nothing in ["0", "-12", "-1e30", "\"\"", "\"../walden\"", "\"Walden\""] {
            assert!(read(nothing).is_err(), "{nothing}");
        }
        assert!(serde_json::from_str::<BookName>("1.5").is_err());
    }

    #[test]
    fn in_a_form_a_book_may_be_left_out() {
        let in_form = |json| BookName::in_form(Some(&serde_json::from_str(json).expect("a name")));
        assert_eq!(BookName::in_form(None).unwrap(), None);
        assert_eq!(in_form("\" \"").unwrap(), None);
        assert_eq!(in_form("\" 12\"").unwrap(), Some(BookRef::Id(BookId::from_store(12))));
        assert_eq!(in_form("0").unwrap_err().field(), Some("bookId"));
    }
}
