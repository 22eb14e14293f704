//! The blog and the podcast as RSS.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use kernel::{Limit, StoreError, Timestamp};
use rss::{
    CategoryBuilder, Channel, ChannelBuilder, EnclosureBuilder, GuidBuilder, ImageBuilder, Item, ItemBuilder,
    extension::itunes::{ITunesCategoryBuilder, ITunesChannelExtensionBuilder, ITunesItemExtensionBuilder},
};
use workflows::{calendar::moment, podcasts::episodes};

use super::found_xml;
use crate::{
    app::App,
    error::ApiError,
    routes::editorial::{
        blog::read_blog,
        types::{Podcast, Post, Show},
    },
};

const RSS: &str = "application/rss+xml; charset=utf-8";
/// How many entries a feed has: readers that look once a month miss none.
const ENTRIES: usize = 50;
/// The width of the podcast's picture in pixels; podcast apps want at least 1400, our drawings go up to this.
const PICTURE: u32 = 1280;

/// The blog's feed.
#[get("/blog/feed.xml")]
pub(super) async fn blog_feed(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    found_xml(&app, &request, "feed blog", RSS, async || {
        let result = read_blog(&app, None, None, Limit::clamped(ENTRIES)).await?;
        let items: Vec<Item> = result.posts.iter().map(|post| post_item(&app, post)).collect();
        let name = &app.config.site.name;
        Ok(ChannelBuilder::default()
            .title(format!("{name}: Blog"))
            .link(app.link("/blog"))
            .description(format!("On reading, on old books, and on what is new at {name}."))
            .language(Some("en".to_owned()))
            .items(items)
            .build()
            .to_string())
    })
    .await
}

/// The podcast's feed, as podcast apps read it. Episodes without a recording are not in it yet.
#[get("/podcasts/feed.xml")]
pub(super) async fn podcast_feed(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    found_xml(&app, &request, "feed podcasts", RSS, async || {
        let found = app.read_tx::<_, StoreError, _>(|tx| episodes(tx, None, Limit::clamped(ENTRIES))).await?;
        let recorded: Vec<(Podcast, u64)> = found
            .page
            .items
            .iter()
            .filter_map(|one| Some((Podcast::from(one), one.recording.as_ref()?.bytes)))
            .collect();
        let items = recorded.iter().filter_map(|(one, bytes)| episode_item(&app, one, *bytes)).collect::<Vec<_>>();
        let newest = recorded.first().map(|(one, _)| one);
        Ok(show_channel(&app, &found.show.into(), newest, items).to_string())
    })
    .await
}

fn post_item(app: &App, post: &Post) -> Item {
    let address = app.link(&format!("/blog/{}", post.slug));
    let categories: Vec<_> =
        post.categories.iter().map(|category| CategoryBuilder::default().name(category.name.clone()).build()).collect();
    ItemBuilder::default()
        .title(Some(post.title.clone()))
        .description(Some(post.description.clone()))
        .pub_date(Some(rfc_2822(post.create_date)))
        .guid(Some(GuidBuilder::default().value(address.clone()).permalink(true).build()))
        .link(Some(address))
        .categories(categories)
        .build()
}

fn show_channel(app: &App, show: &Show, newest: Option<&Podcast>, items: Vec<Item>) -> Channel {
    let site = &app.config.site;
    let picture = newest.and_then(|one| one.image.as_deref()).map(|path| app.link(&picture_of(path)));
    let address = app.link("/podcasts");
    let itunes = ITunesChannelExtensionBuilder::default()
        .author(Some(site.name.clone()))
        .summary(Some(show.description.clone()))
        .explicit(Some("false".to_owned()))
        .r#type(Some("episodic".to_owned()))
        .image(picture.clone())
        .categories(vec![
            ITunesCategoryBuilder::default().text("Education").build(),
            ITunesCategoryBuilder::default().text("Arts").build(),
        ])
        .build();
    let image =
        picture.map(|url| ImageBuilder::default().url(url).title(show.title.clone()).link(address.clone()).build());
    ChannelBuilder::default()
        .title(show.title.clone())
        .link(address.clone())
        .description(show.description.clone())
        .language(Some("en".to_owned()))
        .image(image)
        .itunes_ext(Some(itunes))
        .items(items)
        .build()
}

/// An episode that can be heard; `bytes` is the size of its file.
fn episode_item(app: &App, one: &Podcast, bytes: u64) -> Option<Item> {
    let audio = one.media_url.as_ref()?;
    let address = app.link(&format!("/podcasts/{}", one.slug));
    let enclosure = EnclosureBuilder::default()
        .url(app.link(audio))
        .length(bytes.to_string())
        .mime_type(mime_guess::from_path(audio).first_or_octet_stream().to_string())
        .build();
    let itunes = ITunesItemExtensionBuilder::default()
        .author(Some(one.author.clone()))
        .summary(Some(one.description.clone()))
        .explicit(Some("false".to_owned()))
        .duration(one.seconds.map(|seconds| format!("{seconds:.0}")))
        .image(one.image.as_deref().map(|path| app.link(&picture_of(path))))
        .build();
    let item = ItemBuilder::default()
        .title(Some(one.title.clone()))
        .description(Some(one.description.clone()))
        .pub_date(Some(rfc_2822(one.create_date)))
        .guid(Some(GuidBuilder::default().value(address.clone()).permalink(true).build()))
        .link(Some(address))
        .enclosure(Some(enclosure))
        .itunes_ext(Some(itunes))
        .build();
    Some(item)
}

/// The raster form of a drawing: podcast apps show no SVG.
fn picture_of(path: &str) -> String {
    path.strip_suffix(".svg").map_or_else(|| path.to_owned(), |stem| format!("{stem}.{PICTURE}.png"))
}

/// A day (UTC) as feeds have it: `Thu, 19 Nov 2026 00:00:00 +0000`.
fn rfc_2822(millis: i64) -> String {
    moment(Timestamp::from_millis(millis)).strftime("%a, %d %b %Y %H:%M:%S +0000").to_string()
}

#[cfg(test)]
mod tests {
    use super::{picture_of, rfc_2822};

    #[test]
    fn dates_and_pictures_are_as_feeds_want_them() {
        assert_eq!(rfc_2822(1_795_046_400_000), "Thu, 19 Nov 2026 00:00:00 +0000");
        assert_eq!(picture_of("/media/podcasts/a-1b.svg"), "/media/podcasts/a-1b.1280.png");
        assert_eq!(picture_of("/media/podcasts/a-1b.jpg"), "/media/podcasts/a-1b.jpg");
    }
}
