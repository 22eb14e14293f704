//! `POST /api/study/answers`.

use actix_web::{post, web::Data};
use kernel::{AnswerId, ReviewCardId, Timestamp};
use serde::Deserialize;
use serde_json::Number;
use study::{Rating, StudyError};
use utoipa::ToSchema;
use workflows::study::cards::{ReportedAnswer, record_answers};

use crate::{
    app::App,
    extract::{Body, StudyWriter},
    http::{error::ApiError, openapi::TooManyTries, whole::whole, wire::Answer},
    study::{
        card_types::AnsweredCardsResult,
        clock::{DeviceClock, time},
    },
};

/// How many answers a call can have.
const MAX_ANSWERS: usize = 100;

/// A rating of a review card.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CardAnswerBody {
    /// Chosen by the device, at random.
    #[schema(value_type = i64, minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    id: Number,
    /// The card.
    #[schema(value_type = i64, minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    card_id: Number,
    /// 1 Again, 2 Hard, 3 Good, 4 Easy.
    #[schema(value_type = i64, minimum = 1, maximum = 4)]
    rating: Number,
    /// When it was given, in ms since the epoch, by the device's clock.
    #[schema(value_type = i64)]
    at: Number,
}

/// Answers that were given on a device.
#[derive(Deserialize, ToSchema)]
pub struct CardAnswersBody {
    #[schema(min_items = 1, max_items = 100)]
    answers: Vec<CardAnswerBody>,
    /// When this is sent, by the same clock: tells a wrong clock from a late request.
    #[schema(value_type = Option<i64>)]
    sent: Option<Number>,
    /// A random name that the browser gave itself: letters, digits, `-` and `_`.
    #[schema(min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9_-]+$")]
    device: Option<String>,
}

impl CardAnswersBody {
    /// Parses the answers; their moments are put right. `now` is the server's time.
    fn read(&self, now: Timestamp) -> Result<Vec<ReportedAnswer>, ApiError> {
        let clock = DeviceClock::read(self.sent.as_ref(), self.device.as_deref(), now)?;
        if self.answers.is_empty() || self.answers.len() > MAX_ANSWERS {
            return Err(ApiError::invalid("answers", "Please send 1 to 100 answers."));
        }
        let read = |CardAnswerBody { id, card_id, rating, at }: &CardAnswerBody| {
            let invalid = || ApiError::invalid("answers", "An id is a whole number from 1 to 9,007,199,254,740,991.");
            let number = |number: &Number| whole(number).ok_or_else(invalid);
            Ok(ReportedAnswer {
                id: AnswerId::new(number(id)?).map_err(|_| invalid())?,
                card: ReviewCardId::new(number(card_id)?).map_err(|_| invalid())?,
                rating: Rating::new(whole(rating).ok_or(StudyError::InvalidRating)?)?,
                at: clock.made(time("answers", at)?),
            })
        };
        self.answers.iter().map(read).collect()
    }
}

/// Records answers of the member. Answers are a set: one that comes twice counts once, and those that come late change the
/// schedule as if they had come in order. Cards that the member does not have are named, and the others are answered.
#[utoipa::path(
    tag = "study",
    request_body = CardAnswersBody,
    responses((status = 200, description = "They are recorded.", body = Answer<AnsweredCardsResult>), TooManyTries),
    security(("token" = []), ("apiToken" = []))
)]
#[post("/api/study/answers")]
pub(super) async fn save_card_answers(
    app: Data<App>,
    StudyWriter(member): StudyWriter,
    Body(body): Body<CardAnswersBody>,
) -> Result<Answer<AnsweredCardsResult>, ApiError> {
    let answers = body.read(app.env.now())?;
    let recorded = app.write_tx(move |tx| record_answers(tx, member, &answers)).await?;
    Ok(Answer::new(recorded.into()))
}
