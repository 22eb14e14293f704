//! Links between key ideas: editors keep them, readers see them at an idea's end and on the idea map (`catalogue.idea-links`,
//! `catalogue.idea-map`, `catalogue.link-proposals`, `catalogue.lost-headings`).

use crate::harness::{Person, Reply, TestApp};
use serde_json::{Value, json};

const FEAR: &str = "A prince who is feared keeps his state, for fear is held up by the dread of punishment.";
const DREAD: &str = "The ruler keeps his subjects by fear, and the dread of punishment holds up his state.";
const WAX: &str = "The wax melts, rises in the wick and burns as vapor in the flame of the candle.";

/// Checks that a form was refused, and at which field.
#[track_caller]
fn refused(reply: &Reply, field: &str, message: &str) {
    let body = reply.json();
    assert_eq!((body["field"].as_str(), body["error"].as_str()), (Some(field), Some(message)), "{}", reply.text);
    assert!([404, 422].contains(&reply.status.as_u16()), "{}", reply.text);
}

/// A published book with these ideas: heading and text.
async fn add_book(app: &TestApp, editor: &Person, title: &str, category: i64, ideas: &[(&str, &str)]) -> i64 {
    let parts: Vec<String> = ideas.iter().map(|(idea, text)| format!("<h3>{idea}</h3><p>{text}</p>")).collect();
    let body = parts.concat();
    let author = format!("Author of {title}");
    let new = json!({ "title": title, "author": author, "categories": [category], "body": body, "published": true });
    app.post_as(editor, "/api/admin/books", new).await.result()["book"]["id"].as_i64().expect("an id")
}

/// An editor, a category, and two books whose first ideas are about one subject.
async fn two_books(app: &TestApp) -> (Person, i64, [i64; 2]) {
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let politics = app.add_category("politics", &[]);
    let ideas = [("Better feared", FEAR), ("Wax and wick", WAX)];
    let prince = add_book(app, &editor, "The Prince", politics, &ideas).await;
    let nature = app.add_category("nature", &[]);
    let other =
        add_book(app, &editor, "Dread", nature, &[("Dread rules", DREAD), ("Something else", "It rains.")]).await;
    (editor, politics, [prince, other])
}

fn link(books: [i64; 2]) -> Value {
    json!({
        "fromBookId": books[0], "fromIdea": "Better feared", "toBookId": books[1], "toIdea": "Dread rules",
        "kind": "agrees", "note": "Both hold that fear lasts.", "state": "published",
    })
}

#[actix_web::test]
async fn a_published_link_is_shown_at_both_ideas_and_on_the_map_of_its_topics() {
    let app = TestApp::start().await;
    let (editor, _, books) = two_books(&app).await;
    assert_eq!(app.get("/api/idea-map").await.result()["topics"], json!([]));
    let draft = json!({ "state": "draft" });
    let added = app.post_as(&editor, "/api/admin/idea-links", link(books)).await.result()["link"].clone();
    let address = format!("/api/admin/idea-links/{}", added["id"]);
    assert_eq!((&added["version"], &added["from"]["bookTitle"]), (&json!(1), &json!("The Prince")));
    assert_eq!((&added["to"]["idea"], &added["to"]["section"]), (&json!("Dread rules"), &json!(0)));

    for book in books {
        let shown = app.get(&format!("/api/books/{book}/idea-links")).await.result()["links"].clone();
        assert_eq!(shown.as_array().expect("a list").len(), 1, "{shown}");
        assert_eq!((&shown[0]["kind"], &shown[0]["note"]), (&json!("agrees"), &json!("Both hold that fear lasts.")));
        assert_eq!(shown[0]["from"]["author"], "Author of The Prince");
    }
    let topics = app.get("/api/idea-map").await.result()["topics"].clone();
    let named: Vec<_> =
        topics.as_array().expect("topics").iter().map(|one| (&one["category"]["subid"], &one["links"])).collect();
    assert_eq!(named, [(&json!("politics"), &json!(1)), (&json!("nature"), &json!(1))]);
    let map = app.get("/api/idea-map/nature").await.result();
    assert_eq!((&map["links"][0]["id"], &map["category"]["name"]), (&added["id"], &topics[1]["category"]["name"]));
    app.get("/api/idea-map/nowhere").await.fails(404, "not_found", "There is no such category.");
    let page = app.get("/ideas/nature").await;
    assert!(page.text.contains("Better feared") && page.text.contains("Both hold that fear lasts."), "{}", page.text);
    assert!(app.get("/ideas").await.text.contains("/ideas/politics"));
    assert!(app.get("/sitemaps/pages.xml").await.text.contains("/ideas/politics"));

    app.put_as(&editor, &address, draft).await.result();
    let dismissed = json!({ "state": "dismissed" });
    for path in ["/api/idea-map/nature", &format!("/api/books/{}/idea-links", books[0])] {
        assert_eq!(app.get(path).await.result()["links"], json!([]), "a draft is shown to nobody: {path}");
    }
    app.put_as(&editor, &address, dismissed).await.result();
    assert_eq!(app.get("/api/idea-map/nature").await.result()["links"], json!([]), "nor is a dismissed one");
    app.put_as(&editor, &address, json!({ "state": "published" })).await.result();
    app.put_as(&editor, &format!("/api/admin/books/{}", books[1]), json!({ "comingSoon": true })).await.result();
    assert_eq!(app.get("/api/idea-map").await.result()["topics"], json!([]), "the other book is coming soon");
    app.put_as(&editor, &format!("/api/admin/books/{}", books[1]), json!({ "comingSoon": false, "published": false }))
        .await
        .result();
    let shown = app.get(&format!("/api/books/{}/idea-links", books[0])).await.result();
    assert_eq!(shown["links"], json!([]), "the other book can't be read");
    app.get("/api/books/nowhere/idea-links").await.fails(404, "not_found", "There is no such book.");
}

#[actix_web::test]
async fn a_link_joins_two_books_once_and_says_how() {
    let app = TestApp::start().await;
    let (editor, _, books) = two_books(&app).await;
    let with = |changes: Value| {
        let mut form = link(books);
        form.as_object_mut().expect("a form").extend(changes.as_object().expect("changes").clone());
        form
    };
    for (changes, field, message) in [
        (
            json!({ "toBookId": books[0], "toIdea": "Wax and wick" }),
            "toBookId",
            "Please choose a key idea of another book.",
        ),
        (json!({ "toBookId": "nowhere" }), "toBookId", "There is no such book."),
        (json!({ "fromIdea": "No such idea" }), "fromIdea", "There is no such key idea."),
        (json!({ "toIdea": " " }), "toIdea", "Please choose a key idea."),
        (json!({ "note": " " }), "note", "Please say what the relation is."),
        (json!({ "note": "x".repeat(301) }), "note", "Please keep the note to 300 characters."),
        (json!({ "fromBookId": null }), "fromBookId", "Please specify Book."),
    ] {
        let answer = app.post_as(&editor, "/api/admin/idea-links", with(changes)).await;
        refused(&answer, field, message);
    }
    let added = app.post_as(&editor, "/api/admin/idea-links", link(books)).await.result()["link"].clone();
    let turned =
        json!({ "fromBookId": books[1], "fromIdea": "Dread rules", "toBookId": books[0], "toIdea": "Better feared" });
    let again = app.post_as(&editor, "/api/admin/idea-links", with(turned)).await;
    refused(&again, "toIdea", "These two ideas have a link already.");

    let address = format!("/api/admin/idea-links/{}", added["id"]);
    let change = json!({ "version": 1, "kind": "contradicts" });
    let changed = app.put_as(&editor, &address, change.clone()).await.result()["link"].clone();
    assert_eq!(
        (&changed["version"], &changed["kind"], &changed["note"]),
        (&json!(2), &json!("contradicts"), &added["note"])
    );
    let late = app.put_as(&editor, &address, change).await;
    assert_eq!((late.status.as_u16(), &late.json()["code"]), (409, &json!("edit_conflict")));
    app.delete_as(&editor, &address).await.result();
    app.get_as(&editor, &address).await.fails(404, "not_found", "There is no such idea link.");
}

#[actix_web::test]
async fn links_follow_a_changed_heading_and_one_that_is_gone_is_listed() {
    let app = TestApp::start().await;
    let (editor, _, books) = two_books(&app).await;
    let added = app.post_as(&editor, "/api/admin/idea-links", link(books)).await.result()["link"].clone();
    let book = format!("/api/admin/books/{}", books[0]);
    let body = |first: &str| format!("<h3>{first}</h3><p>{FEAR}</p><h3>Wax and wick</h3><p>{WAX}</p>");
    app.put_as(&editor, &book, json!({ "body": body("Fear lasts") })).await.result();
    let shown = app.get(&format!("/api/books/{}/idea-links", books[1])).await.result();
    assert_eq!(
        (&shown["links"][0]["from"]["idea"], &shown["links"][0]["from"]["section"]),
        (&json!("Fear lasts"), &json!(0))
    );

    app.put_as(&editor, &book, json!({ "body": format!("<h3>Wax and wick</h3><p>{WAX}</p>") })).await.result();
    let lost = app.get_as(&editor, "/api/admin/idea-links?lost=true").await.result();
    assert_eq!((&lost["links"][0]["id"], &lost["count"]), (&added["id"], &json!(1)));
    assert_eq!(
        (&lost["links"][0]["from"]["idea"], &lost["links"][0]["from"]["section"]),
        (&json!("Fear lasts"), &Value::Null)
    );
    assert_eq!(app.get(&format!("/api/books/{}/idea-links", books[1])).await.result()["links"], json!([]));
    // A heading that would make a second link between the same ideas is not followed.
    let ends = |from: &str| json!({ "fromBookId": books[0], "fromIdea": from, "toBookId": books[1], "toIdea": "Dread rules", "note": "x" });
    let other = app.post_as(&editor, "/api/admin/idea-links", ends("Wax and wick")).await.result()["link"].clone();
    app.sql(&format!("UPDATE idea_links SET from_idea = 'Flame' WHERE id = {}", added["id"]));
    app.put_as(&editor, &book, json!({ "body": format!("<h3>Flame</h3><p>{WAX}</p>") })).await.result();
    let kept = app.get_as(&editor, &format!("/api/admin/idea-links/{}", other["id"])).await.result()["link"].clone();
    assert_eq!((&kept["from"]["idea"], &kept["from"]["section"]), (&json!("Wax and wick"), &Value::Null));
    app.delete_as(&editor, &format!("/api/admin/idea-links/{}", other["id"])).await.result();
    app.sql(&format!("UPDATE idea_links SET from_idea = 'Fear lasts' WHERE id = {}", added["id"]));
    app.put_as(&editor, &book, json!({ "body": format!("<h3>Wax and wick</h3><p>{WAX}</p>") })).await.result();
    // The rest of a link can be changed while a heading is gone; another heading must be there.
    let address = format!("/api/admin/idea-links/{}", added["id"]);
    app.put_as(&editor, &address, json!({ "note": "Fear lasts longer than love." })).await.result();
    let unknown = app.put_as(&editor, &address, json!({ "fromIdea": "Nowhere" })).await;
    refused(&unknown, "fromIdea", "There is no such key idea.");
    app.put_as(&editor, &address, json!({ "fromIdea": "Wax and wick" })).await.result();
    assert_eq!(app.get_as(&editor, "/api/admin/idea-links?lost=true").await.result()["links"], json!([]));
}

#[actix_web::test]
async fn links_are_listed_by_text_state_kind_and_book() {
    let app = TestApp::start().await;
    let (editor, politics, books) = two_books(&app).await;
    let third = add_book(&app, &editor, "Rain", politics, &[("It rains", "It rains all day.")]).await;
    app.post_as(&editor, "/api/admin/idea-links", link(books)).await.result();
    let dismissed = json!({
        "fromBookId": third, "fromIdea": "It rains", "toBookId": books[1], "toIdea": "Something else", "state": "dismissed",
    });
    app.post_as(&editor, "/api/admin/idea-links", dismissed).await.result();
    let found = async |query: &str| {
        let list = app.get_as(&editor, &format!("/api/admin/idea-links?{query}")).await.result();
        let links = list["links"].as_array().expect("a list").clone();
        links.iter().map(|one| one["from"]["idea"].as_str().expect("an idea").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("").await, ["It rains", "Better feared"], "the newest first");
    for (query, ideas) in [
        ("q=FEARED", vec!["Better feared"]),
        ("q=the%20prince", vec!["Better feared"]),
        ("q=lasts", vec!["Better feared"]),
        ("q=nothing", vec![]),
        ("state=dismissed", vec!["It rains"]),
        ("state=draft", vec![]),
        ("kind=agrees&state=published", vec!["Better feared"]),
        ("bookId=rain", vec!["It rains"]),
    ] {
        assert_eq!(found(query).await, ideas, "{query}");
    }
    assert_eq!(found(&format!("bookId={}", books[1])).await.len(), 2);
    let first = app.get_as(&editor, "/api/admin/idea-links?limit=1").await.result();
    let rest = found(&format!("limit=1&after={}", first["next"].as_str().expect("another page"))).await;
    assert_eq!(rest, ["Better feared"]);
    let ideas = app.get_as(&editor, "/api/admin/idea-links/ideas?bookId=the-prince").await.result();
    assert_eq!(ideas["ideas"], json!(["Better feared", "Wax and wick"]));
}

#[actix_web::test]
async fn ideas_on_one_subject_are_proposed_until_they_are_linked_or_dismissed() {
    let app = TestApp::start().await;
    let (editor, _, books) = two_books(&app).await;
    let proposed = async |query: &str| {
        let found = app.get_as(&editor, &format!("/api/admin/idea-links/proposals{query}")).await.result();
        found["proposals"].as_array().expect("a list").clone()
    };
    let of_book = proposed(&format!("?bookId={}", books[0])).await;
    assert_eq!(
        (&of_book[0]["from"]["idea"], &of_book[0]["to"]["idea"]),
        (&json!("Better feared"), &json!("Dread rules"))
    );
    assert!(of_book[0]["likeness"].as_f64().expect("a number") > 0.08, "{}", of_book[0]);
    let terms = of_book[0]["terms"].as_array().expect("words");
    assert!((1..=5).contains(&terms.len()) && terms.contains(&json!("dread")), "{terms:?}");
    assert_eq!(proposed("").await.len(), 1, "without a book, of those with the fewest links");
    assert_eq!(app.get("/api/idea-map").await.result()["topics"], json!([]), "what is proposed is shown to nobody");

    let mut dismissed = link(books);
    dismissed["state"] = json!("dismissed");
    dismissed["note"] = json!("");
    let dismissed = app.post_as(&editor, "/api/admin/idea-links", dismissed).await.result()["link"].clone();
    assert!(proposed("").await.is_empty() && proposed("?bookId=dread").await.is_empty());
    app.delete_as(&editor, &format!("/api/admin/idea-links/{}", dismissed["id"])).await.result();
    assert_eq!(proposed("?bookId=dread").await[0]["from"]["idea"], "Dread rules", "it may be proposed again");
    app.get_as(&editor, "/api/admin/idea-links/proposals?bookId=nowhere").await.fails(
        404,
        "not_found",
        "There is no such book.",
    );
}
