//! Structured data (schema.org) of the site, its product pages, the blog and the podcast.

use config::Config;
use editorial::{PodcastCard, PostCard, SitePage};
use media::Media;
use serde_json::{Value, json};
use workflows::editorial::{
    podcasts::{Episode, Episodes},
    product_pages::{Offer, ProductPage, Question},
    texts::PostWithBook,
};

use super::{books::written_work, breadcrumbs, duration, graph, iso_day, publisher};

/// The site with its search action.
pub fn site(config: &Config) -> Value {
    json!({
        "@context": "https://schema.org",
        "@type": "WebSite",
        "name": config.site.name,
        "url": config.public_url,
        "potentialAction": {
            "@type": "SearchAction",
            "target": config.link("/books?q={search_term_string}"),
            "query-input": "required name=search_term_string",
        },
    })
}

/// A page of the site, such as about, terms or privacy.
pub fn site_page(config: &Config, page: &SitePage) -> Value {
    let path = format!("/{}", page.slug);
    let described = json!({
        "@type": if page.slug.as_str() == "about" { "AboutPage" } else { "WebPage" },
        "name": page.title,
        "description": page.description,
        "url": config.link(&path),
        "dateModified": iso_day(page.revised_at.millis()),
        "publisher": publisher(config),
    });
    graph(&[described, breadcrumbs(config, &[(&page.title, &path)])])
}

/// A product page: its FAQ and its offers.
pub fn product_page(config: &Config, page: &ProductPage) -> Value {
    let questions: Vec<Value> = page.questions.iter().map(question).collect();
    let mut things = vec![
        json!({ "@type": "FAQPage", "url": config.link(&page.path), "mainEntity": questions }),
        breadcrumbs(config, &[(&page.title, &page.path)]),
    ];
    if !page.offers.is_empty() {
        let offers: Vec<Value> = page.offers.iter().map(|one| offer(config, one)).collect();
        things.push(json!({
            "@type": "Product",
            "name": format!("{} Premium", config.site.name),
            "description": page.lead,
            "brand": publisher(config),
            "offers": offers,
        }));
    }
    graph(&things)
}

fn question(one: &Question) -> Value {
    json!({
        "@type": "Question",
        "name": one.question,
        "acceptedAnswer": { "@type": "Answer", "text": one.answer },
    })
}

fn offer(config: &Config, offer: &Offer) -> Value {
    json!({
        "@type": "Offer",
        "name": offer.plan.name,
        "description": offer.terms,
        "price": offer.plan.price.decimal(),
        "priceCurrency": "USD",
        "availability": "https://schema.org/InStock",
        "url": config.link(&offer.link.href),
    })
}

/// A page with a list of posts.
pub fn blog(config: &Config, title: &str, path: &str, posts: &[PostCard]) -> Value {
    let listed: Vec<Value> = posts.iter().map(|post| listed_post(config, post)).collect();
    let blog = json!({
        "@type": "Blog",
        "name": title,
        "url": config.link(path),
        "publisher": publisher(config),
        "blogPost": listed,
    });
    graph(&[blog, breadcrumbs(config, &[("Blog", "/blog")])])
}

fn listed_post(config: &Config, post: &PostCard) -> Value {
    json!({
        "@type": "BlogPosting",
        "headline": post.title,
        "url": config.link(&format!("/blog/{}", post.slug)),
        "datePublished": iso_day(post.published_at.millis()),
    })
}

/// A post's page.
pub fn post(config: &Config, found: &PostWithBook) -> Value {
    let post = &found.post.card;
    let path = format!("/blog/{}", post.slug);
    let article = json!({
        "@type": "BlogPosting",
        "headline": post.title,
        "description": post.description,
        "datePublished": iso_day(post.published_at.millis()),
        "dateModified": iso_day(found.post.updated_at.max(post.published_at).millis()),
        "author": { "@type": "Organization", "name": post.author },
        "publisher": publisher(config),
        "mainEntityOfPage": config.link(&path),
        "image": post.photo.as_deref().map(|key| config.link(&Media::url(key))),
        "articleSection": post.categories.iter().map(|category| category.name.as_str()).collect::<Vec<_>>(),
        "timeRequired": format!("PT{}M", post.minutes()),
        "about": found.book.as_ref().map(written_work),
    });
    graph(&[article, breadcrumbs(config, &[("Blog", "/blog"), (&post.title, &path)])])
}

/// The podcast with one page of its episodes.
pub fn podcast(config: &Config, episodes: &Episodes) -> Value {
    let listed: Vec<Value> = episodes.page.items.iter().map(|one| listed_episode(config, one)).collect();
    let series = json!({
        "@type": "PodcastSeries",
        "name": episodes.show.title,
        "description": episodes.show.description,
        "url": config.link("/podcasts"),
        "webFeed": config.link("/podcasts/feed.xml"),
        "publisher": publisher(config),
        "hasPart": listed,
    });
    graph(&[series, breadcrumbs(config, &[("Podcasts", "/podcasts")])])
}

/// An episode's page.
pub fn episode(config: &Config, found: &Episode) -> Value {
    let card = &found.podcast.card;
    let mut value = listed_episode(config, card);
    value["partOfSeries"] =
        json!({ "@type": "PodcastSeries", "name": found.show.title, "url": config.link("/podcasts") });
    let path = format!("/podcasts/{}", card.slug);
    graph(&[value, breadcrumbs(config, &[("Podcasts", "/podcasts"), (&card.title, &path)])])
}

fn listed_episode(config: &Config, one: &PodcastCard) -> Value {
    let media = one.recording.as_ref().map(|recording| {
        let seconds = std::time::Duration::from_millis(recording.duration_ms).as_secs_f64();
        json!({
            "@type": "AudioObject",
            "contentUrl": config.link(&Media::url(&recording.key)),
            "duration": duration(seconds),
        })
    });
    json!({
        "@type": "PodcastEpisode",
        "name": one.title,
        "description": one.description,
        "url": config.link(&format!("/podcasts/{}", one.slug)),
        "datePublished": iso_day(one.published_at.millis()),
        "timeRequired": format!("PT{}M", one.minutes()),
        "associatedMedia": media,
    })
}
