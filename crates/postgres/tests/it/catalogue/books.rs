//! Books, and the names they are filed under: saved, renamed, deleted.

use std::collections::HashMap;

use catalogue::{
    AuthorDraft, BookDraft, BookExtras, BookName, BookRef, Catalogue, CatalogueCommands, CatalogueError,
    CatalogueLists, CatalogueQueries, CategoryDraft, CollectionDraft, EditedVisual, EditingCommands, EditingQueries,
    FilterName, Filters, GoalPicture, GoalPictures, Naming, Quote, Ratings, SaveOutcome, Sort, Tag,
};
use kernel::{BookId, DAY, GoalId, HOUR, VisualId};
use postgres::Pg;

use super::fixtures::{
    NOW, author, category, draft, furnish, goal, list, save, search, slug, slugs, subids, unknown_filters,
    with_catalogue,
};

/// A book that uses every field comes back as it was saved, by id and by slug.
#[test]
fn a_saved_book_is_read_as_a_whole() {
    with_catalogue(|store, rate| {
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
        rate(id, Ratings { count: 2, sum: 9 });
        let book = store.book(&BookRef::Id(id)).expect("a book is read").expect("the book is there");
        assert_eq!(store.book(&BookRef::Subid(slug("the-prince"))).expect("a book is read").as_ref(), Some(&book));
        let card = &book.card;
        assert_eq!((card.id, card.subid.as_str(), card.title.as_str()), (id, "the-prince", "The Prince"));
        assert_eq!(
            (card.author.slug.as_str(), card.author.name.as_str()),
            ("niccolo-machiavelli", "Niccolò Machiavelli")
        );
        assert_eq!(card.description, "What The Prince is about.");
        let named: Vec<_> =
            card.categories.iter().map(|category| (category.id, category.subid.as_str(), category.hue)).collect();
        assert_eq!(
            named,
            [(categories[1], "politics", 45), (categories[0], "philosophy", 45)],
            "in the editors' order"
        );
        assert_eq!(card.categories[0].name, "Politics");
        assert_eq!(card.tags, ["classics", "power"]);
        assert_eq!(
            (card.image.as_deref(), card.media.as_deref()),
            (Some("covers/prince.svg"), Some("audio/prince.mp3"))
        );
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
    });
}

/// Saving reports whether it changed anything.
#[test]
fn saving_the_same_again_changes_nothing() {
    with_catalogue(|store, _| {
        let (authors, categories, goals) = furnish(store);
        let blanks =
            AuthorDraft { name: " Marcus  Aurelius".to_owned(), ..author("marcus-aurelius", "Marcus Aurelius") };
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
    });
}

/// A book that is saved again loses its former sections, tags, goals and categories, and keeps its id and members'
/// data.
#[test]
fn a_book_is_replaced_with_all_that_belongs_to_it() {
    with_catalogue(|store, rate| {
        furnish(store);
        let first = BookDraft {
            body: "<h3>Glaciers</h3><p>Ice flows.</p><h3>Rivers</h3><p>Water flows.</p>".to_owned(),
            categories: slugs(&["philosophy", "nature"]),
            goals: slugs(&["calm"]),
            tags: vec!["ice".to_owned()],
            ..draft("flows", "Flows")
        };
        let id = save(store, &first);
        rate(id, Ratings { count: 1, sum: 4 });
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
    });
}

/// An unpublished book is invisible; a book that is coming soon is listed.
#[test]
fn unpublished_books_are_nowhere() {
    with_catalogue(|store, _| {
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
    });
}

/// Paging through all slugs, as the sitemap does, finds each readable book once.
#[test]
fn the_addresses_of_all_books_are_listed() {
    with_catalogue(|store, _| {
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
    });
}

/// Each error names its field, and nothing is stored.
#[test]
fn what_breaks_a_rule_is_refused_by_field() {
    with_catalogue(|store, _| {
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
    });
}

/// Book names are known even for unpublished books, for members' libraries.
#[test]
fn names_are_known_of_unpublished_books_too() {
    with_catalogue(|store, _| {
        furnish(store);
        let shown = store.save_book(&draft("meditations", "Meditations"), NOW).expect("saved").id();
        let hidden = BookDraft { published: false, ..draft("letters", "Letters") };
        let hidden = store.save_book(&hidden, NOW).expect("saved").id();
        let name = |id, subid, title: &str| {
            (id, BookName { id, subid: slug(subid), title: title.to_owned(), author: "Marcus Aurelius".to_owned() })
        };
        let names = store.book_names(&[hidden, BookId::from_store(4711), shown, shown]).expect("names");
        assert_eq!(
            names,
            HashMap::from([name(shown, "meditations", "Meditations"), name(hidden, "letters", "Letters")])
        );
        assert!(store.book_names(&[]).expect("names").is_empty());
    });
}

/// A new name of an author, a category or a goal appears on the books, and search finds them by it.
#[test]
fn names_that_change_reach_the_books() {
    with_catalogue(|store, _| {
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
    });
}

/// A slug that another book has is refused.
#[test]
fn a_book_is_renamed_with_all_that_belongs_to_it() {
    with_catalogue(|store, _| {
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
    });
}

/// A book's extras are stored beside its draft.
#[test]
fn a_book_has_extras_and_a_moment_at_which_it_is_published() {
    with_catalogue(|store, _| {
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
        let read =
            |store: &mut Pg<'_>| store.book(&BookRef::Id(public)).expect("a book is read").expect("it is published");
        assert_eq!((read(store).vector, read(store).podcast), (None, None));
        let extras = BookExtras { publish_at: None, ..extras };
        store.update_book_extras(public, &extras).expect("extras are saved");
        assert_eq!((read(store).vector, read(store).podcast), (extras.vector, extras.podcast));
        assert_eq!(store.books_to_publish(NOW).expect("due books are read"), []);
        assert_eq!(store.books_to_publish(NOW.plus(HOUR)).expect("due books are read"), [slug("walden")]);
    });
}

/// A book's files: its pictures, its podcast episode, and those of its key ideas; not those of another book.
#[test]
fn the_files_of_a_book_are_those_of_its_key_ideas_too() {
    with_catalogue(|store, _| {
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
    });
}

/// A goal's pictures stay when its texts are saved.
#[test]
fn a_goal_has_pictures_that_saving_its_texts_leaves() {
    with_catalogue(|store, _| {
        let (_, _, goals) = furnish(store);
        let pictures = |store: &mut Pg<'_>| {
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
    });
}

/// Books are found by the tag's new name; the name of another tag is refused.
#[test]
fn a_tag_is_renamed_in_its_books_too() {
    with_catalogue(|store, _| {
        furnish(store);
        let tags = vec!["stoicks".to_owned(), "virtue".to_owned()];
        store.save_book(&BookDraft { tags, ..draft("walden", "Walden") }, NOW).expect("a book is saved");
        let id = store.find_tag(&slug("stoicks")).expect("a tag is found").expect("a tag");
        let taken = store.rename_tag(id, &Tag::named("Virtue").expect("a tag"), NOW);
        assert!(matches!(taken, Err(CatalogueError::Invalid { field: "name", .. })), "{taken:?}");
        store.rename_tag(id, &Tag::named("Stoic Calm").expect("a tag"), NOW).expect("a tag is renamed");
        let tagged = |store: &mut Pg<'_>, tag: &str| {
            list(store, Sort::New, Filters { tag: Some(slug(tag)), ..Filters::default() })
        };
        assert_eq!(tagged(store, "stoic-calm"), ["walden"]);
        assert_eq!(store.find_tag(&slug("stoicks")).expect("a tag is looked for"), None);
        let card = store.book(&BookRef::Subid(slug("walden"))).expect("a book is read").expect("a book").card;
        assert_eq!(card.tags, ["stoic calm", "virtue"]);
        assert_eq!(search(store, "stoic calm"), ["walden"]);
        let listed = store.listed_tag(id).expect("a tag is read").expect("the same tag");
        assert_eq!((listed.tag.slug.as_str(), listed.books), ("stoic-calm", 1));
    });
}

/// Authors, categories, goals and tags of a book, published or not, can't be deleted.
#[test]
fn only_what_no_book_names_is_deleted() {
    with_catalogue(|store, _| {
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
    });
}

/// A book is deleted with everything that belongs to it, and no longer counted.
#[test]
fn a_book_without_readers_is_deleted() {
    with_catalogue(|store, _| {
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
    });
}
