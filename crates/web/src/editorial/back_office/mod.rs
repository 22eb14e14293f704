//! Editorial content in the back office: posts, podcast episodes, insights of the day, the banner and the site's pages.

mod banner;
mod insights;
mod pages;
mod podcasts;
mod posts;
mod publication;
mod revisions;

use crate::http::openapi::Routes;

/// Registers the API routes of this module.
pub(crate) fn configure(config: &mut impl Routes) {
    config.service(banner::show_banner).service(banner::change_banner);
    config.service(pages::list_edited_pages).service(pages::show_edited_page).service(pages::change_page);
    config.service(pages::discard_draft).service(revisions::list_text_revisions);
    config.service(revisions::show_text_revision).service(revisions::restore_text_revision);
    config.service(podcasts::list_edited_podcasts).service(podcasts::show_podcast).service(podcasts::add_new_podcast);
    config.service(podcasts::change_podcast).service(podcasts::remove_podcast);
    config.service(podcasts::upload_episode).service(podcasts::upload_podcast_photo);
    config.service(posts::list_edited_posts).service(posts::show_post).service(posts::add_new_post);
    config.service(posts::change_post).service(posts::change_named_post).service(posts::remove_post);
    config.service(posts::upload_post_photo);
    config.service(insights::list_edited_insights).service(insights::show_insight).service(insights::add_new_insight);
    config.service(insights::change_insight).service(insights::change_named_insight);
    config.service(insights::remove_insight);
}
