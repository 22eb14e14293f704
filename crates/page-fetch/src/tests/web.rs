//! Fetches from a loopback server; the test network allows one loopback address.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::server::{Server, page, redirect};
use crate::error::FetchError;
use crate::fetcher::{FetchLimits, FetchedPage, PageFetcher};
use crate::network::{Network, ResolveFuture};
use crate::poster::Poster;

/// The address that counts as public.
const PUBLIC: &str = "127.0.0.1";
/// The address that counts as private.
const PRIVATE: &str = "127.0.0.2";

/// `site.test` is public, `inside.test` is private, and `turning.test` is public only the first time it is resolved.
#[derive(Default)]
struct TestNetwork {
    turning: AtomicUsize,
}

impl Network for TestNetwork {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> ResolveFuture<'a> {
        let address = match host {
            "site.test" => Some(PUBLIC),
            "turning.test" if self.turning.fetch_add(1, Ordering::SeqCst) == 0 => Some(PUBLIC),
            "inside.test" | "turning.test" => Some(PRIVATE),
            _ => None,
        };
        let addresses = address.map(|ip| vec![SocketAddr::new(ip.parse().unwrap(), port)]);
        Box::pin(async move { addresses.ok_or_else(|| io::Error::other("there is no such name")) })
    }

    fn allows(&self, address: IpAddr) -> bool {
        address == PUBLIC.parse::<IpAddr>().unwrap()
    }
}

fn fetcher() -> PageFetcher {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let limits = FetchLimits { time: Duration::from_secs(2), bytes: 100_000, ..FetchLimits::default() };
    PageFetcher::with_network(
        "TestBot/1.0 (+https://site.test/ai)".to_owned(),
        Arc::new(TestNetwork::default()),
        limits,
    )
}

fn site() -> Server {
    Server::start(PUBLIC, 0, |path, port| match path {
        "/" => page("text/html; charset=\"KOI8-R\"", b"<p>Hello."),
        "/pdf" => page("application/pdf", b"%PDF-1.4"),
        "/untyped" => b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nPlain words.".to_vec(),
        "/png" => page("image/png", b"\x89PNG"),
        "/json" => page("application/json", b"{}"),
        "/gzip" => {
            b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\n\x1f\x8b"
                .to_vec()
        }
        "/large" => page("text/html", &vec![b'a'; 100_001]),
        "/largest" => page("text/html", &vec![b'a'; 100_000]),
        "/endless" => [b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n".to_vec(), vec![b'a'; 2_000_000]].concat(),
        "/cut" => b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 500\r\n\r\nhalf".to_vec(),
        "/moved" => redirect(301, "/"),
        "/moved-by-name" => redirect(302, &format!("http://site.test:{port}/pdf")),
        "/circle" => redirect(302, "/circle"),
        "/to-inside" => redirect(302, &format!("http://inside.test:{port}/secret")),
        "/to-literal" => redirect(307, &format!("http://{PRIVATE}:{port}/secret")),
        "/to-decimal" => redirect(308, &format!("http://2130706434:{port}/secret")),
        "/to-mapped" => redirect(303, &format!("http://[::ffff:7f00:2]:{port}/secret")),
        "/to-metadata" => redirect(302, "http://169.254.169.254/latest/meta-data/"),
        "/to-itself-turned" => redirect(302, &format!("http://turning.test:{port}/secret")),
        "/to-file" => redirect(302, "file:///etc/passwd"),
        "/to-credentials" => redirect(302, "http://user:pass@site.test/"),
        "/to-nothing" => redirect(302, "http://"),
        "/silent" => Vec::new(),
        "/forbidden" => b"HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n".to_vec(),
        "/garbage" => b"\0\0\0 no http".to_vec(),
        _ => b"HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n".to_vec(),
    })
}

async fn fetch(site: &Server, path: &str) -> Result<FetchedPage, FetchError> {
    fetcher().fetch(&format!("http://site.test:{}{path}", site.address.port())).await
}

#[tokio::test]
async fn a_page_is_fetched_under_a_name_that_robots_are_known_by() {
    let site = site();
    let page = fetch(&site, "/#part").await.unwrap();
    assert_eq!((page.bytes.as_slice(), page.charset.as_deref()), (b"<p>Hello.".as_slice(), Some("koi8-r")));
    assert_eq!(page.url.as_str(), format!("http://site.test:{}/", site.address.port()));
    let head = site.heads.lock().unwrap().concat().to_lowercase();
    assert!(head.contains("user-agent: testbot/1.0 (+https://site.test/ai)"), "{head}");
    assert!(!head.contains("cookie") && !head.contains("authorization") && !head.contains("referer"), "{head}");
    assert_eq!(fetch(&site, "/pdf").await.unwrap().bytes, b"%PDF-1.4");
    assert_eq!(fetch(&site, "/untyped").await.unwrap().bytes, b"Plain words.");
    assert_eq!(fetch(&site, "/largest").await.unwrap().bytes.len(), 100_000);
}

#[tokio::test]
async fn redirects_are_followed_within_the_public_web() {
    let site = site();
    assert_eq!(fetch(&site, "/moved").await.unwrap().bytes, b"<p>Hello.");
    assert_eq!(fetch(&site, "/moved-by-name").await.unwrap().url.path(), "/pdf");
    assert_eq!(fetch(&site, "/circle").await, Err(FetchError::TooManyRedirects));
}

#[tokio::test]
async fn no_redirect_leads_to_a_private_address() {
    let site = site();
    let inside = Server::start(PRIVATE, site.address.port(), |_, _| page("text/html", b"secret"));
    for path in ["/to-inside", "/to-literal", "/to-decimal", "/to-mapped", "/to-metadata"] {
        assert_eq!(fetch(&site, path).await, Err(FetchError::AddressNotPublic), "{path}");
    }
    for (path, error) in [
        ("/to-file", FetchError::SchemeNotAllowed),
        ("/to-credentials", FetchError::CredentialsInUrl),
        ("/to-nothing", FetchError::InvalidUrl),
    ] {
        assert_eq!(fetch(&site, path).await, Err(error), "{path}");
    }
    assert_eq!(inside.connections(), 0);
}

#[tokio::test]
async fn a_name_that_changes_its_answer_gains_nothing() {
    let site = site();
    let inside = Server::start(PRIVATE, site.address.port(), |_, _| page("text/html", b"secret"));
    let port = site.address.port();
    // One request resolves the name once: the connection goes to the checked address.
    let page = fetcher().fetch(&format!("http://turning.test:{port}/")).await.unwrap();
    assert_eq!(page.bytes, b"<p>Hello.");
    // A redirect to the same name resolves and checks it again.
    let turned = fetcher().fetch(&format!("http://turning.test:{port}/to-itself-turned")).await;
    assert_eq!(turned, Err(FetchError::AddressNotPublic));
    assert_eq!(inside.connections(), 0);
}

#[tokio::test]
async fn other_kinds_sizes_and_failures_are_refused() {
    let site = site();
    let too_large = || FetchError::TooLarge { limit: 100_000 };
    for (path, error) in [
        ("/png", FetchError::UnsupportedType),
        ("/json", FetchError::UnsupportedType),
        ("/gzip", FetchError::UnsupportedEncoding),
        ("/large", too_large()),
        ("/endless", too_large()),
        ("/cut", FetchError::Unreachable),
        ("/garbage", FetchError::Unreachable),
        ("/forbidden", FetchError::Status(403)),
        ("/nowhere", FetchError::Status(404)),
    ] {
        assert_eq!(fetch(&site, path).await, Err(error), "{path}");
    }
}

#[tokio::test]
async fn a_silent_site_is_given_up_in_time() {
    let site = site();
    assert_eq!(fetch(&site, "/silent").await, Err(FetchError::TimedOut(Duration::from_secs(2))));
}

#[tokio::test]
async fn a_site_that_is_not_there_is_told() {
    let free = std::net::TcpListener::bind((PUBLIC, 0)).unwrap().local_addr().unwrap().port();
    let unreachable = fetcher().fetch(&format!("http://site.test:{free}/")).await;
    assert_eq!(unreachable, Err(FetchError::Unreachable));
    assert_eq!(fetcher().fetch("http://nobody.test/").await, Err(FetchError::HostNotFound));
}

fn poster() -> Poster {
    let _ = rustls::crypto::ring::default_provider().install_default();
    Poster::with_network(Arc::new(TestNetwork::default()))
}

async fn post(url: String) -> Result<u16, FetchError> {
    poster().post(&url, &[("webhook-id", "1".to_owned())], b"{}".to_vec()).await
}

#[tokio::test]
async fn a_post_goes_to_public_addresses_only_and_follows_no_redirect() {
    let (site, inside) = (site(), Server::start(PRIVATE, 0, |_, _| page("text/html", b"secret")));
    let (port, inner) = (site.address.port(), inside.address.port());
    assert_eq!(post(format!("http://site.test:{port}/forbidden")).await, Ok(403));
    assert_eq!(post(format!("http://site.test:{port}/to-inside")).await, Ok(302));
    for host in ["inside.test", PRIVATE, "2130706434", "[::ffff:7f00:2]"] {
        assert_eq!(post(format!("http://{host}:{inner}/")).await, Err(FetchError::AddressNotPublic), "{host}");
    }
    assert_eq!(post(format!("http://nowhere.test:{port}/")).await, Err(FetchError::HostNotFound));
    assert_eq!(inside.connections(), 0);
    let head = site.heads.lock().unwrap()[0].clone();
    assert!(head.starts_with("POST /forbidden ") && head.contains("webhook-id: 1"), "{head}");
}

#[tokio::test]
async fn a_header_with_a_line_break_is_refused() {
    let refused = poster().post("http://site.test/", &[("webhook-id", "1\r\nx: y".to_owned())], Vec::new()).await;
    assert_eq!(refused, Err(FetchError::InvalidUrl));
}
