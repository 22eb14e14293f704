//! A message of the inbox with its answers, and why members left (`support.message-answers`).

use std::collections::{BTreeMap, btree_map::Entry};

use crate::{
    admin::stats_types::StatsParams,
    app::App,
    extract::{ActingAdmin, Admin, Body, Path, Query},
    http::{error::ApiError, openapi::Conflict, wire::Answer},
    support::back_office::types::{AnswerForm, AnsweredMessage, Message, MessageAnswer, ReasonsResult},
};
use actix_web::{get, post, web::Data};
use identity::IdentityQueries;
use kernel::{DAY, MessageId, StoreError, Timestamp, UserId};
use support::{MessageKind, SupportError, SupportQueries, count_reasons};
use workflows::support::messages::answer_to_writer;

/// Messages with their last answers, whose writers are named by their addresses.
pub(super) fn with_last_answers(
    pg: &mut (impl SupportQueries + IdentityQueries),
    messages: Vec<support::Message>,
) -> Result<Vec<Message>, StoreError> {
    let ids: Vec<MessageId> = messages.iter().map(|message| message.id).collect();
    let mut answers = pg.last_answers(&ids)?;
    let mut names = Names::default();
    let mut found = Vec::with_capacity(messages.len());
    for message in messages {
        let answer = answers.remove(&message.id).map(|answer| names.answer(pg, answer)).transpose()?;
        found.push(Message::new(message, answer));
    }
    Ok(found)
}

/// The addresses of those who answered; each is read once.
#[derive(Default)]
struct Names(BTreeMap<UserId, Option<String>>);

impl Names {
    fn answer(
        &mut self,
        pg: &mut impl IdentityQueries,
        answer: support::MessageAnswer,
    ) -> Result<MessageAnswer, StoreError> {
        let by = match answer.by {
            None => None,
            Some(id) => match self.0.entry(id) {
                Entry::Occupied(known) => known.get().clone(),
                Entry::Vacant(unknown) => {
                    let user = pg.user(id)?;
                    unknown.insert(user.map(|user| user.email.as_str().to_owned())).clone()
                }
            },
        };
        Ok(MessageAnswer { text: answer.text, by, at: answer.at.millis() })
    }
}

/// Reads a message with its answers and their authors' names.
fn read_message(
    pg: &mut (impl SupportQueries + IdentityQueries),
    id: MessageId,
) -> Result<AnsweredMessage, SupportError> {
    let message = pg.message(id)?.ok_or(SupportError::UnknownMessage)?;
    let (mut names, mut answers) = (Names::default(), Vec::new());
    for answer in pg.answers_to_message(id)? {
        answers.push(names.answer(pg, answer)?);
    }
    Ok(AnsweredMessage { message: Message::new(message, answers.last().cloned()), answers })
}

/// Parses the message's id in a path.
fn message_id(text: &str) -> Result<MessageId, SupportError> {
    text.parse().map_err(|_| SupportError::UnknownMessage)
}

/// A message with what was answered.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "The id of a message.", minimum = 1)),
    responses((status = 200, description = "The message.", body = Answer<AnsweredMessage>)),
    security(("token" = []))
)]
#[get("/api/admin/messages/{id}")]
pub(crate) async fn show_message(
    app: Data<App>,
    _: Admin,
    id: Path<String>,
) -> Result<Answer<AnsweredMessage>, ApiError> {
    let id = message_id(&id)?;
    Ok(Answer::new(app.db.read::<_, SupportError, _>(move |pg| read_message(pg, id)).await?))
}

/// Answers a message by a mail to who wrote it, and marks it as done. The same answer sent twice is one.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "The id of a message.", minimum = 1)),
    request_body = AnswerForm,
    responses((status = 200, description = "The message.", body = Answer<AnsweredMessage>), Conflict),
    security(("token" = []))
)]
#[post("/api/admin/messages/{id}/answer")]
pub(crate) async fn answer_to_message(
    app: Data<App>,
    acting: ActingAdmin,
    id: Path<String>,
    Body(form): Body<AnswerForm>,
) -> Result<Answer<AnsweredMessage>, ApiError> {
    let (id, by) = (message_id(&id)?, acting.claims.user);
    let answered = app.transactions.write_as::<_, SupportError, _>(acting.actor, move |tx, trail| {
        answer_to_writer(tx, trail, id, &form.text, by)?;
        read_message(tx.pg, id)
    });
    Ok(Answer::new(answered.await?))
}

/// Why members cancelled and deleted their accounts in a range of days, of UTC.
#[utoipa::path(tag = "admin", params(StatsParams), responses((status = 200, description = "The reasons.", body = Answer<ReasonsResult>)), security(("token" = [])))]
#[get("/api/admin/messages/reasons")]
pub(crate) async fn reasons_for_leaving(
    app: Data<App>,
    _: Admin,
    params: Query<StatsParams>,
) -> Result<Answer<ReasonsResult>, ApiError> {
    let range = params.read(app.env.now())?;
    let moment = |days: i32| Timestamp::from_millis(i64::from(days) * DAY);
    let (from, until) = (moment(range.first().since_epoch()), moment(range.last().since_epoch() + 1));
    let counted = app.db.read::<_, StoreError, _>(move |pg| {
        let mut of = |kind| Ok(count_reasons(kind, pg.count_message_texts(kind, from, until)?));
        Ok((of(MessageKind::Cancellation)?, of(MessageKind::Leaving)?))
    });
    let (cancellations, deletions) = counted.await?;
    Ok(Answer::new(ReasonsResult {
        from: range.first().to_string(),
        to: range.last().to_string(),
        cancellations: cancellations.into_iter().map(Into::into).collect(),
        deletions: deletions.into_iter().map(Into::into).collect(),
    }))
}
