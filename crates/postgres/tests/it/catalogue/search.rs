//! What a search finds, in which order, and what it suggests.

use catalogue::{
    BookCursor, BookDraft, Catalogue, CatalogueCommands, CatalogueError, CatalogueLists, CategoryKey, CollectionDraft,
    EditingQueries, Filters, NEAR_HITS, SEARCHES_PER_DAY, SearchQuery, Suggestions, SuggestionsQuery,
};
use kernel::{Access, BookId, DAY, Limit};
use postgres::Pg;

use super::fixtures::{NOW, author, draft, furnish, save, search, search_as, slug, slugs, subids, with_catalogue};

/// Four books whose words are known.
fn library(store: &mut Pg<'_>) {
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
#[test]
fn a_search_finds_stems_accents_and_beginnings() {
    with_catalogue(|store, _| {
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
    });
}

/// Prefixes that few or many words share, alone and beside other words; words with digits.
#[test]
fn a_search_finds_what_is_still_being_typed() {
    with_catalogue(|store, _| {
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
    });
}

/// Misspelled words of titles, authors, tags and texts.
#[test]
fn a_search_forgives_typing_mistakes() {
    with_catalogue(|store, _| {
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
    });
}

/// Digits for words, words for digits, words written together, and an unfinished name with a typo near its end.
#[test]
fn a_search_reads_numbers_and_joined_words() {
    with_catalogue(|store, _| {
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
    });
}

/// A topic that no text names finds related books, and so does a topic that texts only mention; each such hit is marked
/// as near. Hits in headings never are.
#[test]
fn a_search_that_no_book_is_about_finds_what_is_near() {
    with_catalogue(|store, _| {
        library(store);
        let near = |store: &mut Pg<'_>, text: &str| -> Vec<(String, bool)> {
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
    });
}

/// A search as the suggestions run it: the names of the books, whether they are near, and the offered search.
fn results(store: &mut Pg<'_>, text: &str, limit: usize) -> (Vec<String>, bool, Option<String>) {
    let query =
        SearchQuery { text: text.to_owned(), filters: Filters::default(), after: None, limit: Limit::clamped(limit) };
    let page = store.search(&query, &|_| None).expect("a search is made");
    let is_near = page.items.first().is_some_and(|hit| hit.is_near);
    assert!(page.items.iter().all(|hit| hit.is_near == is_near), "{text}: the same for all");
    (page.items.into_iter().map(|hit| hit.card.subid.to_string()).collect(), is_near, page.did_you_mean)
}

/// Books with the word itself, in any of its forms, precede those with related words, of which at most five are listed; a book
/// about another name of the topic is about the word.
#[test]
fn the_word_itself_outranks_its_relatives() {
    with_catalogue(|store, _| {
        furnish(store);
        let with = |store: &mut Pg<'_>, subid: &str, body: &str| {
            save(
                store,
                &BookDraft { body: format!("<h3>Idea</h3><p>{body}</p>"), ..draft(subid, &format!("Of {subid}")) },
            );
        };
        with(store, "mentioned", "Once, in passing, a man delayed and felt envious of a rival, out of plain envy.");
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
    });
}

/// A misspelled word offers the search that was meant; so does a correct one that is spelled or sounds like a name, but its own
/// results stay.
#[test]
fn a_misspelled_search_is_offered_corrected() {
    with_catalogue(|store, _| {
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
    });
}

/// A title counts more than a text, and a hit in a text names its section.
#[test]
fn a_search_puts_titles_first_and_says_where() {
    with_catalogue(|store, _| {
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
    });
}

/// The filters of lists apply to searches, and the pages of a search hold every book once.
#[test]
fn a_search_is_filtered_and_paged() {
    with_catalogue(|store, _| {
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
                let query = SearchQuery {
                    text: "glaciers".to_owned(),
                    filters: filters.clone(),
                    after,
                    limit: Limit::clamped(7),
                };
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
            after: Some(BookCursor::Date { at: NOW, id: BookId::from_store(1) }),
            limit: Limit::clamped(7),
        };
        assert!(matches!(store.search(&query, &|_| Some(Access::Full)), Err(CatalogueError::BadCursor)));
    });
}

/// Passages never quote text that the searcher may not read.
#[test]
fn passages_come_from_what_may_be_read() {
    with_catalogue(|store, _| {
        furnish(store);
        let body = "<h3>Open</h3><p>A visible walrus.</p><h3>Closed</h3><p>A hidden narwhal and a walrus too, walrus.</p><p>The end of it, and more words here.</p>";
        let id = save(store, &BookDraft { body: body.to_owned(), ..draft("paid", "Paid") });
        let preview = Some(Access::Preview);
        let only = |store: &mut Pg<'_>, text: &str, shown: Option<Access>| {
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
            &SearchQuery {
                text: "hidden".to_owned(),
                filters: Filters::default(),
                after: None,
                limit: Limit::clamped(9),
            },
            &|card| if card.id == id { Some(Access::Full) } else { None },
        );
        let hits = terms.expect("a search is made").items;
        assert_eq!(hits.len(), 2);
        assert!(hits.iter().all(|hit| hit.passage.is_some() == (hit.card.id == id)), "{hits:?}");
    });
}

/// Counts add up over the last 30 days, what was searched once is left out, and a count is kept for 90 days.
#[test]
fn searches_without_a_result_are_counted_by_day_and_forgotten() {
    with_catalogue(|store, _| {
        let add = |store: &mut Pg<'_>, days: i64, searches: &[(&str, u64)]| {
            let searches = searches.iter().map(|(words, count)| ((*words).to_owned(), *count)).collect();
            store.add_unanswered_searches(&searches, NOW.plus(-days * DAY)).expect("searches are counted");
        };
        let seen = |store: &mut Pg<'_>, limit| -> Vec<(String, u64)> {
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
    });
}

/// Suggests books with their sections, authors, categories, collections and tags: by prefixes, without accents, with
/// typos.
#[test]
fn what_is_typed_is_suggested_from_everything() {
    with_catalogue(|store, _| {
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
        let suggest = |store: &mut Pg<'_>, text: &str, limit: usize| {
            let query = SuggestionsQuery { text: text.to_owned(), limit: Limit::clamped(limit) };
            store.suggestions(&query, &|_| Some(Access::Full)).expect("suggestions are made")
        };
        let books = |store: &mut Pg<'_>, text: &str| -> Vec<String> {
            suggest(store, text, 5).books.iter().map(|hit| hit.card.subid.to_string()).collect()
        };
        let authors = |store: &mut Pg<'_>, text: &str| -> Vec<String> {
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
        assert_eq!(
            found.collections.iter().map(|one| one.draft.title.as_str()).collect::<Vec<_>>(),
            ["Étude of Rivers"]
        );
        assert!(!suggest(store, "stoic", 5).tags.is_empty(), "tags by their beginning");
        let found = suggest(store, "mercenar", 5);
        assert!(found.books[0].section.is_some() && found.books[0].passage.is_some(), "with the place and the words");
        let found = suggest(store, "river", 1);
        assert!((found.books.len(), found.more) == (1, true), "there is another");
        for text in ["", "  ", "?!", "\u{0}", "zzzzqqq", "%_"] {
            assert_eq!(suggest(store, text, 5), Suggestions::default(), "{text:?}");
        }
    });
}
