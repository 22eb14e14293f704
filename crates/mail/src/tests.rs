//! Tests of every mail: it renders, both parts contain its link, and text that a person typed stays text.

use std::collections::BTreeSet;

use kernel::{Email, Timestamp};
use lettre::message::Mailbox;
use mail_parser::{HeaderValue, Message, MessageParser, MimeHeaders};

use crate::{
    AskedInMail, Attachment, DigestHighlight, Mail, PlanMailBook, ReceiptGift, Site,
    message::{build_message, parse_address},
    render::{RenderedMail, render},
};

const LINK: &str = "https://pith.example/somewhere?a=b&c=d#a-secret";
const AT: i64 = 1_781_524_800_000;
/// Markup that a person may type as a name, an address or a message.
const EVIL: &str = "<script>alert('\"&')<";

fn site() -> Site {
    Site {
        name: "Pith".to_owned(),
        url: "https://pith.example".to_owned(),
        support_email: Email::parse("support@example.com").unwrap(),
    }
}

fn from() -> Mailbox {
    "Pith <no-reply@pith.example>".parse().unwrap()
}

fn pause_offer(first_name: String) -> Mail {
    let (plan, timezone) = ("Yearly".to_owned(), "UTC".to_owned());
    Mail::PauseOffer { first_name, plan, amount: 5_999, at: AT, link: LINK.to_owned(), timezone }
}

fn plan_book(words: &str) -> PlanMailBook {
    PlanMailBook { name: words.to_owned(), link: Some("https://pith.example/books/walden".to_owned()) }
}

fn digest_highlight(words: &str, is_bare: bool) -> DigestHighlight {
    DigestHighlight {
        words: format!("{words}\nand a second line"),
        note: if is_bare { String::new() } else { words.to_owned() },
        title: words.to_owned(),
        author: if is_bare { String::new() } else { words.to_owned() },
        link: (!is_bare).then(|| "https://pith.example/books/walden".to_owned()),
    }
}

/// A reminder of due cards, and of commitments that were made so many days ago.
fn review_reminder(words: &str, cards: usize, days: &[u32]) -> Mail {
    let ask = |days: &u32| AskedInMail { text: format!("Walk. {words}"), title: words.to_owned(), days: *days };
    Mail::ReviewReminder {
        first_name: words.to_owned(),
        cards,
        minutes: 3,
        asked: days.iter().map(ask).collect(),
        link: LINK.to_owned(),
        unsubscribe: "https://pith.example/unsubscribe/00ff?mails=reminder".to_owned(),
    }
}

fn highlight_digest(words: &str) -> Mail {
    Mail::HighlightDigest {
        first_name: words.to_owned(),
        highlights: vec![digest_highlight(words, true), digest_highlight(words, false)],
        link: LINK.to_owned(),
        unsubscribe: "https://pith.example/unsubscribe/00ff?mails=digest".to_owned(),
    }
}

fn daily_book(words: &str, unsubscribe: &str) -> Mail {
    Mail::DailyBook {
        first_name: words.to_owned(),
        day: 3,
        days: 10,
        title: words.to_owned(),
        author: words.to_owned(),
        is_done: false,
        link: LINK.to_owned(),
        unsubscribe: unsubscribe.to_owned(),
    }
}

/// One of each mail, with `words` for everything that a person typed, and the link that it must contain.
fn all(words: &str) -> Vec<(Mail, &'static str)> {
    let text = || words.to_owned();
    let link = || LINK.to_owned();
    vec![
        (Mail::ConfirmEmail { first_name: text(), link: link() }, LINK),
        (Mail::ResetPassword { first_name: text(), link: link() }, LINK),
        (
            Mail::PasswordChanged {
                first_name: text(),
                device: text(),
                place: text(),
                at: AT,
                timezone: "UTC".to_owned(),
            },
            "https://pith.example/forgot-password",
        ),
        (
            Mail::NewSignIn { first_name: text(), device: text(), place: text(), at: AT, timezone: "UTC".to_owned() },
            "https://pith.example/account",
        ),
        (Mail::AccountDeleted { first_name: text() }, "https://pith.example/"),
        (Mail::LoginLink { first_name: text(), link: link(), code: "012345".to_owned() }, LINK),
        (Mail::ProofCode { first_name: text(), code: "012345".to_owned() }, "https://pith.example/account"),
        (Mail::ConfirmNewEmail { first_name: text(), link: link() }, LINK),
        (Mail::EmailChanged { first_name: text(), new_email: text() }, "https://pith.example/contact"),
        (Mail::Archive { first_name: text(), link: link() }, LINK),
        (
            Mail::PlanCanceled {
                first_name: text(),
                plan: "Yearly".to_owned(),
                until: AT,
                link: link(),
                timezone: "UTC".to_owned(),
            },
            LINK,
        ),
        (pause_offer(text()), LINK),
        (Mail::Seat { sender: text(), code: "ABCDE-FGHJK".to_owned(), link: link() }, LINK),
        (Mail::Test, "https://pith.example"),
        (Mail::Invitation { your_name: text(), friend_name: text(), link: link(), inviter: Some(1) }, LINK),
        (
            Mail::Message { kind: "contact".to_owned(), name: text(), email: text(), body: text() },
            "https://pith.example/admin/messages",
        ),
        (Mail::Answer { name: text(), text: text(), message: text() }, "https://pith.example/contact"),
        (Mail::SecondFactorChanged { first_name: text(), what: text() }, "https://pith.example/account"),
        (Mail::SummaryPublished { first_name: text(), title: text(), author: text(), link: link() }, LINK),
        (Mail::EReaderFile { title: text(), author: Some(text()), link: link() }, LINK),
        (
            Mail::Receipt {
                first_name: text(),
                plan: text(),
                charged: 0,
                at: AT,
                next: Some((5_999, AT + 259_200_000)),
                is_trial: true,
                sign_up: Some(link()),
                timezone: "UTC".to_owned(),
                gift: Some(ReceiptGift { recipient: text(), at: AT, is_delivered: false, code: None }),
            },
            LINK,
        ),
        (
            Mail::TrialEnding {
                first_name: text(),
                plan: text(),
                amount: 5_999,
                at: AT,
                link: link(),
                timezone: "UTC".to_owned(),
            },
            LINK,
        ),
        (
            Mail::RenewalFailed {
                first_name: text(),
                plan: text(),
                amount: 999,
                until: AT,
                link: link(),
                timezone: "UTC".to_owned(),
            },
            LINK,
        ),
        (
            Mail::Gift {
                sender: text(),
                recipient: text(),
                message: text(),
                code: "ABCDE-FGHJK-LMNPQ-RSTUV".to_owned(),
                link: link(),
            },
            LINK,
        ),
        (Mail::Codes { first_name: text(), codes: vec!["ABCDE-FGHJK-LMNPQ-RSTUV".to_owned()], link: link() }, LINK),
        (daily_book(words, LINK), LINK),
        (review_reminder(words, 12, &[3, 17]), LINK),
        (highlight_digest(words), LINK),
        (Mail::TenDayPlan { goals: vec![text(), text()], books: vec![plan_book(words); 10], link: link() }, LINK),
    ]
}

fn sent(to: &str, mail: &Mail) -> Vec<u8> {
    let rendered = render(mail, &site()).unwrap();
    build_message(to, "0123abcd", Timestamp::from_millis(AT), rendered, &from()).unwrap().bytes
}

fn parsed(bytes: &[u8]) -> Message<'_> {
    MessageParser::default().parse(bytes).unwrap()
}

fn parts<'a>(message: &'a Message<'a>) -> (String, String) {
    (message.body_text(0).unwrap().into_owned(), message.body_html(0).unwrap().into_owned())
}

#[test]
fn both_parts_of_every_mail_carry_the_link() {
    for (mail, link) in all("Ada") {
        let bytes = sent("ada@example.com", &mail);
        let message = parsed(&bytes);
        let (text, html) = parts(&message);
        let escaped = link.replace('&', "&#38;");
        assert!(text.lines().any(|line| line.trim_end() == link), "{}: {text}", mail.name());
        assert!(html.matches(&format!("href=\"{escaped}\"")).count() >= 2, "{}: button and address", mail.name());
        assert!(html.contains(&format!(">{escaped}</a>")), "{}: the address in words", mail.name());
        assert_eq!(html.matches("class=\"button\"").count(), 1, "{}: one thing to do", mail.name());
        assert!(!message.subject().unwrap().is_empty());
        if let Mail::LoginLink { code, .. } | Mail::ProofCode { code, .. } = &mail {
            assert!(text.contains(code.as_str()) && html.contains(code.as_str()));
            assert!(!message.subject().unwrap().contains(code.as_str()), "locked phones show subjects");
        }
    }
}

#[test]
fn a_mailed_plan_links_each_book() {
    let books = (1..=10)
        .map(|n| PlanMailBook { name: format!("Book {n}"), link: Some(format!("https://pith.example/books/b-{n}")) });
    let mail = Mail::TenDayPlan { goals: vec!["Calm".to_owned()], books: books.collect(), link: LINK.to_owned() };
    let bytes = sent("ada@example.com", &mail);
    let (text, html) = parts(&parsed(&bytes));
    let lines: Vec<&str> = text.lines().collect();
    for n in 1..=10 {
        let link = format!("https://pith.example/books/b-{n}");
        assert!(html.contains(&format!("<a href=\"{link}\"")) && html.contains(&format!(">Book {n}</a>")), "{html}");
        let day = lines.iter().position(|line| *line == format!("Day {n}: Book {n}"));
        assert_eq!(day.map(|day| lines[day + 1]), Some(link.as_str()), "{text}");
    }
}

#[test]
fn a_plan_that_an_earlier_version_queued_is_mailed_without_links() {
    let queued = r#"{ "ten_day_plan": { "goals": ["Calm"], "books": ["Walden by Henry"], "link": "https://pith.example/a-secret" } }"#;
    let mail: Mail = serde_json::from_str(queued).expect("the earlier form is read");
    let bytes = sent("ada@example.com", &mail);
    let (text, html) = parts(&parsed(&bytes));
    assert!(text.lines().any(|line| line == "Day 1: Walden by Henry"), "{text}");
    assert!(html.contains("Walden by Henry") && !html.contains("books/walden"), "{html}");
}

#[test]
fn typed_text_never_becomes_markup() {
    for (mail, _) in all(EVIL) {
        let bytes = sent("ada@example.com", &mail);
        let (_, html) = parts(&parsed(&bytes));
        assert!(!html.to_lowercase().contains("<script"), "{}", mail.name());
        assert!(!html.contains("alert('"), "{}", mail.name());
    }
}

#[test]
fn no_mail_loads_remote_content() {
    for (mail, _) in all("Ada") {
        let bytes = sent("ada@example.com", &mail);
        let (_, html) = parts(&parsed(&bytes));
        for sign in ["<img", "src=", "url(", "@import", "<link", "<script"] {
            assert!(!html.contains(sign), "{}: {sign}", mail.name());
        }
    }
}

#[test]
fn a_name_that_looks_like_a_link_is_left_out() {
    let mail = Mail::Invitation {
        your_name: "You won! Go to https://win.example/".to_owned(),
        friend_name: "win.example".to_owned(),
        link: LINK.to_owned(),
        inviter: None,
    };
    let bytes = sent("ada@example.com", &mail);
    let message = parsed(&bytes);
    let (text, html) = parts(&message);
    assert!(!text.contains("win.example") && !html.contains("win.example"));
    assert_eq!(message.subject(), Some("A friend invites you to Pith"));
}

#[test]
fn a_mail_is_the_same_bytes_at_every_attempt() {
    for (mail, _) in all("Ada") {
        assert_eq!(sent("ada@example.com", &mail), sent("ada@example.com", &mail));
    }
}

#[test]
fn headers_name_sender_and_date_and_suppress_automatic_replies() {
    let mail = Mail::AccountDeleted { first_name: "Ada".to_owned() };
    let bytes = sent("Ada.L@example.com", &mail);
    let message = parsed(&bytes);
    assert_eq!(message.message_id(), Some("0123abcd@pith.example"));
    assert_eq!(message.date().unwrap().to_timestamp() * 1000, AT);
    let from = message.from().unwrap().first().unwrap();
    assert_eq!((from.name(), from.address()), (Some("Pith"), Some("no-reply@pith.example")));
    assert_eq!(message.to().unwrap().first().unwrap().address(), Some("Ada.L@example.com"));
    assert!(matches!(message.header("Auto-Submitted"), Some(HeaderValue::Text(text)) if text == "auto-generated"));
    assert!(message.reply_to().is_none());
    assert!(bytes.is_ascii(), "every server takes it");
}

/// RFC 8058: one https URL in angle brackets, and the form that mail clients post to it.
#[test]
fn a_mail_that_comes_daily_can_be_stopped_with_one_press() {
    let url = format!("https://pith.example/unsubscribe/{}", "0123456789abcdef".repeat(8));
    let bytes = sent("ada@example.com", &daily_book("Ada", &url));
    let head = String::from_utf8(bytes.clone()).unwrap().split("\r\n\r\n").next().unwrap().to_owned();
    let lines: Vec<&str> = head.split("\r\n").collect();
    assert!(lines.contains(&format!("List-Unsubscribe: <{url}>").as_str()), "{head}");
    assert!(lines.contains(&"List-Unsubscribe-Post: List-Unsubscribe=One-Click"), "{head}");
    assert!(lines.iter().all(|line| line.len() <= 998), "no line is longer than SMTP takes");
    let message = parsed(&bytes);
    let (text, html) = parts(&message);
    assert!(text.contains(&format!("Stop these emails: {url}")) && html.contains(&format!("<a href=\"{url}\"")));
    // Mails that are sent once have no unsubscribe header.
    let once = sent("ada@example.com", &Mail::AccountDeleted { first_name: "Ada".to_owned() });
    assert!(!header_names(&once).iter().any(|name| name.starts_with("list-")));
}

#[test]
fn a_reply_to_a_forwarded_message_goes_to_its_author() {
    let message = |name: &str, email: &str| Mail::Message {
        kind: "contact".to_owned(),
        name: name.to_owned(),
        email: email.to_owned(),
        body: "First line\n<b>second</b>".to_owned(),
    };
    let bytes = sent("support@example.com", &message("Zoë Reader", "zoe@example.com"));
    let parsed_mail = parsed(&bytes);
    let reply_to = parsed_mail.reply_to().unwrap().first().unwrap();
    assert_eq!((reply_to.name(), reply_to.address()), (Some("Zoë Reader"), Some("zoe@example.com")));
    assert!(parts(&parsed_mail).1.contains("First line<br>&#60;b&#62;second"));
    // A deleted member has no address, and an invalid one is left out.
    for email in ["", "nobody", "a@b\r\nBcc: x@example.com"] {
        let bytes = sent("support@example.com", &message("", email));
        assert!(parsed(&bytes).reply_to().is_none(), "{email:?}");
    }
}

/// The names of a mail's headers, in lower case.
fn header_names(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let head = text.split("\r\n\r\n").next().unwrap().to_owned();
    let starts = head.split("\r\n").filter(|line| !line.starts_with([' ', '\t']));
    starts.map(|line| line.split(':').next().unwrap().to_lowercase()).collect()
}

#[test]
fn typed_text_never_begins_a_header() {
    let plain: Vec<Vec<String>> =
        all("Ada").iter().map(|(mail, _)| header_names(&sent("ada@example.com", mail))).collect();
    for words in [
        "Ada\r\nBcc: x@example.com",
        "Ada\nX-Evil: 1",
        "Ada\r\n\r\nbody",
        "Ada\u{0}\u{b}\u{85}Bcc: x@example.com",
        "=?utf-8?q?Ada=0D=0ABcc:_x@example.com?=",
    ] {
        for ((mail, _), plain) in all(words).iter().zip(&plain) {
            let names = header_names(&sent("ada@example.com", mail));
            let expected = |name: &String| plain.contains(name) || name == "reply-to";
            assert!(names.iter().all(expected), "{}: {names:?}", mail.name());
        }
    }
}

#[test]
fn addresses_are_encoded_for_smtp() {
    let to = |text: &str| parse_address(text).map(|address| address.to_string());
    assert_eq!(to("ada@Bücher.example").as_deref(), Some("ada@xn--bcher-kva.example"));
    assert_eq!(to("ada@example.com").as_deref(), Some("ada@example.com"));
    assert_eq!(to("émile@example.com").as_deref(), Some("émile@example.com"));
    for text in [
        "ada",
        "ada@",
        "@example.com",
        "ada@127.0.0.1",
        "ada@exam ple.com",
        "a\r\nb@example.com",
        "a,b@example.com",
        "a>b@example.com",
    ] {
        assert_eq!(to(text), None, "{text:?}");
    }
}

#[test]
fn every_mail_has_its_words() {
    for (mail, _) in all("Ada") {
        let rendered = render(&mail, &site()).unwrap();
        let whole = format!("Subject: {}\n\n{}", rendered.subject, rendered.text);
        insta::assert_snapshot!(mail.name(), whole);
    }
}

#[test]
fn a_reminder_without_due_cards_asks_about_commitments_alone() {
    let rendered = render(&review_reminder("Ada", 0, &[14]), &site()).unwrap();
    insta::assert_snapshot!(format!("Subject: {}\n\n{}", rendered.subject, rendered.text));
    let none_asked = render(&review_reminder("Ada", 1, &[]), &site()).unwrap();
    assert_eq!(none_asked.subject, "One card is due today");
    assert!(!none_asked.text.contains("wanted to:"), "{}", none_asked.text);
}

#[test]
fn the_html_of_a_mail_with_every_part() {
    let mail = Mail::LoginLink { first_name: "Ada".to_owned(), link: LINK.to_owned(), code: "012345".to_owned() };
    insta::assert_snapshot!("look", render(&mail, &site()).unwrap().html);
}

#[test]
fn a_file_is_attached_whole_beside_both_parts() {
    let mail =
        Mail::EReaderFile { title: "Walden".to_owned(), author: Some("Thoreau".to_owned()), link: LINK.to_owned() };
    let file = Attachment {
        name: "walden.epub".to_owned(),
        content_type: "application/epub+zip",
        bytes: (0..=255).cycle().take(5_000).collect(),
    };
    let once = || {
        let rendered = RenderedMail { file: Some(file.clone()), ..render(&mail, &site()).unwrap() };
        build_message("ada@kindle.com", "0123abcd", Timestamp::from_millis(AT), rendered, &from()).unwrap()
    };
    let bytes = once().bytes;
    assert_eq!(bytes, once().bytes);
    let message = parsed(&bytes);
    let (text, html) = parts(&message);
    assert!(text.contains(LINK) && html.contains("Walden"));
    assert_eq!(message.attachment_count(), 1);
    let attached = message.attachment(0).unwrap();
    assert_eq!((attached.attachment_name(), attached.contents()), (Some("walden.epub"), file.bytes.as_slice()));
    let kind = attached.content_type().unwrap();
    assert_eq!((kind.ctype(), kind.subtype()), ("application", Some("epub+zip")));
}

#[test]
fn the_back_office_has_words_for_every_mail() {
    let words = include_str!("../../../frontend/src/features/admin/words.ts");
    let table = words.split("export const MAILS:").nth(1).and_then(|rest| rest.split("\n};").next()).unwrap();
    let listed = table.lines().filter_map(|line| line.trim().split_once(": '")).map(|(name, _)| name);
    let mails = all("Ada");
    let mails = mails.iter().map(|(mail, _)| mail.name());
    assert_eq!(listed.collect::<BTreeSet<&str>>(), mails.collect());
}
