//! Illustrated key ideas and infographics: what is public, and who gets the rest.

use catalogue::{BookDraft, Catalogue, CatalogueError, CatalogueQueries, VisualDraft, VisualsDraft};
use kernel::{BookId, Env, Slug};
use serde_json::{Value, json};

use crate::harness::TestApp;

/// A poster that can be drawn as pixels.
const POSTER: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="12" height="40" viewBox="0 0 12 40"><rect width="12" height="40" fill="#123456"/></svg>"##;

/// Gives a book three illustrated key ideas, whose pictures lie in the object store.
async fn illustrate(app: &TestApp, subid: &str, book: i64) {
    let media = &app.app.media;
    let mut ideas = Vec::new();
    for name in ["one", "two", "three"] {
        let picture = format!("<svg><!-- {name} of {subid} --></svg>").into_bytes();
        let image = media.put(&format!("visuals/{subid}-{name}.svg"), picture).await.expect("it is stored");
        let body = format!("About {name}.");
        ideas.push(VisualDraft { title: name.to_owned(), body, image: Some(image), drawing: None });
    }
    let draft = VisualsDraft {
        ideas,
        image: Some(media.put(&format!("thumbs/{subid}.svg"), POSTER.into()).await.expect("it is stored")),
        infographic: Some(media.put(&format!("infographics/{subid}.svg"), POSTER.into()).await.expect("it is stored")),
        infographic_thumb: Some(format!("thumbs/{subid}-infographic-1a.svg")),
    };
    let id = BookId::from_store(book);
    let now = app.env.now();
    let saved = app.app.db.write_now::<_, CatalogueError>(|pg| pg.save_visuals(id, &draft, now));
    saved.expect("they are saved");
    app.app.responses.invalidate_catalogue();
}

/// Withdraws a book, or publishes it again.
fn publish(app: &TestApp, subid: &str, published: bool) {
    app.env.advance(1_000);
    let now = app.env.now();
    let saved = app.app.db.write_now::<_, CatalogueError>(|pg| {
        let subid = Slug::parse(subid).expect("a slug");
        let (_, draft) = pg.find_book_draft(&subid)?.expect("the book is there");
        pg.save_book(&BookDraft { published, ..draft }, now)
    });
    saved.expect("it is saved");
    app.app.responses.invalidate_catalogue();
    app.app.facts.invalidate_all();
}

fn titles(result: &Value) -> Vec<&str> {
    result["visuals"].as_array().expect("a list").iter().map(|one| one["title"].as_str().expect("a title")).collect()
}

#[actix_web::test]
async fn the_list_is_public_and_has_each_book_once() {
    let app = TestApp::start().await;
    let (first, second) = (app.add_book("first", ""), app.add_book("second", "free = true"));
    app.add_book("without", "");
    let hidden = app.add_book("hidden", "");
    for (subid, book) in [("first", first), ("second", second), ("hidden", hidden)] {
        illustrate(&app, subid, book).await;
    }
    app.sql(&format!("UPDATE books SET published = false WHERE id = {hidden}"));
    app.sql("UPDATE catalogue_totals SET illustrated = illustrated - 1");
    app.app.responses.invalidate_catalogue();
    let result = app.get("/api/visuals").await.result();
    let seen: Vec<_> = result["visuals"].as_array().expect("a list").iter().map(|one| &one["book"]["subid"]).collect();
    assert_eq!(seen, ["second", "first"], "the latest book first");
    assert_eq!((&result["total"], &result["next"]), (&json!(2), &Value::Null));
    let one = &result["visuals"][0];
    assert_eq!((&one["count"], &one["book"]["hasVisuals"]), (&json!(3), &json!(true)));
    assert!(one["id"].as_i64().is_some_and(|id| id > 0));
    // Its picture is for everybody.
    let picture = app.get(one["image"].as_str().expect("an address")).await;
    assert_eq!(picture.status.as_u16(), 200);

    let page = app.get("/api/visuals?limit=1").await.result();
    assert_eq!(page["visuals"].as_array().map(Vec::len), Some(1));
    let rest = app.get(&format!("/api/visuals?limit=1&after={}", page["next"])).await.result();
    assert_eq!((&rest["visuals"][0]["book"]["subid"], &rest["next"]), (&json!("first"), &Value::Null));
    app.get("/api/visuals?after=0").await.fails(422, "validation_failed", "This list has no such next page.");
}

#[actix_web::test]
async fn key_ideas_are_for_paid_members_and_those_of_a_free_book_for_everybody() {
    let app = TestApp::start().await;
    let (book, free_book) = (app.add_book("a-book", ""), app.add_book("free-book", "free = true"));
    illustrate(&app, "a-book", book).await;
    illustrate(&app, "free-book", free_book).await;
    let (free, paid) = (app.sign_up("free@example.com").await, app.sign_up_paid("paid@example.com").await);

    for result in [
        app.get("/api/visuals/book/a-book").await.result(),
        app.get_as(&free, &format!("/api/visuals/book/{book}")).await.result(),
    ] {
        assert_eq!((&result["isPaid"], &result["visuals"]), (&json!(false), &json!([])));
        assert_eq!((&result["until"], &result["book"]["subid"]), (&Value::Null, &json!("a-book")));
        assert!(!result.to_string().contains("/media/visuals/"), "no picture's address leaks");
    }
    let seen = app.get_as(&paid, "/api/visuals/book/a-book").await.result();
    assert_eq!((&seen["isPaid"], titles(&seen)), (&json!(true), vec!["one", "two", "three"]));
    assert_eq!(seen["visuals"][1]["body"], "About two.");
    for viewer in [None, Some(&free), Some(&paid)] {
        let result = match viewer {
            None => app.get("/api/visuals/book/free-book").await.result(),
            Some(person) => app.get_as(person, "/api/visuals/book/free-book").await.result(),
        };
        assert_eq!((&result["isPaid"], titles(&result).len()), (&json!(true), 3));
        assert!(result["visuals"][0]["image"].as_str().is_some_and(|address| address.contains("?for=0&")));
    }
    // The address opens the picture, and the bare address does not.
    let address = seen["visuals"][0]["image"].as_str().expect("an address");
    assert!(address.contains(&format!("?for={}&", paid.id())), "{address}");
    assert_eq!(app.get(address).await.status.as_u16(), 200);
    let bare = address.split('?').next().expect("a path");
    assert_eq!(app.get(bare).await.status.as_u16(), 403);
    app.get("/api/visuals/book/nowhere").await.fails(404, "not_found", "There is no such book.");
}

#[actix_web::test]
async fn infographics_are_shown_to_all_and_downloaded_by_paid_members() {
    let app = TestApp::start().await;
    let book = app.add_book("a-book", "free = true");
    illustrate(&app, "a-book", book).await;
    app.add_book("without", "");
    let (free, paid) = (app.sign_up("free@example.com").await, app.sign_up_paid("paid@example.com").await);

    for (result, may) in [
        (app.get("/api/infographics").await.result(), false),
        (app.get_as(&free, "/api/infographics").await.result(), false),
        (app.get_as(&paid, "/api/infographics").await.result(), true),
    ] {
        assert_eq!((&result["isPaid"], &result["total"]), (&json!(may), &json!(1)));
        assert_eq!(result["infographics"][0]["image"], "/media/thumbs/a-book-infographic-1a.svg");
        assert!(!result.to_string().contains("/media/infographics/"), "the poster's address is given out by itself");
    }
    let path = "/api/infographics/a-book/download";
    assert_eq!(app.get(path).await.status.as_u16(), 401);
    for format in ["", "?format=pdf"] {
        let refused = app.get_as(&free, &format!("{path}{format}")).await;
        refused.fails(403, "upgrade_required", "Please upgrade to download infographics.");
    }
    let forms = [
        ("", "image/png", ".png"),
        ("?format=svg", "image/svg+xml", ".svg"),
        ("?format=pdf", "application/pdf", "-a4.pdf"),
        ("?format=pdf&paper=letter", "application/pdf", "-letter.pdf"),
    ];
    for (format, kind, ending) in forms {
        let result = app.get_as(&paid, &format!("{path}{format}")).await.result();
        let file = app.get(result["url"].as_str().expect("an address")).await;
        assert_eq!(
            (file.status.as_u16(), file.headers.get("content-type").and_then(|v| v.to_str().ok())),
            (200, Some(kind))
        );
        let name = format!("a-book-infographic{ending}");
        assert!(
            file.headers.get("content-disposition").is_some_and(|v| v.to_str().is_ok_and(|v| v.contains(&name))),
            "{name}"
        );
    }
    app.get_as(&paid, "/api/infographics/without/download").await.fails(
        404,
        "not_found",
        "There is no such infographic.",
    );
}

#[actix_web::test]
async fn an_add_on_is_downloaded_as_one_file_by_who_bought_it_and_stays_theirs() {
    let app = TestApp::start().await;
    for subid in ["older", "newer"] {
        let book = app.add_book(subid, "");
        illustrate(&app, subid, book).await;
    }
    let (free, paid) = (app.sign_up("free@example.com").await, app.sign_up_paid("paid@example.com").await);
    let path = "/api/infographics/download";
    assert_eq!(app.get(path).await.status.as_u16(), 401);
    let refused = app.get_as(&free, path).await;
    refused.fails(403, "upgrade_required", "Please upgrade to download infographics.");
    assert_eq!(app.get(&format!("{path}?link=00")).await.status.as_u16(), 403);

    // A guest has the link, a member the token as well.
    let body = json!({ "token": "pm_card_visa", "email": "buyer@example.com" });
    let bought = app.post("/api/charge/process/infographics-20", body).await.result();
    let link = bought["infographicsUrl"].as_str().expect("a link").to_owned();
    let owner = app.sign_up("owner@example.com").await;
    app.post_as(&owner, "/api/charge/process/infographics-20", json!({ "token": "pm_card_visa" })).await.result();
    app.env.advance(1_800_000);
    let entries = async |reply: crate::harness::Reply| {
        assert_eq!(reply.status.as_u16(), 303, "{}", reply.text);
        let file = app.get(reply.headers["location"].to_str().expect("an address")).await;
        assert_eq!((file.status.as_u16(), &file.headers["content-type"]), (200, &"application/zip".parse().unwrap()));
        file.text.matches("-infographic.png").count()
    };
    // Each name stands at its entry and in the directory.
    assert_eq!(entries(app.get(&link).await).await, 2 * 2);
    assert_eq!(entries(app.get_as(&owner, path).await).await, 2 * 2);
    assert_eq!(entries(app.get_as(&paid, path).await).await, 2 * 2);

    // Later ones follow until their number is reached; and no further.
    for number in 3..=21 {
        let subid = format!("later-{number}");
        app.env.advance(1_000);
        let book = app.add_book(&subid, "");
        illustrate(&app, &subid, book).await;
    }
    let first = app.get_as(&owner, "/api/infographics/older/download").await;
    assert_eq!(first.status.as_u16(), 200);
    assert_eq!(app.get_as(&owner, "/api/infographics/later-20/download").await.status.as_u16(), 200);
    let beyond = app.get_as(&owner, "/api/infographics/later-21/download").await;
    beyond.fails(403, "upgrade_required", "Please upgrade to download infographics.");
    assert_eq!(entries(app.get_as(&owner, path).await).await, 20 * 2);
    assert_eq!(entries(app.get(&link).await).await, 20 * 2);
    assert_eq!(entries(app.get_as(&paid, path).await).await, 21 * 2, "a plan has all of them");

    // One that is withdrawn keeps its place, and is the owner's again when it is back.
    publish(&app, "older", false);
    assert_eq!(entries(app.get_as(&owner, path).await).await, 19 * 2);
    assert_eq!(app.get_as(&owner, "/api/infographics/later-21/download").await.status.as_u16(), 403);
    publish(&app, "older", true);
    assert_eq!(entries(app.get_as(&owner, path).await).await, 20 * 2);
    assert_eq!(app.get_as(&owner, "/api/infographics/older/download").await.status.as_u16(), 200);

    // Another who buys today has the newest of today.
    let other = app.sign_up("other@example.com").await;
    app.post_as(&other, "/api/charge/process/infographics-20", json!({ "token": "pm_card_visa" })).await.result();
    assert_eq!(app.get_as(&other, "/api/infographics/later-21/download").await.status.as_u16(), 200);
    assert_eq!(app.get_as(&other, "/api/infographics/older/download").await.status.as_u16(), 403);
}

#[actix_web::test]
async fn a_price_says_how_many_infographics_there_are() {
    let app = TestApp::start().await;
    let count = async || {
        let asked = json!({ "planId": "infographics-50" });
        app.post("/api/charge/price", asked).await.result()["infographicsToday"].take()
    };
    assert_eq!(count().await, json!(0));
    for subid in ["one", "two"] {
        let book = app.add_book(subid, "");
        illustrate(&app, subid, book).await;
    }
    let coming = app.add_book("coming", "coming_soon = true");
    illustrate(&app, "coming", coming).await;
    assert_eq!(count().await, json!(2));
    let listed = app.get("/api/infographics").await.result();
    assert_eq!(listed["infographics"].as_array().map(Vec::len), Some(2), "as many as the gallery has");
}
