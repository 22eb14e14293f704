//! Lists of books, authors and collections: their order, their filters, their pages.

use std::collections::HashMap;

use catalogue::{
    AuthorDraft, AuthorsQuery, BookDraft, BookExtras, BookRef, BookState, Catalogue, CatalogueCommands, CatalogueError,
    CatalogueLists, CatalogueQueries, CategoryKey, CollectionDraft, EditingCommands, EditingQueries, FilterName,
    Filters, Lacking, Letter, ListQuery, ListedFilter, ListedQuery, ListedSort, NamesQuery, Ratings, SaveOutcome, Sort,
};
use kernel::{AuthorId, BookId, CategoryId, CollectionId, DAY, HOUR, Limit};
use postgres::Pg;

use super::fixtures::{
    NOW, author, draft, furnish, list, save, slug, slugs, subids, unknown_filters, visuals, with_catalogue,
};

fn names<Id>(text: Option<&str>, unused: bool, after: Option<Id>, limit: usize) -> NamesQuery<Id> {
    NamesQuery { text: text.map(str::to_owned), unused, after, limit: Limit::clamped(limit) }
}
/// Cards keep the order of the ids.
#[test]
fn cards_come_in_the_order_asked_for() {
    with_catalogue(|store, _| {
        furnish(store);
        let ids: Vec<BookId> = ["a1", "b1", "c1"].iter().map(|name| save(store, &draft(name, name))).collect();
        let cards = store.book_cards(&[ids[2], BookId::from_store(ids[2].get() + 9), ids[0]]).expect("cards are read");
        assert_eq!(subids(&cards), ["c1", "a1"]);
        assert!(store.book_cards(&[]).expect("cards are read").is_empty());
    });
}

/// Books with many kinds of titles, dates and marks, in no particular order.
fn stock(store: &mut Pg<'_>) {
    furnish(store);
    let titles = [
        "The Zebra",
        "a zebra crossing",
        "Être et temps",
        "Etre",
        "éclair",
        "Über",
        "An Apple",
        "apple",
        "The",
        "1984",
        "Łódź",
        "Walden",
        "On Liberty",
        "“Quoted”",
        "the prince",
        "Zoo",
        "A",
        "Æsop",
        "apple pie",
        "Emma",
        "wald",
    ];
    for (at, title) in titles.iter().enumerate() {
        let n = i64::try_from(at).expect("few titles");
        save(
            store,
            &BookDraft {
                author: slug(if at % 3 == 0 { "niccolo-machiavelli" } else { "marcus-aurelius" }),
                // Groups of three share a date, to test ties.
                upload_date: NOW.plus(-(n / 3) * DAY),
                media: (at % 2 == 0).then(|| "a.mp3".to_owned()),
                video: (at % 5 == 0).then(|| "v.mp4".to_owned()),
                categories: slugs(if at % 4 == 0 { &["politics", "nature"] } else { &["philosophy"] }),
                tags: if at % 7 == 0 { vec!["Seven Up".to_owned()] } else { Vec::new() },
                is_popular: at % 6 == 0,
                ..draft(&format!("book-{at}"), title)
            },
        );
    }
    let cards = list(store, Sort::New, Filters::default());
    assert_eq!(cards.len(), titles.len());
    let opens: HashMap<BookId, u64> = titles
        .iter()
        .enumerate()
        .filter(|(at, _)| at % 4 == 1)
        .map(|(at, _)| {
            let book = store.book(&BookRef::Subid(slug(&format!("book-{at}")))).expect("a book is read");
            (book.expect("the book is there").card.id, 10 + at as u64 % 3)
        })
        .collect();
    store.add_book_opens(&opens, NOW).expect("opens are counted");
    store.refresh_trending(NOW).expect("the trend is made");
}

/// Newest, A to Z, trending, audio and video.
#[test]
fn lists_stand_in_their_order() {
    with_catalogue(|store, _| {
        stock(store);
        let titles: Vec<String> = {
            let query =
                ListQuery { sort: Sort::Title, filters: Filters::default(), after: None, limit: Limit::clamped(100) };
            store.books(&query).expect("a list is read").items.into_iter().map(|card| card.title).collect()
        };
        let expected = [
            "“Quoted”",
            "1984",
            "A",
            "Æsop",
            "An Apple",
            "apple",
            "apple pie",
            "éclair",
            "Emma",
            "Etre",
            "Être et temps",
            "Łódź",
            "On Liberty",
            "the prince",
            "The",
            "Über",
            "wald",
            "Walden",
            "The Zebra",
            "a zebra crossing",
            "Zoo",
        ];
        assert_eq!(titles, expected);
        let newest = list(store, Sort::New, Filters::default());
        assert_eq!(newest[..4], ["book-2", "book-1", "book-0", "book-5"]);
        let trending = list(store, Sort::Trending, Filters::default());
        // Six books with 12, 12, 11, 11, 10 and 10 views; then those marked as popular; then the others.
        assert_eq!(trending[..5], ["book-17", "book-5", "book-13", "book-1", "book-9"]);
        assert_eq!(trending[5..9], ["book-18", "book-12", "book-6", "book-0"]);
        assert_eq!(trending[9], "book-20");
        let audio = list(store, Sort::Audio, Filters::default());
        assert_eq!(
            (audio.len(), audio[..3].to_vec()),
            (11, vec!["book-2".to_owned(), "book-0".to_owned(), "book-4".to_owned()])
        );
        assert_eq!(list(store, Sort::Video, Filters::default()), ["book-0", "book-5", "book-10", "book-15", "book-20"]);
    });
}

/// Paging through a list returns each book once, with and without filters.
#[test]
fn pages_hold_every_book_once() {
    with_catalogue(|store, _| {
        stock(store);
        let filters =
            [Filters::default(), Filters { category: CategoryKey::parse("philosophy"), ..Filters::default() }];
        for sort in [Sort::New, Sort::Trending, Sort::Title, Sort::Audio, Sort::Video] {
            for filters in &filters {
                let whole = list(store, sort, filters.clone());
                for limit in [1, 2, 4, 7] {
                    let mut walked = Vec::new();
                    let mut after = None;
                    loop {
                        let query = ListQuery { sort, filters: filters.clone(), after, limit: Limit::clamped(limit) };
                        let page = store.books(&query).expect("a page is read");
                        assert!(page.items.len() <= limit);
                        walked.extend(page.items.into_iter().map(|card| card.subid.to_string()));
                        // The cursor passes through its text form.
                        after = page.next.map(|key| key.to_string().parse().expect("the key is read back"));
                        if after.is_none() {
                            break;
                        }
                    }
                    assert_eq!(walked, whole, "{sort:?} by {limit}");
                }
            }
        }
        let query = ListQuery { sort: Sort::New, filters: Filters::default(), after: None, limit: Limit::clamped(2) };
        let key = store.books(&query).expect("a page is read").next;
        let mixed = ListQuery { sort: Sort::Title, after: key, ..query };
        assert!(matches!(store.books(&mixed), Err(CatalogueError::BadCursor)));
    });
}

/// Category, collection, author, tag, audio and video, alone and together.
#[test]
fn lists_are_filtered() {
    with_catalogue(|store, _| {
        stock(store);
        let count = |store: &mut Pg<'_>, filters: Filters| list(store, Sort::New, filters).len();
        let none = Filters::default;
        let categories = store.categories().expect("categories are read");
        let nature =
            categories.iter().find(|category| category.draft.subid.as_str() == "nature").expect("it is there").id;
        assert_eq!(count(store, Filters { category: Some(CategoryKey::Id(nature)), ..none() }), 6);
        assert_eq!(count(store, Filters { category: CategoryKey::parse("philosophy"), ..none() }), 15);
        assert_eq!(count(store, Filters { author: Some(slug("niccolo-machiavelli")), ..none() }), 7);
        assert_eq!(count(store, Filters { tag: Some(slug("seven-up")), ..none() }), 3);
        assert_eq!(count(store, Filters { audio: true, ..none() }), 11);
        assert_eq!(count(store, Filters { video: true, ..none() }), 5);
        assert_eq!(count(store, Filters { audio: true, video: true, ..none() }), 3);
        assert_eq!(count(store, Filters { free: true, ..none() }), 0);
        let collection = CollectionDraft {
            title: "Outside".to_owned(),
            subtitle: String::new(),
            image: None,
            upload_date: NOW,
            categories: slugs(&["nature", "politics"]),
            books: Vec::new(),
        };
        let collection = store.create_collection(&collection).expect("a collection is made");
        assert_eq!(count(store, Filters { collection: Some(collection), ..none() }), 6, "no book twice");
        let all = Filters {
            category: CategoryKey::parse("nature"),
            collection: Some(collection),
            author: Some(slug("niccolo-machiavelli")),
            tag: None,
            audio: true,
            video: false,
            free: false,
        };
        assert_eq!(list(store, Sort::New, all), ["book-0", "book-12"]);
        let total = |store: &mut Pg<'_>, filters: Filters| {
            let query = ListQuery { sort: Sort::Title, filters, after: None, limit: Limit::clamped(1) };
            let books = store.book_count().expect("books are counted");
            query.total(&store.categories().expect("categories are read"), books)
        };
        assert_eq!(total(store, none()), Some(21));
        assert_eq!(total(store, Filters { category: CategoryKey::parse("nature"), ..none() }), Some(6));
        assert_eq!(total(store, Filters { audio: true, ..none() }), None);
    });
}

/// A filter for something that does not exist is an error; a filter without matches gives an empty list.
#[test]
fn names_of_filters_that_name_nothing_are_told() {
    with_catalogue(|store, _| {
        stock(store);
        let none = Filters::default;
        let nature = store.categories().expect("categories are read")[0].id;
        let nowhere = CategoryId::from_store(nature.get() + 1000);
        let hidden = BookDraft { published: false, tags: vec!["zinc".to_owned()], ..draft("hidden", "Hidden") };
        save(store, &hidden);
        for (filters, name) in [
            (Filters { category: CategoryKey::parse("nothing"), ..none() }, FilterName::Category),
            (Filters { category: Some(CategoryKey::Id(nowhere)), ..none() }, FilterName::Category),
            (Filters { collection: Some(CollectionId::from_store(4711)), ..none() }, FilterName::Collection),
            (Filters { author: Some(slug("nobody")), ..none() }, FilterName::Author),
            (Filters { tag: Some(slug("nothing")), ..none() }, FilterName::Tag),
            (Filters { tag: Some(slug("zinc")), ..none() }, FilterName::Tag),
            (
                Filters { category: CategoryKey::parse("nature"), author: Some(slug("nobody")), ..none() },
                FilterName::Author,
            ),
        ] {
            assert_eq!(unknown_filters(store, &filters), [Some(name); 2], "{filters:?}");
        }
        let bare = CollectionDraft {
            title: "Bare".to_owned(),
            subtitle: String::new(),
            image: None,
            upload_date: NOW,
            categories: Vec::new(),
            books: Vec::new(),
        };
        let bare = store.create_collection(&bare).expect("a collection is made");
        for filters in [
            Filters { collection: Some(bare), ..none() },
            Filters {
                category: CategoryKey::parse("philosophy"),
                author: Some(slug("niccolo-machiavelli")),
                tag: Some(slug("seven-up")),
                ..none()
            },
        ] {
            assert_eq!(unknown_filters(store, &filters), [None; 2], "{filters:?}");
        }
    });
}

/// Counts follow when books are published, announced, moved and hidden.
#[test]
fn categories_count_the_books_that_can_be_read() {
    with_catalogue(|store, _| {
        furnish(store);
        let counts = |store: &mut Pg<'_>| -> Vec<(String, u64)> {
            let categories = store.categories().expect("categories are read");
            categories.into_iter().map(|category| (category.draft.subid.to_string(), category.book_count)).collect()
        };
        let of = |philosophy, politics, nature| {
            [("philosophy", philosophy), ("politics", politics), ("nature", nature)]
                .map(|(name, count)| (name.to_owned(), count))
        };
        let book = BookDraft { categories: slugs(&["philosophy", "politics"]), ..draft("one", "One") };
        save(store, &book);
        save(store, &draft("two", "Two"));
        assert_eq!(counts(store), of(2, 1, 0));
        let book = BookDraft { categories: slugs(&["politics", "nature"]), ..book };
        save(store, &book);
        assert_eq!(counts(store), of(1, 1, 1));
        let book = BookDraft { published: false, ..book };
        save(store, &book);
        assert_eq!(counts(store), of(1, 0, 0));
        assert_eq!(store.book_count().expect("books are counted"), 1);
        let book = BookDraft { published: true, coming_soon: true, ..book };
        save(store, &book);
        assert_eq!(counts(store), of(1, 0, 0), "what is coming soon is not there yet");
        save(store, &BookDraft { coming_soon: false, categories: slugs(&["nature"]), ..book });
        assert_eq!(counts(store), of(1, 0, 1));
        assert_eq!(store.book_count().expect("books are counted"), 2);
    });
}

/// Views count for 14 days, and their weight halves every three days.
#[test]
fn the_trend_is_made_of_recent_opens() {
    with_catalogue(|store, _| {
        furnish(store);
        let ids: Vec<BookId> = ["old", "new", "stale", "none", "marked"]
            .iter()
            .map(|name| save(store, &BookDraft { is_popular: *name == "marked", ..draft(name, name) }))
            .collect();
        let gone = BookId::from_store(ids[4].get() + 100);
        store.add_book_opens(&HashMap::from([(ids[2], 1000)]), NOW.plus(-14 * DAY)).expect("opens are counted");
        store.add_book_opens(&HashMap::from([(ids[0], 15)]), NOW.plus(-3 * DAY)).expect("opens are counted");
        store.add_book_opens(&HashMap::from([(ids[1], 4), (gone, 5)]), NOW).expect("opens are counted");
        store.add_book_opens(&HashMap::from([(ids[1], 3)]), NOW).expect("opens are counted");
        assert_eq!(list(store, Sort::Trending, Filters::default())[0], "marked", "not before the trend is made");
        store.refresh_trending(NOW).expect("the trend is made");
        // 15 / 2 against 7; of the books without views, the one marked as popular comes first.
        assert_eq!(list(store, Sort::Trending, Filters::default()), ["old", "new", "marked", "none", "stale"]);
        store.refresh_trending(NOW.plus(11 * DAY)).expect("the trend is made");
        assert_eq!(list(store, Sort::Trending, Filters::default()), ["new", "marked", "none", "stale", "old"]);
        let cards = store.book_cards(&ids).expect("cards are read");
        assert_eq!(cards.iter().map(|card| card.read_count).collect::<Vec<_>>(), [15, 7, 1000, 0, 0]);
    });
}

/// By rating, popularity and age; of the chosen categories first; without the completed ones.
#[test]
fn recommendations_are_the_best_of_the_chosen() {
    with_catalogue(|store, rate| {
        let (_, categories, _) = furnish(store);
        let nature = || slugs(&["nature"]);
        let plain = save(store, &BookDraft { categories: nature(), ..draft("plain", "Plain") });
        let older = BookDraft { categories: nature(), upload_date: NOW.plus(-900 * DAY), ..draft("older", "Older") };
        let older = save(store, &older);
        let marked = save(store, &BookDraft { categories: nature(), is_popular: true, ..draft("marked", "Marked") });
        let loved = save(store, &BookDraft { categories: nature(), ..draft("loved", "Loved") });
        let disliked = save(store, &BookDraft { categories: nature(), ..draft("disliked", "Disliked") });
        let elsewhere = save(store, &draft("elsewhere", "Elsewhere"));
        rate(loved, Ratings { count: 40, sum: 195 });
        rate(disliked, Ratings { count: 40, sum: 60 });
        rate(elsewhere, Ratings { count: 40, sum: 200 });
        let best = store.recommendations(&categories[2..], &[], &[], 5).expect("books are read");
        assert_eq!(subids(&best), ["loved", "marked", "plain", "older", "disliked"]);
        let best = store.recommendations(&categories[2..], &[loved], &[plain], 4).expect("books are read");
        assert_eq!(subids(&best), ["marked", "older", "disliked", "elsewhere"], "filled up from the others");
        let best = store.recommendations(&[], &[], &[], 2).expect("books are read");
        assert_eq!(subids(&best), ["elsewhere", "loved"]);
        let popular = store.popular_books(2).expect("books are read");
        assert_eq!(popular[0].id, marked);
        assert!(older.get() > 0 && disliked.get() > 0);
    });
}

/// As long as the catalogue has a book, there is something to recommend; a completed one only when nothing else is left.
#[test]
fn recommendations_are_never_empty() {
    with_catalogue(|store, _| {
        let (_, categories, _) = furnish(store);
        let recommended = |store: &mut Pg<'_>, chosen: &[CategoryId], begun: &[BookId], completed: &[BookId]| {
            let books = store.recommendations(chosen, begun, completed, 10).expect("books are read");
            subids(&books).into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        assert!(recommended(store, &categories, &[], &[]).is_empty());
        let only = save(store, &draft("only", "Only"));
        for chosen in [&categories[..], &categories[1..], &[]] {
            assert_eq!(recommended(store, chosen, &[], &[]), ["only"]);
            assert_eq!(recommended(store, chosen, &[only], &[]), ["only"], "nothing else is left");
            assert_eq!(recommended(store, chosen, &[], &[only]), ["only"], "the whole catalogue is completed");
        }
        save(store, &BookDraft { coming_soon: true, ..draft("soon", "Soon") });
        assert_eq!(recommended(store, &categories, &[], &[only]), ["soon"]);
    });
}

/// A free hero, popular and new books, categories and the count.
#[test]
fn the_front_page_has_its_books() {
    with_catalogue(|store, _| {
        furnish(store);
        for at in 0..12_i64 {
            let book = BookDraft {
                upload_date: NOW.plus(at * HOUR),
                is_popular: at < 3,
                free: at == 1 || at == 5,
                ..draft(&format!("n{at}"), "Title")
            };
            save(store, &book);
        }
        save(store, &BookDraft { coming_soon: true, free: true, is_popular: true, ..draft("soon", "Soon") });
        let front = store.front().expect("the front page is read");
        assert_eq!(front.hero.map(|book| book.card.subid.to_string()).as_deref(), Some("n1"), "free, marked, readable");
        assert_eq!(subids(&front.popular), ["n2", "n1", "n0", "n11", "n10", "n9", "n8", "n7"]);
        assert_eq!(subids(&front.newest), ["n11", "n10", "n9", "n8", "n7", "n6", "n5", "n4"]);
        assert_eq!(front.categories.len(), 3);
        assert_eq!(front.book_count, 12);
    });
}

/// From A to Z by family name, without authors who have no readable book; counts follow what is published.
#[test]
fn the_directory_of_authors_is_walked_by_letter_and_key() {
    with_catalogue(|store, _| {
        furnish(store);
        for (slug_, name, sort_name) in [
            ("du-bois", "W. E. B. Du Bois", Some("Du Bois, W. E. B.")),
            ("darwin", "Charles Darwin", None),
            ("nobody", "No Body", None),
            ("etienne", "Étienne Dé", None),
            ("first", "1st Writer", Some("1st Writer")),
        ] {
            let sort_name = sort_name.map(str::to_owned);
            store.save_author(&AuthorDraft { sort_name, ..author(slug_, name) }, NOW).expect("an author is saved");
        }
        for (at, by) in ["du-bois", "darwin", "etienne", "first", "darwin"].into_iter().enumerate() {
            save(store, &BookDraft { author: slug(by), ..draft(&format!("book-{at}"), "A Book") });
        }
        save(store, &BookDraft { author: slug("nobody"), published: false, ..draft("hidden", "Hidden") });
        let all = store.author_drafts().expect("the authors are read");
        assert!(all.is_sorted_by(|one, other| one.slug < other.slug));
        assert!(all.contains(&author("nobody", "No Body")), "also those without a published book");
        assert_eq!(all.iter().filter(|one| one.sort_name.is_some()).count(), 2);
        let names = |store: &mut Pg<'_>, letter: Option<Letter>| -> Vec<(String, u64)> {
            let mut walked = Vec::new();
            let mut after = None;
            loop {
                let query = AuthorsQuery { letter, after, limit: Limit::clamped(2) };
                let page = store.authors(&query).expect("the directory is read");
                walked.extend(page.items.into_iter().map(|author| (author.slug.to_string(), author.book_count)));
                after = page.next;
                if after.is_none() {
                    return walked;
                }
            }
        };
        let of = |entries: &[(&str, u64)]| -> Vec<(String, u64)> {
            entries.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
        };
        assert_eq!(names(store, None), of(&[("first", 1), ("darwin", 2), ("etienne", 1), ("du-bois", 1)]));
        assert_eq!(names(store, Letter::parse("D")), of(&[("darwin", 2), ("etienne", 1), ("du-bois", 1)]));
        assert_eq!(names(store, Letter::parse("other")), of(&[("first", 1)]));
        assert_eq!(names(store, Letter::parse("b")), []);
        assert_eq!(store.letters().expect("letters are read"), [Letter::Of(b'd'), Letter::Other]);

        let book = BookDraft { author: slug("etienne"), ..draft("book-1", "A Book") };
        save(store, &book);
        assert_eq!(names(store, Letter::parse("d")), of(&[("darwin", 1), ("etienne", 2), ("du-bois", 1)]));
        save(store, &BookDraft { published: false, ..book });
        save(store, &BookDraft { author: slug("darwin"), published: false, ..draft("book-4", "A Book") });
        assert_eq!(names(store, Letter::parse("d")), of(&[("etienne", 1), ("du-bois", 1)]));
        let etienne = store.author(&slug("etienne")).expect("an author is read").expect("it is there");
        assert_eq!((etienne.book_count, etienne.draft.description.as_str()), (1, "About Étienne Dé."));
        assert_eq!(store.author(&slug("unknown")).expect("an author is read"), None);
    });
}

/// Saving a collection with an existing title changes that one; its categories keep their order.
#[test]
fn collections_are_saved_by_title_and_walked_by_key() {
    with_catalogue(|store, _| {
        furnish(store);
        let collection = |title: &str, day: i64, categories: &[&str]| CollectionDraft {
            title: title.to_owned(),
            subtitle: "A line.".to_owned(),
            image: Some("collections/one.svg".to_owned()),
            upload_date: NOW.plus(day * DAY),
            categories: slugs(categories),
            books: Vec::new(),
        };
        let first = collection("First", 1, &["politics", "nature"]);
        let SaveOutcome::Created(id) = store.save_collection(&first).expect("it is saved") else {
            panic!("it was not there before")
        };
        assert_eq!(store.save_collection(&first).expect("it is saved"), SaveOutcome::Unchanged(id));
        let turned = collection(" First ", 1, &["nature", "politics"]);
        assert_eq!(store.save_collection(&turned).expect("it is saved"), SaveOutcome::Changed(id));
        let there = store.collection(id).expect("it is read").expect("it is there");
        assert_eq!((there.draft.title.as_str(), there.draft.categories), ("First", slugs(&["nature", "politics"])));
        for (title, day) in [("Second", 3), ("Third", 2), ("Fourth", 2)] {
            store.save_collection(&collection(title, day, &["philosophy"])).expect("it is saved");
        }
        let mut titles = Vec::new();
        let mut after = None;
        loop {
            let page = store.collections(after, Limit::clamped(2)).expect("collections are read");
            titles.extend(page.items.into_iter().map(|collection| collection.draft.title));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(titles, ["Second", "Fourth", "Third", "First"]);
        assert_eq!(store.collection(CollectionId::from_store(id.get() + 99)).expect("it is read"), None);
        let error = store.save_collection(&collection("Fifth", 1, &["nothing"])).expect_err("no such category");
        assert!(matches!(error, CatalogueError::Unknown { field: "categories", .. }), "{error}");
        assert!(store.save_collection(&collection("  ", 1, &["nature"])).is_err(), "a title is wanted");
    });
}

/// Unpublished and announced books are listed for editors, in each order, filtered and counted.
#[test]
fn editors_list_books_that_are_not_published_too() {
    with_catalogue(|store, _| {
        furnish(store);
        let mut add = |subid: &str, title: &str, change: fn(&mut BookDraft)| {
            let mut written = draft(subid, title);
            change(&mut written);
            store.save_book(&written, NOW).expect("a book is saved").id()
        };
        let walden = add("walden", "Walden", |book| {
            book.free = true;
            book.image = Some("covers/walden.svg".to_owned());
        });
        let unpublished = add("a-draft", "A draft", |book| book.published = false);
        let soon = add("soon", "Soon", |book| {
            book.coming_soon = true;
            book.media = Some("audio/soon.mp3".to_owned());
        });
        let list = |store: &mut Pg<'_>, filter: ListedFilter, sort, descending, after, limit| {
            let query = ListedQuery { filter, sort, descending, after, limit: Limit::clamped(limit) };
            let found = store.listed_books(&query).expect("books are listed");
            found.iter().map(|book| book.id).collect::<Vec<_>>()
        };
        let all = ListedFilter::default;
        assert_eq!(list(store, all(), ListedSort::Id, false, None, 10), [walden, unpublished, soon]);
        assert_eq!(list(store, all(), ListedSort::Title, false, None, 10), [unpublished, soon, walden]);
        assert_eq!(list(store, all(), ListedSort::Title, true, Some(walden), 10), [soon, unpublished]);
        // One entry more than the limit shows that another page follows.
        assert_eq!(list(store, all(), ListedSort::Id, false, None, 1), [walden, unpublished]);
        assert_eq!(list(store, all(), ListedSort::Id, false, Some(walden), 1), [unpublished, soon]);
        let of_state = |store: &mut Pg<'_>, state| {
            list(store, ListedFilter { state: Some(state), ..all() }, ListedSort::Id, false, None, 10)
        };
        assert_eq!(of_state(store, BookState::Published), [walden]);
        assert_eq!(of_state(store, BookState::Draft), [unpublished]);
        assert_eq!(of_state(store, BookState::ComingSoon), [soon]);
        let extras = BookExtras { publish_at: Some(NOW), ..BookExtras::default() };
        store.update_book_extras(soon, &extras).expect("extras are saved");
        assert_eq!(of_state(store, BookState::Scheduled), [soon]);
        assert_eq!(list(store, all(), ListedSort::PublishAt, false, None, 10), [soon, walden, unpublished]);
        assert_eq!(list(store, all(), ListedSort::PublishAt, false, Some(soon), 10), [walden, unpublished]);
        store.save_visuals(soon, &visuals(&["one"]), NOW).expect("key ideas are saved");
        let lacking = |store: &mut Pg<'_>, what| {
            list(store, ListedFilter { lacking: Some(what), ..all() }, ListedSort::Id, false, None, 10)
        };
        assert_eq!(lacking(store, Lacking::Audio), [walden, unpublished]);
        assert_eq!(lacking(store, Lacking::Cover), [unpublished, soon]);
        assert_eq!(lacking(store, Lacking::KeyIdeas), [walden, unpublished]);
        let texts = |store: &mut Pg<'_>, text: &str| {
            list(store, ListedFilter { text: Some(text.to_owned()), ..all() }, ListedSort::Id, false, None, 10)
        };
        assert_eq!(texts(store, "WALD"), [walden]);
        assert_eq!(texts(store, "%"), []);
        assert!(texts(store, &unpublished.to_string()).contains(&unpublished));
        assert_eq!(list(store, ListedFilter { free: Some(true), ..all() }, ListedSort::Id, false, None, 10), [walden]);
        assert_eq!(store.count_listed_books(&all()).expect("books are counted").count(), 3);
        assert_eq!(store.count_listed_books(&ListedFilter { free: Some(false), ..all() }).expect("counted").count(), 2);
    });
}

/// All authors and tags are listed by name, counted and found, even those without a published book.
#[test]
fn editors_list_all_authors_and_tags() {
    with_catalogue(|store, _| {
        let (authors, _, _) = furnish(store);
        let ada = store.save_author(&author("ada-byron", "Ada Byron"), NOW).expect("an author is saved").id();
        let of = |tags: &[&str]| tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>();
        let one = BookDraft { tags: of(&["Stoics", "Calm"]), published: false, ..draft("one", "One") };
        store.save_book(&one, NOW).expect("a book is saved");
        store.save_book(&BookDraft { tags: of(&["stoics", "virtue"]), ..draft("two", "Two") }, NOW).expect("saved");
        store.save_book(&BookDraft { tags: of(&["calm"]), ..one }, NOW).expect("a book is saved");
        let writer = store.author(&draft("one", "One").author).expect("an author is read").expect("an author").id;
        let list = |store: &mut Pg<'_>, query: &NamesQuery<AuthorId>| {
            let found = store.listed_authors(query).expect("authors are listed");
            found.iter().map(|one| one.author.id).collect::<Vec<_>>()
        };
        assert_eq!(list(store, &names(None, false, None, 9)), [authors[0], ada, authors[1]], "by their last names");
        assert_eq!(list(store, &names(None, false, Some(authors[0]), 1)), [ada, authors[1]], "one more than the limit");
        assert_eq!(list(store, &names(Some("NICCOLO"), false, None, 9)), [authors[1]], "without accents");
        assert_eq!(list(store, &names(Some(&ada.to_string()), false, None, 9)), [ada], "by its number");
        assert_eq!(store.count_listed_authors(&names(Some("a"), false, Some(ada), 1)).expect("counted").count(), 3);
        assert!(list(store, &names(None, true, None, 9)).contains(&ada));
        assert!(!list(store, &names(None, true, None, 9)).contains(&writer), "a draft names its author");
        let listed = store.listed_author(writer).expect("an author is read").expect("an author");
        assert_eq!((listed.books, listed.author.book_count), (2, 1));
        assert_eq!(store.listed_author(AuthorId::from_store(4711)).expect("read"), None);

        let found = store.listed_tags(&names(None, false, None, 9)).expect("tags are listed");
        let counts: Vec<(&str, u64)> = found.iter().map(|one| (one.tag.name.as_str(), one.books)).collect();
        assert_eq!(counts, [("calm", 1), ("stoics", 1), ("virtue", 1)]);
        let behind = store.listed_tags(&names(None, false, Some(found[0].id), 1)).expect("tags are listed");
        assert_eq!(behind, found[1..]);
        assert_eq!(store.count_listed_tags(&names(Some("CAL"), false, None, 1)).expect("counted").count(), 1);
        assert_eq!(store.listed_tag(found[1].id).expect("a tag is read").as_ref(), Some(&found[1]));
        assert_eq!(store.find_tag(&slug("virtue")).expect("a tag is found"), Some(found[2].id));
        store.save_book(&BookDraft { tags: of(&["virtue"]), ..draft("two", "Two") }, NOW).expect("a book is saved");
        let unused = store.listed_tags(&names(None, true, None, 9)).expect("tags are listed");
        assert_eq!(unused.iter().map(|one| one.id).collect::<Vec<_>>(), [found[1].id]);
    });
}

/// Chosen books replace the categories, page by page; a deleted book leaves its collections too.
#[test]
fn a_collection_holds_its_chosen_books_in_their_order() {
    with_catalogue(|store, _| {
        furnish(store);
        for name in ["one", "two", "three", "four"] {
            save(store, &draft(name, name));
        }
        save(store, &BookDraft { published: false, ..draft("hidden", "Hidden") });
        let shelf = CollectionDraft {
            title: "Shelf".to_owned(),
            subtitle: String::new(),
            image: None,
            upload_date: NOW,
            categories: slugs(&["philosophy"]),
            books: slugs(&["three", "hidden", "one", "two"]),
        };
        let id = store.create_collection(&shelf).expect("a collection is added");
        assert_eq!(store.collection(id).expect("read").expect("a collection").draft, shelf);
        let filters = Filters { collection: Some(id), ..Filters::default() };
        let pages = |store: &mut Pg<'_>, sort: Sort| {
            let mut query = ListQuery { sort, filters: filters.clone(), after: None, limit: Limit::clamped(2) };
            let mut found = Vec::new();
            loop {
                let page = store.books(&query).expect("books are listed");
                found.extend(page.items.iter().map(|card| card.subid.to_string()));
                query.after = page.next;
                if query.after.is_none() {
                    return found;
                }
            }
        };
        assert_eq!(pages(store, Sort::Chosen), ["three", "one", "two"]);
        assert_eq!(pages(store, Sort::Title), ["one", "three", "two"]);
        for (books, field) in [(slugs(&["one", "one"]), "books"), (slugs(&["nothing"]), "books")] {
            let refused = store.edit_collection(id, &CollectionDraft { books, ..shelf.clone() });
            assert!(
                matches!(&refused, Err(CatalogueError::Invalid { field: at, .. } | CatalogueError::Unknown { field: at, .. }) if *at == field),
                "{refused:?}"
            );
        }
        let (one, _) = store.find_book_draft(&slug("one")).expect("read").expect("a book");
        assert!(store.rename_book(one, &slug("uno")).expect("renamed"));
        let (three, _) = store.find_book_draft(&slug("three")).expect("read").expect("a book");
        assert!(store.delete_book(three).expect("deleted"));
        assert_eq!(pages(store, Sort::Chosen), ["uno", "two"]);
        store.edit_collection(id, &CollectionDraft { books: Vec::new(), ..shelf }).expect("a collection is changed");
        assert_eq!(pages(store, Sort::Chosen).len(), 3, "those of its categories, newest first");
    });
}
