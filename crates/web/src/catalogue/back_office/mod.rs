//! The catalogue in the back office: books, their files and key ideas, authors, tags, categories, goals and collections.

mod book_files;
mod books;
mod books_types;
mod categories;
mod collections;
mod goals;
mod idea_links;
mod idea_links_types;
mod names;
mod names_types;
mod remove_book;
mod text_pictures;
mod visuals;
mod visuals_types;

use crate::http::openapi::Routes;

/// Registers the API routes of this module.
pub(crate) fn configure(config: &mut impl Routes) {
    config.service(books::list_edited_books).service(books::add_new_book).service(books::show_book);
    config.service(books::change_book).service(books::list_revisions).service(books::show_revision);
    config.service(books::restore_book).service(remove_book::remove_book);
    config.service(goals::list_edited_goals).service(goals::show_goal).service(goals::add_new_goal);
    // Before the routes with `{id}` in the same position as `order`.
    config.service(goals::reorder_goals).service(categories::reorder_categories);
    config.service(goals::change_goal).service(goals::remove_goal);
    config.service(goals::upload_goal_photo).service(goals::upload_goal_feature_photo);
    config.service(goals::upload_goal_featured_photo);
    config.service(categories::list_edited_categories).service(categories::show_category);
    config.service(categories::add_new_category).service(categories::change_category);
    config.service(categories::remove_category);
    config.service(collections::list_edited_collections).service(collections::show_collection);
    config.service(collections::add_new_collection).service(collections::change_collection);
    config.service(collections::change_collection_by_post).service(collections::remove_collection);
    config.service(names::list_edited_authors).service(names::show_author).service(names::add_new_author);
    config.service(names::change_author).service(names::merge_author).service(names::remove_author);
    config.service(names::list_edited_tags).service(names::show_tag).service(names::change_tag);
    config.service(names::merge_tag).service(names::remove_tag);
    config.service(book_files::upload_photo).service(book_files::upload_vector).service(book_files::clean_drawing);
    config.service(book_files::upload_infographic).service(book_files::remove_uploaded_infographic);
    config.service(book_files::upload_media).service(text_pictures::upload_text_picture);
    config.service(book_files::upload_podcast).service(book_files::upload_video);
    config.service(idea_links::list_edited_idea_links).service(idea_links::add_new_idea_link);
    // Before the route that matches any id.
    config.service(idea_links::list_ideas_of_book).service(idea_links::list_proposed_links);
    config.service(idea_links::show_idea_link).service(idea_links::change_idea_link);
    config.service(idea_links::remove_idea_link);
    config.service(visuals::list_edited_visuals).service(visuals::show_visual).service(visuals::add_new_visual);
    // Before the route that matches any id.
    config.service(visuals::order_book_visuals).service(visuals::change_visual).service(visuals::remove_visual);
    config.service(visuals::upload_visual_photo);
}
