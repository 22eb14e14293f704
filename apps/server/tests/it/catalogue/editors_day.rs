//! An editor's day: a book from nothing to published, which a visitor finds and reads on another node; and tabs that are stale.

use std::time::{Duration, Instant};

use kernel::Env as _;
use server::env::SystemEnv;

use crate::harness::{
    Person, TestApp,
    process::Process,
    uploads::{picture, upload},
};
use serde_json::{Value, json};

/// After this time a change does not reach the other node. It is there within a second, but the machine may be busy.
const DEADLINE: Duration = Duration::from_mins(2);

/// What a word processor puts on the clipboard: markup of its own around headings, paragraphs and a list.
const PASTED: &str = r#"<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal { margin: 0 }</style></head>
<body lang=EN-GB style='tab-interval:36.0pt'><!--StartFragment-->
<h3 style='mso-outline-level:3'><a name="_Toc1"></a><span lang=EN-GB>The morning walk<o:p></o:p></span></h3>
<p class=MsoNormal style='mso-margin-top-alt:auto'><span style='font-size:11.0pt;font-family:"Calibri"'>Whoever walks before
breakfast has met the <b style='mso-bidi-font-weight:normal'>kingfisher</b> by eight.<o:p></o:p></span></p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>
<!--[if !supportLists]--><p class=MsoListParagraph>Take bread.</p><!--[endif]-->
<h3>The evening walk</h3><p class=MsoNormal onclick="steal()">Go <a href="javascript:steal()">slowly</a>.</p>
<img src="file:///C:/Users/ada/AppData/clip_image001.png"><script>steal()</script><!--EndFragment--></body></html>"#;

/// Asks a node as a visitor.
async fn ask(client: &reqwest::Client, node: &str, path: &str) -> (u16, Value) {
    let reply = client.get(format!("{node}{path}")).send().await.expect("an answer");
    let status = reply.status().as_u16();
    (status, reply.json().await.unwrap_or_default())
}

/// Asks until the answer is as wanted.
async fn eventually(client: &reqwest::Client, node: &str, path: &str, wanted: impl Fn(u16, &Value) -> bool) -> Value {
    let started = Instant::now();
    loop {
        let (status, answer) = ask(client, node, path).await;
        if wanted(status, &answer) {
            return answer["result"].clone();
        }
        assert!(started.elapsed() < DEADLINE, "{path} still answers {status}: {answer}");
        tokio::task::yield_now().await;
    }
}

#[actix_web::test]
async fn a_book_goes_from_nothing_to_a_visitor_on_another_node() {
    let app = TestApp::start_at(SystemEnv.now(), &[]);
    let beside = Process::start(&app.database, app.home(), &[]);
    let node = format!("http://127.0.0.1:{}", beside.port);
    let visitor = reqwest::Client::new();
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;

    // The category, the book, its text from the clipboard; each saving is based on what was read before.
    let category = json!({ "name": "On foot", "hue": 120 });
    let category = app.post_as(&editor, "/api/admin/categories", category).await.result()["category"]["id"].clone();
    let book = json!({ "title": "Two Walks a Day", "author": "Grace Rambler", "categories": [category] });
    let book = app.post_as(&editor, "/api/admin/books", book).await.result()["book"].clone();
    let address = format!("/api/admin/books/{}", book["id"]);
    let text = json!({ "version": 1, "body": PASTED, "description": "Walk twice.", "free": true });
    let saved = app.put_as(&editor, &address, text).await.result()["book"].clone();
    let body = saved["body"].as_str().expect("a text");
    for foreign in ["Mso", "o:p", "style", "class", "script", "javascript", "img", "file:", "onclick", "<!--", "steal"]
    {
        assert!(!body.contains(foreign), "{foreign} in {body}");
    }
    assert!(
        body.contains("<h3>The morning walk</h3>") && body.contains("kingfisher") && body.contains("Take bread."),
        "{body}"
    );

    // A visitor on the other node has looked already: what it remembers is that there is nothing.
    let (page, search) = ("/api/books/two-walks-a-day", "/api/books?q=kingfisher");
    for _ in 0..2 {
        assert_eq!(ask(&visitor, &node, page).await.0, 404);
        assert_eq!(ask(&visitor, &node, search).await.1["result"]["books"], json!([]));
    }

    let id = &book["id"];
    let mp3 = |length: usize| [b"ID3\x04\0\0\0\0\0\0".as_slice(), &vec![7; length]].concat();
    upload(&app, &editor, &format!("/api/admin/books/photo/{id}"), &picture()).await;
    upload(&app, &editor, &format!("/api/admin/books/media/{id}"), &mp3(30_000)).await;
    upload(&app, &editor, &format!("/api/admin/books/infographic/{id}"), &picture()).await;
    let whole = upload(&app, &editor, &format!("/api/admin/books/podcast/{id}"), &mp3(20_000)).await;
    assert_eq!(whole["version"], 2, "files are no new version of what is written");
    app.put_as(&editor, &address, json!({ "version": 2, "published": true })).await.result();

    let read = eventually(&visitor, &node, page, |status, _| status == 200).await["book"].take();
    assert_eq!((&read["title"], &read["author"]), (&json!("Two Walks a Day"), &json!("Grace Rambler")));
    assert!(read["body"].as_str().is_some_and(|body| body.contains("kingfisher")), "{read}");
    assert_eq!((read["sections"].as_array().map(Vec::len), &read["hasMedia"]), (Some(2), &json!(true)));
    let found = eventually(&visitor, &node, search, |_, answer| answer["result"]["books"] != json!([])).await;
    assert_eq!(found["books"][0]["subid"], "two-walks-a-day");
    let listed =
        eventually(&visitor, &node, "/api/categories", |_, answer| answer.to_string().contains("On foot")).await;
    assert!(listed.to_string().contains("\"On foot\""), "{listed}");
    let document = visitor.get(format!("{node}/books/two-walks-a-day")).send().await.expect("a page");
    assert!(document.text().await.expect("a page").contains("kingfisher"), "it can be read without scripts");

    // What was uploaded at one node is served by the other.
    let audio = ask(&visitor, &node, "/api/books/two-walks-a-day/audio").await.1["result"]["url"].clone();
    let mut editors =
        visitor.get(format!("{node}{address}")).bearer_auth(&editor.token).send().await.expect("an answer");
    assert_eq!(editors.status(), 200);
    let there: Value = editors.json().await.expect("JSON");
    let there = &there["result"]["book"];
    for (url, length) in [
        (&read["image"], None),
        (&audio, Some(30_010)),
        (&there["infographicUrl"], None),
        (&there["podcastUrl"], Some(20_010)),
    ] {
        editors = visitor.get(format!("{node}{}", url.as_str().expect("an address"))).send().await.expect("a file");
        assert_eq!(editors.status(), 200, "{url}");
        let bytes = editors.bytes().await.expect("a file").len();
        assert!(length.is_none_or(|length| length == bytes), "{url}: {bytes}");
    }
    let by_editor = format!("audit_entries WHERE actor_id = {}", editor.id());
    assert_eq!(app.count(&format!("{by_editor} AND action LIKE 'book.%'")), 7, "each of the changes is recorded");
}

/// A book of an editor, with a text.
async fn written(app: &TestApp, editor: &Person) -> String {
    let category = app.add_category("nature", &[]);
    let book = json!({ "title": "Walden", "author": "Henry David Thoreau", "categories": [category], "body": "<h3>One</h3><p>First.</p>" });
    let book = app.post_as(editor, "/api/admin/books", book).await.result()["book"].clone();
    format!("/api/admin/books/{}", book["id"])
}

#[actix_web::test]
async fn stale_tabs_lose_nothing_and_what_each_one_wrote_can_be_merged() {
    let app = TestApp::start().await;
    let one = app.sign_up_with_role("one@example.com", "editor").await;
    let two = app.sign_up_with_role("two@example.com", "editor").await;
    let address = written(&app, &one).await;
    // Both have read version 1; the first has a second tab with it, too.
    app.put_as(&one, &address, json!({ "version": 1, "body": "<h3>One</h3><p>First, better.</p>" })).await.result();
    let conflict = |reply: &crate::harness::Reply| {
        reply.fails(409, "edit_conflict", "Another version was saved in the meantime. Nothing was changed.");
    };
    // Also where another field was changed: who has not read the text may not know what the description is of.
    conflict(&app.put_as(&two, &address, json!({ "version": 1, "description": "By two." })).await);
    conflict(&app.put_as(&one, &address, json!({ "version": 1, "title": "Old tab" })).await);
    let there = app.get_as(&two, &address).await.result()["book"].clone();
    assert_eq!((&there["version"], &there["title"], &there["description"]), (&json!(2), &json!("Walden"), &json!("")));
    assert!(there["body"].as_str().is_some_and(|body| body.contains("First, better.")));
    // A version that is not there yet is no way around it.
    conflict(&app.put_as(&two, &address, json!({ "version": 3, "description": "By two." })).await);
    let merged =
        app.put_as(&two, &address, json!({ "version": 2, "description": "By two." })).await.result()["book"].clone();
    assert_eq!(merged["version"], 3);
    assert!(
        merged["body"].as_str().is_some_and(|body| body.contains("First, better.")),
        "the other's text is still there"
    );

    // Twenty tabs that have read the same: one is saved, and every text that was saved is among the revisions.
    let titles: Vec<String> = (0..20).map(|tab| format!("Tab {tab}")).collect();
    let saved = futures_util::future::join_all(
        titles.iter().map(|title| app.put_as(&one, &address, json!({ "version": 3, "title": title }))),
    )
    .await;
    let kept: Vec<&String> =
        titles.iter().zip(&saved).filter(|(_, reply)| reply.status == 200).map(|(title, _)| title).collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    saved.iter().filter(|reply| reply.status != 200).for_each(conflict);
    let there = app.get_as(&one, &address).await.result()["book"].clone();
    assert_eq!((&there["title"], &there["version"]), (&json!(kept[0]), &json!(4)));
    let revisions = app.get_as(&one, &format!("{address}/revisions")).await.result()["revisions"].clone();
    let told: Vec<(Value, Value)> = revisions
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| (one["version"].clone(), one["changed"].clone()))
        .collect();
    assert_eq!(
        told,
        [
            (json!(4), json!(["title"])),
            (json!(3), json!(["description"])),
            (json!(2), json!(["body"])),
            (json!(1), json!([]))
        ]
    );
}
