//! The challenge, the quizzes and onboarding on the wire (`challenge.quiz-statements`).

use challenge::{BookAccess, ChallengeError, Choices, PlanDay, Question, QuizResult, SavedResult, Total};
use kernel::{CategoryId, GoalId};
use media::Media;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use workflows::challenge::{onboarding::OnboardingPage, quizzes::QuizReport, ten_day_plan::DraftPlan};

use crate::{
    catalogue::types::book::{BookCard, Category},
    http::error::ApiError,
};

/// Query parameters of a choice of topics.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ChoiceParams {
    /// The ids of goals, separated by commas.
    #[param(pattern = "^([0-9]+(,[0-9]+)*)?$")]
    goals: Option<String>,
    /// The ids of categories, separated by commas.
    #[param(pattern = "^([0-9]+(,[0-9]+)*)?$")]
    categories: Option<String>,
}

impl ChoiceParams {
    /// Parses and validates the parameters.
    pub(super) fn read(&self) -> Result<Choices, ApiError> {
        Ok(Choices::new(
            &ids(self.goals.as_deref(), "goals", GoalId::from_store)?,
            &ids(self.categories.as_deref(), "categories", CategoryId::from_store)?,
        )?)
    }
}

/// Query parameters of a shared quiz result.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ResultCounts {
    /// The number of True answers for each type or color of the quiz, in its order, separated by commas.
    #[param(value_type = String, required, pattern = "^[0-9]+(,[0-9]+)*$", max_length = 60)]
    counts: Option<String>,
}

impl ResultCounts {
    /// Parses the counts.
    pub(super) fn read(&self) -> Result<Vec<u16>, ApiError> {
        read_counts(self.counts.as_deref().unwrap_or_default())
    }
}

/// Parses the counts of a shared result.
pub(crate) fn read_counts(text: &str) -> Result<Vec<u16>, ApiError> {
    let counts = text.split(',').map(str::parse::<u16>).collect::<Result<_, _>>();
    counts.map_err(|_| ChallengeError::InvalidCounts.into())
}

/// Parses comma-separated ids.
fn ids<T>(text: Option<&str>, field: &'static str, id: fn(i64) -> T) -> Result<Vec<T>, ApiError> {
    let parts = text.unwrap_or_default().split(',').filter(|part| !part.is_empty());
    parts.map(|part| part.parse().map(id).map_err(|_| ApiError::invalid(field, "Ids are whole numbers."))).collect()
}

/// A goal.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Goal {
    /// The id of the goal.
    id: i64,
    /// The title.
    title: String,
    /// The title for small spaces.
    short_title: String,
    /// The title on phones.
    mobile_title: String,
    /// A description of the goal.
    desc: String,
    /// The URL of the small picture, at most 1280 pixels wide; null without one.
    #[schema(required)]
    photo: Option<String>,
    /// The URL of the large picture; null without one.
    #[schema(required)]
    photov2: Option<String>,
}

impl From<&catalogue::Goal> for Goal {
    fn from(goal: &catalogue::Goal) -> Self {
        Self {
            id: goal.id.get(),
            title: goal.draft.title.clone(),
            short_title: goal.draft.short_title.clone(),
            mobile_title: goal.draft.mobile_title.clone(),
            desc: goal.draft.description.clone(),
            photo: goal.pictures.photo.as_deref().map(Media::url),
            photov2: goal.pictures.feature_photo.as_deref().map(Media::url),
        }
    }
}

/// A book of a ten-day plan.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlanBook {
    /// The book.
    #[serde(flatten)]
    book: BookCard,
    /// The day of the plan, from 1.
    day_no: usize,
    /// Whether the member has completed it.
    done: bool,
}

impl From<&(PlanDay, catalogue::BookCard)> for PlanBook {
    fn from((day, card): &(PlanDay, catalogue::BookCard)) -> Self {
        Self { book: card.into(), day_no: day.number, done: day.is_done }
    }
}

/// The viewer's access to a book of a plan.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum PlanAccess {
    /// The viewer may read it.
    Included,
    /// It uses one of the viewer's free summaries; for a visitor, one of those that come with a new account.
    FreeSummary,
    /// It needs a plan.
    PlanRequired,
}

impl From<BookAccess> for PlanAccess {
    fn from(access: BookAccess) -> Self {
        match access {
            BookAccess::Included => Self::Included,
            BookAccess::FreeSummary => Self::FreeSummary,
            BookAccess::PlanRequired => Self::PlanRequired,
        }
    }
}

/// A book of an unsaved plan.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DraftPlanBook {
    /// The book and its day.
    #[serde(flatten)]
    day: PlanBook,
    /// The viewer's access to the book.
    access: PlanAccess,
}

/// The goals, and the viewer's challenge.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GoalsResult {
    /// All goals.
    pub(super) goals: Vec<Goal>,
    /// The member's goals; empty for a visitor.
    pub(super) user_goals: Vec<Goal>,
    /// The books of the member's saved plan; empty without one.
    pub(super) user_book_recommendations: Vec<PlanBook>,
}

/// An unsaved plan.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TenDayPlanResult {
    /// The books, in the order of the days.
    books: Vec<DraftPlanBook>,
    /// The ids of the books, in the order of the days.
    book_ids: Vec<i64>,
    /// The titles of the chosen goals.
    user_goal_titles: Vec<String>,
}

impl From<&DraftPlan> for TenDayPlanResult {
    fn from(plan: &DraftPlan) -> Self {
        let days = (1..).zip(&plan.days);
        let book = |(day_no, (card, access)): (usize, &(catalogue::BookCard, BookAccess))| DraftPlanBook {
            day: PlanBook { book: card.into(), day_no, done: false },
            access: (*access).into(),
        };
        Self {
            books: days.map(book).collect(),
            book_ids: plan.days.iter().map(|(book, _)| book.id.get()).collect(),
            user_goal_titles: plan.goals.iter().map(|goal| goal.draft.title.clone()).collect(),
        }
    }
}

/// A statement of a quiz.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct QuizQuestion {
    /// The id of the statement.
    id: i64,
    /// The type or color that a True answer counts for.
    #[serde(rename = "type")]
    dimension: &'static str,
    /// The statement.
    statement: String,
}

impl From<&Question> for QuizQuestion {
    fn from(question: &Question) -> Self {
        Self { id: question.id.get(), dimension: question.dimension.name(), statement: question.statement.clone() }
    }
}

/// The statements of a quiz.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct QuestionsResult {
    /// The statements, in order.
    pub(super) questions: Vec<QuizQuestion>,
}

/// The total of one type or color.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct QuizTotal {
    /// The type or color.
    #[serde(rename = "type")]
    dimension: &'static str,
    /// The number of True answers.
    count: u16,
    /// The number of statements.
    questions: u16,
    /// The share of True answers, in whole percent.
    percent: u16,
}

impl From<&Total> for QuizTotal {
    fn from(total: &Total) -> Self {
        Self {
            dimension: total.dimension.name(),
            count: total.count,
            questions: total.questions,
            percent: total.percent(),
        }
    }
}

/// The short result of a quiz.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct QuizOutcome {
    /// The totals of all types or colors.
    totals: Vec<QuizTotal>,
    /// The types or colors with the highest count: several on a tie, none if every answer was False.
    leaders: Vec<&'static str>,
}

impl From<&QuizResult> for QuizOutcome {
    fn from(result: &QuizResult) -> Self {
        Self {
            totals: result.totals.iter().map(Into::into).collect(),
            leaders: result.leaders().into_iter().map(challenge::Dimension::name).collect(),
        }
    }
}

/// A saved quiz result.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SavedOutcome {
    /// The result.
    #[serde(flatten)]
    outcome: QuizOutcome,
    /// When the quiz was taken, in milliseconds since the Unix epoch.
    taken_at: i64,
}

impl From<&SavedResult> for SavedOutcome {
    fn from(saved: &SavedResult) -> Self {
        Self { outcome: (&saved.result).into(), taken_at: saved.taken_at.millis() }
    }
}

/// The quiz results of a member.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct QuizResultsResult {
    /// The results, latest first.
    pub(super) results: Vec<SavedOutcome>,
    /// Whether the member may see the detailed report.
    pub(super) has_report: bool,
}

/// The section of a report about one type or color.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReportSection {
    /// The total.
    #[serde(flatten)]
    total: QuizTotal,
    /// A headline of a few words.
    title: &'static str,
    /// The meaning of a high result.
    meaning: &'static str,
    /// Advice on what to watch out for.
    caution: &'static str,
    /// Advice on what to do with the result this week.
    practice: &'static str,
    /// Recommended books, for the types or colors with the highest count; otherwise empty.
    books: Vec<BookCard>,
}

/// The detailed report on a quiz result.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct QuizReportResult {
    /// The result that the report is about.
    result: SavedOutcome,
    /// The sections for all types or colors, those with the highest count first.
    sections: Vec<ReportSection>,
}

impl From<&QuizReport> for QuizReportResult {
    fn from(report: &QuizReport) -> Self {
        let section = |(total, books): &(Total, Vec<catalogue::BookCard>)| {
            let words = total.dimension.report();
            ReportSection {
                total: total.into(),
                title: words.title,
                meaning: words.meaning,
                caution: words.caution,
                practice: words.practice,
                books: books.iter().map(Into::into).collect(),
            }
        };
        Self { result: (&report.saved).into(), sections: report.sections.iter().map(section).collect() }
    }
}

/// Books that fit the chosen topics.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct FittingBooksResult {
    /// The books, best match first.
    pub(super) books: Vec<BookCard>,
}

/// Statistics of this site. A count of zero is null.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Figures {
    /// The number of people who have completed a summary.
    readers: Option<u64>,
    /// The number of views of full summaries.
    reads: Option<u64>,
    /// The number of ratings.
    ratings: Option<u64>,
    /// The mean rating, 1 to 5, rounded to tenths; null without ratings.
    rating: Option<f64>,
}

/// The data of the onboarding steps.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OnboardingResult {
    /// All goals.
    goals: Vec<Goal>,
    /// All categories.
    categories: Vec<Category>,
    /// The books of the rating step, at most five.
    books: Vec<BookCard>,
    /// The statistics of this site.
    figures: Figures,
}

impl From<&OnboardingPage> for OnboardingResult {
    fn from(page: &OnboardingPage) -> Self {
        let (counted, some) = (page.figures, |number: u64| (number > 0).then_some(number));
        let tenths = counted.mean_tenths().and_then(|tenths| u32::try_from(tenths).ok());
        Self {
            goals: page.goals.iter().map(Goal::from).collect(),
            categories: page.categories.iter().map(Category::from).collect(),
            books: page.books.iter().map(BookCard::from).collect(),
            figures: Figures {
                readers: some(counted.readers),
                reads: some(counted.reads),
                ratings: some(counted.ratings),
                rating: tenths.map(|tenths| f64::from(tenths) / 10.0),
            },
        }
    }
}
