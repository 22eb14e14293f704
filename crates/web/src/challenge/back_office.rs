//! The quizzes for editors (`admin.site-content`).

use actix_web::{get, put, web::Data};
use challenge::{DIMENSIONS, Dimension, Question, QuestionDraft, QuizKind};
use kernel::{QuestionId, StoreError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::{challenge::editing, editing::Versioned};

use crate::{
    app::App,
    editing::{Version, run},
    extract::{ActingEditor, Editor, LargeBody, Path},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound, Routes},
        wire::Answer,
    },
};

/// Registers the API routes of this module.
pub(crate) fn configure(config: &mut impl Routes) {
    config.service(show_edited_quiz).service(change_quiz);
}

/// Parses the quiz in a path.
fn quiz_kind(text: &str) -> Result<QuizKind, ApiError> {
    text.parse().map_err(|_| ApiError::not_found("quiz"))
}

/// A quiz with its statements.
#[utoipa::path(
    tag = "admin",
    params(("kind" = String, Path, description = "`intelligence` or `personality`.")),
    responses((status = 200, description = "The quiz.", body = Answer<EditorQuizResult>), NotFound),
    security(("token" = []))
)]
#[get("/api/admin/quiz/{kind}")]
pub(crate) async fn show_edited_quiz(
    app: Data<App>,
    _: Editor,
    kind: Path<String>,
) -> Result<Answer<EditorQuizResult>, ApiError> {
    let kind = quiz_kind(&kind)?;
    let found = app.read_tx::<_, StoreError, _>(move |tx| editing::quiz(tx, kind)).await?;
    Ok(Answer::new(EditorQuizResult::of(kind, found)))
}

/// Saves all statements of a quiz in their order, based on the version that the editor has read: changed, added, removed
/// and moved at once, for a quiz that lacks one is not fair to any type.
#[utoipa::path(
    tag = "admin",
    params(("kind" = String, Path, description = "`intelligence` or `personality`.")),
    request_body = QuizForm,
    responses((status = 200, description = "The updated quiz.", body = Answer<EditorQuizResult>), Conflict, NotFound),
    security(("token" = []))
)]
#[put("/api/admin/quiz/{kind}")]
pub(crate) async fn change_quiz(
    app: Data<App>,
    acting: ActingEditor,
    kind: Path<String>,
    LargeBody(form): LargeBody<QuizForm>,
) -> Result<Answer<EditorQuizResult>, ApiError> {
    let based = (quiz_kind(&kind)?, form.version);
    let drafts = form.read()?;
    let edited = run(&app, acting, move |tx, trail| editing::edit_quiz(tx, trail, based, &drafts)).await?;
    Ok(Answer::new(EditorQuizResult::of(based.0, edited)))
}

/// A statement of a quiz.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorQuestion {
    /// Its id.
    id: i64,
    /// What a True counts for.
    dimension: &'static str,
    /// The statement.
    statement: String,
}

/// A quiz.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditorQuiz {
    /// Its statements, in their order.
    questions: Vec<EditorQuestion>,
    /// What it measures.
    dimensions: Vec<&'static str>,
    #[serde(flatten)]
    version: Version,
}

/// A quiz.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorQuizResult {
    /// The quiz.
    quiz: EditorQuiz,
}

impl EditorQuizResult {
    /// A quiz with its questions.
    pub(crate) fn of(kind: QuizKind, one: Versioned<Vec<Question>>) -> Self {
        let questions = one.row.into_iter().map(|question| EditorQuestion {
            id: question.id.get(),
            dimension: question.dimension.name(),
            statement: question.statement,
        });
        let dimensions =
            DIMENSIONS.iter().filter(|dimension| dimension.kind() == kind).map(|dimension| dimension.name());
        let (questions, dimensions) = (questions.collect(), dimensions.collect());
        Self { quiz: EditorQuiz { questions, dimensions, version: one.version.into() } }
    }
}

/// A statement as an editor writes it.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct QuestionForm {
    /// Its id; a new one has none.
    #[schema(minimum = 1)]
    id: Option<i64>,
    /// What a True counts for.
    dimension: String,
    /// The statement, at most 200 characters.
    statement: String,
}

/// A quiz as an editor writes it: all its statements, in their order. Those that are left out are gone.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct QuizForm {
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(crate) version: Option<i64>,
    /// The statements.
    questions: Vec<QuestionForm>,
}

impl QuizForm {
    /// Parses and validates the questions.
    pub(crate) fn read(self) -> Result<Vec<QuestionDraft>, ApiError> {
        let wrong = |text: &str| ApiError::invalid("questions", text);
        let drafts = self.questions.into_iter().map(|one| {
            let id = one.id.map(QuestionId::new).transpose().map_err(|_| wrong("There is no such statement."))?;
            let dimension: Dimension = one.dimension.parse().map_err(|_| wrong("Please specify Type."))?;
            Ok(QuestionDraft { id, dimension, statement: one.statement })
        });
        drafts.collect()
    }
}
