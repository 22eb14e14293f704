//! Editorial content, over HTTP: calls, pages that are readable without scripts, feeds, and what crawlers read.

use ::editorial::{Editorial, Recording, script_hash};
use kernel::{DAY, Slug};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::harness::{START, TestApp};

async fn stocked() -> TestApp {
    let app = TestApp::start().await;
    app.load_content(None).await.expect("the demo content is loaded");
    app
}

/// The JSON-LD of a page, as the list of its things.
fn structured(html: &str) -> Vec<Value> {
    let (_, rest) = html.split_once("<script type=\"application/ld+json\">").expect("structured data");
    let (json, _) = rest.split_once("</script>").expect("an end");
    let value: Value = serde_json::from_str(json).expect("structured data is JSON");
    assert_eq!(value["@context"], "https://schema.org");
    value["@graph"].as_array().expect("a graph").clone()
}

fn types(html: &str) -> Vec<String> {
    structured(html).iter().map(|thing| thing["@type"].as_str().expect("a type").to_owned()).collect()
}

#[actix_web::test]
async fn posts_are_listed_paged_and_read() {
    let app = stocked().await;
    let all = app.get("/api/blog").await.result();
    let slugs = |result: &Value| -> Vec<String> {
        let posts = result["posts"].as_array().expect("posts").iter();
        posts.map(|post| post["slug"].as_str().expect("a slug").to_owned()).collect()
    };
    let wanted = slugs(&all);
    assert!(wanted.len() >= 8 && all["next"].is_null());
    let dates: Vec<i64> =
        all["posts"].as_array().unwrap().iter().map(|post| post["createDate"].as_i64().unwrap()).collect();
    assert!(dates.is_sorted_by(|a, b| a >= b), "the newest first");
    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let page = app.get(&format!("/api/blog?limit=3&after={after}")).await.result();
        seen.extend(slugs(&page));
        let Some(next) = page["next"].as_str() else { break };
        next.clone_into(&mut after);
    }
    assert_eq!(seen, wanted);

    let news = app.get("/api/blog?category=whats-new").await.result();
    assert!(!slugs(&news).is_empty() && slugs(&news).len() < wanted.len());
    for post in news["posts"].as_array().unwrap() {
        assert!(post["categories"].as_array().unwrap().contains(&json!({ "slug": "whats-new", "name": "What's new" })));
    }
    app.get("/api/blog?category=nobody").await.fails(404, "not_found", "There is no such category.");
    let post = app.get("/api/blog/why-old-books").await.result();
    assert!(post["post"]["text"].as_str().unwrap().contains("<h2>"));
    assert_eq!(post["more"].as_array().unwrap().len(), 3);
    let with_book = app.get("/api/blog/smith-and-veblen-look-at-a-coat").await.result();
    assert_eq!(with_book["book"]["subid"], "the-theory-of-the-leisure-class");
    assert_eq!(app.get(with_book["post"]["photo"].as_str().unwrap()).await.status, StatusCode::OK);

    app.get("/api/blog/nothing").await.fails(404, "not_found", "There is no such post.");
    for (query, field) in
        [("limit=0", "limit"), ("limit=101", "limit"), ("after=x", "after"), ("category=A+b", "category")]
    {
        let reply = app.get(&format!("/api/blog?{query}")).await;
        assert_eq!((reply.status.as_u16(), reply.json()["field"].as_str()), (422, Some(field)), "{query}");
    }
}

#[actix_web::test]
async fn the_insight_is_one_for_the_day_and_another_on_the_next() {
    let app = stocked().await;
    let today = app.get("/api/insight").await.result();
    assert!(!today["insight"]["insight"].as_str().unwrap().is_empty());
    assert!(today["insight"]["book"]["title"].is_string());
    app.env.advance(DAY / 2 - 1);
    assert_eq!(app.get("/api/insight").await.result(), today, "a millisecond before midnight");
    app.env.advance(1);
    assert_ne!(app.get("/api/insight").await.result()["insight"]["id"], today["insight"]["id"], "midnight (UTC)");
}

#[actix_web::test]
async fn pages_are_readable_without_scripts_and_say_what_they_are() {
    let app = stocked().await;
    let podcast = "/podcasts/what-a-candle-knows";
    for (address, text, kinds) in [
        ("/blog", "Why we read old books", &["Blog", "BreadcrumbList"][..]),
        ("/blog/whats-new", "Key ideas, drawn", &["Blog", "BreadcrumbList"]),
        ("/blog/why-old-books", "The filter, and its holes", &["BlogPosting", "BreadcrumbList"]),
        ("/podcasts", "What a Candle Knows", &["PodcastSeries", "BreadcrumbList"]),
        (podcast, "The audio is on its way.", &["PodcastEpisode", "BreadcrumbList"]),
        ("/about", "The white inside of an orange", &["AboutPage", "BreadcrumbList"]),
        ("/terms", "<h2>", &["WebPage", "BreadcrumbList"]),
        ("/privacy", "<h2>", &["WebPage", "BreadcrumbList"]),
        ("/try", "$59.99", &["FAQPage", "BreadcrumbList", "Product"]),
        ("/pricing", "Free for 3 days, then $9.99 each month", &["FAQPage", "BreadcrumbList", "Product"]),
        ("/teams", "$29.99 a seat", &["FAQPage", "BreadcrumbList"]),
        ("/giftcard", "$44.99", &["FAQPage", "BreadcrumbList"]),
        ("/refer", "earn 10%", &["FAQPage", "BreadcrumbList"]),
        ("/affiliate", "earn 10%", &["FAQPage", "BreadcrumbList"]),
    ] {
        let page = app.get(address).await;
        assert_eq!(page.status, StatusCode::OK, "{address}");
        let (_, root) = page.text.split_once("<div id=\"root\">").expect("a root");
        let (root, _) = root.split_once("<script type=\"application/json\"").expect("the blocks of data");
        assert!(root.contains(text), "{address} says {text}");
        assert_eq!(root.matches("<h1").count(), 1, "{address}");
        assert!(page.text.contains("<link rel=\"canonical\""), "{address} is for an index");
        for mark in ["{name}", "{email}", "{url}", "{price.", "{month."] {
            assert!(!page.text.contains(mark), "{address} still has {mark}");
        }
        assert_eq!(types(&page.text), kinds, "{address}");
    }
    // One address of each content.
    for (address, canonical) in [
        ("/pricing", "/try"),
        ("/affiliate", "/refer"),
        ("/blog?category=whats-new", "/blog/whats-new"),
        ("/blog/whats-new", "/blog/whats-new"),
        ("/blog?category=", "/blog"),
    ] {
        let page = app.get(address).await.text;
        assert!(page.contains(&format!("<link rel=\"canonical\" href=\"{}{canonical}\">", app.address)), "{address}");
    }
    assert!(!app.get("/pricing").await.text.contains("<p class=\"alert alert--info"));
    assert!(app.get("/pricing?limit_reached=yes").await.text.contains("<p class=\"alert alert--info"));
    for address in ["/blog/nothing", "/blog/NOT-A-SLUG", "/podcasts/nothing", "/blog?after=x"] {
        assert_eq!(app.get(address).await.status, StatusCode::NOT_FOUND, "{address}");
    }
}

#[actix_web::test]
async fn prices_on_pages_are_those_of_the_plans() {
    let app = stocked().await;
    let page = app.get("/api/product-pages/try").await.result();
    let offers = page["page"]["offers"].as_array().expect("offers");
    let prices: Vec<_> =
        offers.iter().map(|offer| (offer["planId"].as_str().unwrap(), offer["price"].as_i64().unwrap())).collect();
    assert_eq!(prices, [("yearly", 5_999), ("monthly", 999), ("lifetime", 14_900)]);
    assert_eq!(offers[0]["link"]["href"], "/payment/yearly");
    app.get("/api/product-pages/nothing").await.fails(404, "not_found", "There is no such page.");
    let data = structured(&app.get("/try").await.text);
    let product = data.iter().find(|thing| thing["@type"] == "Product").expect("a product");
    assert_eq!(product["offers"][2]["price"], "149.00");
}

#[actix_web::test]
async fn an_episode_is_heard_and_in_the_feed_once_it_is_recorded() {
    let app = stocked().await;
    let slug = Slug::parse("what-a-candle-knows").unwrap();
    let feed = app.get("/podcasts/feed.xml").await;
    assert_eq!(feed.headers["content-type"], "application/rss+xml; charset=utf-8");
    assert!(!feed.text.contains("<item>"), "nothing can be heard yet");
    let before = app.get(&format!("/api/podcasts/{slug}")).await.result();
    assert!(before["podcast"]["mediaUrl"].is_null() && before["podcast"]["seconds"].is_null());

    let sound = vec![7_u8; 4_321];
    let key = app.app.media.put("podcasts/what-a-candle-knows.mp3", sound).await.expect("a file is kept");
    let script = before["podcast"]["script"].as_str().unwrap();
    let recording = Recording { key, duration_ms: 301_500, bytes: 4_321, text_hash: Some(script_hash(script)) };
    let name = slug.clone();
    let kept = app.app.db.write(move |pg| pg.keep_recording(&name, &recording)).await.expect("it is written");
    assert!(kept);

    let after = app.get(&format!("/api/podcasts/{slug}")).await.result();
    let address = after["podcast"]["mediaUrl"].as_str().expect("an address");
    assert_eq!(app.get(address).await.status, StatusCode::OK);
    assert_eq!((&after["podcast"]["seconds"], &after["podcast"]["mins"]), (&json!(301.5), &json!(5)));
    let page = app.get(&format!("/podcasts/{slug}")).await.text;
    assert!(page.contains(&format!("<audio class=\"episode__audio\" controls preload=\"none\" src=\"{address}\"")));

    let feed = app.get("/podcasts/feed.xml").await.text;
    let tree = roxmltree::Document::parse(&feed).expect("the feed is XML");
    let items: Vec<_> = tree.descendants().filter(|node| node.has_tag_name("item")).collect();
    assert_eq!(items.len(), 1, "only what can be heard");
    let enclosure = items[0].children().find(|node| node.has_tag_name("enclosure")).expect("an enclosure");
    assert_eq!(enclosure.attribute("url"), Some(format!("{}{address}", app.address).as_str()));
    assert_eq!((enclosure.attribute("length"), enclosure.attribute("type")), (Some("4321"), Some("audio/mpeg")));
    let itunes = "http://www.itunes.com/dtds/podcast-1.0.dtd";
    let of = |name: &str| items[0].children().find(|node| node.has_tag_name((itunes, name))).expect(name);
    assert_eq!((of("duration").text(), of("explicit").text()), (Some("302"), Some("false")));
    let picture = of("image").attribute("href").expect("a picture").strip_prefix(&app.address).expect("of this site");
    assert_eq!(app.get(picture).await.headers["content-type"], "image/png");
}

#[actix_web::test]
async fn a_feed_carries_a_plain_text_as_html() {
    let app = stocked().await;
    app.sql("UPDATE posts SET description = 'Less <b>is</b> more & \"so\" on.' WHERE slug = 'smith-and-veblen-look-at-a-coat'");
    app.app.responses.invalidate_catalogue();
    let feed = app.get("/blog/feed.xml").await.text;
    let tree = roxmltree::Document::parse(&feed).expect("the feed is XML");
    let item = tree.descendants().find(|node| node.has_tag_name("item")).expect("an item");
    let description = item.children().find(|node| node.has_tag_name("description")).and_then(|node| node.text());
    assert_eq!(description, Some("<p>Less &lt;b&gt;is&lt;/b&gt; more &amp; &quot;so&quot; on.</p>"));
}

#[actix_web::test]
async fn the_blog_has_a_feed() {
    let app = stocked().await;
    let feed = app.get("/blog/feed.xml").await.text;
    let tree = roxmltree::Document::parse(&feed).expect("the feed is XML");
    let items = tree.descendants().filter(|node| node.has_tag_name("item")).count();
    assert_eq!(items, app.get("/api/blog").await.result()["posts"].as_array().unwrap().len());
    let link = tree.descendants().filter(|node| node.has_tag_name("link")).nth(1).and_then(|node| node.text());
    assert_eq!(link, Some(format!("{}/blog/smith-and-veblen-look-at-a-coat", app.address).as_str()));
    assert!(
        app.get("/blog").await.text.contains("type=\"application/rss+xml\" title=\"Blog\" href=\"/blog/feed.xml\"")
    );
}

#[actix_web::test]
async fn crawlers_find_every_public_page() {
    let app = stocked().await;
    let robots = app.get("/robots.txt").await;
    assert!(robots.headers["content-type"].to_str().unwrap().starts_with("text/plain"));
    assert!(robots.text.contains(&format!("Sitemap: {}/sitemap.xml", app.address)));
    assert!(robots.text.contains("Disallow: /api/\n"));

    let locations = |text: &str| -> Vec<String> {
        let tree = roxmltree::Document::parse(text).expect("a sitemap is XML");
        tree.descendants()
            .filter(|node| node.tag_name().name() == "loc")
            .map(|n| n.text().unwrap().to_owned())
            .collect()
    };
    let mut found = Vec::new();
    for part in locations(&app.get("/sitemap.xml").await.text) {
        let part = app.get(part.strip_prefix(&app.address).expect("of this site")).await;
        assert_eq!(part.headers["content-type"], "application/xml; charset=utf-8");
        found.extend(locations(&part.text));
    }
    for path in [
        "/",
        "/books",
        "/books/walden",
        "/category/philosophy",
        "/authors/marcus-aurelius",
        "/collections",
        "/blog/why-old-books",
        "/blog/whats-new",
        "/podcasts/what-a-candle-knows",
        "/try",
        "/privacy",
    ] {
        assert!(found.contains(&format!("{}{path}", app.address)), "{path}");
    }
    let mut once = found.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), found.len(), "each address once");
    for address in &found {
        let path = address.strip_prefix(&app.address).expect("of this site");
        let page = app.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        assert!(page.text.contains("<link rel=\"canonical\""), "{path} is for an index");
    }
    for path in ["/sitemaps/books-0.xml", "/sitemaps/books-99.xml", "/sitemaps/weather.xml"] {
        assert_eq!(app.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    assert!(app.get("/sitemaps/books-1.xml").await.text.contains("<lastmod>2026-06-15</lastmod>"), "{START:?}");
}
