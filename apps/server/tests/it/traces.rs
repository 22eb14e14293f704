//! Traces over OTLP: a request, its statements, the jobs that it queues and what they call, in one trace.

use std::{
    collections::HashSet,
    io::{BufRead, BufReader, Read, Write},
    net::TcpListener,
    sync::mpsc::{Receiver, channel},
};

use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{KeyValue, any_value::Value},
    trace::v1::Span,
};
use prost::Message;
use serde_json::json;
use testing::{MailServer, TestDatabase};

use crate::harness::process::Process;

/// A collector that hands on what it is sent. It ends with the test's process.
fn collector() -> (String, Receiver<ExportTraceServiceRequest>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut request = BufReader::new(stream);
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") && request.read_line(&mut head).expect("a line") > 0 {}
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(": ")?;
                name.eq_ignore_ascii_case("content-length").then(|| value.parse::<usize>().expect("a number"))
            });
            let mut body = vec![0; length.expect("a length")];
            request.read_exact(&mut body).expect("a body");
            assert!(head.starts_with("POST /v1/traces "), "{head}");
            let answer = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            request.get_mut().write_all(answer).expect("answered");
            if sender.send(ExportTraceServiceRequest::decode(&body[..]).expect("spans")).is_err() {
                return;
            }
        }
    });
    (address, receiver)
}

fn text(attributes: &[KeyValue], name: &str) -> Option<String> {
    let value = attributes.iter().find(|one| one.key == name)?.value.as_ref()?.value.as_ref()?;
    if let Value::StringValue(text) = value { Some(text.clone()) } else { None }
}

#[actix_web::test]
async fn a_request_its_statements_its_job_and_the_mail_server_are_in_one_trace() {
    let (collector, received) = collector();
    let mails = MailServer::start();
    let (database, home) = (TestDatabase::new(), tempfile::tempdir().expect("a folder"));
    let process = Process::start(
        &database,
        home.path(),
        &[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", &collector),
            ("OTEL_BSP_SCHEDULE_DELAY", "50"),
            ("WORKER", "on"),
            ("TRUSTED_PROXIES", "127.0.0.1"),
            ("SMTP_URL", &format!("smtp://{}", mails.address())),
        ],
    );
    let client = reqwest::Client::new();
    let trace = "0af7651916cd43dd8448eb211c80319c";
    let sent = client
        .post(format!("http://127.0.0.1:{}/api/contact", process.port))
        .header("traceparent", format!("00-{trace}-b7ad6b7169203331-01"))
        .json(&json!({ "name": "Ada", "email": "ada@example.com", "body": "Hello." }))
        .send()
        .await
        .expect("it answers");
    assert_eq!(sent.status(), 200);

    let mut spans: Vec<Span> = Vec::new();
    let of_trace = |spans: &[Span], name: &str| {
        spans
            .iter()
            .find(|span| span.name == name && span.trace_id == hex::decode(trace).expect("hexadecimal"))
            .cloned()
    };
    while ["POST /api/contact", "job mail", "smtp"].iter().any(|name| of_trace(&spans, name).is_none()) {
        let request = received.recv().expect("the server goes on sending");
        for resource in request.resource_spans {
            let of = resource.resource.expect("a resource").attributes;
            assert_eq!(text(&of, "service.name").as_deref(), Some("pith"));
            spans.extend(resource.scope_spans.into_iter().flat_map(|scope| scope.spans));
        }
    }
    let ours: Vec<&Span> =
        spans.iter().filter(|span| span.trace_id == hex::decode(trace).expect("hexadecimal")).collect();
    let known: HashSet<&[u8]> = ours.iter().map(|span| &*span.span_id).collect();
    let root = of_trace(&spans, "POST /api/contact").expect("the request");
    assert_eq!(hex::encode(&root.parent_span_id), "b7ad6b7169203331", "a trusted proxy's trace goes on");
    for span in ours.iter().filter(|span| span.span_id != root.span_id) {
        assert!(known.contains(&*span.parent_span_id), "{} has no parent in its trace", span.name);
    }
    let inserts: Vec<String> = ours
        .iter()
        .filter(|span| span.name == "INSERT" && span.parent_span_id == root.span_id)
        .filter_map(|span| text(&span.attributes, "db.query.text"))
        .collect();
    assert!(inserts.iter().any(|sql| sql.contains("\"jobs\"")), "{inserts:?}");
    let everything = format!("{spans:?}");
    for secret in ["ada@example.com", "Hello."] {
        assert!(!everything.contains(secret), "a trace shows no values");
    }
    let smtp = of_trace(&spans, "smtp").expect("the mail server");
    let job = of_trace(&spans, "job mail").expect("the job");
    assert_eq!(smtp.parent_span_id, job.span_id);
    assert_eq!(text(&job.attributes, "job.state").as_deref(), Some("done"));
    let (status, log) = process.stop();
    assert!(status.success(), "{log:?}");
    assert!(!log.join("\n").contains("db.query.text"), "the log shows no spans of traces");
}
