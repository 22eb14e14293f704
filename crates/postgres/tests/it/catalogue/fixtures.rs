//! What the tests of the catalogue begin with.

use catalogue::{
    AuthorDraft, BookCard, BookDraft, Catalogue, CatalogueError, CatalogueLists, CategoryDraft, FilterName, Filters,
    GoalDraft, ListQuery, Ratings, SearchHit, SearchQuery, Sort, VisualDraft, VisualsDraft,
};
use diesel::{RunQueryDsl, sql_query, sql_types::BigInt};
use kernel::{Access, AuthorId, BookId, CategoryId, DAY, GoalId, HOUR, Limit, Slug, Timestamp};
use postgres::Pg;
use testing::TestDatabase;

/// Noon of some day.
pub const NOW: Timestamp = Timestamp::from_millis(20_000 * DAY + 12 * HOUR);

pub fn slug(text: &str) -> Slug {
    Slug::parse(text).expect("the suite's slugs are slugs")
}

pub fn slugs(texts: &[&str]) -> Vec<Slug> {
    texts.iter().map(|text| slug(text)).collect()
}

pub fn author(slug_: &str, name: &str) -> AuthorDraft {
    AuthorDraft { slug: slug(slug_), name: name.to_owned(), sort_name: None, description: format!("About {name}.") }
}

pub fn category(subid: &str, name: &str, place: i32) -> CategoryDraft {
    CategoryDraft {
        subid: slug(subid),
        name: name.to_owned(),
        hue: 45,
        small_image: Some(format!("{subid}.svg")),
        place,
    }
}

pub fn goal(slug_: &str, title: &str, place: i32) -> GoalDraft {
    GoalDraft {
        slug: slug(slug_),
        title: title.to_owned(),
        short_title: "Short".to_owned(),
        mobile_title: "Mobile".to_owned(),
        description: "What it is about".to_owned(),
        place,
    }
}

/// Two authors, three categories and two goals.
pub fn furnish(store: &mut Pg<'_>) -> (Vec<AuthorId>, Vec<CategoryId>, Vec<GoalId>) {
    let authors = [author("marcus-aurelius", "Marcus Aurelius"), author("niccolo-machiavelli", "Niccolò Machiavelli")];
    let categories =
        [category("philosophy", "Philosophy", 0), category("politics", "Politics", 1), category("nature", "Nature", 2)];
    let goals = [goal("calm", "Stay calm", 0), goal("lead", "Lead well", 1)];
    (
        authors.iter().map(|draft| store.save_author(draft, NOW).expect("an author is saved").id()).collect(),
        categories.iter().map(|draft| store.save_category(draft, NOW).expect("a category is saved").id()).collect(),
        goals.iter().map(|draft| store.save_goal(draft, NOW).expect("a goal is saved").id()).collect(),
    )
}

pub fn draft(subid: &str, title: &str) -> BookDraft {
    BookDraft {
        title: title.to_owned(),
        description: format!("What {title} is about."),
        body: "<h3>Opening</h3><p>Some plain words.</p><p>Some more of them.</p>".to_owned(),
        categories: slugs(&["philosophy"]),
        published: true,
        ..BookDraft::blank(slug(subid), slug("marcus-aurelius"), NOW)
    }
}

pub fn save(store: &mut Pg<'_>, draft: &BookDraft) -> BookId {
    store.save_book(draft, NOW).expect("a book is saved").id()
}

pub fn list(store: &mut Pg<'_>, sort: Sort, filters: Filters) -> Vec<String> {
    let query = ListQuery { sort, filters, after: None, limit: Limit::clamped(100) };
    let page = store.books(&query).expect("a list is read");
    assert_eq!(page.next, None);
    page.items.into_iter().map(|card| card.subid.to_string()).collect()
}

/// The unknown filter that a list and a search report; neither may find a book.
pub fn unknown_filters(store: &mut Pg<'_>, filters: &Filters) -> [Option<FilterName>; 2] {
    let list = ListQuery { sort: Sort::New, filters: filters.clone(), after: None, limit: Limit::clamped(1) };
    let search =
        SearchQuery { text: "zebra".to_owned(), filters: filters.clone(), after: None, limit: Limit::clamped(1) };
    let refusals = [
        store.books(&list).map(|page| page.items.len()),
        store.search(&search, &|_| None).map(|page| page.items.len()),
    ];
    refusals.map(|outcome| match outcome {
        Err(CatalogueError::UnknownFilter(name)) => Some(name),
        Ok(0) => None,
        other => panic!("neither empty nor refused: {other:?}"),
    })
}

pub fn search_as(store: &mut Pg<'_>, text: &str, shown: Option<Access>) -> Vec<SearchHit> {
    let query =
        SearchQuery { text: text.to_owned(), filters: Filters::default(), after: None, limit: Limit::clamped(20) };
    store.search(&query, &|_| shown).expect("a search is made").items
}

pub fn search(store: &mut Pg<'_>, text: &str) -> Vec<String> {
    search_as(store, text, Some(Access::Full)).into_iter().map(|hit| hit.card.subid.to_string()).collect()
}

pub fn subids(cards: &[BookCard]) -> Vec<&str> {
    cards.iter().map(|card| card.subid.as_str()).collect()
}

/// Key ideas with these titles.
pub fn visuals(titles: &[&str]) -> VisualsDraft {
    VisualsDraft {
        ideas: titles
            .iter()
            .map(|title| VisualDraft {
                title: (*title).to_owned(),
                body: format!("About {title}."),
                image: Some(format!("visuals/{title}.svg")),
                drawing: None,
            })
            .collect(),
        image: Some("thumbs/all.svg".to_owned()),
        infographic: Some("infographics/all.svg".to_owned()),
        infographic_thumb: Some("thumbs/poster.svg".to_owned()),
    }
}

/// Runs a case on an empty catalogue, with a function that sets the ratings of a book, which members give elsewhere.
pub fn with_catalogue(case: impl for<'c> FnOnce(&mut Pg<'c>, &mut dyn FnMut(BookId, Ratings))) {
    let database = TestDatabase::new();
    let mut connection = database.connect();
    case(&mut Pg::new(&mut connection), &mut |book, ratings| {
        sql_query("UPDATE book_stats SET ratings_count = $1, ratings_sum = $2 WHERE book_id = $3")
            .bind::<BigInt, _>(i64::try_from(ratings.count).expect("few ratings"))
            .bind::<BigInt, _>(i64::try_from(ratings.sum).expect("few stars"))
            .bind::<BigInt, _>(book.get())
            .execute(&mut database.connect())
            .expect("ratings are written");
    });
}
