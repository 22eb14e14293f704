//! Tests of book edits: what they change, and which fields differ afterwards.

use kernel::DAY;
use proptest::prelude::*;

use super::*;
use crate::{CategoryDraft, GoalDraft, GoalPictures};

const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);

fn slug(text: &str) -> Slug {
    Slug::parse(text).unwrap()
}

fn categories() -> Vec<Category> {
    let category = |(id, name): (i64, &str)| Category {
        id: CategoryId::from_store(id),
        draft: CategoryDraft { subid: slug(name), name: name.to_owned(), hue: 0, small_image: None, place: 0 },
        book_count: 0,
    };
    [(1, "history"), (2, "science")].map(category).into()
}

fn goals() -> Vec<Goal> {
    let goal = |(id, name): (i64, &str)| Goal {
        id: GoalId::from_store(id),
        draft: GoalDraft {
            slug: slug(name),
            title: name.to_owned(),
            short_title: name.to_owned(),
            mobile_title: name.to_owned(),
            description: String::new(),
            place: 0,
        },
        pictures: GoalPictures::default(),
    };
    [(7, "think-clearly"), (8, "sleep-well")].map(goal).into()
}

fn draft() -> BookDraft {
    BookDraft {
        subid: slug("walden"),
        title: "Walden".to_owned(),
        author: slug("henry-david-thoreau"),
        description: "A life in the woods.".to_owned(),
        body: "<p>Simplify.</p>".to_owned(),
        quotes: vec![Quote { text: "Simplify.".to_owned(), chapter: "Economy".to_owned() }],
        image: Some("covers/walden.jpg".to_owned()),
        media: Some("audio/walden.mp3".to_owned()),
        video: None,
        year: Some(1854),
        categories: vec![slug("history")],
        goals: vec![slug("think-clearly")],
        tags: vec!["Nature".to_owned()],
        free: false,
        is_popular: false,
        coming_soon: true,
        published: true,
        upload_date: NOW.plus(-DAY),
    }
}

fn applied(edit: &BookEdit, publish_at: Option<Timestamp>) -> Result<(BookDraft, Option<Timestamp>), BookEditError> {
    edit.applied(draft(), publish_at, (&categories(), &goals()), NOW)
}

#[test]
fn a_field_that_an_edit_does_not_name_stays_as_it_is() {
    let later = Some(NOW.plus(DAY));
    assert_eq!(applied(&BookEdit::default(), later), Ok((draft(), later)));
    let edit = BookEdit { title: Some("Walden; or".to_owned()), year: Some(None), ..BookEdit::default() };
    let expected = BookDraft { title: "Walden; or".to_owned(), year: None, ..draft() };
    assert_eq!(applied(&edit, None), Ok((expected, None)));
}

#[test]
fn an_edit_names_everything_but_the_author_and_the_files() {
    let edit = BookEdit {
        title: Some("On Liberty".to_owned()),
        author: Some("John Stuart Mill".to_owned()),
        author_desc: Some("A philosopher.".to_owned()),
        description: Some("Let people be.".to_owned()),
        body: Some("<p>Liberty.</p>".to_owned()),
        quotes: Some(Vec::new()),
        categories: Some([2, 1].map(CategoryId::from_store).into()),
        goals: Some(vec![GoalId::from_store(8)]),
        tags: Some(vec!["Freedom".to_owned()]),
        free: Some(true),
        is_popular: Some(true),
        coming_soon: Some(false),
        published: Some(false),
        publish_at: None,
        year: Some(Some(1859)),
        subid: Some(slug("on-liberty")),
        upload_date: Some(NOW),
    };
    let there = draft();
    let expected = BookDraft {
        subid: slug("on-liberty"),
        title: "On Liberty".to_owned(),
        author: there.author,
        description: "Let people be.".to_owned(),
        body: "<p>Liberty.</p>".to_owned(),
        quotes: Vec::new(),
        image: there.image,
        media: there.media,
        video: there.video,
        year: Some(1859),
        categories: vec![slug("science"), slug("history")],
        goals: vec![slug("sleep-well")],
        tags: vec!["Freedom".to_owned()],
        free: true,
        is_popular: true,
        coming_soon: false,
        published: false,
        upload_date: NOW,
    };
    assert_eq!(applied(&edit, None), Ok((expected, None)));
}

#[test]
fn an_edit_that_names_what_is_not_there_or_no_category_is_refused() {
    let of_categories = |ids: &[i64]| BookEdit {
        categories: Some(ids.iter().copied().map(CategoryId::from_store).collect()),
        ..BookEdit::default()
    };
    assert_eq!(applied(&of_categories(&[1, 3]), None), Err(BookEditError::UnknownCategory));
    assert_eq!(applied(&of_categories(&[]), None), Err(BookEditError::NoCategory));
    let goal = BookEdit { goals: Some(vec![GoalId::from_store(9)]), ..BookEdit::default() };
    assert_eq!(applied(&goal, None), Err(BookEditError::UnknownGoal));
    let there = BookDraft { categories: Vec::new(), ..draft() };
    let untouched = BookEdit::default().applied(there, None, (&categories(), &goals()), NOW);
    assert_eq!(untouched, Err(BookEditError::NoCategory), "a book that is in none gets one with the next edit");
}

#[test]
fn a_moment_of_publication_that_has_come_publishes_and_one_to_come_stays() {
    let edit = |publish_at: Option<Timestamp>| BookEdit { publish_at: Some(publish_at), ..BookEdit::default() };
    let state = |edit: &BookEdit, there: Option<Timestamp>| {
        let (draft, publish_at) = applied(edit, there).unwrap();
        (draft.published, draft.coming_soon, publish_at)
    };
    let later = NOW.plus(1);
    for past in [NOW, NOW.plus(-DAY)] {
        assert_eq!(state(&edit(Some(past)), Some(later)), (true, false, None));
        assert_eq!(state(&BookEdit::default(), Some(past)), (true, false, None), "it came meanwhile");
    }
    assert_eq!(state(&edit(Some(later)), None), (true, true, Some(later)));
    assert_eq!(state(&edit(None), Some(later)), (true, true, None), "the moment is taken away");
    let now_readable = BookEdit { coming_soon: Some(false), ..edit(Some(later)) };
    assert_eq!(state(&now_readable, None), (true, false, None), "a book that can be read waits for nothing");
    let hidden = BookEdit { published: Some(false), ..edit(Some(later)) };
    assert_eq!(state(&hidden, None), (false, true, Some(later)));
}

#[test]
fn an_author_is_the_one_that_the_book_has_the_one_of_the_name_or_a_new_one() {
    let there = AuthorDraft {
        slug: slug("h-d-thoreau"),
        name: "Henry David Thoreau".to_owned(),
        sort_name: None,
        description: "A surveyor.".to_owned(),
    };
    let named = |name: Option<&str>| BookEdit { author: name.map(str::to_owned), ..BookEdit::default() };
    let name_of = |edit: &BookEdit, there| edit.author_name(there).map(|(slug, name)| (slug.to_string(), name));
    let own = Ok(("h-d-thoreau".to_owned(), there.name.clone()));
    assert_eq!(name_of(&named(None), Some(&there)), own);
    assert_eq!(name_of(&named(Some(" Henry  David Thoreau ")), Some(&there)), own, "the same name");
    let mill = Ok(("john-mill".to_owned(), "John Mill".to_owned()));
    assert_eq!(name_of(&named(Some("John Mill")), Some(&there)), mill);
    assert_eq!(name_of(&named(Some("John Mill")), None), mill);
    for nobody in [named(None), named(Some(" "))] {
        assert_eq!(nobody.author_name(None), Err(BookEditError::NoAuthor));
    }
    assert_eq!(named(Some(" ")).author_name(Some(&there)), Err(BookEditError::NoAuthor));
    assert_eq!(named(Some("1984")).author_name(None), Err(BookEditError::AuthorWithoutLetter));

    let described = BookEdit { author_desc: Some("A writer.".to_owned()), ..BookEdit::default() };
    let of_name = || (slug("h-d-thoreau"), "H. D. THOREAU".to_owned());
    assert_eq!(BookEdit::default().author(of_name(), Some(there.clone())), there, "the name stays");
    let redescribed = AuthorDraft { description: "A writer.".to_owned(), ..there.clone() };
    assert_eq!(described.author(of_name(), Some(there)), redescribed);
    let new = described.author(of_name(), None);
    assert_eq!((new.name.as_str(), new.description.as_str(), new.sort_name), ("H. D. THOREAU", "A writer.", None));
}

fn written() -> WrittenBook {
    WrittenBook {
        subid: "walden".to_owned(),
        title: "Walden".to_owned(),
        author: "Henry David Thoreau".to_owned(),
        author_desc: String::new(),
        description: String::new(),
        body: "<p>Simplify.</p>".to_owned(),
        quotes: vec![("Simplify.".to_owned(), "Economy".to_owned())],
        categories: vec![1],
        goals: vec![7],
        tags: vec!["Nature".to_owned()],
        free: false,
        is_popular: false,
        coming_soon: false,
        published: true,
        publish_at: None,
        year: Some(1854),
        upload_date: 5,
    }
}

/// The same book with one field changed, for each field, by its name on the wire.
fn changed_in_each_field() -> Vec<(&'static str, WrittenBook)> {
    let text = || "other".to_owned();
    vec![
        ("title", WrittenBook { title: text(), ..written() }),
        ("subid", WrittenBook { subid: text(), ..written() }),
        ("author", WrittenBook { author: text(), ..written() }),
        ("authorDesc", WrittenBook { author_desc: text(), ..written() }),
        ("description", WrittenBook { description: text(), ..written() }),
        ("body", WrittenBook { body: text(), ..written() }),
        ("quotes", WrittenBook { quotes: vec![("Simplify.".to_owned(), text())], ..written() }),
        ("categories", WrittenBook { categories: vec![1, 2], ..written() }),
        ("goals", WrittenBook { goals: Vec::new(), ..written() }),
        ("tags", WrittenBook { tags: vec![text()], ..written() }),
        ("free", WrittenBook { free: true, ..written() }),
        ("isPopular", WrittenBook { is_popular: true, ..written() }),
        ("comingSoon", WrittenBook { coming_soon: true, ..written() }),
        ("published", WrittenBook { published: false, ..written() }),
        ("publishAt", WrittenBook { publish_at: Some(9), ..written() }),
        ("year", WrittenBook { year: None, ..written() }),
        ("uploadDate", WrittenBook { upload_date: 6, ..written() }),
    ]
}

#[test]
fn every_field_of_a_book_is_compared_under_its_name() {
    assert_eq!(written().changes_to(&written()), []);
    assert_eq!(changed_in_each_field().len(), written().fields().len());
    for (field, other) in changed_in_each_field() {
        let names = |changes: Vec<FieldTexts>| changes.into_iter().map(|(field, ..)| field).collect::<Vec<_>>();
        assert_eq!(names(written().changes_to(&other)), [field]);
        assert_eq!(names(other.changes_to(&written())), [field]);
    }
    let years = written().changes_to(&WrittenBook { year: None, quotes: Vec::new(), ..written() });
    let quotes = ("quotes", Some("Simplify. (Economy)\n".to_owned()), Some(String::new()));
    assert_eq!(years, [quotes, ("year", Some("1854".to_owned()), None)]);
}

#[test]
fn a_new_name_redraws_the_infographic_and_key_ideas_make_the_first_film() {
    assert_eq!(BookChange::between(&written(), &written()), None);
    for (field, other) in changed_in_each_field() {
        let is_name = ["title", "subid", "author"].contains(&field);
        let expected = if is_name { BookChange::Names } else { BookChange::Text };
        assert_eq!(BookChange::between(&written(), &other), Some(expected), "{field}");
    }
    let follows = |change: BookChange| (change.redraws_infographic(), change.makes_first_film());
    assert_eq!(follows(BookChange::Text), (false, false));
    assert_eq!(follows(BookChange::Names), (true, false));
    assert_eq!(follows(BookChange::KeyIdeas), (true, true));
}

#[test]
fn a_restored_revision_says_the_texts_again_and_leaves_the_publication_alone() {
    let old =
        WrittenBook { categories: vec![2, 9, 1], goals: vec![9, 8], publish_at: Some(1), free: true, ..written() };
    let edit = old.into_edit(&categories(), &goals());
    assert_eq!(edit.categories, Some([2, 1].map(CategoryId::from_store).into()), "what is gone is left out");
    assert_eq!(edit.goals, Some(vec![GoalId::from_store(8)]));
    let kept = (edit.free, edit.is_popular, edit.coming_soon, edit.published, edit.publish_at, edit.subid.clone());
    assert_eq!(kept, (None, None, None, None, None, None));
    assert_eq!(edit.upload_date, None);
    let (restored, _) = applied(&edit, None).unwrap();
    assert_eq!((restored.title.as_str(), restored.body.as_str()), ("Walden", "<p>Simplify.</p>"));
    assert_eq!((restored.year, restored.quotes), (Some(1854), draft().quotes));
    assert_eq!((edit.author.as_deref(), edit.author_desc.as_deref()), (Some("Henry David Thoreau"), Some("")));
}

#[test]
fn each_file_has_a_place_of_its_own() {
    let files = [
        (BookFile::Photo("new".to_owned()), "image"),
        (BookFile::Vector("new".to_owned()), "vector"),
        (BookFile::Infographic("new".to_owned()), "infographicUrl"),
        (BookFile::Audio("new".to_owned()), "mediaUrl"),
        (BookFile::Podcast("new".to_owned()), "podcastUrl"),
        (BookFile::Video("new".to_owned()), "video"),
    ];
    for (file, field) in &files {
        let (mut draft, mut extras) = (BookDraft { image: None, media: None, ..draft() }, BookExtras::default());
        assert_eq!((file.field(), file.there(&draft, &extras)), ((*field, &"new".to_owned()), None));
        file.put(&mut draft, &mut extras);
        for (other, _) in &files {
            assert_eq!(other.there(&draft, &extras), (other == file).then_some("new"), "{other:?} after {file:?}");
        }
    }
    assert_eq!(files[0].0.there(&draft(), &BookExtras::default()), Some("covers/walden.jpg"));
}

proptest! {
    #[test]
    fn an_edit_that_is_applied_again_changes_nothing(
        title in prop::option::of("[a-z]{1,4}"),
        tags in prop::option::of(prop::collection::vec("[a-z]{1,3}", 0..3)),
        chosen in prop::option::of(prop::sample::subsequence(vec![1_i64, 2], 1..=2)),
        flags: [Option<bool>; 4],
        publish_at in prop::option::of(prop::option::of(-2..=2_i64)),
        there_at in prop::option::of(1..=2_i64),
    ) {
        let edit = BookEdit {
            title,
            tags,
            categories: chosen.map(|ids| ids.into_iter().map(CategoryId::from_store).collect()),
            free: flags[0],
            is_popular: flags[1],
            coming_soon: flags[2],
            published: flags[3],
            publish_at: publish_at.map(|at| at.map(|at| NOW.plus(at))),
            ..BookEdit::default()
        };
        let (once, at) = applied(&edit, there_at.map(|at| NOW.plus(at))).unwrap();
        prop_assert!(at.is_none_or(|at| at > NOW && !once.is_counted()), "a moment is to come, of a book that can't be read");
        let again = edit.applied(once.clone(), at, (&categories(), &goals()), NOW).unwrap();
        prop_assert_eq!(again, (once, at));
    }
}
