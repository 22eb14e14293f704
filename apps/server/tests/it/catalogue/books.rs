//! Finding books over HTTP, and loading them.

use std::{collections::BTreeSet, fs, path::Path};

use catalogue::{Catalogue as _, CatalogueError, CatalogueQueries as _};
use kernel::Slug;

use crate::harness::{self, START, TestApp};
use reqwest::Method;
use serde_json::{Value, json};

fn subids(books: &Value) -> Vec<&str> {
    books.as_array().expect("a list of books").iter().map(|book| book["subid"].as_str().expect("a subid")).collect()
}

async fn stocked() -> TestApp {
    let app = TestApp::start().await;
    app.load_content(None).await.expect("the demo content is loaded");
    app
}

#[actix_web::test]
async fn the_demo_content_is_loaded_once_with_pictures() {
    let app = stocked().await;
    let rows = ["books", "authors", "categories", "goals", "book_sections", "tags", "search_words"];
    let before: Vec<i64> = rows.iter().map(|table| app.count(table)).collect();
    let written = app.count("books WHERE updated_at = to_timestamp(1781524800)");
    assert_eq!(written, before[0], "all of them just now");
    app.env.advance(1000);
    app.load_content(None).await.expect("the demo content is loaded");
    assert_eq!(rows.iter().map(|table| app.count(table)).collect::<Vec<_>>(), before);
    assert_eq!(app.count("books WHERE updated_at = to_timestamp(1781524800)"), written, "nothing was written again");

    let result = app.get("/api/books/list").await.result();
    for book in result["books"].as_object().expect("a map").values() {
        let picture = app.get(book["image"].as_str().expect("a cover")).await;
        assert_eq!((picture.status.as_u16(), picture.headers["content-type"].as_bytes()), (200, &b"image/svg+xml"[..]));
        assert!(picture.text.starts_with("<svg") || picture.text.starts_with("<?xml"));
    }
    let categories = app.get("/api/categories").await.result();
    let first = &categories["categories"][0];
    assert_eq!((&first["subid"], &first["name"]), (&json!("philosophy"), &json!("Philosophy")));
    assert_eq!(app.get(first["small_image"].as_str().expect("a picture")).await.status, 200);
}

#[actix_web::test]
async fn content_of_an_operators_own_is_loaded_whole_or_not_at_all() {
    let app = TestApp::start().await;
    let home = tempfile::tempdir().expect("a folder");
    let write = |path: &str, text: &str| {
        let path = home.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    let book = |author: &str| {
        format!(
            "title = \"Owls\"\nauthor = \"{author}\"\ndescription = \"About owls.\"\ncategories = [\"birds\"]\n\
             tags = [\"night\"]\nupload_date = \"2026-03-14\"\n"
        )
    };
    write("categories.toml", "[[category]]\nsubid = \"birds\"\nname = \"Birds\"\nhue = 200\n");
    write("authors/someone.toml", "name = \"Some One\"\ndescription = \"A person.\"\n");
    write("books/owls/book.toml", &book("nobody"));
    write("books/owls/body.html", "<h3>They see</h3><p>At night.</p><p>And by day.</p>");
    write("books/owls/cover.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    let load = |folder: &Path| {
        let folder = folder.to_owned();
        let app = &app;
        async move { app.load_content(Some(&folder)).await }
    };
    let error = load(home.path()).await.expect_err("there is no such author").to_string();
    assert!(error.contains("books/owls/book.toml: author: there is no authors/nobody.toml"), "{error}");
    // What only the catalogue itself refuses leaves nothing either.
    write("books/owls/book.toml", &book("someone").replace("Owls", " "));
    let error = load(home.path()).await.expect_err("a title is wanted").to_string();
    assert!(error.contains("books/owls: owls: title: This can't be empty."), "{error}");
    assert_eq!((app.count("books"), app.count("categories"), app.count("authors")), (0, 0, 0));

    write("books/owls/book.toml", &book("someone"));
    load(home.path()).await.expect("the content is right");
    let owls = app.get("/api/books/list").await.result()["books"]["owls"].take();
    assert_eq!((&owls["title"], &owls["uploadDate"]), (&json!("Owls"), &json!(1_773_446_400_000_i64)));
    let cover = app.get(owls["image"].as_str().expect("a cover")).await;
    assert_eq!(cover.text, "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "a picture of its own wins");
    write("books/owls/book.toml", &book("someone").replace("Owls", "Barn owls"));
    load(home.path()).await.expect("the content is right");
    let list = app.get("/api/books/list").await.result();
    assert_eq!((&list["books"]["owls"]["title"], &list["order"]), (&json!("Barn owls"), &json!(["owls"])));
}

#[actix_web::test]
async fn the_front_page_and_the_categories_are_for_everybody() {
    let app = stocked().await;
    let front = app.get("/api/front").await.result();
    let hero = &front["hero"];
    assert_eq!(
        (&hero["free"], &hero["notLoggedIn"], &hero["showPremiumContent"]),
        (&json!(true), &json!(true), &json!(true))
    );
    assert!(hero["body"].as_str().expect("a full text").starts_with("<h3>") && hero["truncatedBody"].is_null());
    assert_eq!((subids(&front["popular"]).len(), subids(&front["newest"]).len()), (8, 8));
    assert_eq!(front["bookCount"].as_i64(), Some(app.count("books WHERE published AND NOT coming_soon")));
    let categories = app.get("/api/categories").await.result()["categories"].take();
    assert_eq!(front["categories"], categories);
    let counts: i64 =
        categories.as_array().expect("a list").iter().map(|one| one["bookCount"].as_i64().expect("a count")).sum();
    let readable = "book_categories t JOIN books b ON b.id = t.book_id WHERE NOT b.coming_soon";
    assert_eq!(counts, app.count(readable));
    let ada = app.sign_up("ada@example.com").await;
    assert_eq!(app.get_as(&ada, "/api/front").await.result(), front);
    assert_eq!(app.get_as(&ada, "/api/categories").await.result()["categories"], categories);
}

#[actix_web::test]
async fn lists_are_sorted_filtered_and_walked_by_key() {
    let app = stocked().await;
    let all = app.get("/api/books/list?sort=ab").await.result();
    let order: Vec<&str> = all["order"].as_array().expect("an order").iter().filter_map(Value::as_str).collect();
    assert_eq!(all["next"], Value::Null);
    assert_eq!(order.len(), usize::try_from(app.count("books WHERE published")).expect("a number of rows"));
    for path in ["/api/books?sort=ab&limit=3", "/api/books/list?sort=ab&limit=3"] {
        let mut walked = Vec::new();
        let mut next = None;
        loop {
            let address = next.as_ref().map_or(path.to_owned(), |next| format!("{path}&after={next}"));
            let page = app.get(&address).await.result();
            if page["books"].is_array() {
                walked.extend(subids(&page["books"]).into_iter().map(str::to_owned));
            } else {
                walked.extend(
                    page["order"].as_array().expect("an order").iter().filter_map(Value::as_str).map(str::to_owned),
                );
                let keys: BTreeSet<&String> = page["books"].as_object().expect("a map").keys().collect();
                assert_eq!(keys.len(), page["order"].as_array().expect("an order").len());
            }
            match page["next"].as_str() {
                Some(key) => next = Some(key.to_owned()),
                None => break,
            }
        }
        assert_eq!(walked, order, "{path}");
    }
    let newest = app.get("/api/books?sort=newest").await.result();
    assert_eq!(app.get("/api/books").await.result(), newest);
    let dates: Vec<i64> = newest["books"]
        .as_array()
        .expect("books")
        .iter()
        .map(|book| book["uploadDate"].as_i64().expect("a date"))
        .collect();
    assert!(dates.is_sorted_by(|one, other| one >= other));
    assert_eq!(newest["total"].as_i64(), Some(app.count("books WHERE NOT coming_soon")));
    let category = app.get("/api/categories").await.result()["categories"][0].take();
    let by_name = app.get("/api/books?category=philosophy").await.result();
    assert_eq!(app.get(&format!("/api/books?category={}", category["id"])).await.result()["books"], by_name["books"]);
    assert_eq!(by_name["total"], category["bookCount"]);
    assert_eq!(json!(subids(&by_name["books"]).len()), category["bookCount"]);
    assert_eq!(subids(&app.get("/api/books?author=adam-smith").await.result()["books"]), ["the-wealth-of-nations"]);
    assert!(subids(&app.get("/api/books?tag=stoicism").await.result()["books"]).contains(&"meditations"));
    for nothing in ["audio=true", "video=true", "sort=audio", "tag=stoicism&author=adam-smith"] {
        assert_eq!(app.get(&format!("/api/books?{nothing}")).await.result()["books"], json!([]), "{nothing}");
    }
}

#[actix_web::test]
async fn a_list_of_what_is_not_there_is_not_found_by_call_and_page() {
    let app = stocked().await;
    for (filter, name) in [
        ("category=nothing", "category"),
        ("category=4711", "category"),
        ("author=nobody", "author"),
        ("tag=nothing", "tag"),
        ("collection=4711", "collection"),
        ("q=liberty&author=nobody", "author"),
        ("q=zzzzqqqq&tag=nothing", "tag"),
        ("sort=audio&tag=nothing", "tag"),
    ] {
        for path in ["/api/books", "/api/books/list"] {
            let reply = app.get(&format!("{path}?{filter}")).await;
            reply.fails(404, "not_found", &format!("There is no such {name}."));
            assert_eq!(reply.json()["field"], name, "{filter}");
        }
        let page = app.get(&format!("/books?{filter}")).await;
        assert_eq!(page.status.as_u16(), 404, "{filter}");
        assert!(page.text.contains("Page not found"), "{filter}");
    }
    for page in
        ["/booklist/new/nothing", "/booklist/audio/nothing", "/booklist/new/all?author=nobody", "/authors/nobody"]
    {
        assert_eq!(app.get(page).await.status.as_u16(), 404, "{page}");
    }
    // Nothing is left of a list whose names are known: it is there, and empty.
    assert_eq!(app.get("/booklist/audio/stoicism").await.status.as_u16(), 200);
}

#[actix_web::test]
async fn bad_parameters_are_named() {
    let app = stocked().await;
    let newest = app.get("/api/books?limit=1").await.result()["next"].as_str().expect("a key").to_owned();
    let long = format!("q={}", "x".repeat(201));
    let mixed = format!("sort=ab&after={newest}");
    let searched = format!("q=liberty&after={newest}");
    for path in ["/api/books", "/api/books/list"] {
        for (query, field) in [
            ("limit=0", "limit"),
            ("limit=101", "limit"),
            ("category=Not%20One", "category"),
            ("collection=0", "collection"),
            ("author=A%20B", "author"),
            ("after=nonsense", "after"),
            (mixed.as_str(), "after"),
            (searched.as_str(), "after"),
            (long.as_str(), "q"),
            ("sort=best", "sort"),
            ("limit=many", "limit"),
            ("limit=-1", "limit"),
            ("audio=perhaps", "audio"),
            ("collection=x", "collection"),
            ("sort=ab&sort=ab", "sort"),
        ] {
            let reply = app.get(&format!("{path}?{query}")).await;
            let body = reply.json();
            assert_eq!(
                (reply.status.as_u16(), &body["code"], &body["field"]),
                (422, &json!("validation_failed"), &json!(field)),
                "{query}"
            );
        }
    }
}

#[actix_web::test]
async fn a_search_shows_only_what_its_viewer_may_read() {
    let app = stocked().await;
    for (typed, found) in [
        ("meditations", "meditations"),
        ("machiaveli", "the-prince"),
        ("darwin%20pigeons", "on-the-origin-of-species"),
        ("pin%20factory", "the-wealth-of-nations"),
        ("meditashuns%20aurelus", "meditations"),
        ("wald", "walden"),
    ] {
        let result = app.get(&format!("/api/books?q={typed}")).await.result();
        assert_eq!(subids(&result["books"]).first(), Some(&found), "{typed}");
        assert!(result["books"][0]["match"].is_object());
    }
    // A word from the end of a book that is for members.
    app.add_book("closed-book", "free = false");
    let passage = |result: &Value| result["books"][0]["match"].clone();
    let typed = "/api/books?q=%22idea%205%20in%20closed%22";
    let hidden = passage(&app.get(typed).await.result());
    assert!(hidden["section"]["place"].is_number(), "{hidden}");
    let ada = app.sign_up("ada@example.com").await;
    let shown_to_free = passage(&app.get_as(&ada, typed).await.result());
    for shown in [&hidden, &shown_to_free] {
        assert!(shown["passage"].is_null() || shown["section"]["place"] == 0, "only the preview is shown: {shown}");
    }
    let paul = app.sign_up_paid("paul@example.com").await;
    let shown = passage(&app.get_as(&paul, typed).await.result());
    assert!(shown["passage"].as_str().expect("a passage").contains('\u{e000}'), "{shown}");
    // Opened for good, it may be quoted from.
    app.get_as(&ada, "/api/books/closed-book").await.result();
    assert!(passage(&app.get_as(&ada, typed).await.result())["passage"].is_string());
    assert_eq!(app.get("/api/books?q=zzzzqqqq").await.result()["books"], json!([]));
}

#[actix_web::test]
async fn a_member_gets_recommendations_of_the_chosen_categories() {
    let app = stocked().await;
    let visitor = app.get("/api/books").await.result();
    assert_eq!((&visitor["user"], subids(&visitor["recommendations"]).len()), (&Value::Null, 10));
    let ada = app.sign_up("ada@example.com").await;
    let categories = app.get("/api/categories").await.result()["categories"].take();
    let nature =
        categories.as_array().expect("a list").iter().find(|one| one["subid"] == "nature").expect("it is there");
    let chosen = app.put_as(&ada, "/api/user/recommends", json!({ "recommends": [nature["id"]] })).await;
    assert_eq!(chosen.result()["user"]["recommends"], json!([nature["id"]]));
    let result = app.get_as(&ada, "/api/books").await.result();
    assert_eq!(result["user"]["email"], "ada@example.com");
    let listed = app.get("/api/books?category=nature").await.result();
    let readable = |book: &&Value| book["comingSoon"] == json!(false);
    let count = listed["books"].as_array().expect("books").iter().filter(readable).count();
    let recommended = result["recommendations"].as_array().expect("books");
    assert_eq!(recommended.len(), 10);
    let of_nature =
        |book: &Value| book["categories"].as_array().expect("a list").iter().any(|one| one["subid"] == "nature");
    assert!(recommended[..count].iter().all(of_nature) && !recommended[count..].iter().any(of_nature));
}

#[actix_web::test]
async fn visitors_lists_are_kept_by_tag_and_members_are_not_stored() {
    let app = stocked().await;
    let first = app.get("/api/books").await;
    assert_eq!(first.headers["cache-control"], "no-cache");
    let tag = first.headers["etag"].clone();
    let again = harness::reply(app.request(Method::GET, "/api/books").header("If-None-Match", tag.clone())).await;
    assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""));
    // A change of the catalogue is seen at once.
    app.add_book("new-book", "");
    let changed = harness::reply(app.request(Method::GET, "/api/books").header("If-None-Match", tag)).await;
    assert_eq!(changed.status, 200);
    assert!(changed.text.contains("new-book"));
    let packed =
        app.request(Method::GET, "/api/books").header("Accept-Encoding", "gzip").send().await.expect("an answer");
    assert_eq!(packed.headers()["content-encoding"], "gzip");
    let ada = app.sign_up("ada@example.com").await;
    let private = app.get_as(&ada, "/api/books").await;
    assert_eq!(private.headers["cache-control"], "private, no-store");
    assert!(!private.headers.contains_key("content-encoding"), "an answer to one person is not compressed");
}

#[actix_web::test]
async fn a_list_in_memory_ends_with_the_plan_that_it_was_made_for() {
    let app = TestApp::start().await;
    app.add_book("closed-book", "");
    let paul = app.sign_up_paid("paul@example.com").await;
    app.sql(&format!("UPDATE entitlements SET ends_at = to_timestamp({})", START.millis() / 1000 + 10));
    app.forget(&paul);
    let typed = "/api/books/list?q=%22idea%205%20in%20closed%22";
    let shown = async || {
        let list = app.get_as(&paul, typed).await.result();
        let is_paid = app.get_as(&paul, "/api/books").await.result()["user"]["isPaid"].clone();
        (list["books"]["closed-book"]["match"]["passage"].is_string(), is_paid)
    };
    assert_eq!(shown().await, (true, json!(true)));
    app.env.advance(10_000);
    assert_eq!(shown().await, (false, json!(false)), "younger than half a minute, and yet not right");
}

#[actix_web::test]
async fn saving_a_book_invalidates_its_answers_pages_and_lists_and_leaves_those_of_other_books() {
    let app = TestApp::start().await;
    app.add_book("first", "");
    app.add_book("second", "");
    let title_of = async |subid: &str| app.get(&format!("/api/books/{subid}")).await.result()["book"]["title"].clone();
    let page_of = async |subid: &str| app.get(&format!("/books/{subid}")).await.text;
    for subid in ["first", "second"] {
        assert_eq!(title_of(subid).await, json!(format!("Title of {subid}")));
        assert!(page_of(subid).await.contains(&format!("Title of {subid}")));
    }
    assert!(app.get("/api/books/list").await.text.contains("Title of second"));

    // What is read again from the database shows this title, what is cached does not.
    app.sql("UPDATE books SET title = 'Read again'");
    let saved = app.app.db.write_now::<_, CatalogueError>(|pg| {
        let (_, mut draft) = pg.find_book_draft(&Slug::parse("first").expect("a slug"))?.expect("the book is there");
        draft.title = "Saved".to_owned();
        pg.save_book(&draft, START)
    });
    saved.expect("the book is saved");

    assert_eq!(title_of("first").await, json!("Saved"));
    assert!(page_of("first").await.contains("Saved"));
    let list = app.get("/api/books/list").await.text;
    assert!(list.contains("Saved") && list.contains("Read again") && !list.contains("Title of"), "{list}");
    assert_eq!(title_of("second").await, json!("Title of second"));
    assert!(page_of("second").await.contains("Title of second"));
}
