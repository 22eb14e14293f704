//! The list of books that several pages share, with its filters and sort order.

use std::sync::Arc;

use actix_web::HttpRequest;
use catalogue::BOOKS_PAGE;
use kernel::CollectionId;
use pages::{Query, lists::ListWords};
use serde_json::json;
use url::form_urlencoded;
use workflows::catalogue::book_lists::{catalogue_page, list_books};

use crate::{
    app::App,
    cached_responses::with_parameter,
    catalogue::{
        collections::read_collection,
        types::{
            book::Category,
            directory::{Collection, CollectionResult},
            list::{BooksParams, BooksResult, SortName, cards},
        },
    },
    extract,
    http::{error::ApiError, wire::page::given},
};

/// The parameters of a page with a list of books. Invalid parameters give a 404 page.
pub(super) type ListParams = Result<extract::Query<BooksParams>, actix_web::Error>;

/// A page of a list of books.
#[derive(Debug)]
pub(super) struct Listing {
    pub(super) result: BooksResult,
    /// The search text; empty for a sorted list.
    pub(super) q: String,
    /// The category that the list is filtered by.
    pub(super) category: Option<Category>,
    /// The collection that the list is filtered by.
    pub(super) collection: Option<Collection>,
    pub(super) sort: &'static str,
    pub(super) audio: bool,
    pub(super) video: bool,
    /// The URL of the next page, for browsers without JavaScript.
    pub(super) next_address: Option<String>,
    /// Whether this is the first page: the web app starts only from that.
    pub(super) is_first: bool,
    key: String,
}

impl Listing {
    /// Reads the list for a page's parameters, including those from its path. Not found when the category or the collection does
    /// not exist.
    pub(super) async fn read(app: &App, request: &HttpRequest, params: &BooksParams) -> Result<Self, ApiError> {
        let query = params.read(BOOKS_PAGE)?;
        let of = params.collection.and_then(|id| CollectionId::new(id).ok());
        let collection = match of {
            Some(id) => Some(read_collection(app, id).await?.ok_or_else(|| ApiError::not_found("collection"))?),
            None => None,
        };
        let frame = app.catalogue_frame().await?;
        let page = app.read_tx_from_replica(move |tx| catalogue_page(tx, Arc::clone(&frame), None, &query)).await?;
        let result = BooksResult::from(&page);
        let category = given(params.category.as_deref())
            .map(|name| {
                let found = result.categories.iter().find(|one| one.subid == name || one.id.to_string() == name);
                found.cloned().ok_or_else(|| ApiError::not_found("category"))
            })
            .transpose()?;
        Ok(Self {
            q: given(params.q.as_deref()).unwrap_or_default().to_owned(),
            category,
            sort: sort_of(params, collection.as_ref()),
            collection,
            audio: params.audio.unwrap_or(false),
            video: params.video.unwrap_or(false),
            next_address: result.next.as_ref().map(|next| with_parameter(request, BooksParams::NAMES, "after", next)),
            is_first: params.after.is_none(),
            key: key_of(params),
            result,
        })
    }

    /// Reads the first page of another list in the same category. Only the books are read again; the other fields of the result
    /// are copied from this list.
    pub(super) async fn beside(&self, app: &App, params: &BooksParams) -> Result<Self, ApiError> {
        let query = params.read(BOOKS_PAGE)?;
        let list = app.read_tx_from_replica(move |tx| list_books(tx, None, &query)).await?;
        let total = self.category.as_ref().map(|category| category.book_count);
        Ok(Self {
            result: BooksResult {
                books: cards(&list),
                next: list.next,
                total,
                did_you_mean: None,
                ..self.result.clone()
            },
            q: String::new(),
            category: self.category.clone(),
            collection: None,
            sort: sort_of(params, None),
            audio: false,
            video: false,
            next_address: None,
            is_first: true,
            key: key_of(params),
        })
    }

    /// The URL of the suggestion form, prefilled with the search text.
    pub(super) fn suggest_address(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let query = query.append_pair("kind", "suggest").append_pair("book", &self.q).finish();
        format!("/contact?{query}")
    }

    /// The URL of the search that is offered instead, with the same filters.
    pub(super) fn offered_address(&self, offered: &str) -> String {
        let key = form_urlencoded::parse(self.key.as_bytes()).filter(|(name, _)| name != "q");
        let mut query = form_urlencoded::Serializer::new(String::new());
        format!("?{}", query.extend_pairs(key).append_pair("q", offered).finish())
    }

    /// The description of the list in one line. For a search without an exact match it says that the books are only similar.
    pub(super) fn count(&self) -> String {
        if self.result.books.first().and_then(|book| book.found.as_ref()).is_some_and(|found| found.near) {
            return format!("No summary is about “{}” itself; these come close.", self.q);
        }
        // A list with a single page is counted directly: as many as it shows (`catalogue.counted-results`).
        let (number, coming) = if self.is_first && self.result.next.is_none() {
            let coming = self.result.books.iter().filter(|book| book.coming_soon).count();
            (Some(self.result.books.len() as u64), coming as u64)
        } else {
            (self.result.total, 0)
        };
        ListWords { number, coming, q: &self.q, sort: self.sort, audio: self.audio, video: self.video }.text()
    }

    /// The initial query data of the collection, for the web app.
    pub(super) fn collection_query(&self) -> Option<Query> {
        self.collection.clone().map(|collection| Query {
            key: json!(["visitor", "collection", collection.id.to_string()]),
            data: json!(CollectionResult { collection }),
        })
    }

    /// The initial query data of the list, for the web app; only on the first page.
    pub(super) fn query(&self) -> Option<Query> {
        self.is_first.then(|| Query { key: json!(["visitor", "books", self.key]), data: json!(self.result) })
    }
}

/// The name of the sort order; `newest` is `new`. The default of a collection with chosen books is `chosen`.
fn sort_of(params: &BooksParams, collection: Option<&Collection>) -> &'static str {
    if params.sort.is_none() && collection.is_some_and(|one| one.is_chosen) {
        return SortName::Chosen.as_str();
    }
    match params.sort.unwrap_or_default() {
        SortName::Newest => SortName::New.as_str(),
        sort => sort.as_str(),
    }
}

/// The parameters of the list as a query string, sorted by name. The web app must use the same text as the key in its query
/// cache.
fn key_of(params: &BooksParams) -> String {
    let yes = |wanted: Option<bool>| (wanted == Some(true)).then(|| "true".to_owned());
    let word = |text: &Option<String>| given(text.as_deref()).map(str::to_owned);
    let pairs = [
        ("audio", yes(params.audio)),
        ("author", word(&params.author)),
        ("category", word(&params.category)),
        ("collection", params.collection.map(|id| id.to_string())),
        ("limit", params.limit.map(|limit| limit.to_string())),
        ("q", word(&params.q)),
        ("sort", params.sort.map(|sort| sort.as_str().to_owned())),
        ("tag", word(&params.tag)),
        ("video", yes(params.video)),
    ];
    let given = pairs.into_iter().filter_map(|(name, value)| Some((name, value?)));
    form_urlencoded::Serializer::new(String::new()).extend_pairs(given).finish()
}

#[cfg(test)]
mod tests {
    use super::key_of;
    use crate::catalogue::types::list::{BooksParams, SortName};

    #[test]
    fn lists_are_kept_by_what_makes_them() {
        let params = BooksParams {
            sort: Some(SortName::Trending),
            category: Some("nature".to_owned()),
            audio: Some(true),
            video: Some(false),
            ..BooksParams::default()
        };
        assert_eq!(key_of(&params), "audio=true&category=nature&sort=trending");
        assert_eq!(key_of(&BooksParams { collection: Some(3), ..BooksParams::default() }), "collection=3");
        let typed = BooksParams { q: Some(" Ærø & the sea ".to_owned()), ..BooksParams::default() };
        assert_eq!(key_of(&typed), "q=%C3%86r%C3%B8+%26+the+sea", "as `URLSearchParams` writes it");
    }
}
