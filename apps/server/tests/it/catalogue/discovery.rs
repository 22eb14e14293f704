//! Authors, collections, and search as one types, over HTTP; and the public pages of lists.

use std::collections::HashMap;

use crate::harness::TestApp;
use serde_json::{Value, json};

async fn stocked() -> TestApp {
    let app = TestApp::start().await;
    app.load_content(None).await.expect("the demo content is loaded");
    app
}

fn names<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    list.as_array().expect("a list").iter().map(|one| one[field].as_str().expect("a text")).collect()
}

#[actix_web::test]
async fn the_directory_of_authors_goes_from_a_to_z() {
    let app = stocked().await;
    let all = app.get("/api/authors").await.result();
    let letters = names(&all["authors"], "letter");
    assert!(letters.is_sorted() && letters.len() >= 13 && all["next"].is_null());
    let mut distinct = letters.clone();
    distinct.dedup();
    assert_eq!(names_of(&all["letters"]), distinct);
    assert_eq!(
        i64::try_from(letters.len()).expect("few"),
        app.count("authors WHERE id IN (SELECT author_id FROM books WHERE NOT coming_soon)")
    );
    let of = |slug: &str| {
        let found = all["authors"].as_array().expect("a list").iter().find(|author| author["slug"] == slug);
        found.unwrap_or_else(|| panic!("{slug} is there")).clone()
    };
    assert_eq!(of("henry-david-thoreau")["letter"], "t");
    assert_eq!(of("w-e-b-du-bois")["letter"], "d", "as the editors say");
    assert_eq!(of("sun-tzu")["letter"], "s");
    assert_eq!(
        of("henry-david-thoreau")["bookCount"],
        app.count("books b JOIN authors a ON a.id = b.author_id WHERE a.slug = 'henry-david-thoreau'")
    );

    let mut walked = Vec::new();
    let mut address = "/api/authors?limit=4".to_owned();
    loop {
        let page = app.get(&address).await.result();
        walked.extend(names(&page["authors"], "slug").into_iter().map(str::to_owned));
        let Some(next) = page["next"].as_str() else { break };
        address = format!("/api/authors?limit=4&after={next}");
    }
    assert_eq!(walked, names(&all["authors"], "slug"));
    let of_m = app.get("/api/authors?letter=M").await.result();
    assert!(
        names(&of_m["authors"], "letter").iter().all(|letter| *letter == "m")
            && !of_m["authors"].as_array().expect("a list").is_empty()
    );
    for (query, field) in [("letter=mm", "letter"), ("after=x", "after"), ("limit=0", "limit"), ("limit=101", "limit")]
    {
        let reply = app.get(&format!("/api/authors?{query}")).await;
        assert_eq!((reply.status.as_u16(), reply.json()["field"].clone()), (422, json!(field)), "{query}");
    }
}

fn names_of(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|one| one.as_str().expect("a text")).collect()
}

#[actix_web::test]
async fn an_author_has_a_text_and_books() {
    let app = stocked().await;
    let author = app.get("/api/authors/plato").await.result()["author"].take();
    assert_eq!((&author["name"], &author["slug"]), (&json!("Plato"), &json!("plato")));
    assert!(author["description"].as_str().expect("a text").contains("Socrates"));
    let books = app.get("/api/books?author=plato").await.result();
    assert_eq!(author["bookCount"], json!(books["books"].as_array().expect("books").len()));
    for missing in ["nobody", "Plato", "1"] {
        app.get(&format!("/api/authors/{missing}")).await.fails(404, "not_found", "There is no such author.");
    }
}

#[actix_web::test]
async fn collections_gather_categories_and_are_loaded_once() {
    let app = stocked().await;
    app.load_content(None).await.expect("the demo content is loaded again");
    let collections = app.get("/api/collections").await.result()["collections"].take();
    assert_eq!(names(&collections, "title").first(), Some(&"Why We Do What We Do"), "the newest first");
    assert_eq!(app.count("collections"), i64::try_from(collections.as_array().expect("a list").len()).expect("few"));
    let steady = collections.as_array().expect("a list").last().expect("the oldest").clone();
    assert_eq!(
        (&steady["title"], names(&steady["categories"], "subid")),
        (&json!("Steady Minds"), vec!["philosophy", "self-mastery"])
    );
    let picture = app.get(steady["image"].as_str().expect("a picture")).await;
    assert!(picture.status == 200 && picture.text.starts_with("<svg"));
    let one = app.get(&format!("/api/collections/{}", steady["id"])).await.result();
    assert_eq!(one["collection"], steady);
    let books = app.get(&format!("/api/books?collection={}&limit=100", steady["id"])).await.result();
    let expected = app.count(
        "books WHERE published AND id IN (SELECT book_id FROM book_categories JOIN categories c ON c.id = category_id \
         WHERE c.subid IN ('philosophy', 'self-mastery'))",
    );
    assert_eq!(i64::try_from(books["books"].as_array().expect("books").len()).expect("few"), expected);
    let first = app.get("/api/collections?limit=2").await.result();
    let next = first["next"].as_str().expect("there are more");
    let second = app.get(&format!("/api/collections?limit=2&after={next}")).await.result();
    assert_eq!(second["collections"][0], collections[2]);
    for missing in ["0", "99", "x", "-1"] {
        app.get(&format!("/api/collections/{missing}")).await.fails(404, "not_found", "There is no such collection.");
    }
}

#[actix_web::test]
async fn search_as_one_types_finds_everything_with_a_name_or_a_text() {
    let app = stocked().await;
    for typed in ["thore", "thoro", "Thoreau", "THÓREAU", "thoreu", "henry tho"] {
        let found = app.get(&format!("/api/search?q={}", typed.replace(' ', "%20"))).await.result();
        assert_eq!(names(&found["authors"], "slug").first(), Some(&"henry-david-thoreau"), "{typed}");
        assert_eq!(found["books"][0]["authorSlug"], "henry-david-thoreau", "{typed}: {}", found["books"][0]["title"]);
    }
    let found = app.get("/api/search?q=philos").await.result();
    assert_eq!(names(&found["categories"], "subid"), ["philosophy"]);
    let found = app.get("/api/search?q=open%20note").await.result();
    assert_eq!(names(&found["collections"], "title"), ["The Open Notebook"]);
    assert_eq!(names(&found["collections"][0]["categories"], "subid"), ["science", "nature"]);
    let found = app.get("/api/search?q=stoic").await.result();
    assert!(names(&found["tags"], "slug").contains(&"stoicism"));
    assert_eq!(app.get("/api/search?q=war&limit=1").await.result()["books"].as_array().expect("books").len(), 1);
    let nothing = json!({ "books": [], "more": false, "didYouMean": null, "authors": [], "categories": [], "collections": [], "tags": [] });
    for empty in ["", "%20", "?!".replace('?', "%3F").as_str(), "qqqqzzzz"] {
        assert_eq!(app.get(&format!("/api/search?q={empty}")).await.result(), nothing, "{empty}");
    }
    assert_eq!(app.get("/api/search").await.result(), nothing);
    assert_eq!(app.get(&format!("/api/search?q={}", "x".repeat(201))).await.json()["field"], "q");
}

/// A set of measured searches, and the least that it must reach: how many are in it, in how many of them the first result and in
/// how many one of the first three is a book that fits, and the mean reciprocal rank among the first ten, in thousandths.
const MEASURED: [(&str, usize, [usize; 3]); 2] = [("tuned", 70, [60, 67, 920]), ("held out", 30, [23, 28, 850])];

/// A line of `searches.tsv`.
struct MeasuredSearch {
    set: &'static str,
    text: &'static str,
    books: Vec<&'static str>,
    /// What the search is an example of; empty where only the rank is measured.
    kind: &'static str,
}

fn measured_searches() -> impl Iterator<Item = MeasuredSearch> {
    include_str!("../data/searches.tsv").lines().filter(|line| !line.starts_with('#')).map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let (set, text, books, kind) = match columns[..] {
            [set, text, books] => (set, text, books, ""),
            [set, text, books, kind] => (set, text, books, kind),
            _ => panic!("three or four columns: {line}"),
        };
        MeasuredSearch { set, text, books: books.split(',').collect(), kind }
    })
}

/// Both lists must reach their scores, which the test prints: `--nocapture` shows them.
#[actix_web::test]
#[expect(clippy::print_stdout, reason = "the scores are compared when the ranking is changed")]
async fn measured_searches_reach_their_scores() {
    let app = stocked().await;
    let mut ranks: HashMap<&str, Vec<Option<usize>>> = HashMap::new();
    let mut below: Vec<String> = Vec::new();
    for MeasuredSearch { set, text, books, kind } in measured_searches() {
        let found = app.get(&format!("/api/search?limit=10&q={}", text.replace(' ', "%20"))).await.result();
        let listed = names(&found["books"], "subid");
        let rank = listed.iter().position(|subid| books.contains(subid)).map(|place| place + 1);
        ranks.entry(set).or_default().push(rank);
        if rank != Some(1) {
            below.push(format!("{set}: {text:?} at {rank:?}"));
        }
        let is_near = found["books"][0]["match"]["near"] == true;
        match kind.split_once(": ").unwrap_or((kind, "")) {
            // The word itself is what counts, whatever else the search says.
            ("" | "word", _) => {}
            ("about", _) => assert!(!is_near, "{text}: a book that is listed is about it"),
            ("near", _) => assert!(is_near && listed.len() <= 5, "{text}: {listed:?}"),
            ("slip", meant) => assert_eq!(found["didYouMean"], meant, "{text}"),
            (other, _) => panic!("no kind: {other}"),
        }
    }
    for (set, count, least) in MEASURED {
        let ranks = &ranks[set];
        let within = |most: usize| ranks.iter().flatten().filter(|rank| **rank <= most).count();
        let thousandths = ranks.iter().flatten().map(|rank| 1000 / rank).sum::<usize>() / ranks.len();
        let scores = [within(1), within(3), thousandths];
        println!("{set}: {count} searches, {} first, {} in three, MRR 0.{:03}", scores[0], scores[1], scores[2]);
        assert_eq!(ranks.len(), count, "{set}");
        assert!(scores.iter().zip(least).all(|(score, least)| *score >= least), "{set}: {scores:?}; {below:#?}");
    }
}

#[actix_web::test]
async fn a_search_counts_all_books_that_it_lists() {
    let app = stocked().await;
    for (text, words) in [
        ("insects", "2 summaries for “insects”, 1 coming soon"),
        ("invisible hand", "1 summary for “invisible hand”"),
        ("walden", "1 summary for “walden”"),
        ("death", "summaries for “death”"),
    ] {
        let q = text.replace(' ', "+");
        let found = app.get(&format!("/api/books?q={q}")).await.result();
        let listed = found["books"].as_array().expect("books").len();
        assert!(found["next"].is_null());
        let page = app.get(&format!("/books?q={q}")).await.text;
        assert_eq!(page.matches("<li><article class=\"book-hit").count(), listed, "{text}");
        let words = if text == "death" { format!("{listed} {words}") } else { words.to_owned() };
        assert!(page.contains(&format!("role=\"status\">{words}</p>")), "{text}: {listed}");
        assert!(!page.contains("Did you mean"), "{text}");
    }
}

#[actix_web::test]
async fn a_misspelled_search_offers_the_one_that_was_meant() {
    let app = stocked().await;
    let page = app.get("/books?audio=false&category=science&q=origin+of+spieces").await.text;
    let offer =
        "Did you mean <a class=\"link\" href=\"?category=science&#38;q=origin+of+species\">origin of species</a>?";
    assert!(page.contains(offer), "{}", page.split("books__offer").nth(1).unwrap_or_default());
    let found = app.get("/api/books?q=thorough").await.result();
    assert_eq!(
        (&found["didYouMean"], &found["books"][0]["subid"]),
        (&json!("Thoreau"), &json!("the-souls-of-black-folk"))
    );
    assert_eq!(app.get("/api/books/list?q=origin+of+spieces").await.result()["didYouMean"], "origin of species");
    assert!(app.get("/api/books").await.result()["didYouMean"].is_null());
}

#[actix_web::test]
async fn a_search_says_that_no_summary_is_about_it_and_these_come_near() {
    let app = stocked().await;
    for list in ["/api/search?q=", "/api/books?limit=3&q="] {
        let of =
            async |text: &str| app.get(&format!("{list}{text}")).await.result()["books"][0]["match"]["near"].take();
        assert_eq!(of("procrastination").await, true, "{list}");
        assert_eq!(of("stoicism").await, false, "{list}");
    }
    let page = app.get("/books?q=procrastination").await;
    assert!(page.text.contains("No summary is about “procrastination” itself; these come close."));
    let page = app.get("/books?q=qqqqzzzz").await;
    assert!(
        page.text.contains("kind=suggest&amp;book=qqqqzzzz") || page.text.contains("kind=suggest&#38;book=qqqqzzzz"),
        "what was typed is suggested"
    );
}

#[actix_web::test]
async fn passages_are_shown_only_to_those_who_may_read_them() {
    let app = stocked().await;
    let paid = app.sign_up_paid("paid@example.com").await;
    let free = app.sign_up("free@example.com").await;
    let closed = app.get_as(&paid, "/api/books/walden").await.result()["book"].take();
    assert_eq!(closed["free"], false);
    let body = closed["body"].as_str().expect("a full text");
    let preview = app.get("/api/books/walden").await.result()["book"]["truncatedBody"].take();
    let preview = preview.as_str().expect("a preview");
    // A long word that only the rest of the text has.
    let words = body.rsplit(|c: char| !c.is_ascii_lowercase());
    let word = words.into_iter().find(|word| word.len() > 9 && !preview.contains(&word[..6])).expect("such a word");
    let (visitor, other, member) = (
        app.get(&format!("/api/search?q={word}")).await.result(),
        app.get_as(&free, &format!("/api/search?q={word}")).await.result(),
        app.get_as(&paid, &format!("/api/search?q={word}")).await.result(),
    );
    let of = |found: &Value| -> Value {
        let books = found["books"].as_array().expect("books");
        books.iter().find(|book| book["subid"] == "walden").expect("it is found")["match"].clone()
    };
    assert!(of(&member)["passage"].as_str().is_some_and(|passage| passage.contains(&word[..6])), "{member}");
    for stranger in [visitor, other] {
        assert!(of(&stranger)["passage"].is_null(), "{stranger}");
        assert_eq!(of(&stranger)["section"], of(&member)["section"]);
    }
}

/// The answers that a page carries for the app, by their keys.
fn seeds(html: &str) -> Vec<(Value, Value)> {
    let (_, rest) = html.split_once("id=\"pith-data\"").expect("a block of data");
    let (block, _) = rest.split_once('>').and_then(|(_, rest)| rest.split_once("</script>")).expect("its text");
    let mut block: Value = serde_json::from_str(block).expect("JSON");
    let queries = block["queries"].as_array_mut().expect("queries");
    queries.iter_mut().map(|query| (query["key"].take(), query["data"].take())).collect()
}

#[actix_web::test]
async fn the_page_of_a_search_says_how_many_there_are_only_when_it_knows() {
    let app = TestApp::start().await;
    for number in 0..21 {
        app.add_book(&format!("river-{number}"), "");
    }
    let many = app.get("/books?q=river").await;
    assert_eq!(many.text.matches("<li><article class=\"book-hit").count(), 20);
    assert!(many.text.contains("role=\"status\">Summaries for “river”</p>"), "21 are there, 20 are shown");
    let few = app.get("/books?q=%22river-7%22&sort=ab").await.text;
    assert!(few.contains("role=\"status\">1 summary for “&#34;river-7&#34;”</p>"), "{few}");
    assert!(app.get("/books").await.text.contains("role=\"status\">21 summaries, newest first</p>"));
    // What the app would ask for first, under the name that it would ask by.
    let first = |html: &str| seeds(html).into_iter().next().expect("a first answer");
    let (key, data) = first(&many.text);
    assert_eq!(key, json!(["visitor", "books", "q=river"]));
    assert_eq!(data, app.get("/api/books?q=river").await.result());
    assert_eq!(first(&few).0, json!(["visitor", "books", "q=%22river-7%22&sort=ab"]));
    let typed = app.get("/books?utm_source=mail&sort=new&q=+old%20river%20&category=unsorted&audio=false").await;
    assert_eq!(first(&typed.text).0, json!(["visitor", "books", "category=unsorted&q=old+river&sort=new"]));
    let next = data["next"].as_str().expect("there is more");
    assert_eq!(seeds(&app.get(&format!("/books?q=river&after={next}")).await.text), [], "not where the list begins");
}

#[actix_web::test]
async fn all_collections_can_be_reached_from_their_page() {
    let app = TestApp::start().await;
    app.sql(
        "INSERT INTO collections (title, subtitle, upload_date) \
         SELECT 'Shelf ' || n, 'Number ' || n, to_timestamp(n) FROM generate_series(1, 101) n",
    );
    let first = app.get("/collections").await.text;
    let cards = |html: &str| html.matches("class=\"collection-card\"").count();
    assert_eq!(cards(&first), 100);
    assert!(first.contains("<link rel=\"canonical\""));
    let (key, data) = seeds(&first).remove(0);
    assert_eq!(key, json!(["visitor", "collections"]));
    assert_eq!(data, app.get("/api/collections").await.result());
    let more = format!("/collections?after={}", data["next"].as_str().expect("there is one more"));
    assert!(first.contains(&format!("href=\"{more}\">Load more</a>")));
    let last = app.get(&more).await.text;
    assert_eq!((cards(&last), seeds(&last)), (1, Vec::new()));
    assert!(last.contains("Number 1<") && !last.contains("<link rel=\"canonical\"") && !last.contains("Load more"));
}

#[actix_web::test]
async fn lists_that_are_not_there_are_told_by_the_page_that_says_so() {
    let app = stocked().await;
    let next = app.get("/api/books?sort=ab&limit=2").await.result()["next"].take();
    let of_another_list = format!("/books?after={}", next.as_str().expect("there is more"));
    for address in [
        of_another_list.as_str(),
        "/books?sort=oldest",
        "/books?after=x",
        "/books?category=nobody",
        "/books?collection=999999",
        "/booklist/new/all?collection=999999",
        "/booklist/new/all?category=nobody",
        "/booklist/video/nothing",
        "/books?author=nobody",
        "/books?tag=nothing",
        "/visuals/nothing",
        "/category/nobody",
        "/collections?after=x",
        "/collections?after=1-1&after=1-1",
        "/collections?limit=0",
        "/collections/999999",
        "/authors?after=a&after=b",
        "/blog?after=a&after=b",
        "/blog?after=x",
        "/blog?category=nobody",
        "/blog?category=A+b",
        "/blog/whats-new?after=a&after=b",
        "/podcasts?after=a&after=b",
        "/podcasts?after=x",
        "/visuals?after=x",
        "/sitemaps/nothing.xml",
        "/sitemaps/books-2.xml",
        "/sitemaps/books-0.xml",
    ] {
        let page = app.get(address).await;
        assert_eq!(page.status.as_u16(), 404, "{address}");
        assert_eq!(page.headers["content-type"], "text/html; charset=utf-8", "{address}");
        assert!(page.text.contains("Page not found"), "{address}");
    }
}

#[actix_web::test]
async fn a_landing_page_carries_the_answers_that_its_app_asks_for() {
    let app = stocked().await;
    let landing = seeds(&app.get("/category/philosophy?audio=true").await.text);
    let calls = ["audio=true&category=philosophy", "category=philosophy&limit=6&sort=trending"];
    assert_eq!(landing.len(), calls.len());
    for ((key, data), call) in landing.into_iter().zip(calls) {
        assert_eq!(key, json!(["visitor", "books", call]));
        assert_eq!(data, app.get(&format!("/api/books?{call}")).await.result(), "{call}");
    }
    let collection = app.get("/api/collections?limit=1").await.result()["collections"][0]["id"].to_string();
    let wanted = (
        json!(["visitor", "collection", collection]),
        app.get(&format!("/api/collections/{collection}")).await.result(),
    );
    for address in [format!("/collections/{collection}"), format!("/booklist/ab/all?collection={collection}")] {
        assert_eq!(seeds(&app.get(&address).await.text).first(), Some(&wanted), "{address}");
    }
}

#[actix_web::test]
async fn an_author_is_a_person_with_a_way_to_it() {
    let app = stocked().await;
    let page = app.get("/authors/plato").await.text;
    let (_, rest) = page.split_once("<script type=\"application/ld+json\">").expect("structured data");
    let data: Value = serde_json::from_str(rest.split_once("</script>").expect("an end").0).expect("JSON");
    assert_eq!((&data["@graph"][0]["@type"], &data["@graph"][0]["name"]), (&json!("Person"), &json!("Plato")));
    let steps = data["@graph"][1]["itemListElement"].clone();
    assert_eq!(names(&steps, "name"), ["Book Authors", "Plato"]);
}
