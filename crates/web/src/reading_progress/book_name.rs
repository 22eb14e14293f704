//! References to a book in bodies and paths: an id or a slug.

use catalogue::BookRef;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{http::error::ApiError, reading_progress::whole};

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
    /// Parses the book in a body.
    pub fn read(name: Option<&Self>) -> Result<BookRef, ApiError> {
        match name.ok_or_else(|| ApiError::invalid("bookId", "Please say which book."))? {
            Self::Id(id) => in_path(&id.to_string()),
            Self::Subid(subid) => in_path(subid),
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
}
