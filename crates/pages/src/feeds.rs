//! RSS feeds of the blog and the podcast.

use config::Config;
use editorial::{PodcastCard, PostCard};
use kernel::Timestamp;
use media::Media;
use rss::{
    CategoryBuilder, Channel, ChannelBuilder, EnclosureBuilder, GuidBuilder, ImageBuilder, Item, ItemBuilder,
    extension::itunes::{ITunesCategoryBuilder, ITunesChannelExtensionBuilder, ITunesItemExtensionBuilder},
};
use workflows::{calendar::moment, editorial::podcasts::PodcastShow};

use crate::sitemap::escaped;

/// The maximum number of entries: enough for readers that fetch a feed once a month.
pub const ENTRIES: usize = 50;
/// The width of the podcast's picture, in pixels. Podcast apps ask for at least 1400; this is the largest rendition.
const PICTURE: u32 = 1280;

/// The RSS feed of the blog.
pub fn blog(config: &Config, posts: &[PostCard]) -> String {
    let name = &config.site.name;
    ChannelBuilder::default()
        .title(format!("{name}: Blog"))
        .link(config.link("/blog"))
        .description(format!("On reading, on old books, and on what is new at {name}."))
        .language(Some("en".to_owned()))
        .items(posts.iter().map(|post| post_item(config, post)).collect::<Vec<_>>())
        .build()
        .to_string()
}

/// The RSS feed of the podcast, with the iTunes tags of podcast apps. Episodes without a recording are left out.
pub fn podcast(config: &Config, show: &PodcastShow, episodes: &[PodcastCard]) -> String {
    let items = episodes.iter().filter_map(|one| episode_item(config, one)).collect();
    let newest = episodes.iter().find(|one| one.recording.is_some());
    show_channel(config, show, newest, items).to_string()
}

fn post_item(config: &Config, post: &PostCard) -> Item {
    let url = config.link(&format!("/blog/{}", post.slug));
    let categories: Vec<_> =
        post.categories.iter().map(|category| CategoryBuilder::default().name(category.name.clone()).build()).collect();
    ItemBuilder::default()
        .title(Some(post.title.clone()))
        .description(Some(paragraphs(&post.description)))
        .pub_date(Some(rfc_2822(post.published_at)))
        .guid(Some(GuidBuilder::default().value(url.clone()).permalink(true).build()))
        .link(Some(url))
        .categories(categories)
        .build()
}

fn show_channel(config: &Config, show: &PodcastShow, newest: Option<&PodcastCard>, items: Vec<Item>) -> Channel {
    let picture = newest.and_then(|one| picture_url(config, one));
    let url = config.link("/podcasts");
    let itunes = ITunesChannelExtensionBuilder::default()
        .author(Some(config.site.name.clone()))
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
        picture.map(|picture| ImageBuilder::default().url(picture).title(show.title.clone()).link(url.clone()).build());
    ChannelBuilder::default()
        .title(show.title.clone())
        .link(url.clone())
        .description(show.description.clone())
        .language(Some("en".to_owned()))
        .image(image)
        .itunes_ext(Some(itunes))
        .items(items)
        .build()
}

/// The feed item of an episode; `None` while it has no recording.
fn episode_item(config: &Config, one: &PodcastCard) -> Option<Item> {
    let recording = one.recording.as_ref()?;
    let url = config.link(&format!("/podcasts/{}", one.slug));
    let enclosure = EnclosureBuilder::default()
        .url(config.link(&Media::url(&recording.key)))
        .length(recording.bytes.to_string())
        .mime_type(mime_guess::from_path(&recording.key).first_or_octet_stream().to_string())
        .build();
    let seconds = std::time::Duration::from_millis(recording.duration_ms).as_secs_f64();
    let itunes = ITunesItemExtensionBuilder::default()
        .author(Some(one.author.clone()))
        .summary(Some(one.description.clone()))
        .explicit(Some("false".to_owned()))
        .duration(Some(format!("{seconds:.0}")))
        .image(picture_url(config, one))
        .build();
    let item = ItemBuilder::default()
        .title(Some(one.title.clone()))
        .description(Some(paragraphs(&one.description)))
        .pub_date(Some(rfc_2822(one.published_at)))
        .guid(Some(GuidBuilder::default().value(url.clone()).permalink(true).build()))
        .link(Some(url))
        .enclosure(Some(enclosure))
        .itunes_ext(Some(itunes))
        .build();
    Some(item)
}

/// Converts plain text to HTML paragraphs, because feed readers interpret a description as HTML.
fn paragraphs(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.flat_map(|line| ["<p>".to_owned(), escaped(line), "</p>".to_owned()]).collect()
}

/// The URL of an episode's picture as a raster image: podcast apps don't support SVG.
fn picture_url(config: &Config, one: &PodcastCard) -> Option<String> {
    Some(config.link(&picture_of(&Media::url(one.image.as_deref()?))))
}

/// The URL path of a drawing's PNG rendition; other pictures keep their path.
fn picture_of(path: &str) -> String {
    path.strip_suffix(".svg").map_or_else(|| path.to_owned(), |stem| format!("{stem}.{PICTURE}.png"))
}

/// Formats a time (UTC) for RSS: `Thu, 19 Nov 2026 00:00:00 +0000`.
fn rfc_2822(at: Timestamp) -> String {
    moment(at).strftime("%a, %d %b %Y %H:%M:%S +0000").to_string()
}

#[cfg(test)]
mod tests {
    use kernel::Timestamp;

    use super::{picture_of, rfc_2822};

    #[test]
    fn dates_and_pictures_are_as_feeds_want_them() {
        assert_eq!(rfc_2822(Timestamp::from_millis(1_795_046_400_000)), "Thu, 19 Nov 2026 00:00:00 +0000");
        assert_eq!(picture_of("/media/podcasts/a-1b.svg"), "/media/podcasts/a-1b.1280.png");
        assert_eq!(picture_of("/media/podcasts/a-1b.jpg"), "/media/podcasts/a-1b.jpg");
    }
}
