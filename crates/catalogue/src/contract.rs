//! What every store of the catalogue must do: one suite, run on memory and on Postgres.
//!
//! [`contract_tests!`](crate::contract_tests) generates one test per case. `with_store` calls its argument with an
//! empty store and a function that sets a book's ratings, which members give in another domain.

use std::collections::HashMap;

use kernel::{Access, AuthorId, BookId, CategoryId, CollectionId, DAY, GoalId, HOUR, Limit, Slug, Timestamp, VisualId};

use crate::{
    AuthorDraft, AuthorsQuery, BookCard, BookDraft, BookExtras, BookName, BookRef, BookState, Catalogue,
    CatalogueError, CatalogueLists, CatalogueStore, CategoryDraft, CategoryKey, CollectionDraft, EditedVisual,
    EditingCommands, FilterName, Filters, GoalDraft, GoalPicture, GoalPictures, IdeaDrawing, InfographicPeriod,
    Lacking, Letter, ListQuery, ListedFilter, ListedQuery, ListedSort, NamesQuery, Naming, Quote, Ratings,
    SEARCHES_PER_DAY, SaveOutcome, SearchHit, SearchQuery, Sort, SuggestionsQuery, Tag, VISUAL_WORDS, VisualDraft,
    VisualSet, VisualsDraft, store::NEAR_HITS,
};

/// Sets the ratings of a book in a store.
pub type Rate<'a, S> = &'a mut dyn FnMut(&mut S, BookId, Ratings);

/// Generates one test per case, each run by the given function.
#[macro_export]
macro_rules! contract_tests {
    ($with_store:path) => {
        $crate::contract_tests! { $with_store:
            a_saved_book_is_read_as_a_whole,
            saving_the_same_again_changes_nothing,
            a_book_is_replaced_with_all_that_belongs_to_it,
            unpublished_books_are_nowhere,
            the_addresses_of_all_books_are_listed,
            what_breaks_a_rule_is_refused_by_field,
            cards_come_in_the_order_asked_for,
            names_are_known_of_unpublished_books_too,
            lists_stand_in_their_order,
            pages_hold_every_book_once,
            lists_are_filtered,
            names_of_filters_that_name_nothing_are_told,
            categories_count_the_books_that_can_be_read,
            names_that_change_reach_the_books,
            a_search_finds_stems_accents_and_beginnings,
            a_search_finds_what_is_still_being_typed,
            a_search_forgives_typing_mistakes,
            a_search_reads_numbers_and_joined_words,
            a_search_that_no_book_is_about_finds_what_is_near,
            the_word_itself_outranks_its_relatives,
            a_misspelled_search_is_offered_corrected,
            a_search_puts_titles_first_and_says_where,
            a_search_is_filtered_and_paged,
            passages_come_from_what_may_be_read,
            the_trend_is_made_of_recent_opens,
            searches_without_a_result_are_counted_by_day_and_forgotten,
            recommendations_are_the_best_of_the_chosen,
            recommendations_are_never_empty,
            the_front_page_has_its_books,
            key_ideas_stand_in_their_order_and_are_replaced_whole,
            books_with_key_ideas_are_paged,
            an_infographic_has_its_times,
            the_directory_of_authors_is_walked_by_letter_and_key,
            collections_are_saved_by_title_and_walked_by_key,
            what_is_typed_is_suggested_from_everything,
            editors_list_books_that_are_not_published_too,
            a_book_is_renamed_with_all_that_belongs_to_it,
            a_book_has_extras_and_a_moment_at_which_it_is_published,
            a_goal_has_pictures_that_saving_its_texts_leaves,
            the_files_of_a_book_are_those_of_its_key_ideas_too,
            editors_list_all_authors_and_tags,
            a_tag_is_renamed_in_its_books_too,
            only_what_no_book_names_is_deleted,
            a_book_without_readers_is_deleted,
            a_collection_holds_its_chosen_books_in_their_order,
            editors_work_on_key_ideas_one_by_one,
            an_uploaded_infographic_takes_the_place_of_the_drawn_one,
        }
    };
    ($with_store:path: $($case:ident),+ $(,)?) => {$(
        #[test]
        fn $case() {
            $with_store(|store, rate| $crate::contract::$case(store, rate));
        }
    )+};
}

/// Noon of some day.
const NOW: Timestamp = Timestamp::from_millis(20_000 * DAY + 12 * HOUR);

fn slug(text: &str) -> Slug {
    Slug::parse(text).expect("the suite's slugs are slugs")
}

fn slugs(texts: &[&str]) -> Vec<Slug> {
    texts.iter().map(|text| slug(text)).collect()
}

fn author(slug_: &str, name: &str) -> AuthorDraft {
    AuthorDraft { slug: slug(slug_), name: name.to_owned(), sort_name: None, description: format!("About {name}.") }
}

fn category(subid: &str, name: &str, place: i32) -> CategoryDraft {
    CategoryDraft {
        subid: slug(subid),
        name: name.to_owned(),
        hue: 45,
        small_image: Some(format!("{subid}.svg")),
        place,
    }
}

fn goal(slug_: &str, title: &str, place: i32) -> GoalDraft {
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
fn furnish<S: CatalogueStore>(store: &mut S) -> (Vec<AuthorId>, Vec<CategoryId>, Vec<GoalId>) {
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

fn draft(subid: &str, title: &str) -> BookDraft {
    BookDraft {
        subid: slug(subid),
        title: title.to_owned(),
        author: slug("marcus-aurelius"),
        description: format!("What {title} is about."),
        body: "<h3>Opening</h3><p>Some plain words.</p><p>Some more of them.</p>".to_owned(),
        quotes: Vec::new(),
        image: None,
        media: None,
        video: None,
        year: None,
        categories: slugs(&["philosophy"]),
        goals: Vec::new(),
        tags: Vec::new(),
        free: false,
        is_popular: false,
        coming_soon: false,
        published: true,
        upload_date: NOW,
    }
}

fn save<S: CatalogueStore>(store: &mut S, draft: &BookDraft) -> BookId {
    store.save_book(draft, NOW).expect("a book is saved").id()
}

fn list<S: CatalogueStore>(store: &mut S, sort: Sort, filters: Filters) -> Vec<String> {
    let query = ListQuery { sort, filters, after: None, limit: Limit::clamped(100) };
    let page = store.books(&query).expect("a list is read");
    assert_eq!(page.next, None);
    page.items.into_iter().map(|card| card.subid.to_string()).collect()
}

/// The unknown filter that a list and a search report; neither may find a book.
fn unknown_filters<S: CatalogueStore>(store: &mut S, filters: &Filters) -> [Option<FilterName>; 2] {
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

fn search_as<S: CatalogueStore>(store: &mut S, text: &str, shown: Option<Access>) -> Vec<SearchHit> {
    let query =
        SearchQuery { text: text.to_owned(), filters: Filters::default(), after: None, limit: Limit::clamped(20) };
    store.search(&query, &|_| shown).expect("a search is made").items
}

fn search<S: CatalogueStore>(store: &mut S, text: &str) -> Vec<String> {
    search_as(store, text, Some(Access::Full)).into_iter().map(|hit| hit.card.subid.to_string()).collect()
}

fn subids(cards: &[BookCard]) -> Vec<&str> {
    cards.iter().map(|card| card.subid.as_str()).collect()
}

/// A book that uses every field comes back as it was saved, by id and by slug.
pub fn a_saved_book_is_read_as_a_whole<S: CatalogueStore>(store: &mut S, rate: Rate<'_, S>) {
    let (_, categories, goals) = furnish(store);
    let whole = BookDraft {
        author: slug("niccolo-machiavelli"),
        body: format!(
            "<p>Before.</p><h3>One <em>idea</em></h3><p>{}</p><p>More &amp; more.</p><h2>Last</h2><p>End.</p>",
            "word ".repeat(330)
        ),
        quotes: vec![Quote { text: "Fortune is a river.".to_owned(), chapter: "Chapter XXV".to_owned() }],
        image: Some("covers/prince.svg".to_owned()),
        media: Some("audio/prince.mp3".to_owned()),
        video: Some("video/prince.mp4".to_owned()),
        year: Some(1532),
        categories: slugs(&["politics", "philosophy"]),
        goals: slugs(&["lead", "calm"]),
        tags: vec!["Power".to_owned(), "classics".to_owned()],
        free: true,
        is_popular: true,
        upload_date: NOW.plus(-DAY),
        ..draft("the-prince", "The Prince")
    };
    let SaveOutcome::Created(id) = store.save_book(&whole, NOW).expect("a book is saved") else {
        panic!("the book is new")
    };
    rate(store, id, Ratings { count: 2, sum: 9 });
    let book = store.book(&BookRef::Id(id)).expect("a book is read").expect("the book is there");
    assert_eq!(store.book(&BookRef::Subid(slug("the-prince"))).expect("a book is read").as_ref(), Some(&book));
    let card = &book.card;
    assert_eq!((card.id, card.subid.as_str(), card.title.as_str()), (id, "the-prince", "The Prince"));
    assert_eq!((card.author.slug.as_str(), card.author.name.as_str()), ("niccolo-machiavelli", "Niccolò Machiavelli"));
    assert_eq!(card.description, "What The Prince is about.");
    let named: Vec<_> =
        card.categories.iter().map(|category| (category.id, category.subid.as_str(), category.hue)).collect();
    assert_eq!(named, [(categories[1], "politics", 45), (categories[0], "philosophy", 45)], "in the editors' order");
    assert_eq!(card.categories[0].name, "Politics");
    assert_eq!(card.tags, ["classics", "power"]);
    assert_eq!((card.image.as_deref(), card.media.as_deref()), (Some("covers/prince.svg"), Some("audio/prince.mp3")));
    assert_eq!(card.video.as_deref(), Some("video/prince.mp4"));
    assert!(card.free && card.is_popular && !card.coming_soon);
    assert_eq!((card.upload_date, card.read_count), (NOW.plus(-DAY), 0));
    assert_eq!((card.words, card.minutes()), (337, 2));
    assert_eq!(card.ratings.mean(), Some(4.5));
    assert_eq!(book.author_description, "About Niccolò Machiavelli.");
    assert_eq!(book.quotes, whole.quotes);
    assert_eq!(book.goals.iter().map(|goal| goal.id).collect::<Vec<_>>(), goals, "in the order of the goals");
    assert_eq!(book.goals[1].title, "Lead well");
    assert_eq!(book.sections, ["", "One idea", "Last"]);
    assert!(
        book.body.starts_with("<p>Before.</p><h3>One <em>idea</em></h3>")
            && book.body.ends_with("<h3>Last</h3><p>End.</p>")
    );
    assert_eq!(book.truncated_body, "<p>Before.</p>");
    assert_eq!(book.updated_at, NOW);
    assert_eq!(store.book(&BookRef::Subid(slug("the-princess"))).expect("a book is read"), None);
    assert_eq!(store.book(&BookRef::Id(BookId::from_store(id.get() + 1))).expect("a book is read"), None);
}

/// Saving reports whether it changed anything.
pub fn saving_the_same_again_changes_nothing<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    let (authors, categories, goals) = furnish(store);
    let blanks = AuthorDraft { name: " Marcus  Aurelius".to_owned(), ..author("marcus-aurelius", "Marcus Aurelius") };
    let again = store.save_author(&blanks, NOW).expect("an author is saved");
    assert_eq!(again, SaveOutcome::Unchanged(authors[0]), "blanks do not matter");
    let again = store.save_category(&category("politics", "Politics", 1), NOW).expect("a category is saved");
    assert_eq!(again, SaveOutcome::Unchanged(categories[1]));
    let moved = store.save_category(&category("politics", "Politics", 7), NOW).expect("a category is saved");
    assert_eq!(moved, SaveOutcome::Changed(categories[1]));
    let again = store.save_goal(&goal("calm", "Stay calm", 0), NOW).expect("a goal is saved");
    assert_eq!(again, SaveOutcome::Unchanged(goals[0]));

    let book = BookDraft {
        body: "<div>Bare text</div><h2>Promoted</h2> <p>a</p>".to_owned(),
        tags: vec!["B".to_owned(), "a".to_owned(), "b".to_owned()],
        goals: slugs(&["lead", "calm"]),
        quotes: vec![Quote { text: " x ".to_owned(), chapter: String::new() }],
        ..draft("meditations", "Meditations")
    };
    let id = save(store, &book);
    assert_eq!(store.save_book(&book, NOW.plus(DAY)).expect("a book is saved"), SaveOutcome::Unchanged(id));
    let read = store.book(&BookRef::Id(id)).expect("a book is read").expect("the book is there");
    assert_eq!(read.updated_at, NOW, "nothing was written");
    let changed = BookDraft { free: true, ..book };
    assert_eq!(store.save_book(&changed, NOW.plus(DAY)).expect("a book is saved"), SaveOutcome::Changed(id));
    let read = store.book(&BookRef::Id(id)).expect("a book is read").expect("the book is there");
    assert_eq!((read.updated_at, read.card.free), (NOW.plus(DAY), true));
}

/// A book that is saved again loses its former sections, tags, goals and categories, and keeps its id and members'
/// data.
pub fn a_book_is_replaced_with_all_that_belongs_to_it<S: CatalogueStore>(store: &mut S, rate: Rate<'_, S>) {
    furnish(store);
    let first = BookDraft {
        body: "<h3>Glaciers</h3><p>Ice flows.</p><h3>Rivers</h3><p>Water flows.</p>".to_owned(),
        categories: slugs(&["philosophy", "nature"]),
        goals: slugs(&["calm"]),
        tags: vec!["ice".to_owned()],
        ..draft("flows", "Flows")
    };
    let id = save(store, &first);
    rate(store, id, Ratings { count: 1, sum: 4 });
    store.add_book_opens(&HashMap::from([(id, 3)]), NOW).expect("opens are counted");
    let second = BookDraft {
        title: "Stones".to_owned(),
        body: "<h3>Rocks</h3><p>Stone stays.</p>".to_owned(),
        categories: slugs(&["politics"]),
        goals: slugs(&["lead"]),
        tags: vec!["rock".to_owned()],
        ..first
    };
    assert_eq!(save(store, &second), id);
    let book = store.book(&BookRef::Id(id)).expect("a book is read").expect("the book is there");
    assert_eq!(book.sections, ["Rocks"]);
    assert_eq!((book.card.categories.len(), book.card.categories[0].subid.as_str()), (1, "politics"));
    assert_eq!((book.card.tags, book.goals[0].title.as_str()), (vec!["rock".to_owned()], "Lead well"));
    assert_eq!((book.card.read_count, book.card.ratings.count), (3, 1));
    assert!(search(store, "glaciers").is_empty());
    assert_eq!(search(store, "stone"), ["flows"]);
    let ice = Filters { tag: Some(slug("ice")), ..Filters::default() };
    assert_eq!(unknown_filters(store, &ice), [Some(FilterName::Tag); 2], "no book has it any more");
}

/// An unpublished book is invisible; a book that is coming soon is listed.
pub fn unpublished_books_are_nowhere<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    let (_, categories, _) = furnish(store);
    let hidden =
        save(store, &BookDraft { published: false, free: true, is_popular: true, ..draft("hidden", "Hidden") });
    let announced =
        save(store, &BookDraft { coming_soon: true, body: String::new(), ..draft("announced", "Announced") });
    assert_eq!(store.book(&BookRef::Id(hidden)).expect("a book is read"), None);
    assert_eq!(store.book(&BookRef::Subid(slug("hidden"))).expect("a book is read"), None);
    let book = store.book(&BookRef::Id(announced)).expect("a book is read").expect("the book is there");
    assert_eq!((book.body.as_str(), book.truncated_body.as_str(), book.sections.len()), ("", "", 0));
    assert_eq!(subids(&store.book_cards(&[hidden, announced]).expect("cards are read")), ["announced"]);
    for sort in [Sort::New, Sort::Trending, Sort::Title] {
        assert_eq!(list(store, sort, Filters::default()), ["announced"]);
    }
    assert!(search(store, "hidden").is_empty());
    assert_eq!(search(store, "announced"), ["announced"]);
    assert!(store.popular_books(8).expect("books are read").is_empty(), "what is announced can't be read");
    assert_eq!(subids(&store.recommendations(&categories, &[], &[], 8).expect("books are read")), ["announced"]);
    assert_eq!(store.book_count().expect("books are counted"), 0);
    assert!(store.book_addresses(0, 9).expect("addresses are read").is_empty());
    let front = store.front().expect("the front page is read");
    assert_eq!((front.hero, front.book_count), (None, 0));
}

/// Paging through all slugs, as the sitemap does, finds each readable book once.
pub fn the_addresses_of_all_books_are_listed<S: CatalogueStore>(store: &mut S, _: Rate<'_, S>) {
    furnish(store);
    for name in ["a", "b", "c"] {
        store.save_book(&draft(name, name), NOW).expect("a book is saved");
    }
    store.save_book(&BookDraft { published: false, ..draft("b", "b") }, NOW.plus(DAY)).expect("a book is saved");
    store.save_book(&BookDraft { free: true, ..draft("c", "c") }, NOW.plus(DAY)).expect("a book is saved");
    let all = store.book_addresses(0, 10).expect("the addresses are read");
    assert_eq!(all, [(slug("a"), NOW), (slug("c"), NOW.plus(DAY))]);
    assert_eq!(store.book_addresses(1, 10).expect("the addresses are read"), all[1..]);
    assert_eq!(store.book_addresses(0, 1).expect("the addresses are read"), all[..1]);
    assert!(store.book_addresses(2, 10).expect("the addresses are read").is_empty());
}

/// Each error names its field, and nothing is stored.
pub fn what_breaks_a_rule_is_refused_by_field<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    furnish(store);
    let fine = draft("book", "Book");
    let cases = [
        ("title", BookDraft { title: " ".to_owned(), ..fine.clone() }),
        ("title", BookDraft { title: "x".repeat(301), ..fine.clone() }),
        ("author", BookDraft { author: slug("nobody"), ..fine.clone() }),
        ("categories", BookDraft { categories: slugs(&["nothing"]), ..fine.clone() }),
        ("categories", BookDraft { categories: Vec::new(), ..fine.clone() }),
        ("categories", BookDraft { categories: slugs(&["nature", "nature"]), ..fine.clone() }),
        ("goals", BookDraft { goals: slugs(&["nothing"]), ..fine.clone() }),
        ("tags", BookDraft { tags: vec!["!".to_owned()], ..fine.clone() }),
        ("body", BookDraft { body: "<p> </p>".to_owned(), ..fine.clone() }),
        ("quotes", BookDraft { quotes: vec![Quote { text: String::new(), chapter: String::new() }], ..fine }),
    ];
    for (field, book) in cases {
        match store.save_book(&book, NOW) {
            Err(CatalogueError::Invalid { field: named, .. } | CatalogueError::Unknown { field: named, .. }) => {
                assert_eq!(named, field);
            }
            other => panic!("{field} is refused, not {other:?}"),
        }
    }
    let bad = CategoryDraft { hue: 360, ..category("bad", "Bad", 9) };
    assert!(matches!(store.save_category(&bad, NOW), Err(CatalogueError::Invalid { field: "hue", .. })));
    assert_eq!(store.book_count().expect("books are counted"), 0);
}

/// Book names are known even for unpublished books, for members' libraries.
pub fn names_are_known_of_unpublished_books_too<S: CatalogueStore>(store: &mut S, _: Rate<'_, S>) {
    furnish(store);
    let shown = store.save_book(&draft("meditations", "Meditations"), NOW).expect("saved").id();
    let hidden = BookDraft { published: false, ..draft("letters", "Letters") };
    let hidden = store.save_book(&hidden, NOW).expect("saved").id();
    let name = |id, subid, title: &str| {
        (id, BookName { id, subid: slug(subid), title: title.to_owned(), author: "Marcus Aurelius".to_owned() })
    };
    let names = store.book_names(&[hidden, BookId::from_store(4711), shown, shown]).expect("names");
    assert_eq!(names, HashMap::from([name(shown, "meditations", "Meditations"), name(hidden, "letters", "Letters")]));
    assert!(store.book_names(&[]).expect("names").is_empty());
}

/// Cards keep the order of the ids.
pub fn cards_come_in_the_order_asked_for<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    furnish(store);
    let ids: Vec<BookId> = ["a1", "b1", "c1"].iter().map(|name| save(store, &draft(name, name))).collect();
    let cards = store.book_cards(&[ids[2], BookId::from_store(ids[2].get() + 9), ids[0]]).expect("cards are read");
    assert_eq!(subids(&cards), ["c1", "a1"]);
    assert!(store.book_cards(&[]).expect("cards are read").is_empty());
}

/// Books with many kinds of titles, dates and marks, in no particular order.
fn stock<S: CatalogueStore>(store: &mut S) {
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
pub fn lists_stand_in_their_order<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
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
}

/// Paging through a list returns each book once, with and without filters.
pub fn pages_hold_every_book_once<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    stock(store);
    let filters = [Filters::default(), Filters { category: CategoryKey::parse("philosophy"), ..Filters::default() }];
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
}

/// Category, collection, author, tag, audio and video, alone and together.
pub fn lists_are_filtered<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    stock(store);
    let count = |store: &mut S, filters: Filters| list(store, Sort::New, filters).len();
    let none = Filters::default;
    let categories = store.categories().expect("categories are read");
    let nature = categories.iter().find(|category| category.draft.subid.as_str() == "nature").expect("it is there").id;
    assert_eq!(count(store, Filters { category: Some(CategoryKey::Id(nature)), ..none() }), 6);
    assert_eq!(count(store, Filters { category: CategoryKey::parse("philosophy"), ..none() }), 15);
    assert_eq!(count(store, Filters { author: Some(slug("niccolo-machiavelli")), ..none() }), 7);
    assert_eq!(count(store, Filters { tag: Some(slug("seven-up")), ..none() }), 3);
    assert_eq!(count(store, Filters { audio: true, ..none() }), 11);
    assert_eq!(count(store, Filters { video: true, ..none() }), 5);
    assert_eq!(count(store, Filters { audio: true, video: true, ..none() }), 3);
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
    };
    assert_eq!(list(store, Sort::New, all), ["book-0", "book-12"]);
    let total = |store: &mut S, filters: Filters| {
        let query = ListQuery { sort: Sort::Title, filters, after: None, limit: Limit::clamped(1) };
        let books = store.book_count().expect("books are counted");
        query.total(&store.categories().expect("categories are read"), books)
    };
    assert_eq!(total(store, none()), Some(21));
    assert_eq!(total(store, Filters { category: CategoryKey::parse("nature"), ..none() }), Some(6));
    assert_eq!(total(store, Filters { audio: true, ..none() }), None);
}

/// A filter for something that does not exist is an error; a filter without matches gives an empty list.
pub fn names_of_filters_that_name_nothing_are_told<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
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
}

/// Counts follow when books are published, announced, moved and hidden.
pub fn categories_count_the_books_that_can_be_read<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    furnish(store);
    let counts = |store: &mut S| -> Vec<(String, u64)> {
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
}

/// A new name of an author, a category or a goal appears on the books, and search finds them by it.
pub fn names_that_change_reach_the_books<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    furnish(store);
    let id = save(store, &BookDraft { goals: slugs(&["calm"]), ..draft("meditations", "Meditations") });
    store.save_author(&author("marcus-aurelius", "Mark Aurel"), NOW).expect("an author is saved");
    store.save_category(&category("philosophy", "Thought", 0), NOW).expect("a category is saved");
    store.save_goal(&goal("calm", "Keep calm", 0), NOW).expect("a goal is saved");
    let book = store.book(&BookRef::Id(id)).expect("a book is read").expect("the book is there");
    assert_eq!(book.card.author.name, "Mark Aurel");
    assert_eq!(book.author_description, "About Mark Aurel.");
    assert_eq!(book.card.categories[0].name, "Thought");
    assert_eq!(book.goals[0].title, "Keep calm");
    assert_eq!(search(store, "aurel"), ["meditations"]);
    assert_eq!(search(store, "thought"), ["meditations"]);
    let cards = store.book_cards(&[id]).expect("cards are read");
    assert_eq!(cards[0].author.name, "Mark Aurel");
}

/// Four books whose words are known.
fn library<S: CatalogueStore>(store: &mut S) {
    furnish(store);
    let books = [
        BookDraft {
            author: slug("niccolo-machiavelli"),
            body: "<h3>Fortune is a river</h3><p>A flooding river breaks the banks that prudent governors did not build.</p>\
                   <p>Half of what we do is hers.</p><h3>Hired soldiers</h3><p>Mercenaries ruined Italy, he argued.</p>"
                .to_owned(),
            categories: slugs(&["politics"]),
            tags: vec!["power".to_owned()],
            ..draft("the-prince", "The Prince")
        },
        BookDraft {
            body: "<h3>Judgement is yours</h3><p>Stoicism teaches that events do not harm; opinions about them do.</p>\
                   <p>Être libre. A philosopher among rivers of worry.</p><h3>Mornings</h3><p>Begin the day forewarned.</p>"
                .to_owned(),
            tags: vec!["stoicism".to_owned(), "resilience".to_owned()],
            ..draft("meditations", "Meditations")
        },
        BookDraft {
            body: "<h3>Of experience</h3><p>He watched himself eat, doubt and travel.</p><p>The prince of doubters.</p>".to_owned(),
            tags: vec!["scepticism".to_owned()],
            ..draft("essays", "Essays")
        },
        BookDraft {
            body: "<h3>Where I lived</h3><p>The pond in winter, measured with a line.</p><p>Ice, loons, beans.</p>".to_owned(),
            categories: slugs(&["nature"]),
            ..draft("walden", "Walden")
        },
    ];
    for book in books {
        save(store, &book);
    }
}

/// Other forms, missing accents, beginnings of words; title, author, tag, category, heading and text.
pub fn a_search_finds_stems_accents_and_beginnings<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    library(store);
    for (text, expected) in [
        ("machiavelli", "the-prince"),
        ("NICCOLÒ", "the-prince"),
        ("niccolo mach", "the-prince"),
        ("machiavelli mercenary", "the-prince"),
        ("governor build", "the-prince"),
        ("resilient", "meditations"),
        ("être", "meditations"),
        ("etre", "meditations"),
        ("philosophers", "meditations"),
        ("forewarn", "meditations"),
        ("nature", "walden"),
        ("wald", "walden"),
        ("Wal", "walden"),
        ("measuring", "walden"),
        ("loon", "walden"),
        ("scept", "essays"),
        ("soldier hired", "the-prince"),
    ] {
        let found = search(store, text);
        assert_eq!(found.first().map(String::as_str), Some(expected), "{text}: {found:?}");
    }
    for text in ["", "   ", "?!", "zzzzqqq", "'", "\\", "a:b|c&!(", "%_", "\u{0}"] {
        assert!(search(store, text).is_empty(), "{text:?}");
    }
    let mut both = search(store, "river");
    both.sort();
    assert_eq!(both, ["meditations", "the-prince"]);
}

/// Prefixes that few or many words share, alone and beside other words; words with digits.
pub fn a_search_finds_what_is_still_being_typed<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    library(store);
    let letters = || 'a'..='j';
    for word in letters().flat_map(|first| letters().map(move |second| format!("qu{first}{second}"))) {
        let tags = if word == "quef" { vec!["glaciers".to_owned()] } else { Vec::new() };
        save(store, &BookDraft { tags, ..draft(&word, &format!("Of {word}")) });
    }
    save(store, &draft("web3-in-brief", "On web3 in brief"));
    save(store, &draft("printing-at-home", "On 3dprinting at home"));
    assert_eq!(search(store, "qu").len(), 20, "a page of a hundred");
    assert_eq!(search(store, "que").len(), 10);
    for (text, expected) in [
        ("quef", "quef"),
        ("glacier qu", "quef"),
        ("glacier que", "quef"),
        ("web", "web3-in-brief"),
        ("web3", "web3-in-brief"),
        ("3d", "printing-at-home"),
        ("home 3d", "printing-at-home"),
    ] {
        assert_eq!(search(store, text), [expected], "{text}");
    }
    assert_eq!(search(store, "mercenaries qu").len(), NEAR_HITS, "nothing has both");
}

/// Misspelled words of titles, authors, tags and texts.
pub fn a_search_forgives_typing_mistakes<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    library(store);
    for (text, expected) in [
        ("mediations", "meditations"),
        ("meditatoins", "meditations"),
        ("machiaveli", "the-prince"),
        ("nicolo machiavelly", "the-prince"),
        ("stoisicm", "meditations"),
        ("mercenareis", "the-prince"),
        ("wladen", "walden"),
        ("expereince of doubt", "essays"),
    ] {
        let found = search(store, text);
        assert_eq!(found.first().map(String::as_str), Some(expected), "{text}: {found:?}");
    }
    assert_eq!(search(store, "glacier mercenaries"), ["the-prince"], "one of the words is better than nothing");
}

/// Digits for words, words for digits, words written together, and an unfinished name with a typo near its end.
pub fn a_search_reads_numbers_and_joined_words<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    library(store);
    save(store, &draft("hours", "On Twenty-Four Hours a Day"));
    save(store, &draft("habits", "7 Habits"));
    for (text, expected) in [
        ("24 hours", "hours"),
        ("hours 24 ", "hours"),
        ("seven habits", "habits"),
        ("theprince", "the-prince"),
        ("niccolomachiavelli", "the-prince"),
        ("hiredsoldiers", "the-prince"),
        ("machivela", "the-prince"),
    ] {
        let found = search_as(store, text, None);
        assert_eq!(found.first().map(|hit| hit.card.subid.as_str()), Some(expected), "{text}");
    }
    assert_eq!(search(store, "42 hours")[0], "hours", "one of the words is better than nothing");
    assert!(!search_as(store, "24 hours", None)[0].is_near && search_as(store, "42 hours", None)[0].is_near);
}

/// A topic that no text names finds related books, and so does a topic that texts only mention; each such hit is marked
/// as near. Hits in headings never are.
pub fn a_search_that_no_book_is_about_finds_what_is_near<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    library(store);
    let near = |store: &mut S, text: &str| -> Vec<(String, bool)> {
        let hits = search_as(store, text, Some(Access::Full));
        hits.into_iter().map(|hit| (hit.card.subid.to_string(), hit.is_near)).collect()
    };
    assert_eq!(near(store, "anxiety")[0], ("meditations".to_owned(), true));
    assert_eq!(near(store, "skepticism"), [("essays".to_owned(), false)], "its tag is another name of the topic");
    assert_eq!(near(store, "skeptic diary")[0], ("essays".to_owned(), true), "a word that leads nowhere");
    assert_eq!(near(store, "stoicism"), [("meditations".to_owned(), false)]);
    assert!(near(store, "zzzzqqq").is_empty());
    // A word that only a text mentions widens the search too.
    assert_eq!(near(store, "winter")[0].0, "walden");
    let hits = search_as(store, "anxiety", Some(Access::Full));
    let passage = hits[0].passage.as_deref().expect("a passage shows what is near");
    assert!(passage.contains('\u{e000}'), "{passage}");
    // The pages of a widened search hold each book once, and all stay widened.
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let query = SearchQuery {
            text: "anxiety winter".to_owned(),
            filters: Filters::default(),
            after,
            limit: Limit::clamped(1),
        };
        let page = store.search(&query, &|_| None).expect("a search is made");
        assert!(page.items.iter().all(|hit| hit.is_near));
        seen.extend(page.items.into_iter().map(|hit| hit.card.subid.to_string()));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    seen.sort();
    assert!(seen.len() >= 2, "{seen:?}");
    assert!(seen.windows(2).all(|pair| pair[0] != pair[1]), "{seen:?}");
}

/// A search as the suggestions run it: the names of the books, whether they are near, and the offered search.
fn results<S: CatalogueStore>(store: &mut S, text: &str, limit: usize) -> (Vec<String>, bool, Option<String>) {
    let query =
        SearchQuery { text: text.to_owned(), filters: Filters::default(), after: None, limit: Limit::clamped(limit) };
    let page = store.search(&query, &|_| None).expect("a search is made");
    let is_near = page.items.first().is_some_and(|hit| hit.is_near);
    assert!(page.items.iter().all(|hit| hit.is_near == is_near), "{text}: the same for all");
    (page.items.into_iter().map(|hit| hit.card.subid.to_string()).collect(), is_near, page.did_you_mean)
}

/// Books with the word itself, in any of its forms, precede those with related words, of which at most five are listed; a book
/// about another name of the topic is about the word.
pub fn the_word_itself_outranks_its_relatives<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    furnish(store);
    let with = |store: &mut S, subid: &str, body: &str| {
        save(store, &BookDraft { body: format!("<h3>Idea</h3><p>{body}</p>"), ..draft(subid, &format!("Of {subid}")) });
    };
    with(store, "mentioned", "Once, in passing, somebody delayed and felt envious of a rival, out of plain envy.");
    for at in 0..8 {
        let body = "A rival desires. Desire, rival, desire. The rival of a rival."; // Related words only.
        with(store, &format!("related-{at}"), body);
    }
    let (found, is_near, _) = results(store, "envy", 20);
    assert_eq!((found[0].as_str(), found.len(), is_near), ("mentioned", NEAR_HITS, true));
    // As many as they are, books with the word itself are listed; more than the near hits are no near hits.
    for at in 0..6 {
        with(store, &format!("envy-{at}"), "He envied her.");
    }
    let (found, is_near, _) = results(store, "envy", 20);
    assert_eq!((found.len(), is_near), (7, false));
    assert!(found.iter().all(|subid| !subid.starts_with("related")), "{found:?}");
    // The pages of such a list hold each book once.
    let mut walked = Vec::new();
    let mut after = None;
    loop {
        let (text, filters, limit) = ("envy".to_owned(), Filters::default(), Limit::clamped(2));
        let page = store.search(&SearchQuery { text, filters, after, limit }, &|_| None).expect("a search is made");
        walked.extend(page.items.into_iter().map(|hit| hit.card.subid.to_string()));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(walked, found);

    with(store, "in-passing", "The death of a king.");
    let mortality = vec!["mortality".to_owned()];
    save(store, &BookDraft { tags: mortality, ..draft("about", "Of ends") });
    let (found, is_near, _) = results(store, "death", 20);
    assert_eq!((found, is_near), (vec!["about".to_owned(), "in-passing".to_owned()], false));

    // A word in the title or the author's name, and the other in the text.
    with(store, "mill", "He kept a pigeon and a woman’s letter.");
    assert_eq!(results(store, "mill pigeon", 20), (vec!["mill".to_owned()], false, None));
    assert_eq!(results(store, "women", 20).0, ["mill"], "another form of the word");
}

/// A misspelled word offers the search that was meant; so does a correct one that is spelled or sounds like a name, but its own
/// results stay.
pub fn a_misspelled_search_is_offered_corrected<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    library(store);
    save(store, &draft("origin", "On the Origin of Species"));
    let body = "<h3>Idea</h3><p>A thorough study. The origin of pieces, a machine apart.</p>".to_owned();
    save(store, &BookDraft { body, ..draft("study", "A study") });
    for (text, first, offered) in [
        ("origin of spieces", "origin", Some("origin of species")),
        ("Mediations", "meditations", Some("meditations")),
        ("machiaveli", "the-prince", Some("Machiavelli")),
        ("nicolo machiaveli", "the-prince", Some("Niccolò Machiavelli")),
        ("origin of species", "origin", None),
        ("meditat", "meditations", None),
        ("studi", "study", None),
    ] {
        let (found, is_near, meant) = results(store, text, 20);
        assert_eq!((found.first().map(String::as_str), is_near), (Some(first), false), "{text}");
        assert_eq!(meant.as_deref(), offered, "{text}");
    }
    store.save_author(&author("thoreau", "Henry David Thoreau"), NOW).expect("the author is saved");
    save(store, &BookDraft { author: slug("thoreau"), ..draft("cape-cod", "Cape Cod") });
    let (found, _, meant) = results(store, "thorough", 20);
    assert_eq!((found[0].as_str(), meant.as_deref()), ("study", Some("Thoreau")), "the word itself first");
    // The offer is made once, above the results.
    let query = SearchQuery {
        text: "nicolo machiavelly".to_owned(),
        filters: Filters::default(),
        after: None,
        limit: Limit::clamped(1),
    };
    let page = store.search(&query, &|_| None).expect("a search is made");
    assert!(page.did_you_mean.is_some());
    if page.next.is_some() {
        let page = store.search(&SearchQuery { after: page.next, ..query }, &|_| None).expect("a search is made");
        assert_eq!(page.did_you_mean, None);
    }
}

/// A title counts more than a text, and a hit in a text names its section.
pub fn a_search_puts_titles_first_and_says_where<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    library(store);
    assert_eq!(search(store, "prince"), ["the-prince", "essays"]);
    assert_eq!(search(store, "the prince")[0], "the-prince");
    let hits = search_as(store, "mercenaries", Some(Access::Full));
    let section = hits[0].section.as_ref().expect("a section is named");
    assert_eq!((section.title.as_str(), section.place), ("Hired soldiers", 1));
    assert_eq!(hits[0].passage.as_deref(), Some("\u{e000}Mercenaries\u{e001} ruined Italy, he argued."));
    let hits = search_as(store, "fortune", Some(Access::Full));
    assert_eq!(hits[0].section.as_ref().map(|section| section.place), Some(0), "a heading counts");
    let hits = search_as(store, "walden", Some(Access::Full));
    assert_eq!((hits[0].section.clone(), hits[0].passage.clone()), (None, None), "the title alone speaks of it");
    let hits = search_as(store, "etre", Some(Access::Full));
    assert!(hits[0].passage.as_deref().is_some_and(|passage| passage.contains("\u{e000}Être\u{e001} libre.")));
}

/// The filters of lists apply to searches, and the pages of a search hold every book once.
pub fn a_search_is_filtered_and_paged<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    furnish(store);
    for at in 0..30 {
        let body = format!("<h3>Idea</h3><p>{}</p><p>end</p>", "glacier ".repeat(1 + at % 7));
        let categories = slugs(if at % 3 == 0 { &["nature"] } else { &["politics"] });
        let title = if at % 5 == 0 { "Glacier country" } else { "Other country" };
        save(store, &BookDraft { body, categories, ..draft(&format!("g{at}"), title) });
    }
    let filters = Filters { category: CategoryKey::parse("nature"), ..Filters::default() };
    for (filters, count) in [(Filters::default(), 30), (filters, 10)] {
        let mut walked = Vec::new();
        let mut after = None;
        loop {
            let query =
                SearchQuery { text: "glaciers".to_owned(), filters: filters.clone(), after, limit: Limit::clamped(7) };
            let page = store.search(&query, &|_| Some(Access::Full)).expect("a search is made");
            walked.extend(page.items.into_iter().map(|hit| (hit.card.title, hit.card.id)));
            after = page.next.map(|key| key.to_string().parse().expect("the key is read back"));
            if after.is_none() {
                break;
            }
        }
        let first_other = walked.iter().position(|(title, _)| title.starts_with("Other")).expect("others follow");
        assert!(walked[first_other..].iter().all(|(title, _)| title.starts_with("Other")), "titles come first");
        let mut ids: Vec<BookId> = walked.into_iter().map(|(_, id)| id).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }
    let query = SearchQuery {
        text: "glacier".to_owned(),
        filters: Filters::default(),
        after: Some(crate::BookCursor::Date { at: NOW, id: BookId::from_store(1) }),
        limit: Limit::clamped(7),
    };
    assert!(matches!(store.search(&query, &|_| Some(Access::Full)), Err(CatalogueError::BadCursor)));
}

/// Passages never quote text that the searcher may not read.
pub fn passages_come_from_what_may_be_read<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    furnish(store);
    let body = "<h3>Open</h3><p>A visible walrus.</p><h3>Closed</h3><p>A hidden narwhal and a walrus too, walrus.</p><p>The end of it, and more words here.</p>";
    let id = save(store, &BookDraft { body: body.to_owned(), ..draft("paid", "Paid") });
    let preview = Some(Access::Preview);
    let only = |store: &mut S, text: &str, shown: Option<Access>| {
        let hits = search_as(store, text, shown);
        assert_eq!(hits.len(), 1, "{text}");
        hits[0].clone()
    };
    let hit = only(store, "narwhal", preview);
    assert_eq!(hit.section.map(|section| section.title).as_deref(), Some("Closed"), "the contents are public");
    assert_eq!(hit.passage, None);
    let hit = only(store, "visible", preview);
    assert_eq!(hit.passage.as_deref(), Some("A \u{e000}visible\u{e001} walrus."));
    let hit = only(store, "narwhal", Some(Access::Full));
    assert!(hit.passage.is_some_and(|passage| passage.contains("hidden \u{e000}narwhal\u{e001}")));
    assert_eq!(only(store, "visible", None).passage, None);

    // The access is decided for each book.
    let other = body.replace("walrus", "manatee");
    save(store, &BookDraft { body: other, ..draft("other", "Other") });
    let terms = store.search(
        &SearchQuery { text: "hidden".to_owned(), filters: Filters::default(), after: None, limit: Limit::clamped(9) },
        &|card| if card.id == id { Some(Access::Full) } else { None },
    );
    let hits = terms.expect("a search is made").items;
    assert_eq!(hits.len(), 2);
    assert!(hits.iter().all(|hit| hit.passage.is_some() == (hit.card.id == id)), "{hits:?}");
}

/// Views count for 14 days, and their weight halves every three days.
pub fn the_trend_is_made_of_recent_opens<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
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
}

/// Counts add up over the last 30 days, what was searched once is left out, and a count is kept for 90 days.
pub fn searches_without_a_result_are_counted_by_day_and_forgotten<S: CatalogueStore>(
    store: &mut S,
    _rate: Rate<'_, S>,
) {
    let add = |store: &mut S, days: i64, searches: &[(&str, u64)]| {
        let searches = searches.iter().map(|(words, count)| ((*words).to_owned(), *count)).collect();
        store.add_unanswered_searches(&searches, NOW.plus(-days * DAY)).expect("searches are counted");
    };
    let seen = |store: &mut S, limit| -> Vec<(String, u64)> {
        let found = store.unanswered_searches(NOW, limit).expect("searches are read");
        found.into_iter().map(|one| (one.words, one.count)).collect()
    };
    let sums =
        |sums: &[(&str, u64)]| sums.iter().map(|(words, count)| ((*words).to_owned(), *count)).collect::<Vec<_>>();
    add(store, 0, &[]);
    add(store, 0, &[("quantum", 2), ("once", 1), ("knitting", 3)]);
    add(store, 0, &[("quantum", 1)]);
    add(store, 29, &[("quantum", 1), ("chess", 3)]);
    add(store, 30, &[("quantum", 100)]);
    assert_eq!(seen(store, 9), sums(&[("quantum", 4), ("chess", 3), ("knitting", 3)]));
    assert_eq!(seen(store, 1), sums(&[("quantum", 4)]));
    store.sweep_unanswered_searches(NOW.plus(90 * DAY)).expect("searches are swept");
    assert_eq!(seen(store, 9), sums(&[("knitting", 3), ("quantum", 3)]), "those of today are kept for 90 days");
    store.sweep_unanswered_searches(NOW.plus(91 * DAY)).expect("searches are swept");
    assert_eq!(seen(store, 9), []);
    // A day keeps a bounded number of different searches, and counts those on.
    let many = (0..SEARCHES_PER_DAY).map(|n| (format!("random {n}"), 1)).collect();
    store.add_unanswered_searches(&many, NOW).expect("searches are counted");
    add(store, 0, &[("one more", 5), ("random 7", 1)]);
    assert_eq!(seen(store, 9), sums(&[("random 7", 2)]));
}

/// By rating, popularity and age; of the chosen categories first; without the completed ones.
pub fn recommendations_are_the_best_of_the_chosen<S: CatalogueStore>(store: &mut S, rate: Rate<'_, S>) {
    let (_, categories, _) = furnish(store);
    let nature = || slugs(&["nature"]);
    let plain = save(store, &BookDraft { categories: nature(), ..draft("plain", "Plain") });
    let older = BookDraft { categories: nature(), upload_date: NOW.plus(-900 * DAY), ..draft("older", "Older") };
    let older = save(store, &older);
    let marked = save(store, &BookDraft { categories: nature(), is_popular: true, ..draft("marked", "Marked") });
    let loved = save(store, &BookDraft { categories: nature(), ..draft("loved", "Loved") });
    let disliked = save(store, &BookDraft { categories: nature(), ..draft("disliked", "Disliked") });
    let elsewhere = save(store, &draft("elsewhere", "Elsewhere"));
    rate(store, loved, Ratings { count: 40, sum: 195 });
    rate(store, disliked, Ratings { count: 40, sum: 60 });
    rate(store, elsewhere, Ratings { count: 40, sum: 200 });
    let best = store.recommendations(&categories[2..], &[], &[], 5).expect("books are read");
    assert_eq!(subids(&best), ["loved", "marked", "plain", "older", "disliked"]);
    let best = store.recommendations(&categories[2..], &[loved], &[plain], 4).expect("books are read");
    assert_eq!(subids(&best), ["marked", "older", "disliked", "elsewhere"], "filled up from the others");
    let best = store.recommendations(&[], &[], &[], 2).expect("books are read");
    assert_eq!(subids(&best), ["elsewhere", "loved"]);
    let popular = store.popular_books(2).expect("books are read");
    assert_eq!(popular[0].id, marked);
    assert!(older.get() > 0 && disliked.get() > 0);
}

/// As long as the catalogue has a book, there is something to recommend; a completed one only when nothing else is left.
pub fn recommendations_are_never_empty<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    let (_, categories, _) = furnish(store);
    let recommended = |store: &mut S, chosen: &[CategoryId], begun: &[BookId], completed: &[BookId]| {
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
}

/// A free hero, popular and new books, categories and the count.
pub fn the_front_page_has_its_books<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
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
}

/// Key ideas with these titles.
fn visuals(titles: &[&str]) -> VisualsDraft {
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

/// A book's key ideas are saved and replaced as a whole, and counted on its card.
pub fn key_ideas_stand_in_their_order_and_are_replaced_whole<S: CatalogueStore>(store: &mut S, _: Rate<'_, S>) {
    furnish(store);
    let book = save(store, &draft("owls", "Owls"));
    let titles = |store: &mut S| -> Vec<String> {
        store.visuals(book).expect("they are read").into_iter().map(|visual| visual.title).collect()
    };
    let counted = |store: &mut S| store.book_cards(&[book]).expect("a card is read")[0].visuals;
    assert_eq!((titles(store), counted(store)), (Vec::<String>::new(), 0));
    assert_eq!(store.visual_set(book).expect("it is read"), None);

    let three = visuals(&["one", "two", "three"]);
    assert_eq!(store.save_visuals(book, &three, NOW).expect("they are saved"), SaveOutcome::Created(book));
    assert_eq!(store.save_visuals(book, &three, NOW).expect("they are saved"), SaveOutcome::Unchanged(book));
    assert_eq!((titles(store), counted(store)), (vec!["one".to_owned(), "two".into(), "three".into()], 3));
    let set = store.visual_set(book).expect("it is read").expect("it is there");
    assert_eq!((set.book, set.infographic.as_deref()), (book, Some("infographics/all.svg")));

    let other = VisualsDraft { image: Some("thumbs/other.svg".to_owned()), ..visuals(&["three", "one"]) };
    assert_eq!(store.save_visuals(book, &other, NOW).expect("they are saved"), SaveOutcome::Changed(book));
    assert_eq!((titles(store), counted(store)), (vec!["three".to_owned(), "one".into()], 2));
    let redrawn = VisualsDraft { infographic: Some("infographics/new.svg".to_owned()), ..other };
    assert_eq!(store.save_visuals(book, &redrawn, NOW).expect("they are saved"), SaveOutcome::Changed(book));

    // Saving the book does not change its key ideas.
    save(store, &BookDraft { description: "Again.".to_owned(), ..draft("owls", "Owls") });
    assert_eq!(counted(store), 2);

    let refused = |store: &mut S, draft: VisualsDraft| match store.save_visuals(book, &draft, NOW) {
        Err(CatalogueError::Invalid { field, .. }) => field,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(store, visuals(&[])), "visuals");
    assert_eq!(refused(store, visuals(&[" "])), "title");
    let mut long = visuals(&["one"]);
    long.ideas[0].body = "word ".repeat(VISUAL_WORDS + 1);
    assert_eq!(refused(store, long.clone()), "body");
    " ".clone_into(&mut long.ideas[0].body);
    assert_eq!(refused(store, long), "body");
    assert_eq!(refused(store, VisualsDraft { image: None, ..visuals(&["one"]) }), "image");
    assert_eq!(titles(store).len(), 2, "what was refused changed nothing");

    // An idea's drawing is stored, and so is an idea without a picture, which readers do not see.
    let drawing = IdeaDrawing { motif: r#"{"motif":"beasts"}"#.to_owned(), ground: "deep".to_owned() };
    let mut some = visuals(&["one", "two"]);
    (some.ideas[0].image, some.ideas[1].drawing) = (None, Some(drawing));
    assert_eq!(store.save_visuals(book, &some, NOW).expect("they are saved"), SaveOutcome::Changed(book));
    assert_eq!(store.save_visuals(book, &some, NOW).expect("they are saved"), SaveOutcome::Unchanged(book));
    assert_eq!((titles(store), counted(store)), (vec!["two".to_owned()], 1));
    assert_eq!(store.visuals_draft(book).expect("it is read"), Some(some));
    let mut none = VisualsDraft { image: None, infographic: None, infographic_thumb: None, ..visuals(&["one"]) };
    none.ideas[0].image = None;
    assert_eq!(store.save_visuals(book, &none, NOW).expect("they are saved"), SaveOutcome::Changed(book));
    assert_eq!((titles(store).len(), counted(store)), (0, 0));
    assert_eq!(store.visual_set(book).expect("it is read"), None);
    assert_eq!(store.visuals_draft(book).expect("it is read"), Some(none));
}

/// The periods of an infographic survive when it is drawn again, withdrawn or uploaded.
pub fn an_infographic_has_its_times<S: CatalogueStore>(store: &mut S, _: Rate<'_, S>) {
    furnish(store);
    let at = |hours: i64| NOW.plus(hours * HOUR);
    let book = save(store, &draft("owls", "Owls"));
    let soon = save(store, &BookDraft { coming_soon: true, ..draft("bees", "Bees") });
    let times = |store: &mut S| {
        let mut all = store.infographic_periods().expect("they are read");
        all.sort_unstable();
        all
    };
    let of = |book, from, until| InfographicPeriod { book, from, until };
    assert_eq!(times(store), []);

    store.save_visuals(book, &visuals(&["one"]), at(1)).expect("they are saved");
    store.save_visuals(soon, &visuals(&["two"]), at(1)).expect("they are saved");
    assert_eq!(times(store), [of(book, at(1), None)], "what is announced can't be had");
    store.save_visuals(book, &visuals(&["one", "more"]), at(2)).expect("they are saved");
    let set = store.visual_set(book).expect("it is read").expect("it is there");
    store.put_visual_set(&set, at(3)).expect("it is drawn anew");
    assert_eq!(times(store), [of(book, at(1), None)], "one that is drawn anew is the same one");

    let save_at = |store: &mut S, draft: &BookDraft, now| store.save_book(draft, now).expect("it is saved");
    save_at(store, &BookDraft { published: false, ..draft("owls", "Owls") }, at(4));
    save_at(store, &draft("bees", "Bees"), at(5));
    assert_eq!(times(store), [of(book, at(1), Some(at(4))), of(soon, at(5), None)]);
    save_at(store, &draft("owls", "Owls"), at(6));
    assert_eq!(times(store), [of(book, at(1), Some(at(4))), of(book, at(6), None), of(soon, at(5), None)]);

    // Without key ideas there is no infographic, drawn or uploaded.
    let only = store.edited_visuals().expect("they are read").into_iter().find(|one| one.book == soon).expect("one");
    store.delete_visual(only.id).expect("it is removed");
    store.note_infographic(soon, at(7)).expect("it is noted");
    store.note_infographic(soon, at(8)).expect("it is noted");
    assert_eq!(times(store)[2..], [of(soon, at(5), Some(at(7)))]);
    let extras = BookExtras { infographic: Some("infographics/bees-1a.jpg".to_owned()), ..BookExtras::default() };
    store.update_book_extras(soon, &extras).expect("extras are saved");
    store.note_infographic(soon, at(9)).expect("it is noted");
    assert_eq!(times(store).len(), 3);
    let mut uploaded = visuals(&["three"]);
    (uploaded.infographic, uploaded.infographic_thumb) = (None, None);
    store.save_visuals(soon, &uploaded, at(10)).expect("they are saved");
    assert_eq!(times(store)[3..], [of(soon, at(10), None)]);

    store.delete_book(book).expect("it is removed");
    assert_eq!(times(store), [of(soon, at(5), Some(at(7))), of(soon, at(10), None)]);
}

/// Each published book with key ideas is listed once, whatever the size of a page.
pub fn books_with_key_ideas_are_paged<S: CatalogueStore>(store: &mut S, _: Rate<'_, S>) {
    furnish(store);
    let mut books = Vec::new();
    for name in ["a", "b", "c", "d"] {
        let book = save(store, &draft(&format!("{name}-book"), name));
        store.save_visuals(book, &visuals(&["one", "two"]), NOW).expect("they are saved");
        books.push(book);
    }
    save(store, &draft("without", "Without"));
    save(store, &BookDraft { published: false, ..draft("b-book", "b") });
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let page = store.visual_books(after, Limit::clamped(2)).expect("a page is read");
        for book in &page.items {
            assert_eq!(book.card.visuals, 2);
            assert_eq!(book.pictures.book, book.card.id);
            assert_eq!(store.visuals(book.card.id).expect("they are read")[0].id, book.id);
        }
        seen.extend(page.items.iter().map(|book| book.card.id));
        let Some(next) = page.next else { break };
        after = Some(next);
    }
    assert_eq!(seen, [books[3], books[2], books[0]]);
    let total = |store: &mut S| store.visual_books_total().expect("they are counted");
    assert_eq!(total(store), 3);
    // The count follows what is published, and a book counts once.
    save(store, &draft("b-book", "b"));
    assert_eq!(total(store), 4);
    store.save_visuals(books[1], &visuals(&["one"]), NOW).expect("they are saved");
    save(store, &BookDraft { description: "Again.".to_owned(), ..draft("b-book", "b") });
    assert_eq!(total(store), 4);
    save(store, &BookDraft { coming_soon: true, ..draft("b-book", "b") });
    assert_eq!(total(store), 3);
    let listed = store.visual_books(None, Limit::clamped(9)).expect("a page is read").items;
    assert_eq!(listed.len(), 3, "what is announced is neither counted nor listed");
    save(store, &draft("b-book", "b"));
    assert_eq!(total(store), 4);
    save(store, &BookDraft { published: false, ..draft("b-book", "b") });
    store.save_visuals(books[1], &visuals(&["two"]), NOW).expect("they are saved");
    assert_eq!(total(store), 3);
}

/// From A to Z by family name, without authors who have no readable book; counts follow what is published.
pub fn the_directory_of_authors_is_walked_by_letter_and_key<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
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
    let names = |store: &mut S, letter: Option<Letter>| -> Vec<(String, u64)> {
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
}

/// Saving a collection with an existing title changes that one; its categories keep their order.
pub fn collections_are_saved_by_title_and_walked_by_key<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
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
}

/// Suggests books with their sections, authors, categories, collections and tags: by prefixes, without accents, with
/// typos.
pub fn what_is_typed_is_suggested_from_everything<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    library(store);
    store
        .save_collection(&CollectionDraft {
            title: "Étude of Rivers".to_owned(),
            subtitle: String::new(),
            image: None,
            upload_date: NOW,
            categories: slugs(&["nature"]),
            books: Vec::new(),
        })
        .expect("a collection is saved");
    // An old collection is found even if more than a page of newer ones match.
    for n in 0..=Limit::MAX {
        store
            .save_collection(&CollectionDraft {
                title: format!("Shelf {n}"),
                subtitle: String::new(),
                image: None,
                upload_date: NOW.plus(DAY),
                categories: slugs(&["nature"]),
                books: Vec::new(),
            })
            .expect("a collection is saved");
    }
    let suggest = |store: &mut S, text: &str, limit: usize| {
        let query = SuggestionsQuery { text: text.to_owned(), limit: Limit::clamped(limit) };
        store.suggestions(&query, &|_| Some(Access::Full)).expect("suggestions are made")
    };
    let books = |store: &mut S, text: &str| -> Vec<String> {
        suggest(store, text, 5).books.iter().map(|hit| hit.card.subid.to_string()).collect()
    };
    let authors = |store: &mut S, text: &str| -> Vec<String> {
        suggest(store, text, 5).authors.iter().map(|author| author.slug.to_string()).collect()
    };
    for text in ["machiavelli", "mach", "machia", "nicco", "NICCOLÒ", "machiaveli", "machiavelo", "niccolo mac"] {
        assert_eq!(authors(store, text), ["niccolo-machiavelli"], "{text}");
        assert_eq!(books(store, text).first().map(String::as_str), Some("the-prince"), "{text}");
    }
    let found = suggest(store, "natu", 5);
    assert_eq!(found.categories.iter().map(|one| one.draft.name.as_str()).collect::<Vec<_>>(), ["Nature"]);
    assert_eq!(subids(&found.books.iter().map(|hit| hit.card.clone()).collect::<Vec<_>>()), ["walden"]);
    let found = suggest(store, "etude", 5);
    assert_eq!(found.collections.iter().map(|one| one.draft.title.as_str()).collect::<Vec<_>>(), ["Étude of Rivers"]);
    assert!(!suggest(store, "stoic", 5).tags.is_empty(), "tags by their beginning");
    let found = suggest(store, "mercenar", 5);
    assert!(found.books[0].section.is_some() && found.books[0].passage.is_some(), "with the place and the words");
    let found = suggest(store, "river", 1);
    assert!((found.books.len(), found.more) == (1, true), "there is another");
    for text in ["", "  ", "?!", "\u{0}", "zzzzqqq", "%_"] {
        assert_eq!(suggest(store, text, 5), crate::Suggestions::default(), "{text:?}");
    }
}

/// Unpublished and announced books are listed for editors, in each order, filtered and counted.
pub fn editors_list_books_that_are_not_published_too<S: CatalogueStore + EditingCommands>(
    store: &mut S,
    _rate: Rate<'_, S>,
) {
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
    let list = |store: &mut S, filter: ListedFilter, sort, descending, after, limit| {
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
    let of_state = |store: &mut S, state| {
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
    let lacking = |store: &mut S, what| {
        list(store, ListedFilter { lacking: Some(what), ..all() }, ListedSort::Id, false, None, 10)
    };
    assert_eq!(lacking(store, Lacking::Audio), [walden, unpublished]);
    assert_eq!(lacking(store, Lacking::Cover), [unpublished, soon]);
    assert_eq!(lacking(store, Lacking::KeyIdeas), [walden, unpublished]);
    let texts = |store: &mut S, text: &str| {
        list(store, ListedFilter { text: Some(text.to_owned()), ..all() }, ListedSort::Id, false, None, 10)
    };
    assert_eq!(texts(store, "WALD"), [walden]);
    assert_eq!(texts(store, "%"), []);
    assert!(texts(store, &unpublished.to_string()).contains(&unpublished));
    assert_eq!(list(store, ListedFilter { free: Some(true), ..all() }, ListedSort::Id, false, None, 10), [walden]);
    assert_eq!(store.count_listed_books(&all()).expect("books are counted").count(), 3);
    assert_eq!(store.count_listed_books(&ListedFilter { free: Some(false), ..all() }).expect("counted").count(), 2);
}

/// A slug that another book has is refused.
pub fn a_book_is_renamed_with_all_that_belongs_to_it<S: CatalogueStore + EditingCommands>(
    store: &mut S,
    _rate: Rate<'_, S>,
) {
    furnish(store);
    let walden = store.save_book(&draft("walden", "A title"), NOW).expect("a book is saved").id();
    let other = store.save_book(&draft("other", "A title"), NOW).expect("a book is saved").id();
    assert!(!store.rename_book(walden, &slug("other")).expect("a book is renamed"));
    assert!(store.rename_book(walden, &slug("life-in-the-woods")).expect("a book is renamed"));
    assert_eq!(store.find_book_draft(&slug("walden")).expect("a draft is read"), None);
    let (id, renamed) = store.find_book_draft(&slug("life-in-the-woods")).expect("a draft is read").expect("there");
    assert_eq!((id, renamed.subid.as_str()), (walden, "life-in-the-woods"));
    // A book may keep its own slug.
    assert!(store.rename_book(other, &slug("other")).expect("a book is renamed"));
}

/// A book's extras are stored beside its draft.
pub fn a_book_has_extras_and_a_moment_at_which_it_is_published<S: CatalogueStore + EditingCommands>(
    store: &mut S,
    _rate: Rate<'_, S>,
) {
    furnish(store);
    let id = store
        .save_book(&BookDraft { published: false, ..draft("walden", "Walden") }, NOW)
        .expect("a book is saved")
        .id();
    assert_eq!(store.book_extras(id).expect("extras are read"), Some(BookExtras::default()));
    assert_eq!(store.book_extras(BookId::from_store(4711)).expect("extras are read"), None);
    let extras = BookExtras {
        vector: Some("covers/walden.svg".to_owned()),
        infographic: Some("infographics/walden.jpg".to_owned()),
        podcast: Some("audio/walden.mp3".to_owned()),
        publish_at: Some(NOW.plus(HOUR)),
    };
    store.update_book_extras(id, &extras).expect("extras are saved");
    assert_eq!(store.book_extras(id).expect("extras are read"), Some(extras.clone()));
    // Saving the draft keeps them.
    store
        .save_book(&BookDraft { published: false, title: "Other".to_owned(), ..draft("walden", "Walden") }, NOW)
        .expect("saved");
    assert!(store.book_extras(id).expect("extras are read").is_some_and(|there| there.vector.is_some()));
    // Readers get the drawing and the podcast episode with the book.
    let public = store.save_book(&draft("meditations", "Meditations"), NOW).expect("a book is saved").id();
    let read = |store: &mut S| store.book(&BookRef::Id(public)).expect("a book is read").expect("it is published");
    assert_eq!((read(store).vector, read(store).podcast), (None, None));
    let extras = BookExtras { publish_at: None, ..extras };
    store.update_book_extras(public, &extras).expect("extras are saved");
    assert_eq!((read(store).vector, read(store).podcast), (extras.vector, extras.podcast));
    assert_eq!(store.books_to_publish(NOW).expect("due books are read"), []);
    assert_eq!(store.books_to_publish(NOW.plus(HOUR)).expect("due books are read"), [slug("walden")]);
}

/// A book's files: its pictures, its podcast episode, and those of its key ideas; not those of another book.
pub fn the_files_of_a_book_are_those_of_its_key_ideas_too<S: CatalogueStore + EditingCommands>(
    store: &mut S,
    _rate: Rate<'_, S>,
) {
    furnish(store);
    let image = Some("covers/walden.svg".to_owned());
    let id = store.save_book(&BookDraft { image, ..draft("walden", "Walden") }, NOW).expect("a book is saved").id();
    assert_eq!(store.book_files(id).expect("files are read"), ["covers/walden.svg"]);
    let extras = BookExtras {
        vector: Some("covers/walden-vector.svg".to_owned()),
        infographic: Some("infographics/walden.jpg".to_owned()),
        podcast: Some("audio/walden.mp3".to_owned()),
        publish_at: None,
    };
    store.update_book_extras(id, &extras).expect("extras are saved");
    let idea = EditedVisual {
        id: VisualId::from_store(0),
        book: id,
        title: "One".to_owned(),
        body: "An idea.".to_owned(),
        image: Some("visuals/one.jpg".to_owned()),
        drawing: None,
    };
    let idea = EditedVisual { id: store.insert_visual(&idea).expect("an idea is added"), ..idea };
    store.update_visual(&idea).expect("an idea is saved");
    store.insert_visual_set(id, "thumbs/one.jpg", NOW).expect("a set is saved");
    let other = BookDraft { image: Some("covers/other.svg".to_owned()), ..draft("other", "Other") };
    store.save_book(&other, NOW).expect("a book is saved");
    let files = [
        "audio/walden.mp3",
        "covers/walden-vector.svg",
        "covers/walden.svg",
        "infographics/walden.jpg",
        "thumbs/one.jpg",
        "thumbs/walden.jpg",
        "visuals/one.jpg",
    ];
    assert_eq!(store.book_files(id).expect("files are read"), files);
    store.delete_book(id).expect("a book is deleted");
    assert_eq!(store.book_files(id).expect("files are read"), Vec::<String>::new());
}

/// A goal's pictures stay when its texts are saved.
pub fn a_goal_has_pictures_that_saving_its_texts_leaves<S: CatalogueStore + EditingCommands>(
    store: &mut S,
    _rate: Rate<'_, S>,
) {
    let (_, _, goals) = furnish(store);
    let pictures = |store: &mut S| {
        let all = store.goals().expect("goals are read");
        all.into_iter().map(|goal| goal.pictures).collect::<Vec<_>>()
    };
    assert_eq!(pictures(store), [GoalPictures::default(), GoalPictures::default()]);
    store.set_goal_picture(goals[1], GoalPicture::Photo, "goals/a.jpg").expect("a picture is saved");
    store.set_goal_picture(goals[1], GoalPicture::FeaturePhoto, "goals/b.jpg").expect("a picture is saved");
    store.set_goal_picture(goals[1], GoalPicture::FeaturePhoto, "goals/c.jpg").expect("a picture is saved");
    store.set_goal_picture(GoalId::from_store(4711), GoalPicture::Photo, "goals/d.jpg").expect("nothing is saved");
    store.save_goal(&goal("lead", "Lead better", 1), NOW).expect("a goal is saved");
    let both = GoalPictures { photo: Some("goals/a.jpg".into()), feature_photo: Some("goals/c.jpg".into()) };
    assert_eq!(pictures(store), [GoalPictures::default(), both]);
}

fn names<Id>(text: Option<&str>, unused: bool, after: Option<Id>, limit: usize) -> NamesQuery<Id> {
    NamesQuery { text: text.map(str::to_owned), unused, after, limit: Limit::clamped(limit) }
}

/// All authors and tags are listed by name, counted and found, even those without a published book.
pub fn editors_list_all_authors_and_tags<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    let (authors, _, _) = furnish(store);
    let ada = store.save_author(&author("ada-byron", "Ada Byron"), NOW).expect("an author is saved").id();
    let of = |tags: &[&str]| tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>();
    let one = BookDraft { tags: of(&["Stoics", "Calm"]), published: false, ..draft("one", "One") };
    store.save_book(&one, NOW).expect("a book is saved");
    store.save_book(&BookDraft { tags: of(&["stoics", "virtue"]), ..draft("two", "Two") }, NOW).expect("saved");
    store.save_book(&BookDraft { tags: of(&["calm"]), ..one }, NOW).expect("a book is saved");
    let writer = store.author(&draft("one", "One").author).expect("an author is read").expect("an author").id;
    let list = |store: &mut S, query: &NamesQuery<AuthorId>| {
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
}

/// Books are found by the tag's new name; the name of another tag is refused.
pub fn a_tag_is_renamed_in_its_books_too<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    furnish(store);
    let tags = vec!["stoicks".to_owned(), "virtue".to_owned()];
    store.save_book(&BookDraft { tags, ..draft("walden", "Walden") }, NOW).expect("a book is saved");
    let id = store.find_tag(&slug("stoicks")).expect("a tag is found").expect("a tag");
    let taken = store.rename_tag(id, &Tag::named("Virtue").expect("a tag"), NOW);
    assert!(matches!(taken, Err(CatalogueError::Invalid { field: "name", .. })), "{taken:?}");
    store.rename_tag(id, &Tag::named("Stoic Calm").expect("a tag"), NOW).expect("a tag is renamed");
    let tagged =
        |store: &mut S, tag: &str| list(store, Sort::New, Filters { tag: Some(slug(tag)), ..Filters::default() });
    assert_eq!(tagged(store, "stoic-calm"), ["walden"]);
    assert_eq!(store.find_tag(&slug("stoicks")).expect("a tag is looked for"), None);
    let card = store.book(&BookRef::Subid(slug("walden"))).expect("a book is read").expect("a book").card;
    assert_eq!(card.tags, ["stoic calm", "virtue"]);
    assert_eq!(search(store, "stoic calm"), ["walden"]);
    let listed = store.listed_tag(id).expect("a tag is read").expect("the same tag");
    assert_eq!((listed.tag.slug.as_str(), listed.books), ("stoic-calm", 1));
}

/// Authors, categories, goals and tags of a book, published or not, can't be deleted.
pub fn only_what_no_book_names_is_deleted<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    let (authors, categories, goals) = furnish(store);
    let book = BookDraft {
        author: slug("marcus-aurelius"),
        categories: slugs(&["philosophy"]),
        goals: slugs(&["calm"]),
        tags: vec!["virtue".to_owned()],
        published: false,
        ..draft("walden", "Walden")
    };
    let id = store.save_book(&book, NOW).expect("a book is saved").id();
    let tag = store.find_tag(&slug("virtue")).expect("a tag is found").expect("a tag");
    for naming in
        [Naming::Author(authors[0]), Naming::Category(categories[0]), Naming::Goal(goals[0]), Naming::Tag(tag)]
    {
        assert_eq!(store.books_naming(naming).expect("books are found"), [(id, slug("walden"))], "{naming:?}");
    }
    assert!(!store.delete_author(authors[0]).expect("asked"));
    assert!(!store.delete_category(categories[0]).expect("asked"));
    assert!(!store.delete_goal(goals[0]).expect("asked"));
    assert!(!store.delete_tag(tag).expect("asked"));
    let shelf = CollectionDraft {
        title: "Shelf".to_owned(),
        subtitle: String::new(),
        image: None,
        upload_date: NOW,
        categories: slugs(&["politics", "nature"]),
        books: Vec::new(),
    };
    let shelf = store.save_collection(&shelf).expect("a collection is saved").id();
    assert!(store.delete_author(authors[1]).expect("deleted"));
    assert!(!store.delete_author(authors[1]).expect("it is gone"));
    assert!(store.delete_category(categories[1]).expect("deleted"));
    assert!(store.delete_goal(goals[1]).expect("deleted"));
    store.save_book(&BookDraft { tags: Vec::new(), ..book }, NOW).expect("a book is saved");
    assert!(store.delete_tag(tag).expect("deleted"));
    assert_eq!(store.author(&slug("niccolo-machiavelli")).expect("read"), None);
    assert_eq!(store.categories().expect("read").len(), 2);
    assert_eq!(store.goals().expect("read").len(), 1);
    let left = store.collection(shelf).expect("read").expect("a collection").draft.categories;
    assert_eq!(left, slugs(&["nature"]));
    assert!(store.delete_collection(shelf).expect("deleted"));
    assert!(!store.delete_collection(shelf).expect("it is gone"));
}

/// A book is deleted with everything that belongs to it, and no longer counted.
pub fn a_book_without_readers_is_deleted<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
    furnish(store);
    let id = save(store, &draft("walden", "Walden"));
    let other = save(store, &draft("other", "Other"));
    assert_eq!(store.book_count().expect("counted"), 2);
    assert!(store.delete_book(id).expect("deleted"));
    assert!(!store.delete_book(id).expect("it is gone"));
    assert_eq!(store.book_count().expect("counted"), 1);
    assert_eq!(store.find_book_draft(&slug("walden")).expect("read"), None);
    assert_eq!(list(store, Sort::New, Filters::default()), ["other"]);
    assert!(store.book_extras(other).expect("read").is_some());
}

/// Chosen books replace the categories, page by page; a deleted book leaves its collections too.
pub fn a_collection_holds_its_chosen_books_in_their_order<S: CatalogueStore>(store: &mut S, _rate: Rate<'_, S>) {
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
    let pages = |store: &mut S, sort: Sort| {
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
}

/// Editors add, change, order and delete key ideas; readers see those with a picture.
pub fn editors_work_on_key_ideas_one_by_one<S: CatalogueStore + EditingCommands>(store: &mut S, _rate: Rate<'_, S>) {
    furnish(store);
    let (owls, bees) = (save(store, &draft("owls", "Owls")), save(store, &draft("bees", "Bees")));
    let new = |book, title: &str| EditedVisual {
        id: VisualId::from_store(1),
        book,
        title: title.to_owned(),
        body: "A body.".to_owned(),
        image: None,
        drawing: None,
    };
    let seen = |store: &mut S, book| {
        let found = store.visuals(book).expect("they are read");
        found.into_iter().map(|visual| visual.title).collect::<Vec<_>>()
    };
    let counted = |store: &mut S, book| store.book_cards(&[book]).expect("a card is read")[0].visuals;
    let total = |store: &mut S| store.visual_books_total().expect("they are counted");
    let edited = |store: &mut S| {
        let found = store.edited_visuals().expect("they are read");
        found.into_iter().map(|visual| (visual.book, visual.title)).collect::<Vec<_>>()
    };
    let titles = ["one", "two", "three"];
    let ids = titles.map(|title| store.insert_visual(&new(owls, title)).expect("one is added"));
    assert_eq!(edited(store), titles.map(|title| (owls, title.to_owned())));
    assert_eq!((seen(store, owls).len(), counted(store, owls), total(store)), (0, 0, 0), "none has a picture");

    for (id, title) in ids.into_iter().zip(titles) {
        let image = Some(format!("visuals/{title}.jpg"));
        store.update_visual(&EditedVisual { id, image, ..new(owls, title) }).expect("one is changed");
        let is_new = store.insert_visual_set(owls, &format!("thumbs/{title}.jpg"), NOW).expect("a picture is saved");
        assert_eq!(is_new, title == "one");
    }
    assert_eq!((seen(store, owls), counted(store, owls), total(store)), (titles.map(String::from).to_vec(), 3, 1));
    let set = store.visual_set(owls).expect("it is read").expect("it is there");
    assert_eq!((set.image.as_str(), set.infographic), ("thumbs/one.jpg", None), "the first picture stays");
    let listed = store.visual_books(None, Limit::clamped(9)).expect("a page is read");
    assert_eq!(listed.items.iter().map(|book| (book.card.id, book.id)).collect::<Vec<_>>(), [(owls, ids[0])]);

    store.order_visuals(owls, &[ids[2], ids[0]]).expect("they are ordered");
    assert_eq!(seen(store, owls), ["three", "one", "two"], "what is not named stays behind");
    store.order_visuals(owls, &[ids[1], ids[2], ids[0]]).expect("they are ordered");
    assert_eq!(seen(store, owls), ["two", "three", "one"]);

    store.insert_visual(&new(bees, "four")).expect("one is added");
    let moved = EditedVisual { id: ids[1], image: Some("visuals/two.jpg".to_owned()), ..new(bees, "Two") };
    store.update_visual(&moved).expect("one is moved");
    assert_eq!(store.edited_visual(ids[1]).expect("it is read"), Some(moved));
    assert_eq!(
        (seen(store, owls), seen(store, bees)),
        (vec!["three".to_owned(), "one".into()], vec!["Two".to_owned()])
    );
    assert_eq!((counted(store, owls), counted(store, bees)), (2, 1));
    let of_bees: Vec<_> = edited(store).into_iter().filter(|(book, _)| *book == bees).map(|(_, title)| title).collect();
    assert_eq!(of_bees, ["four", "Two"]);

    store.update_visual(&EditedVisual { id: ids[0], ..new(owls, "one") }).expect("a picture is taken away");
    assert_eq!((seen(store, owls), counted(store, owls)), (vec!["three".to_owned()], 1));
    store.delete_visual(ids[2]).expect("one is removed");
    store.delete_visual(ids[2]).expect("nothing is removed");
    assert_eq!((seen(store, owls).len(), counted(store, owls)), (0, 0));
    assert_eq!(store.visual_set(owls).expect("it is read"), None, "what was made of all of them went too");
    assert_eq!(store.edited_visual(ids[2]).expect("it is read"), None);
}

/// An uploaded infographic and its thumbnail replace the drawn ones everywhere.
pub fn an_uploaded_infographic_takes_the_place_of_the_drawn_one<S: CatalogueStore + EditingCommands>(
    store: &mut S,
    _rate: Rate<'_, S>,
) {
    furnish(store);
    let book = save(store, &draft("owls", "Owls"));
    store.save_visuals(book, &visuals(&["one"]), NOW).expect("they are saved");
    let extras = BookExtras { infographic: Some("infographics/owls-1a.jpg".to_owned()), ..BookExtras::default() };
    store.update_book_extras(book, &extras).expect("extras are saved");
    let listed = store.visual_books(None, Limit::clamped(9)).expect("a page is read").items.remove(0).pictures;
    let set = store.visual_set(book).expect("it is read").expect("it is there");
    assert_eq!(set, listed);
    assert_eq!(set.infographic.as_deref(), Some("infographics/owls-1a.jpg"));
    assert_eq!(set.infographic_thumb.as_deref(), Some("thumbs/owls-1a.jpg"));

    // An infographic that is drawn meanwhile is stored, and shown once the uploaded one is removed.
    let image = "thumbs/new.svg".to_owned();
    let (infographic, infographic_thumb) = (Some("infographics/new.svg".to_owned()), Some(image.clone()));
    let drawn = VisualSet { book, image, infographic, infographic_thumb };
    store.put_visual_set(&drawn, NOW).expect("it is saved");
    let shown = store.visual_set(book).expect("it is read").expect("it is there");
    assert_eq!((shown.image.as_str(), shown.infographic.as_deref()), ("thumbs/new.svg", extras.infographic.as_deref()));
    let written = store.visuals_draft(book).expect("it is read").expect("there are key ideas");
    assert_eq!(store.save_visuals(book, &written, NOW).expect("they are saved"), SaveOutcome::Unchanged(book));
    store.update_book_extras(book, &BookExtras::default()).expect("extras are saved");
    assert_eq!(store.visual_set(book).expect("it is read"), Some(drawn.clone()));

    let idea = store.edited_visuals().expect("they are read").remove(0);
    store.delete_visual(idea.id).expect("it is removed");
    store.put_visual_set(&drawn, NOW).expect("nothing is saved");
    assert_eq!(store.visual_set(book).expect("it is read"), None, "no key idea is left");
}
