//! Summaries of a member's own pages, files and texts: asked for, made by the job, read, kept and deleted.

use std::{net::IpAddr, path::PathBuf, sync::Arc};

use futures_util::future::join_all;
use jobs::{LongJob, Outcome};
use kernel::SummaryId;
use mail_parser::{MessageParser, MimeHeaders};
use page_fetch::{FetchLimits, Network, PageFetcher, ResolveFuture};
use reqwest::Method;
use serde_json::{Value, json};
use testing::{LanguageModelDouble, MailServer, ModelAnswer};
use text_extraction::{ProcessLimits, Reader};
use workflows::summaries::summarise::Summarise;

use crate::harness::{Person, Reply, TestApp};

const TEXT: &str = "Simplicity\n\nMost of the luxuries of life are hindrances to the elevation of mankind. \
    A man is rich in proportion to the number of things which he can afford to let alone. Our life is frittered away by detail. \
    An honest man has hardly need to count more than his ten fingers, or in extreme cases he may add his ten toes, and lump the rest.\n\n\
    Work\n\nThe cost of a thing is the amount of life which is required to be exchanged for it. \
    Most men lead lives of quiet desperation. It is never too late to give up our prejudices – «été» 🌲. \
    I learned this by my experiment: if one advances confidently in the direction of his dreams, he will meet with a success unexpected in \
    common hours.\n";

/// A network on which every name is this machine.
struct Here;

impl Network for Here {
    fn resolve<'a>(&'a self, _: &'a str, port: u16) -> ResolveFuture<'a> {
        Box::pin(async move { Ok(vec![([127, 0, 0, 1], port).into()]) })
    }

    fn allows(&self, address: IpAddr) -> bool {
        address.is_loopback()
    }
}

/// The job, with this machine as the public web and the program as the reader of documents.
fn job(app: &TestApp, limits: ProcessLimits) -> Summarise {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_pith"));
    Summarise {
        transactions: app.app.transactions.clone(),
        env: Arc::clone(&app.app.env),
        fetcher: PageFetcher::with_network("Tests/1.0".to_owned(), Arc::new(Here), FetchLimits::default()),
        model: app.app.summary_model.clone(),
        reader: Reader::new(program, vec!["read-document".into()], limits),
    }
}

async fn make(app: &TestApp, id: i64) {
    let outcome = job(app, ProcessLimits::default()).run_long(&SummaryId::from_store(id)).await;
    assert!(matches!(outcome, Outcome::Done), "{outcome:?}");
}

async fn paid(app: &TestApp, email: &str) -> Person {
    app.sign_up_paid(email).await
}

async fn ask(app: &TestApp, person: &Person, text: &str) -> Reply {
    app.post_as(person, "/api/ai/text", json!({ "text": text })).await
}

async fn upload(app: &TestApp, person: &Person, name: &str, bytes: Vec<u8>) -> Reply {
    let head = format!(
        "--cut\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\nContent-Type: application/octet-stream\r\n\r\n"
    );
    let body = [head.into_bytes(), bytes, b"\r\n--cut--\r\n".to_vec()].concat();
    let request = app.request(Method::POST, "/api/ai/file").bearer_auth(&person.token);
    let request = request.header("content-type", "multipart/form-data; boundary=cut").body(body);
    crate::harness::reply(request).await
}

fn id_of(reply: &Reply) -> i64 {
    reply.result()["summary"]["id"].as_i64().expect("an id")
}

async fn shown(app: &TestApp, person: &Person, id: i64) -> Value {
    app.get_as(person, &format!("/api/ai/summaries/{id}")).await.result()
}

#[actix_web::test]
async fn a_pasted_text_becomes_ideas_that_name_their_passages() {
    let app = TestApp::start().await;
    let ada = paid(&app, "ada@example.com").await;
    let id = id_of(&ask(&app, &ada, TEXT).await);
    assert_eq!(shown(&app, &ada, id).await["summary"]["state"], "queued");
    assert_eq!(shown(&app, &ada, id).await["ideas"], Value::Null);
    make(&app, id).await;
    let result = shown(&app, &ada, id).await;
    assert_eq!((&result["summary"]["state"], &result["summary"]["engine"]), (&json!("done"), &json!("built-in")));
    assert_eq!(result["summary"]["language"]["name"], "English");
    // As the web app has it: the paragraphs at their offsets, counted in UTF-16.
    let mut source: Vec<u16> = Vec::new();
    for paragraph in result["text"].as_array().unwrap() {
        source.resize(usize::try_from(paragraph["start"].as_u64().unwrap()).unwrap(), u16::from(b'\n'));
        source.extend(paragraph["text"].as_str().unwrap().encode_utf16());
    }
    let ideas = result["ideas"].as_array().unwrap();
    assert!(!ideas.is_empty());
    for idea in ideas {
        let at = |passage: &Value, end: &str| usize::try_from(passage[end].as_u64().unwrap()).unwrap();
        let passages = idea["passages"].as_array().unwrap();
        assert!(!passages.is_empty() && idea["supported"] == true, "{idea}");
        for passage in passages {
            let words = String::from_utf16(&source[at(passage, "start")..at(passage, "end")]).unwrap();
            let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(idea["text"].as_str().unwrap().contains(&words), "{words} in {idea}");
        }
    }
    for (format, mark) in [("pdf", "%PDF"), ("epub", "PK")] {
        let file = app.get_as(&ada, &format!("/api/ai/summaries/{id}/{format}")).await;
        assert!(file.status == 200 && file.text.starts_with(mark), "{format}");
    }
}

#[actix_web::test]
async fn a_text_of_fewer_than_120_words_is_too_short_pasted_or_in_a_file() {
    let app = TestApp::start().await;
    let ada = paid(&app, "ada@example.com").await;
    let message = "This is too short to summarize. A summary needs a text of at least 120 words.";
    let refused = ask(&app, &ada, &"word ".repeat(119)).await;
    refused.fails(422, "validation_failed", message);
    assert_eq!((refused.json()["field"].as_str(), app.count("member_summaries")), (Some("text"), 0));
    let id = id_of(&upload(&app, &ada, "note.txt", b"One line of a note.".to_vec()).await);
    make(&app, id).await;
    let summary = shown(&app, &ada, id).await["summary"].take();
    assert_eq!((&summary["state"], &summary["error"]["code"]), (&json!("failed"), &json!("no_text")));
    assert_eq!(summary["error"]["text"], message);
    let id = id_of(&ask(&app, &ada, &"A word. ".repeat(60)).await);
    make(&app, id).await;
    assert_eq!(shown(&app, &ada, id).await["summary"]["state"], "done");
}

#[actix_web::test]
async fn files_are_read_by_a_process_of_their_own_and_what_breaks_it_breaks_alone() {
    let app = TestApp::start().await;
    let ada = paid(&app, "ada@example.com").await;
    let html = format!(
        "<html><head><title>On Walden</title></head><body><article><h1>On Walden</h1><p>{TEXT}</p></article></body></html>"
    );
    let id = id_of(&upload(&app, &ada, "../../etc/walden.html", html.into_bytes()).await);
    assert_eq!(shown(&app, &ada, id).await["summary"]["source"]["name"], "walden.html");
    assert_eq!(app.count("member_summaries WHERE document IS NOT NULL"), 1);
    make(&app, id).await;
    assert_eq!(shown(&app, &ada, id).await["summary"]["title"], "On Walden");
    assert_eq!(app.count("member_summaries WHERE document IS NOT NULL"), 0);

    let refused = [
        ("photo.png", b"\x89PNG\r\n\x1a\n0000".to_vec(), "not_text", "This is a picture."),
        ("book.pdf", b"%PDF-1.7\nnothing of a PDF".to_vec(), "unreadable", "This file looks like a PDF"),
    ];
    for (name, bytes, code, text) in refused {
        let id = id_of(&upload(&app, &ada, name, bytes).await);
        make(&app, id).await;
        let summary = shown(&app, &ada, id).await["summary"].take();
        assert_eq!((&summary["state"], &summary["error"]["code"]), (&json!("failed"), &json!(code)), "{name}");
        assert!(summary["error"]["text"].as_str().unwrap().starts_with(text), "{summary}");
    }
    // A reader without memory: it ends, the server does not.
    let id = id_of(&upload(&app, &ada, "long.txt", TEXT.repeat(25_000).into_bytes()).await);
    let limits = ProcessLimits { memory: 24 * 1024 * 1024, ..ProcessLimits::default() };
    job(&app, limits).run_long(&SummaryId::from_store(id)).await;
    let summary = shown(&app, &ada, id).await["summary"].take();
    assert_eq!((&summary["state"], &summary["error"]["code"]), (&json!("failed"), &json!("unreadable")));
    assert_eq!(app.get("/healthz").await.status, 200);
    let too_large = upload(&app, &ada, "large.txt", vec![b'a'; 26 * 1024 * 1024]).await;
    assert_eq!(too_large.status, 413);
}

/// Waits until a summary is to be made.
async fn queued(app: &TestApp) {
    while app.count("jobs WHERE kind = 'summarise' AND state <> 'done'") == 0 {
        app.app.jobs_queued.notified().await;
    }
}

/// Makes the call, and does something else as soon as its summary is to be made.
async fn while_it_waits(app: &TestApp, call: impl Future<Output = Reply>, then: impl Future<Output = ()>) -> Reply {
    let other = async {
        queued(app).await;
        then.await;
    };
    futures_util::future::join(call, other).await.0
}

/// Makes the call, and runs the jobs as soon as its summary is to be made.
async fn while_a_worker_runs(app: &TestApp, call: impl Future<Output = Reply>) -> Reply {
    while_it_waits(app, call, async { _ = app.work_off().await }).await
}

#[actix_web::test]
async fn a_call_waits_for_its_summary_and_answers_with_its_ideas() {
    let app = TestApp::start_with(&[("SUMMARISER_WAIT", "600")]).await;
    let ada = paid(&app, "ada@example.com").await;
    let text = format!("{TEXT}\n\n«été» 🌲 {TEXT}");
    let reply = while_a_worker_runs(&app, ask(&app, &ada, &text)).await;
    assert_eq!(reply.status, 200);
    let summary = reply.result()["summary"].take();
    assert_eq!(summary["state"], "done");
    let source: Vec<u16> = text.trim().encode_utf16().collect();
    let at = |passage: &Value, end: &str| usize::try_from(passage[end].as_u64().unwrap()).unwrap();
    let ideas = summary["ideas"].as_array().expect("ideas");
    assert_eq!(Some(ideas.len() as u64), summary["ideaCount"].as_u64());
    for passage in ideas.iter().flat_map(|idea| idea["passages"].as_array().unwrap()) {
        let words = String::from_utf16(&source[at(passage, "start")..at(passage, "end")]).unwrap();
        assert_eq!(passage["text"], words);
    }
    let stored = shown(&app, &ada, summary["id"].as_i64().unwrap()).await;
    assert_eq!(stored["ideas"], summary["ideas"]);
}

#[actix_web::test]
async fn what_cannot_be_read_is_refused_by_the_call_and_leaves_nothing() {
    let app = TestApp::start_with(&[("SUMMARISER_WAIT", "600")]).await;
    let ada = paid(&app, "ada@example.com").await;
    let private = app.post_as(&ada, "/api/ai/url", json!({ "url": app.address }));
    let picture = upload(&app, &ada, "photo.png", b"\x89PNG\r\n\x1a\n0000".to_vec());
    let damaged = upload(&app, &ada, "book.pdf", b"%PDF-1.7\nnothing of a PDF".to_vec());
    let short = upload(&app, &ada, "note.txt", b"One line of a note.".to_vec());
    for (reply, status, code, field) in [
        (while_a_worker_runs(&app, private).await, 422, "validation_failed", "url"),
        (while_a_worker_runs(&app, picture).await, 415, "unsupported_media_type", "file"),
        (while_a_worker_runs(&app, damaged).await, 422, "validation_failed", "file"),
        (while_a_worker_runs(&app, short).await, 422, "validation_failed", "file"),
    ] {
        let answer = reply.json();
        assert_eq!((reply.status.as_u16(), &answer["code"], &answer["field"]), (status, &json!(code), &json!(field)));
        assert_eq!(app.get_as(&ada, "/api/ai/summaries").await.result()["total"], 0);
    }
    for (path, body) in [("/api/ai/url", json!({})), ("/api/ai/file", json!({}))] {
        let reply = app.post_as(&ada, path, body).await;
        reply.fails(422, "validation_failed", "Please select a file or url");
    }
}

#[actix_web::test]
async fn a_call_that_takes_longer_says_where_to_ask() {
    let app = TestApp::start_with(&[("SUMMARISER_WAIT", "600")]).await;
    let ada = paid(&app, "ada@example.com").await;
    let reply = while_it_waits(&app, ask(&app, &ada, TEXT), async { app.app.start_draining() }).await;
    assert_eq!((reply.status.as_u16(), &reply.result()["summary"]["state"]), (202, &json!("queued")));
    assert_eq!(reply.headers["location"], format!("/api/ai/summaries/{}", id_of(&reply)));
    assert_eq!(reply.result()["summary"]["ideas"], Value::Null);
}

#[actix_web::test]
async fn a_waiting_call_ends_when_its_summary_is_cancelled() {
    let app = TestApp::start_with(&[("SUMMARISER_WAIT", "600")]).await;
    let ada = paid(&app, "ada@example.com").await;
    let cancel = async {
        let list = app.get_as(&ada, "/api/ai/summaries").await.result();
        let path = format!("/api/ai/summaries/{}/cancel", list["summaries"][0]["id"]);
        app.post_as(&ada, &path, json!({})).await.result();
    };
    let reply = while_it_waits(&app, ask(&app, &ada, TEXT), cancel).await;
    reply.fails(404, "not_found", "There is no such summary.");
}

#[actix_web::test]
async fn pages_of_the_public_web_are_fetched_and_others_are_not() {
    let app = TestApp::start().await;
    let ada = paid(&app, "ada@example.com").await;
    let page = format!("http://walden.example:{}/about", app.address.rsplit(':').next().unwrap());
    let id = id_of(&app.post_as(&ada, "/api/ai/url", json!({ "url": page })).await);
    make(&app, id).await;
    let summary = shown(&app, &ada, id).await["summary"].take();
    assert_eq!(summary["source"]["url"], page);
    assert!(["done", "failed"].contains(&summary["state"].as_str().unwrap()));
    // The worker's own fetcher knows no private address.
    let id = id_of(&app.post_as(&ada, "/api/ai/url", json!({ "url": app.address })).await);
    app.work_off().await;
    let summary = shown(&app, &ada, id).await["summary"].take();
    assert_eq!((&summary["state"], &summary["error"]["code"]), (&json!("failed"), &json!("forbidden_address")));
    for (url, text) in [
        ("ftp://example.com", "We can only read pages whose address begins with http:// or https://."),
        ("//", "This is not a web address. It should look like https://example.com/article."),
        (" ", "Please select a file or url"),
    ] {
        let reply = app.post_as(&ada, "/api/ai/url", json!({ "url": url })).await;
        reply.fails(422, "validation_failed", text);
        assert_eq!(reply.json()["field"], "url");
    }
}

#[actix_web::test]
async fn a_member_has_two_under_way_may_cancel_and_sees_no_other_members() {
    let app = TestApp::start().await;
    let free = app.sign_up("free@example.com").await;
    let refused = ask(&app, &free, TEXT).await;
    refused.fails(403, "upgrade_required", "Please upgrade to have your own pages and files summarized.");
    let (ada, bob) = (paid(&app, "ada@example.com").await, paid(&app, "bob@example.com").await);
    let first = id_of(&ask(&app, &ada, TEXT).await);
    ask(&app, &ada, TEXT).await.result();
    let refused = ask(&app, &ada, TEXT).await;
    refused.fails(
        429,
        "too_many_tries",
        "Two of your summaries are in progress. Please wait until one of them is finished.",
    );
    assert_eq!(refused.headers["retry-after"], "5");
    let path = format!("/api/ai/summaries/{first}");
    for (method, suffix, body) in [
        (Method::GET, "", None),
        (Method::PUT, "", Some(json!({ "title": "Mine" }))),
        (Method::DELETE, "", None),
        (Method::POST, "/cancel", Some(json!({}))),
        (Method::GET, "/pdf", None),
    ] {
        let reply = app.send(Some(&bob), method.clone(), &format!("{path}{suffix}"), body).await;
        assert_eq!(reply.status, 404, "{method} {suffix}");
    }
    app.post_as(&ada, &format!("{path}/cancel"), json!({})).await.result();
    assert_eq!(app.get_as(&ada, &path).await.status, 404);
    // Its job does nothing any more.
    make(&app, first).await;
    assert_eq!(app.get_as(&ada, "/api/ai/summaries").await.result()["total"], 1);
    app.work_off().await;
    let list = app.get_as(&ada, "/api/ai/summaries?q=LUXURIES").await.result();
    assert_eq!((&list["total"], &list["summaries"][0]["state"]), (&json!(1), &json!("done")));
    let second = list["summaries"][0]["id"].as_i64().unwrap();
    let path = format!("/api/ai/summaries/{second}");
    assert_eq!(app.post_as(&ada, &format!("{path}/cancel"), json!({})).await.status, 409);
    let renamed = app.put_as(&ada, &path, json!({ "title": " On life " })).await.result();
    assert_eq!(renamed["summary"]["title"], "On life");
    app.delete_as(&ada, &path).await.result();
    assert_eq!(app.count("member_summaries"), 0);
}

#[actix_web::test]
async fn summary_is_mailed_to_its_members_e_reader_and_stands_in_the_log() {
    let server = MailServer::start();
    let url = format!("smtp://{}?timeout=1", server.address());
    let app = TestApp::start_with(&[("SMTP_URL", &url)]).await;
    let (ada, bob) = (paid(&app, "ada@example.com").await, paid(&app, "bob@example.com").await);
    let id = id_of(&ask(&app, &ada, TEXT).await);
    let send = format!("/api/ai/summaries/{id}/send");
    app.post_as(&ada, &send, json!({})).await.fails(409, "already_there", "This summary is not finished yet.");
    make(&app, id).await;
    let refused = app.post_as(&ada, &send, json!({})).await;
    refused.fails(422, "validation_failed", "Please set your Kindle email first.");
    for person in [&ada, &bob] {
        let form = json!({ "kindle_email": "reader", "kindle_email_end": "kindle.com" });
        app.post_as(person, "/kindle/set-kindle", form).await.result();
    }
    app.post_as(&bob, &send, json!({})).await.fails(404, "not_found", "There is no such summary.");
    app.post(&send, json!({})).await.fails(401, "unauthenticated", "Please log in.");

    let first = app.post_as(&ada, &send, json!({})).await.result();
    assert_eq!(app.post_as(&ada, &send, json!({})).await.result(), first, "it is on its way");
    app.sql("DELETE FROM jobs WHERE kind <> 'e_reader'");
    assert_eq!(app.work_off().await, 1);
    let arrived = server.arrived();
    assert_eq!((arrived.len(), arrived[0].to.as_slice()), (1, ["reader@kindle.com".to_owned()].as_slice()));
    let message = MessageParser::default().parse(arrived[0].text.as_bytes()).expect("a mail");
    let file = message.attachment(0).expect("a file");
    assert_eq!(file.attachment_name(), Some(format!("summary-{id}.epub").as_str()));
    assert_eq!(&file.contents()[30..58], b"mimetypeapplication/epub+zip");
    let title = shown(&app, &ada, id).await["summary"]["title"].clone();
    let log = app.get_as(&ada, "/kindle/deliveries").await.result()["deliveries"].take();
    assert_eq!((&log[0]["state"], &log[0]["book"]), (&json!("sent"), &Value::Null));
    assert_eq!(log[0]["summary"], json!({ "id": id, "title": title }));
    assert_eq!(app.get_as(&bob, "/kindle/deliveries").await.result()["deliveries"], json!([]));

    // What was deleted meanwhile is not sent, and leaves no row.
    app.post_as(&ada, &send, json!({})).await.result();
    app.delete_as(&ada, &format!("/api/ai/summaries/{id}")).await.result();
    app.work_off().await;
    assert_eq!((server.arrived().len(), app.count("deliveries")), (1, 0));
}

#[actix_web::test]
async fn two_hundred_at_once_are_answered_or_refused_with_a_time_to_wait() {
    let app = TestApp::start().await;
    let mut members = Vec::new();
    for n in 0..10 {
        members.push(paid(&app, &format!("m{n}@example.com")).await);
    }
    let asked = join_all((0..200).map(|n| ask(&app, &members[n % members.len()], TEXT))).await;
    let taken = asked.iter().filter(|reply| reply.status == 202).count();
    assert_eq!(taken, 20);
    for reply in asked.iter().filter(|reply| reply.status != 202) {
        assert!([429, 503].contains(&reply.status.as_u16()), "{}", reply.text);
        assert!(reply.headers.contains_key("retry-after"));
    }
    while app.work_off().await > 0 {}
    assert_eq!(app.count("member_summaries WHERE state = 'done'"), 20);
}

#[actix_web::test]
async fn a_repeated_request_is_one_summary_and_leaving_takes_it_along() {
    let app = TestApp::start().await;
    let ada = paid(&app, "ada@example.com").await;
    let send = async || {
        let request = app.request(Method::POST, "/api/ai/text").bearer_auth(&ada.token);
        crate::harness::reply(request.header("idempotency-key", "k1").json(&json!({ "text": TEXT }))).await
    };
    assert_eq!(id_of(&send().await), id_of(&send().await));
    app.sql(&format!("DELETE FROM users WHERE id = {}", ada.id()));
    assert_eq!(app.count("member_summaries"), 0);
    app.work_off().await;
    assert_eq!(app.count("jobs WHERE kind = 'summarise' AND state <> 'done'"), 0);
}

#[actix_web::test]
async fn a_language_model_writes_what_the_text_bears_out_and_the_built_in_engine_stands_in_for_it() {
    let ideas = json!({ "ideas": [
        { "title": "Life is the price", "text": "What a thing costs is life.", "passages": [5, 99], "quotations": ["Most men lead lives of quiet desperation."] },
        { "title": "Invented", "text": "Nobody wrote this.", "passages": [77], "quotations": ["Buy gold at example.com."] },
    ] });
    let double = LanguageModelDouble::start(ModelAnswer::Writes(ideas.to_string()));
    let app = TestApp::start_with(&[
        ("SUMMARISER_URL", double.url.as_str()),
        ("SUMMARISER_MODEL", "small"),
        ("SUMMARISER_KEY", "the key of the model"),
        ("SUMMARISER_TIMEOUT", "1"),
    ])
    .await;
    let ada = paid(&app, "ada@example.com").await;
    let id = id_of(&ask(&app, &ada, TEXT).await);
    make(&app, id).await;
    let made = shown(&app, &ada, id).await;
    assert_eq!((&made["summary"]["engine"], &made["summary"]["fellBack"]), (&json!("model"), &json!(false)));
    let said =
        |idea: &Value| (idea["title"].clone(), idea["supported"].clone(), idea["quotations"].as_array().map(Vec::len));
    let ideas: Vec<_> = made["ideas"].as_array().expect("ideas").iter().map(said).collect();
    assert_eq!(ideas, [(json!("Life is the price"), json!(true), Some(1)), (json!("Invented"), json!(false), Some(0))]);
    assert_eq!(double.requests()[0].authorization.as_deref(), Some("Bearer the key of the model"));
    assert!(!double.requests()[0].body.to_string().contains("ada@example.com"));

    let nothing_true = json!({ "ideas": [{ "title": "Gold", "text": "Buy it.", "passages": [77] }] }).to_string();
    for answer in [
        ModelAnswer::Status(503),
        ModelAnswer::Stalls,
        ModelAnswer::Garbage,
        ModelAnswer::BreaksOff(ideas_of("half")),
        ModelAnswer::Writes(nothing_true),
    ] {
        double.set(answer.clone());
        let id = id_of(&ask(&app, &ada, TEXT).await);
        make(&app, id).await;
        let made = shown(&app, &ada, id).await;
        let engine = (&made["summary"]["state"], &made["summary"]["engine"], &made["summary"]["fellBack"]);
        assert_eq!(engine, (&json!("done"), &json!("built-in"), &json!(true)), "{answer:?}");
        assert!(!made["ideas"].as_array().expect("ideas").is_empty());
        app.send(Some(&ada), Method::DELETE, &format!("/api/ai/summaries/{id}"), None).await.result();
    }
}

fn ideas_of(title: &str) -> String {
    json!({ "ideas": [{ "title": title, "text": "It breaks off.", "passages": [1] }] }).to_string()
}
