//! Authors, collections, and search as one types, over HTTP; and the public pages of lists.

use crate::support::TestApp;
use serde_json::{Value, json};
use server::seed;

async fn stocked() -> TestApp {
    let app = TestApp::start().await;
    seed::catalogue(&app.app, None).await.expect("the demo content is loaded");
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
        app.count("authors WHERE id IN (SELECT author_id FROM books)")
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
    seed::catalogue(&app.app, None).await.expect("the demo content is loaded again");
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
    let nothing = json!({ "books": [], "more": false, "authors": [], "categories": [], "collections": [], "tags": [] });
    for empty in ["", "%20", "%00", "?!".replace('?', "%3F").as_str(), "qqqqzzzz"] {
        assert_eq!(app.get(&format!("/api/search?q={empty}")).await.result(), nothing, "{empty}");
    }
    assert_eq!(app.get("/api/search").await.result(), nothing);
    assert_eq!(app.get(&format!("/api/search?q={}", "x".repeat(201))).await.json()["field"], "q");
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
