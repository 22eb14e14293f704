//! Illustrated key ideas and infographics.

use catalogue::{
    BookDraft, BookExtras, Catalogue, CatalogueError, CatalogueLists, CatalogueQueries, EditedVisual, EditingCommands,
    EditingQueries, IdeaDrawing, InfographicPeriod, SaveOutcome, VISUAL_WORDS, VisualSet, VisualsDraft,
};
use kernel::{HOUR, Limit, VisualId};
use postgres::Pg;

use super::fixtures::{NOW, draft, furnish, save, visuals, with_catalogue};

/// A book's key ideas are saved and replaced as a whole, and counted on its card.
#[test]
fn key_ideas_stand_in_their_order_and_are_replaced_whole() {
    with_catalogue(|store, _| {
        furnish(store);
        let book = save(store, &draft("owls", "Owls"));
        let titles = |store: &mut Pg<'_>| -> Vec<String> {
            store.visuals(book).expect("they are read").into_iter().map(|visual| visual.title).collect()
        };
        let counted = |store: &mut Pg<'_>| store.book_cards(&[book]).expect("a card is read")[0].visuals;
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

        let refused = |store: &mut Pg<'_>, draft: VisualsDraft| match store.save_visuals(book, &draft, NOW) {
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
    });
}

/// The periods of an infographic survive when it is drawn again, withdrawn or uploaded.
#[test]
fn an_infographic_has_its_times() {
    with_catalogue(|store, _| {
        furnish(store);
        let at = |hours: i64| NOW.plus(hours * HOUR);
        let book = save(store, &draft("owls", "Owls"));
        let soon = save(store, &BookDraft { coming_soon: true, ..draft("bees", "Bees") });
        let times = |store: &mut Pg<'_>| {
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
        store.put_visual_set(&set, at(3)).expect("it is drawn again");
        assert_eq!(times(store), [of(book, at(1), None)], "one that is drawn again is the same one");

        let save_at = |store: &mut Pg<'_>, draft: &BookDraft, now| store.save_book(draft, now).expect("it is saved");
        save_at(store, &BookDraft { published: false, ..draft("owls", "Owls") }, at(4));
        save_at(store, &draft("bees", "Bees"), at(5));
        assert_eq!(times(store), [of(book, at(1), Some(at(4))), of(soon, at(5), None)]);
        save_at(store, &draft("owls", "Owls"), at(6));
        assert_eq!(times(store), [of(book, at(1), Some(at(4))), of(book, at(6), None), of(soon, at(5), None)]);

        // Without key ideas there is no infographic, drawn or uploaded.
        let only =
            store.edited_visuals().expect("they are read").into_iter().find(|one| one.book == soon).expect("one");
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
    });
}

/// Each published book with key ideas is listed once, whatever the size of a page.
#[test]
fn books_with_key_ideas_are_paged() {
    with_catalogue(|store, _| {
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
        let total = |store: &mut Pg<'_>| store.visual_books_total().expect("they are counted");
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
    });
}

/// Editors add, change, order and delete key ideas; readers see those with a picture.
#[test]
fn editors_work_on_key_ideas_one_by_one() {
    with_catalogue(|store, _| {
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
        let seen = |store: &mut Pg<'_>, book| {
            let found = store.visuals(book).expect("they are read");
            found.into_iter().map(|visual| visual.title).collect::<Vec<_>>()
        };
        let counted = |store: &mut Pg<'_>, book| store.book_cards(&[book]).expect("a card is read")[0].visuals;
        let total = |store: &mut Pg<'_>| store.visual_books_total().expect("they are counted");
        let edited = |store: &mut Pg<'_>| {
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
            let is_new =
                store.insert_visual_set(owls, &format!("thumbs/{title}.jpg"), NOW).expect("a picture is saved");
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
        let of_bees: Vec<_> =
            edited(store).into_iter().filter(|(book, _)| *book == bees).map(|(_, title)| title).collect();
        assert_eq!(of_bees, ["four", "Two"]);

        store.update_visual(&EditedVisual { id: ids[0], ..new(owls, "one") }).expect("a picture is taken away");
        assert_eq!((seen(store, owls), counted(store, owls)), (vec!["three".to_owned()], 1));
        store.delete_visual(ids[2]).expect("one is removed");
        store.delete_visual(ids[2]).expect("nothing is removed");
        assert_eq!((seen(store, owls).len(), counted(store, owls)), (0, 0));
        assert_eq!(store.visual_set(owls).expect("it is read"), None, "what was made of all of them went too");
        assert_eq!(store.edited_visual(ids[2]).expect("it is read"), None);
    });
}

/// An uploaded infographic and its thumbnail replace the drawn ones everywhere.
#[test]
fn an_uploaded_infographic_takes_the_place_of_the_drawn_one() {
    with_catalogue(|store, _| {
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
        assert_eq!(
            (shown.image.as_str(), shown.infographic.as_deref()),
            ("thumbs/new.svg", extras.infographic.as_deref())
        );
        let written = store.visuals_draft(book).expect("it is read").expect("there are key ideas");
        assert_eq!(store.save_visuals(book, &written, NOW).expect("they are saved"), SaveOutcome::Unchanged(book));
        store.update_book_extras(book, &BookExtras::default()).expect("extras are saved");
        assert_eq!(store.visual_set(book).expect("it is read"), Some(drawn.clone()));

        let idea = store.edited_visuals().expect("they are read").remove(0);
        store.delete_visual(idea.id).expect("it is removed");
        store.put_visual_set(&drawn, NOW).expect("nothing is saved");
        assert_eq!(store.visual_set(book).expect("it is read"), None, "no key idea is left");
    });
}
