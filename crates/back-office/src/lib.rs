//! The back office.

mod acting;
mod audit;
mod audit_types;
mod book_files;
mod books;
mod books_types;
mod charges;
mod deletions;
mod jobs;
mod jobs_types;
mod message_answers;
mod money;
mod money_changes;
mod money_types;
mod names;
mod names_types;
mod people;
mod people_types;
mod row_files;
mod rows;
mod rows_types;
mod site;
mod site_types;
mod stats;
mod stats_types;
pub mod types;
mod upload;
mod visuals;
mod visuals_types;

pub use self::jobs_types::JobKinds;

use ::jobs::Jobs;
use actix_web::{get, post, put, web::Data};
use admin::{AuditEvent, Subject, SubjectKind};
use kernel::{MessageId, StoreError};
use mail::SEND_MAIL;
use serde::Deserialize;
use support::{Support as _, SupportError, SupportQueries as _};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use self::{
    acting::ActingAdmin,
    types::{MailsParams, MailsResult, MessageResult, MessagesParams, MessagesResult, Overview},
};
use http_core::{
    app::App,
    error::ApiError,
    extract::{Admin, Body, Path, Query},
    openapi::Conflict,
    wire::{Answer, Nothing},
};

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config.service(overview).service(messages).service(set_message).service(mails).service(retry_mail);
    config
        .service(message_answers::reasons_for_leaving)
        .service(message_answers::show_message)
        .service(message_answers::answer_to_message);
    config.service(jobs::list_jobs).service(jobs::retry_set_aside_job);
    config.service(site::show_banner).service(site::change_banner);
    config.service(site::list_edited_pages).service(site::show_edited_page).service(site::change_page);
    config.service(site::show_edited_quiz).service(site::change_quiz);
    config.service(charges::refund_charge);
    config.service(money::list_orders).service(money::show_order).service(money::list_failed_renewals);
    config.service(money::list_disputes).service(money::list_teams).service(money::show_team);
    config.service(money::list_ledger_rows).service(money::list_ledger_accounts).service(money::run_ledger_check);
    config.service(money::list_payouts).service(money::show_payout).service(money_changes::mark_paid_out);
    config.service(money_changes::list_coupons).service(money_changes::add_coupon).service(money_changes::show_coupon);
    config.service(money_changes::change_coupon).service(money_changes::remove_coupon);
    config.service(money_changes::list_codes).service(money_changes::add_codes).service(money_changes::take_codes);
    config
        .service(money_changes::end_code)
        .service(money_changes::list_sold_plans)
        .service(money_changes::change_sold_plan);
    config.service(audit::audit_log);
    config.service(stats::business_stats).service(stats::book_stats);
    config.service(people::user).service(people::edit_user).service(people::set_role);
    config.service(people::suspend_user).service(people::restore_user).service(people::end_user_sessions);
    config.service(people::reset_factor).service(people::export_user).service(people::delete_user);
    config.service(people::users);
    config.service(books::list_edited_books).service(books::add_new_book).service(books::show_book);
    config.service(books::change_book).service(books::list_revisions).service(books::show_revision);
    config.service(books::restore_book);
    config.service(rows::list_edited_goals).service(rows::show_goal).service(rows::add_new_goal);
    // Before the calls with an id in the place of `order`.
    config.service(rows::reorder_goals).service(rows::reorder_categories);
    config.service(rows::change_goal);
    config.service(rows::list_edited_categories).service(rows::show_category).service(rows::add_new_category);
    config.service(rows::change_category);
    config.service(rows::list_edited_podcasts).service(rows::show_podcast).service(rows::add_new_podcast);
    config.service(rows::change_podcast);
    config.service(rows::list_edited_posts).service(rows::show_post).service(rows::add_new_post);
    config.service(rows::change_post).service(rows::change_named_post);
    config.service(rows::list_edited_insights).service(rows::show_insight).service(rows::add_new_insight);
    config.service(rows::change_insight).service(rows::change_named_insight);
    config.service(rows::list_edited_collections).service(rows::show_collection).service(rows::add_new_collection);
    config.service(rows::change_collection).service(rows::change_collection_by_post);
    config.service(names::list_edited_authors).service(names::show_author).service(names::add_new_author);
    config.service(names::change_author).service(names::merge_author).service(names::remove_author);
    config.service(names::list_edited_tags).service(names::show_tag).service(names::change_tag);
    config.service(names::merge_tag).service(names::remove_tag);
    config.service(deletions::remove_book).service(deletions::remove_category).service(deletions::remove_goal);
    config.service(deletions::remove_collection).service(deletions::remove_post).service(deletions::remove_podcast);
    config.service(deletions::remove_insight);
    config.service(book_files::upload_photo).service(book_files::upload_vector);
    config.service(book_files::upload_infographic).service(book_files::remove_uploaded_infographic);
    config.service(book_files::upload_media);
    config.service(book_files::upload_podcast).service(book_files::upload_video);
    config.service(row_files::upload_goal_photo).service(row_files::upload_goal_feature_photo);
    config.service(row_files::upload_goal_featured_photo).service(row_files::upload_episode);
    config.service(visuals::list_edited_visuals).service(visuals::show_visual).service(visuals::add_new_visual);
    // Before the one that takes any id.
    config.service(visuals::order_book_visuals).service(visuals::change_visual).service(visuals::remove_visual);
    config.service(visuals::upload_visual_photo);
    config.service(row_files::upload_podcast_photo).service(row_files::upload_post_photo);
}

/// What waits for a person in the back office.
#[utoipa::path(tag = "admin", responses((status = 200, description = "Counts.", body = Answer<Overview>)), security(("token" = [])))]
#[get("/api/admin/overview")]
async fn overview(app: Data<App>, _: Admin) -> Result<Answer<Overview>, ApiError> {
    let counted = app.db.read::<_, StoreError, _>(|pg| Ok((pg.count_unread_messages()?, pg.job_counts(&[SEND_MAIL])?)));
    let (unread, jobs) = counted.await?;
    Ok(Answer::new(Overview { unread, mails: jobs.as_slice().into() }))
}

/// A page of the inbox, latest first.
#[utoipa::path(tag = "admin", params(MessagesParams), responses((status = 200, description = "A page of messages.", body = Answer<MessagesResult>)), security(("token" = [])))]
#[get("/api/admin/messages")]
async fn messages(app: Data<App>, _: Admin, params: Query<MessagesParams>) -> Result<Answer<MessagesResult>, ApiError> {
    let (filter, after, limit) = params.read()?;
    let page = app.db.read::<_, StoreError, _>(move |pg| pg.inbox(&filter, after, limit)).await?;
    let next = page.next.map(|key| key.to_string());
    Ok(Answer::new(MessagesResult { messages: page.items.into_iter().map(Into::into).collect(), next }))
}

/// What is to become of a message.
#[derive(Debug, Deserialize, ToSchema)]
struct SetMessage {
    /// Whether a person has seen to it.
    done: bool,
}

/// Marks a message as done or not.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "The id of a message.", minimum = 1)),
    request_body = SetMessage,
    responses((status = 200, description = "The message as it is now.", body = Answer<MessageResult>)),
    security(("token" = []))
)]
#[put("/api/admin/messages/{id}")]
async fn set_message(
    app: Data<App>,
    acting: ActingAdmin,
    id: Path<String>,
    Body(SetMessage { done }): Body<SetMessage>,
) -> Result<Answer<MessageResult>, ApiError> {
    let id: MessageId = id.parse().map_err(|_| SupportError::UnknownMessage)?;
    let marked = app.transactions.write_as::<_, SupportError, _>(acting.actor, move |tx, trail| {
        let now = tx.now();
        let message = tx.pg.mark_message(id, done, now)?;
        let action = if done { "message.done" } else { "message.reopen" };
        trail.record(AuditEvent::new(action, Subject::named(SubjectKind::Message, id.get(), message.kind.as_str())));
        Ok(message)
    });
    let message = marked.await?;
    Ok(Answer::new(MessageResult { message: message.into() }))
}

/// A page of the mails that wait, were sent or could not be, latest first. What they say is not shown.
#[utoipa::path(tag = "admin", params(MailsParams), responses((status = 200, description = "A page of mails.", body = Answer<MailsResult>)), security(("token" = [])))]
#[get("/api/admin/mails")]
async fn mails(app: Data<App>, _: Admin, params: Query<MailsParams>) -> Result<Answer<MailsResult>, ApiError> {
    let (state, after, limit) = params.read()?;
    let page = app.db.read::<_, StoreError, _>(move |pg| pg.jobs(&[SEND_MAIL], state, after, limit)).await?;
    let next = page.next.map(|key| key.to_string());
    Ok(Answer::new(MailsResult { mails: page.items.into_iter().map(Into::into).collect(), next }))
}

/// Has a mail tried again that was set aside.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "The id of a mail.", minimum = 1)),
    responses((status = 200, description = "It waits to be sent.", body = Answer<Nothing>), Conflict),
    security(("token" = []))
)]
#[post("/api/admin/mails/{id}/retry")]
async fn retry_mail(app: Data<App>, acting: ActingAdmin, id: Path<String>) -> Result<Answer<Nothing>, ApiError> {
    jobs::retry(&app, acting, (vec![SEND_MAIL], &id), SubjectKind::Mail, "mail.retry", "mail").await
}
