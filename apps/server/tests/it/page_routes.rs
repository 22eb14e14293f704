//! The tables of routes (`frontend/src/paths.ts`, and the back office's) against the pages of the server. A test of the web app compares
//! the same tables with its router.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use actix_web::{
    App, HttpResponse,
    test::{TestRequest, call_service, init_service},
    web,
};
use pages::screens::SCREENS;

use crate::harness::TestApp;

const TABLE: &str = concat!(
    include_str!("../../../../frontend/src/paths.ts"),
    include_str!("../../../../frontend/src/features/admin/paths.ts")
);
/// Addresses of the server for which the web app has no screen.
const WITHOUT_SCREEN: [&str; 5] = ["/blog/feed.xml", "/outbox", "/podcasts/feed.xml", "/robots.txt", "/sitemap"];

/// A line of the table.
struct Route {
    path: String,
    /// `None` where the content gives the title.
    title: Option<String>,
}

fn routes() -> Vec<Route> {
    let read = |line: &str| {
        let (path, rest) = line.split_once("{ path: '")?.1.split_once("', title: ")?;
        let title = rest.split_once(" }")?.0;
        let title = (title != "null").then(|| title.trim_matches(['\'', '"']).to_owned());
        Some(Route { path: path.trim_end_matches('?').to_owned(), title })
    };
    let routes: Vec<Route> = TABLE.lines().filter_map(read).collect();
    assert!(routes.len() > 60, "the table is read: {} routes", routes.len());
    routes
}

/// A path with a value in the place of each parameter.
fn address_of(path: &str) -> String {
    let value = |segment: &str| match segment {
        ":sort" | ":type" => "new".to_owned(),
        ":planId" => "gift".to_owned(),
        parameter if parameter.starts_with(':') => "1".to_owned(),
        literal => literal.to_owned(),
    };
    path.split('/').map(value).collect::<Vec<_>>().join("/")
}

/// A path of the table or a pattern of the server, its parameters without their names.
fn shape_of(path: &str) -> String {
    let shape = |segment: &str| if segment.starts_with([':', '{']) { ":".to_owned() } else { segment.to_owned() };
    path.split('/').map(shape).collect::<Vec<_>>().join("/")
}

#[actix_web::test]
async fn every_route_of_the_table_is_a_route_of_the_server() {
    let nothing = web::to(HttpResponse::NotFound);
    let service = init_service(App::new().configure(::web::configure_pages).default_service(nothing)).await;
    for Route { path, .. } in routes() {
        let request = TestRequest::get().uri(&address_of(&path)).to_request();
        let response = call_service(&service, request).await;
        let pattern = response.request().match_pattern();
        assert_eq!(pattern.as_deref().map(shape_of), Some(shape_of(&path)), "{path}");
    }
}

/// The sources of `web` that have pages: each feature's `pages`, and what the site as a whole has.
fn sources_of_pages() -> Vec<PathBuf> {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/web/src");
    let list = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten();
        entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_file()).collect()
    };
    let mut sources: Vec<PathBuf> =
        ["outbox", "sitemap"].iter().map(|name| web.join("site").join(name).with_extension("rs")).collect();
    for feature in fs::read_dir(&web).expect("the features' folders") {
        let feature = feature.expect("a folder").path();
        sources.extend(list(&feature.join("pages")));
        sources.extend(Some(feature.join("pages.rs")).filter(|file| file.is_file()));
    }
    sources
}

#[test]
fn every_page_of_the_server_is_a_route_of_the_table() {
    let table: BTreeSet<String> = routes().iter().map(|route| shape_of(&route.path)).collect();
    let mut declared: Vec<String> = SCREENS.iter().map(|screen| screen.path.to_owned()).collect();
    for file in sources_of_pages() {
        let text = fs::read_to_string(file).expect("a text");
        let paths = text.split("#[get(\"").skip(1).filter_map(|rest| rest.split('"').next());
        declared.extend(paths.map(str::to_owned));
    }
    declared.retain(|path| !WITHOUT_SCREEN.iter().any(|prefix| path.starts_with(prefix)));
    assert!(declared.len() > 50, "the pages are read: {}", declared.len());
    for path in declared {
        assert!(
            table.contains(&shape_of(&path)) || ["/send-to-kindle", "/payment"].contains(&path.as_str()),
            "{path} is in no line of paths.ts"
        );
    }
}

#[actix_web::test]
async fn every_page_has_the_title_of_the_table() {
    let app = TestApp::start_with(&[("SITE_NAME", "Quire")]).await;
    // A site without content leads to its setup.
    app.add_book("walden", "");
    for Route { path, title } in routes() {
        let Some(title) = title else { continue };
        let page = app.get(&address_of(&path)).await.text;
        let shown = page.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next()).expect("a title");
        let shown = shown.replace("&#39;", "'");
        let expected = if title.is_empty() { "Quire".to_owned() } else { format!("{title} – Quire") };
        assert_eq!(shown, expected, "{path}");
        assert!(!page.contains("Pith"), "{path} says a name that is not the site's");
    }
    assert!(app.get("/favicon.svg").await.text.contains("<title>Quire</title>"));
}

#[actix_web::test]
async fn a_site_installs_as_an_app_under_its_name() {
    let app = TestApp::start_with(&[("SITE_NAME", "Quire")]).await;
    // A site without content leads to its setup.
    app.add_book("walden", "");
    assert!(app.get("/").await.text.contains(r#"<link rel="manifest" href="/app.webmanifest">"#));
    let reply = app.get("/app.webmanifest").await;
    assert_eq!(reply.headers["content-type"], "application/manifest+json");
    let manifest: serde_json::Value = serde_json::from_str(&reply.text).expect("JSON");
    assert_eq!(manifest["name"], "Quire");
    let icons = manifest["icons"].as_array().expect("icons");
    for icon in icons.iter().map(|icon| icon["src"].as_str().expect("a URL")).chain(["/icons/app-180.png"]) {
        let reply = app.get(icon).await;
        assert!(reply.status.is_success(), "{icon}");
        assert!(reply.headers["content-type"].to_str().expect("text").starts_with("image/"), "{icon}");
    }
    assert_eq!(app.get("/icons/app-7.png").await.status, 404);
}
