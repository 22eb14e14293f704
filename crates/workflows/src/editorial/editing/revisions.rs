//! What a post, an episode or a page said in each version (`editorial.kept-revisions`).

use std::collections::BTreeMap;

use editorial::Publication;

use crate::editing::RowRevision;

/// The fields of a text by their names in the API, as its revisions store them. Several values are one to a line.
pub type TextFields = BTreeMap<String, String>;

/// A stored revision of a text.
pub type TextRevision = RowRevision<TextFields>;

/// The fields of a text, with how it is published.
pub(super) fn text_fields<const N: usize>(fields: [(&str, &str); N], publication: Publication) -> TextFields {
    let mut all: TextFields = fields.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    add_publication(&mut all, publication);
    all
}

/// Adds how a text is published.
pub(super) fn add_publication(fields: &mut TextFields, publication: Publication) {
    fields.insert("published".to_owned(), publication.is_published().to_string());
    if let Some(at) = publication.publish_at() {
        fields.insert("publishAt".to_owned(), at.millis().to_string());
    }
}

/// The names of the fields that differ.
pub(super) fn changed_fields(from: &TextFields, to: &TextFields) -> Vec<String> {
    let names = from.keys().chain(to.keys().filter(|name| !from.contains_key(*name)));
    names.filter(|name| from.get(*name) != to.get(*name)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_that_differ_are_named_also_where_one_is_gone() {
        let draft = text_fields([("title", "A"), ("text", "B")], Publication::Draft);
        assert_eq!(changed_fields(&draft, &draft), Vec::<String>::new());
        let soon = Publication::Scheduled(kernel::Timestamp::from_millis(5));
        let other = text_fields([("title", "A"), ("text", "C")], soon);
        assert_eq!(changed_fields(&draft, &other), ["text", "publishAt"]);
        assert_eq!(changed_fields(&other, &draft), ["publishAt", "text"]);
    }
}
