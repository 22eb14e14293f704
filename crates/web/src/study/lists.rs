//! `/api/study/lists` and `/api/lists`: a member's own lists, and those that others share.

use actix_web::{delete, get, put, web::Data};
use kernel::{BookId, ListId, Timestamp};
use serde::Deserialize;
use serde_json::Number;
use study::{ListName, ListNote, ListSlug, ListState, Rank, Register, SharingChange};
use utoipa::ToSchema;
use workflows::study::lists::{self, ListError};

use crate::{
    app::App,
    extract::{Body, Member, Path, StudyReader, StudyWriter, Viewer},
    http::{
        error::ApiError,
        openapi::{Forbidden, NotFound, TooManyTries},
        whole::whole,
        wire::Answer,
    },
    study::{
        clock::{DeviceClock, time},
        highlights::SetText,
        list_types::{FollowedResult, ListOverviewResult, ListResult, ListSharing, SharedList, SharedListResult},
    },
};

/// What a device knows of a book of a list.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetListBook {
    #[schema(value_type = i64, minimum = 1)]
    book_id: Number,
    /// Where it stands among the others: up to 200 digits and letters, compared as bytes; null: it was taken off.
    rank: Option<String>,
    /// When it was put there or taken off, in ms since the epoch.
    #[schema(value_type = i64)]
    at: Number,
}

/// What a device knows of a list. A part that it never set is left out.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListBody {
    /// One line of up to 100 characters.
    name: Option<SetText>,
    /// Several lines of up to 2,000 characters; empty: none.
    note: Option<SetText>,
    /// Up to 200 books, and those that were taken off.
    #[serde(default)]
    books: Vec<SetListBook>,
    /// When it was made, in ms since the epoch, by the device's clock.
    #[schema(value_type = i64)]
    created_at: Number,
    /// When it was deleted. A later change brings it back.
    #[schema(value_type = Option<i64>)]
    deleted_at: Option<Number>,
    /// When this is sent, by the same clock: tells a wrong clock from a late request.
    #[schema(value_type = Option<i64>)]
    sent: Option<Number>,
    /// A random name that the browser gave itself: letters, digits, `-` and `_`.
    #[schema(min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9_-]+$")]
    device: Option<String>,
}

impl ListBody {
    /// Parses what the device reports; its moments are put right. `now` is the server's time.
    fn state(&self, now: Timestamp) -> Result<ListState, ApiError> {
        let clock = DeviceClock::read(self.sent.as_ref(), self.device.as_deref(), now)?;
        let mut state = ListState::new(time("createdAt", &self.created_at)?);
        if let Some(SetText { value, at }) = &self.name {
            state.name = Register::new(ListName::new(value)?, time("name", at)?);
        }
        if let Some(SetText { value, at }) = &self.note {
            state.note = Register::new(ListNote::new(value)?, time("note", at)?);
        }
        for SetListBook { book_id, rank, at } in &self.books {
            let book = whole(book_id).and_then(|id| BookId::new(id).ok());
            let book = book.ok_or_else(|| ApiError::invalid("books", "Please specify books by their ids."))?;
            state.set_book(book, rank.as_deref().map(Rank::parse).transpose()?, time("books", at)?);
        }
        state.deleted_at = self.deleted_at.as_ref().map(|at| time("deletedAt", at)).transpose()?;
        Ok(state.with_moments(|at| clock.made(at), |at| clock.set(at)))
    }
}

/// Saves a list of books. The device sends all that it knows of it; what several devices say, late, repeated and in any order, is merged
/// as that of highlights is, each book by itself. Books that are not there are passed over. The id is chosen by the device, at random.
#[utoipa::path(
    tag = "study",
    params(("id" = i64, Path, description = "The id of a list.", minimum = 1, maximum = 9_007_199_254_740_991_i64)),
    request_body = ListBody,
    responses((status = 200, description = "It is saved.", body = Answer<ListResult>), TooManyTries),
    security(("token" = []), ("apiToken" = []))
)]
#[put("/api/study/lists/{id}")]
pub(super) async fn save_list(
    app: Data<App>,
    StudyWriter(member): StudyWriter,
    id: Path<String>,
    Body(body): Body<ListBody>,
) -> Result<Answer<ListResult>, ApiError> {
    let (id, state) = (list_id(&id)?, body.state(app.env.now())?);
    let saved = app.write_tx(move |tx| lists::put_list(tx, member, id, state)).await?;
    Ok(Answer::new(ListResult { list: saved.into() }))
}

fn list_id(id: &str) -> Result<ListId, ApiError> {
    id.parse().map_err(|_| ApiError::not_found("list"))
}

/// Who is to see a list. A part that is left out stays.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharingBody {
    sharing: Option<ListSharing>,
    /// Whether the members of the owner's team see it.
    is_for_team: Option<bool>,
}

/// Shares a list, by link or as a public page, or makes it private, which ends its URL and what others follow; gives it to the
/// owner's team, or takes it from there.
#[utoipa::path(
    tag = "study",
    params(("id" = i64, Path, description = "The id of a list.", minimum = 1, maximum = 9_007_199_254_740_991_i64)),
    request_body = SharingBody,
    responses((status = 200, description = "It is changed.", body = Answer<ListResult>), Forbidden, NotFound, TooManyTries),
    security(("token" = []))
)]
#[put("/api/study/lists/{id}/sharing")]
pub(super) async fn change_list_sharing(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
    Body(body): Body<SharingBody>,
) -> Result<Answer<ListResult>, ApiError> {
    let id = list_id(&id)?;
    let change = SharingChange { sharing: body.sharing.map(Into::into), is_for_team: body.is_for_team };
    let changed = app.write_tx(move |tx| lists::change_sharing(tx, claims.user, id, change)).await?;
    Ok(Answer::new(ListResult { list: changed.into() }))
}

/// The lists that the member follows, those of their teams, and how many follow their own. The own lists come with the changes.
#[utoipa::path(tag = "study", responses((status = 200, description = "The lists.", body = Answer<ListOverviewResult>)), security(("token" = []), ("apiToken" = [])))]
#[get("/api/study/lists")]
pub(super) async fn list_overview(
    app: Data<App>,
    StudyReader(member): StudyReader,
) -> Result<Answer<ListOverviewResult>, ApiError> {
    let overview = app.read_tx(move |tx| lists::list_overview(tx, member)).await?;
    Ok(Answer::new(ListOverviewResult::new(overview, member)))
}

/// Parses a slug; one that no list can have is unknown.
fn slug_in_path(text: &str) -> Result<ListSlug, ApiError> {
    let is_slug = (1..=120).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if is_slug { Ok(ListSlug::from_text(text.to_owned())) } else { Err(ApiError::not_found("list")) }
}

/// Reads a shared list as a visitor sees it; `404` if no list has this slug.
pub(super) async fn read_shared_list(app: &App, slug: &str) -> Result<SharedList, ApiError> {
    let slug = slug_in_path(slug)?;
    let shared = app.read_tx::<_, ListError, _>(move |tx| lists::shared_list(tx, &slug)).await?;
    Ok(shared.into())
}

/// A list that is shared by link or as a public page. To a member it also says which of its books they have finished.
#[utoipa::path(
    tag = "study",
    params(("slug" = String, Path, description = "The last part of the list's URL.")),
    responses((status = 200, description = "The list.", body = Answer<SharedListResult>), NotFound),
    security((), ("token" = []))
)]
#[get("/api/lists/{slug}")]
pub(super) async fn show_shared_list(
    app: Data<App>,
    Viewer(claims): Viewer,
    slug: Path<String>,
) -> Result<Answer<SharedListResult>, ApiError> {
    let Some(claims) = claims else {
        return Ok(Answer::new(SharedListResult { list: read_shared_list(&app, &slug).await? }));
    };
    let slug = slug_in_path(&slug)?;
    let viewed = app.read_tx(move |tx| lists::viewed_list(tx, claims.user, &slug)).await?;
    Ok(Answer::new(SharedListResult { list: viewed.into() }))
}

/// Follows a shared list of another member.
#[utoipa::path(
    tag = "study",
    params(("slug" = String, Path, description = "The last part of the list's URL.")),
    responses((status = 200, description = "The member follows it.", body = Answer<FollowedResult>), NotFound, TooManyTries),
    security(("token" = []))
)]
#[put("/api/lists/{slug}/follow")]
pub(super) async fn follow_shared_list(
    app: Data<App>,
    Member(claims): Member,
    slug: Path<String>,
) -> Result<Answer<FollowedResult>, ApiError> {
    set_followed(&app, claims.user, &slug, true).await
}

/// Ends following a list.
#[utoipa::path(
    tag = "study",
    params(("slug" = String, Path, description = "The last part of the list's URL.")),
    responses((status = 200, description = "The member does not follow it.", body = Answer<FollowedResult>), NotFound, TooManyTries),
    security(("token" = []))
)]
#[delete("/api/lists/{slug}/follow")]
pub(super) async fn unfollow_shared_list(
    app: Data<App>,
    Member(claims): Member,
    slug: Path<String>,
) -> Result<Answer<FollowedResult>, ApiError> {
    set_followed(&app, claims.user, &slug, false).await
}

async fn set_followed(
    app: &App,
    member: kernel::UserId,
    slug: &str,
    is_followed: bool,
) -> Result<Answer<FollowedResult>, ApiError> {
    let slug = slug_in_path(slug)?;
    app.write_tx(move |tx| lists::follow_list(tx, member, &slug, is_followed)).await?;
    Ok(Answer::new(FollowedResult { is_followed }))
}
