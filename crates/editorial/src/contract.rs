//! What every store of editorial content does, with the rules of [`Editorial`] over it: one suite for memory and
//! Postgres.

use std::collections::BTreeSet;

use kernel::{DAY, HOUR, Limit, PodcastId, PostId, SaveOutcome, Slug, Timestamp};

use crate::{
    Banner, Editorial, EditorialError, EditorialStore, Field, InsightDraft, PodcastDraft, PostDraft, Publication,
    Recording, SitePageDraft, next_day, script_hash,
};

/// One case of the suite, run on an empty store.
pub type Case = fn(&mut dyn EditorialStore);

/// Runs all cases; `on_empty_store` gives each one a store of its own.
pub fn run(mut on_empty_store: impl FnMut(Case)) {
    for case in CASES {
        on_empty_store(*case);
    }
}

/// All cases. The compiler reports a case that is not listed here as dead code.
const CASES: &[Case] = &[
    the_banner_is_kept_as_it_was_checked,
    texts_of_a_page_are_kept_beside_those_before,
    rows_are_found_by_number_for_editors,
    rows_are_deleted_by_number,
    a_post_is_kept_as_it_was_written,
    a_post_is_replaced_and_says_whether_it_changed,
    posts_come_newest_first_and_pages_lose_nothing,
    posts_are_listed_by_category,
    other_posts_leave_out_the_one_that_is_read,
    only_editors_see_posts_that_are_not_published,
    only_editors_see_episodes_that_are_not_published,
    what_is_blank_is_refused_by_field,
    an_episode_is_kept_with_its_recording,
    a_recording_of_another_script_is_none,
    episodes_come_newest_first,
    other_episodes_leave_out_the_one_that_is_heard,
    the_insight_is_the_same_all_day_and_all_come_round,
    an_insight_that_is_added_changes_nothing_today,
    an_insight_is_replaced_by_its_title,
    a_page_is_kept_and_replaced,
];

/// Noon of some day.
const NOW: Timestamp = Timestamp::from_millis(20_000 * DAY + 12 * HOUR);

fn slug(text: &str) -> Slug {
    Slug::parse(text).unwrap()
}

fn post(name: &str, day: i64) -> PostDraft {
    PostDraft {
        slug: slug(name),
        title: format!("About {name}"),
        description: "In a line.".to_owned(),
        text: "<p>Some <em>plain</em> words.</p>".to_owned(),
        categories: vec!["Reading".to_owned()],
        author: "The editors".to_owned(),
        book: Some(slug("walden")),
        photo: Some(format!("blog/{name}.svg")),
        published_at: Timestamp::from_millis(day * DAY),
        publication: Publication::Published,
    }
}

fn podcast(name: &str, day: i64) -> PodcastDraft {
    PodcastDraft {
        slug: slug(name),
        title: format!("On {name}"),
        author: "The editors".to_owned(),
        author_desc: "Who they are.".to_owned(),
        description: "What it is about.".to_owned(),
        script: "<p>This is it.</p>".to_owned(),
        stated_minutes: Some(12),
        image: None,
        published_at: Timestamp::from_millis(day * DAY),
        publication: Publication::Published,
    }
}

fn insight(title: &str) -> InsightDraft {
    InsightDraft { title: title.to_owned(), insight: format!("{title}, said at length."), book: None, quoted: false }
}

fn recording(of: &str) -> Recording {
    Recording { key: "podcasts/a-1.mp3".into(), duration_ms: 300_000, bytes: 2_400_000, text_hash: Some(of.into()) }
}

fn a_post_is_kept_as_it_was_written(store: &mut dyn EditorialStore) {
    let draft = PostDraft {
        text: "<p onclick=\"x()\">One <a href=\"/books/walden\">two</a> three.</p><script>x()</script>".to_owned(),
        categories: vec!["What's new".to_owned(), "Reading".to_owned()],
        ..post("a", 100)
    };
    let saved = store.save_post(&draft, NOW).unwrap();
    assert!(matches!(saved, SaveOutcome::Created(_)));
    let found = store.post(&draft.slug).unwrap().unwrap();
    assert_eq!(found.text, "<p>One <a href=\"/books/walden\">two</a> three.</p>");
    assert_eq!((found.card.id, found.card.words, found.card.minutes()), (saved.id(), 3, 1));
    let categories: Vec<_> = found.card.categories.iter().map(|c| (c.slug.as_str(), c.name.as_str())).collect();
    assert_eq!(categories, [("whats-new", "What's new"), ("reading", "Reading")]);
    assert_eq!((found.card.title, found.card.description), (draft.title, draft.description));
    assert_eq!((found.card.author, found.card.photo, found.book), (draft.author, draft.photo, draft.book));
    assert_eq!((found.card.published_at, found.updated_at), (draft.published_at, NOW));
    assert_eq!(store.post(&slug("b")).unwrap(), None);
}

fn rows_are_found_by_number_for_editors(store: &mut dyn EditorialStore) {
    let a_post = store.save_post(&post("a", 100), NOW).unwrap().id();
    let an_episode = store.save_podcast(&podcast("b", 100), NOW).unwrap().id();
    assert_eq!(store.post_slug(a_post).unwrap(), Some(slug("a")));
    assert_eq!(store.podcast_slug(an_episode).unwrap(), Some(slug("b")));
    assert_eq!(store.post_slug(PostId::from_store(4711)).unwrap(), None);
    assert_eq!(store.podcast_slug(PodcastId::from_store(4711)).unwrap(), None);
    let one = store.save_insight(&insight("One"), NOW).unwrap().id();
    let two = store.save_insight(&insight("Two"), NOW.plus(1)).unwrap().id();
    assert_eq!(store.insights().unwrap().iter().map(|one| one.id).collect::<Vec<_>>(), [two, one]);
    assert!(matches!(store.edit_insight(one, &insight("Two")), Err(EditorialError::TitleTaken)));
    store.edit_insight(one, &insight("Three")).unwrap();
    assert_eq!(store.insights().unwrap()[1].draft, insight("Three"));
}

fn rows_are_deleted_by_number(store: &mut dyn EditorialStore) {
    let (a, b) =
        (store.save_post(&post("a", 100), NOW).unwrap().id(), store.save_post(&post("b", 100), NOW).unwrap().id());
    let episode = store.save_podcast(&podcast("c", 100), NOW).unwrap().id();
    let one = store.save_insight(&insight("One"), NOW).unwrap().id();
    let two = store.save_insight(&insight("Two"), NOW.plus(1)).unwrap().id();
    assert!(
        store.delete_post(a).unwrap() && store.delete_podcast(episode).unwrap() && store.delete_insight(one).unwrap()
    );
    assert!(!store.delete_post(a).unwrap() && !store.delete_podcast(episode).unwrap());
    assert!(!store.delete_insight(one).unwrap());
    assert_eq!((store.post(&slug("a")).unwrap(), store.post_slug(b).unwrap()), (None, Some(slug("b"))));
    assert_eq!(store.podcast(&slug("c")).unwrap(), None);
    assert_eq!(store.insights().unwrap().iter().map(|one| one.id).collect::<Vec<_>>(), [two]);
}

fn a_post_is_replaced_and_says_whether_it_changed(store: &mut dyn EditorialStore) {
    let draft = post("a", 100);
    let id = store.save_post(&draft, NOW).unwrap().id();
    assert_eq!(store.save_post(&draft, NOW.plus(DAY)).unwrap(), SaveOutcome::Unchanged(id));
    let other = PostDraft { categories: vec!["Ideas".to_owned()], book: None, ..draft };
    assert_eq!(store.save_post(&other, NOW.plus(DAY)).unwrap(), SaveOutcome::Changed(id));
    let found = store.post(&other.slug).unwrap().unwrap();
    assert_eq!((found.book, found.updated_at), (None, NOW.plus(DAY)));
    assert_eq!(store.post_categories().unwrap().len(), 1);
}

fn posts_come_newest_first_and_pages_lose_nothing(store: &mut dyn EditorialStore) {
    // Of two posts of one day, the one that was added later comes first.
    for (name, day) in [("a", 100), ("b", 103), ("c", 101), ("d", 103)] {
        store.save_post(&post(name, day), NOW).unwrap();
    }
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let page = store.posts(None, after, Limit::clamped(1)).unwrap();
        assert_eq!(page.items.len(), 1);
        seen.extend(page.items.into_iter().map(|post| post.slug.to_string()));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(seen, ["d", "b", "c", "a"]);
}

fn posts_are_listed_by_category(store: &mut dyn EditorialStore) {
    for (name, categories) in [("a", ["Reading", "Ideas"]), ("b", ["Ideas", "What's new"])] {
        let categories = categories.map(str::to_owned).to_vec();
        store.save_post(&PostDraft { categories, ..post(name, 100) }, NOW).unwrap();
    }
    let mut of = |category| -> Vec<String> {
        let page = store.posts(Some(&slug(category)), None, Limit::clamped(9)).unwrap();
        page.items.into_iter().map(|post| post.slug.to_string()).collect()
    };
    assert_eq!(of("ideas"), ["b", "a"]);
    assert_eq!(of("whats-new"), ["b"]);
    assert!(of("weather").is_empty());
    let names: Vec<String> = store.post_categories().unwrap().into_iter().map(|category| category.name).collect();
    assert_eq!(names, ["Ideas", "Reading", "What's new"]);
}

fn other_posts_leave_out_the_one_that_is_read(store: &mut dyn EditorialStore) {
    for (name, day) in [("a", 100), ("b", 101), ("c", 102), ("d", 103)] {
        store.save_post(&post(name, day), NOW).unwrap();
    }
    let mut besides = |name| -> Vec<String> {
        store.posts_besides(&slug(name), 2).unwrap().into_iter().map(|post| post.slug.to_string()).collect()
    };
    assert_eq!(besides("d"), ["c", "b"]);
    assert_eq!(besides("a"), ["d", "c"]);
}

fn what_is_blank_is_refused_by_field(store: &mut dyn EditorialStore) {
    for (draft, field) in [
        (PostDraft { title: " ".to_owned(), ..post("a", 1) }, Field::Title),
        (PostDraft { description: String::new(), ..post("a", 1) }, Field::Description),
        (PostDraft { text: "<script>x()</script>".to_owned(), ..post("a", 1) }, Field::Text),
        (PostDraft { categories: Vec::new(), ..post("a", 1) }, Field::Categories),
        (PostDraft { categories: vec!["?".to_owned()], ..post("a", 1) }, Field::Categories),
    ] {
        assert_eq!(store.save_post(&draft, NOW).unwrap_err().field(), Some(field));
    }
    let error = store.save_insight(&InsightDraft { insight: String::new(), ..insight("a") }, NOW).unwrap_err();
    assert!(matches!(error, EditorialError::Blank(Field::Insight)));
    assert!(store.save_podcast(&PodcastDraft { title: String::new(), ..podcast("a", 1) }, NOW).is_err());
    assert!(store.posts(None, None, Limit::clamped(9)).unwrap().items.is_empty());
}

/// `editorial.publication-moment`
fn only_editors_see_posts_that_are_not_published(store: &mut dyn EditorialStore) {
    let in_an_hour = NOW.plus(HOUR);
    let hidden = |name: &str, publication, category: &str| PostDraft {
        publication,
        categories: vec![category.to_owned()],
        ..post(name, 102)
    };
    store.save_post(&post("a", 100), NOW).unwrap();
    let draft = store.save_post(&hidden("b", Publication::Draft, "Hidden"), NOW).unwrap().id();
    let soon = hidden("c", Publication::Scheduled(in_an_hour), "Hidden");
    let soon_id = store.save_post(&soon, NOW).unwrap().id();
    assert_eq!(store.save_post(&soon, NOW).unwrap(), SaveOutcome::Unchanged(soon_id));
    let seen = |store: &mut dyn EditorialStore| -> Vec<String> {
        let page = store.posts(None, None, Limit::clamped(9)).unwrap();
        page.items.into_iter().map(|card| card.slug.to_string()).collect()
    };
    assert_eq!(seen(store), ["a"]);
    assert!(store.posts(Some(&slug("hidden")), None, Limit::clamped(9)).unwrap().items.is_empty());
    assert!(store.post_categories().unwrap().iter().all(|one| one.slug != slug("hidden")));
    assert!(store.posts_besides(&slug("a"), 3).unwrap().is_empty());
    assert_eq!(store.published_post(&slug("b")).unwrap(), None);
    assert_eq!(store.published_post(&slug("c")).unwrap(), None);
    assert!(store.published_post(&slug("a")).unwrap().is_some());
    let all: Vec<_> = store.all_posts().unwrap().into_iter().map(|one| (one.card.id, one.card.publication)).collect();
    assert_eq!(all[..2], [(soon_id, Publication::Scheduled(in_an_hour)), (draft, Publication::Draft)]);
    assert_eq!(all.len(), 3);
    assert!(store.posts_to_publish(in_an_hour.plus(-1)).unwrap().is_empty());
    assert_eq!(store.posts_to_publish(in_an_hour).unwrap(), [soon_id]);
    store.save_post(&PostDraft { publication: Publication::Published, ..soon }, in_an_hour).unwrap();
    assert_eq!(seen(store), ["c", "a"]);
    assert!(store.posts_to_publish(in_an_hour).unwrap().is_empty());
}

/// `editorial.publication-moment`
fn only_editors_see_episodes_that_are_not_published(store: &mut dyn EditorialStore) {
    let in_an_hour = NOW.plus(HOUR);
    store.save_podcast(&podcast("a", 100), NOW).unwrap();
    let hidden = |name: &str, publication| PodcastDraft { publication, ..podcast(name, 102) };
    let draft = store.save_podcast(&hidden("b", Publication::Draft), NOW).unwrap().id();
    let soon = hidden("c", Publication::Scheduled(in_an_hour));
    let soon_id = store.save_podcast(&soon, NOW).unwrap().id();
    let seen = |store: &mut dyn EditorialStore| -> Vec<String> {
        let page = store.podcasts(None, Limit::clamped(9)).unwrap();
        page.items.into_iter().map(|card| card.slug.to_string()).collect()
    };
    assert_eq!(seen(store), ["a"]);
    assert_eq!(store.unrecorded_episodes().unwrap(), [slug("a")], "no draft is read aloud");
    assert!(store.podcasts_besides(&slug("a"), 3).unwrap().is_empty());
    assert_eq!(store.published_podcast(&slug("c")).unwrap(), None);
    let all: Vec<PodcastId> = store.all_podcasts().unwrap().into_iter().map(|one| one.card.id).collect();
    assert_eq!(all[..2], [soon_id, draft]);
    assert_eq!(store.podcasts_to_publish(in_an_hour).unwrap(), [soon_id]);
    store.save_podcast(&PodcastDraft { publication: Publication::Published, ..soon }, in_an_hour).unwrap();
    assert_eq!(seen(store), ["c", "a"]);
    assert!(store.podcasts_to_publish(in_an_hour).unwrap().is_empty());
}

fn an_episode_is_kept_with_its_recording(store: &mut dyn EditorialStore) {
    let draft = podcast("a", 100);
    let id = store.save_podcast(&draft, NOW).unwrap().id();
    assert_eq!(store.unrecorded_episodes().unwrap(), [slug("a")]);
    assert_eq!(store.podcast(&slug("a")).unwrap().unwrap().card.minutes(), 12);
    let of = recording(&script_hash(&draft.script));
    assert!(store.keep_recording(&slug("a"), &of).unwrap());
    assert!(!store.keep_recording(&slug("b"), &of).unwrap(), "there is no such episode");
    assert!(store.unrecorded_episodes().unwrap().is_empty());
    let found = store.podcast(&slug("a")).unwrap().unwrap();
    assert_eq!((found.card.id, found.script.as_str()), (id, "<p>This is it.</p>"));
    assert_eq!((found.card.words, found.card.minutes()), (3, 5));
    assert_eq!(found.card.recording.as_ref(), Some(&of));
    assert_eq!(store.episode_file(&slug("a")).unwrap().as_ref(), Some(&of.key));
    assert_eq!(store.episode_file(&slug("b")).unwrap(), None);
    assert_eq!((found.card.title, found.card.author), (draft.title.clone(), draft.author.clone()));
    assert_eq!(
        (found.card.author_desc, found.card.description),
        (draft.author_desc.clone(), draft.description.clone())
    );
    assert_eq!((found.card.published_at, found.card.updated_at), (draft.published_at, NOW));
    assert_eq!(store.save_podcast(&draft, NOW).unwrap(), SaveOutcome::Unchanged(id));
}

fn a_recording_of_another_script_is_none(store: &mut dyn EditorialStore) {
    let draft = podcast("a", 100);
    let id = store.save_podcast(&draft, NOW).unwrap().id();
    assert!(!store.keep_recording(&slug("a"), &recording("another")).unwrap(), "it comes too late");
    store.keep_recording(&slug("a"), &recording(&script_hash(&draft.script))).unwrap();
    // A new title does not change the script.
    let renamed = PodcastDraft { title: "Renamed".to_owned(), ..draft.clone() };
    assert_eq!(store.save_podcast(&renamed, NOW).unwrap(), SaveOutcome::Changed(id));
    assert!(store.podcast(&slug("a")).unwrap().unwrap().card.recording.is_some());
    let rewritten = PodcastDraft { script: "<p>Something else.</p>".to_owned(), ..draft };
    store.save_podcast(&rewritten, NOW).unwrap();
    assert_eq!(store.podcast(&slug("a")).unwrap().unwrap().card.recording, None);
    assert_eq!(store.episode_file(&slug("a")).unwrap(), None);
    assert_eq!(store.unrecorded_episodes().unwrap(), [slug("a")]);
    // An uploaded recording does not depend on the script.
    let human = Recording { text_hash: None, ..recording("") };
    assert!(store.keep_recording(&slug("a"), &human).unwrap());
    store.save_podcast(&renamed, NOW).unwrap();
    assert_eq!(store.podcast(&slug("a")).unwrap().unwrap().card.recording, Some(human.clone()));
    let of_script = recording(&script_hash(&renamed.script));
    assert!(!store.keep_recording(&slug("a"), &of_script).unwrap(), "no machine takes a person's place");
    assert_eq!(store.podcast(&slug("a")).unwrap().unwrap().card.recording, Some(human));
}

fn episodes_come_newest_first(store: &mut dyn EditorialStore) {
    for (name, day) in [("a", 100), ("b", 103), ("c", 101)] {
        store.save_podcast(&podcast(name, day), NOW).unwrap();
    }
    let first = store.podcasts(None, Limit::clamped(2)).unwrap();
    assert_eq!(first.items.iter().map(|one| one.slug.as_str()).collect::<Vec<_>>(), ["b", "c"]);
    let last = store.podcasts(first.next, Limit::clamped(2)).unwrap();
    assert_eq!((last.items[0].slug.as_str(), last.items.len(), last.next), ("a", 1, None));
}

fn other_episodes_leave_out_the_one_that_is_heard(store: &mut dyn EditorialStore) {
    for (name, day) in [("a", 100), ("b", 101), ("c", 102), ("d", 103)] {
        store.save_podcast(&podcast(name, day), NOW).unwrap();
    }
    let mut besides = |name| -> Vec<String> {
        store.podcasts_besides(&slug(name), 2).unwrap().into_iter().map(|one| one.slug.to_string()).collect()
    };
    assert_eq!(besides("d"), ["c", "b"]);
    assert_eq!(besides("a"), ["d", "c"]);
}

fn the_insight_is_the_same_all_day_and_all_come_round(store: &mut dyn EditorialStore) {
    assert_eq!(store.insight_of_the_day(NOW).unwrap(), None);
    for title in ["One", "Two", "Three"] {
        store.save_insight(&insight(title), NOW).unwrap();
    }
    let mut of = |at: Timestamp| store.insight_of_the_day(at).unwrap().unwrap().draft.title;
    let midnight = next_day(NOW);
    assert_eq!(midnight.millis(), 20_001 * DAY);
    assert_eq!(of(NOW), of(midnight.plus(-1)));
    assert_eq!(of(NOW), of(midnight.plus(-DAY)));
    assert_ne!(of(NOW), of(midnight));
    let mut days: Vec<String> = (0..3).map(|day| of(NOW.plus(day * DAY))).collect();
    assert_eq!(of(NOW), of(NOW.plus(3 * DAY)));
    days.sort();
    assert_eq!(days, ["One", "Three", "Two"]);
}

fn an_insight_that_is_added_changes_nothing_today(store: &mut dyn EditorialStore) {
    for title in ["One", "Two", "Three"] {
        store.save_insight(&insight(title), NOW).unwrap();
    }
    let noon = next_day(NOW).plus(DAY / 2);
    let before = store.insight_of_the_day(noon).unwrap();
    for title in ["Four", "Five"] {
        store.save_insight(&insight(title), noon).unwrap();
        assert_eq!(store.insight_of_the_day(noon.plus(1)).unwrap(), before);
    }
    let round: BTreeSet<String> =
        (1..=5).map(|day| store.insight_of_the_day(noon.plus(day * DAY)).unwrap().unwrap().draft.title).collect();
    assert_eq!(round.len(), 5, "from the next day on they are all in the round: {round:?}");
}

fn an_insight_is_replaced_by_its_title(store: &mut dyn EditorialStore) {
    let draft = InsightDraft { book: Some(slug("walden")), quoted: true, ..insight("One") };
    let id = store.save_insight(&draft, NOW).unwrap().id();
    assert_eq!(store.save_insight(&draft, NOW).unwrap(), SaveOutcome::Unchanged(id));
    assert_eq!(store.save_insight(&insight("One"), NOW.plus(DAY)).unwrap(), SaveOutcome::Changed(id));
    let found = store.insight_of_the_day(NOW).unwrap().unwrap();
    assert_eq!((found.id, found.draft, found.created_at), (id, insight("One"), NOW));
}

fn a_page_is_kept_and_replaced(store: &mut dyn EditorialStore) {
    let draft = SitePageDraft {
        slug: slug("about"),
        title: "About".to_owned(),
        description: "What this is.".to_owned(),
        text: "<p>{name} is here.</p><img src=x>".to_owned(),
        revised_at: NOW,
    };
    assert!(matches!(store.save_site_page(&draft).unwrap(), SaveOutcome::Created(())));
    assert!(matches!(store.save_site_page(&draft).unwrap(), SaveOutcome::Unchanged(())));
    let found = store.site_page(&slug("about")).unwrap().unwrap();
    assert_eq!(found, SitePageDraft { text: "<p>{name} is here.</p>".to_owned(), ..draft.clone() });
    let other = SitePageDraft { title: "About us".to_owned(), ..draft };
    assert!(matches!(store.save_site_page(&other).unwrap(), SaveOutcome::Changed(())));
    assert_eq!(store.site_page(&slug("about")).unwrap().unwrap().title, "About us");
    assert_eq!(store.site_page(&slug("terms")).unwrap(), None);
    store.save_site_page(&SitePageDraft { slug: slug("a-word"), ..other.clone() }).unwrap();
    let slugs: Vec<Slug> = store.site_pages().unwrap().into_iter().map(|page| page.slug).collect();
    assert_eq!(slugs, [slug("a-word"), slug("about")]);
    assert_eq!(store.site_pages().unwrap()[1].title, "About us");
}

fn the_banner_is_kept_as_it_was_checked(store: &mut dyn EditorialStore) {
    assert_eq!(store.banner().unwrap(), None);
    let banner = Banner {
        text: " Over 40% less.".to_owned(),
        link_text: "See the plans".to_owned(),
        href: "/try".to_owned(),
        from: Some(NOW),
        until: None,
        is_on: true,
    };
    let saved = store.save_banner(&banner).unwrap();
    assert_eq!(saved, Banner { text: "Over 40% less.".to_owned(), ..banner.clone() });
    assert_eq!(store.banner().unwrap(), Some(saved.clone()));
    let off = Banner { from: None, until: Some(NOW.plus(DAY)), is_on: false, ..saved };
    store.save_banner(&off).unwrap();
    assert_eq!(store.banner().unwrap(), Some(off.clone()));
    let elsewhere = Banner { href: "//elsewhere.example".to_owned(), ..off.clone() };
    assert!(matches!(store.save_banner(&elsewhere), Err(EditorialError::BadLink)));
    assert_eq!(store.banner().unwrap(), Some(off));
}

fn texts_of_a_page_are_kept_beside_those_before(store: &mut dyn EditorialStore) {
    let texts =
        |pairs: &[(&str, &str)]| pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let page = slug("try");
    assert!(store.page_texts(&page).unwrap().is_empty());
    store.save_page_texts(&page, &texts(&[("title", "Prices "), ("lead", "All\nof it.")])).unwrap();
    store.save_page_texts(&page, &texts(&[("title", "Plans")])).unwrap();
    assert_eq!(store.page_texts(&page).unwrap(), texts(&[("title", "Plans"), ("lead", "All of it.")]));
    assert!(store.page_texts(&slug("teams")).unwrap().is_empty());
    let blank = store.save_page_texts(&page, &texts(&[("title", " ")]));
    assert!(matches!(blank, Err(EditorialError::Blank(Field::Text))));
    assert_eq!(store.page_texts(&page).unwrap().len(), 2);
}
