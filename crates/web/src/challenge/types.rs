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

/// What was chosen, in an address.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ChoiceParams {
    /// Ids of goals, separated by commas.
    #[param(pattern = "^([0-9]+(,[0-9]+)*)?$")]
    goals: Option<String>,
    /// Ids of categories, separated by commas.
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

/// A result that is shared.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ResultCounts {
    /// How often True was said, for each type or colour of the quiz in its order, separated by commas.
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
    /// The id.
    id: i64,
    /// The title.
    title: String,
    /// The title where there is little room.
    short_title: String,
    /// The title on a phone.
    mobile_title: String,
    /// What it is about.
    desc: String,
    /// The address of its small picture, 1280 pixels wide at most.
    #[schema(required)]
    photo: Option<String>,
    /// The address of its large picture.
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

/// A book of a plan.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlanBook {
    /// The book.
    #[serde(flatten)]
    book: BookCard,
    /// Its day, from 1.
    day_no: usize,
    /// Whether the member has completed it.
    done: bool,
}

impl From<&(PlanDay, catalogue::BookCard)> for PlanBook {
    fn from((day, card): &(PlanDay, catalogue::BookCard)) -> Self {
        Self { book: card.into(), day_no: day.number, done: day.is_done }
    }
}

/// How the viewer gets to read a book of a plan.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum PlanAccess {
    /// The viewer may read it.
    Included,
    /// It uses one of the viewer's free summaries; of a visitor, one of those of a new account.
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

/// A book of a plan that is not saved.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DraftPlanBook {
    /// The book and its day.
    #[serde(flatten)]
    day: PlanBook,
    /// How the viewer gets to read it.
    access: PlanAccess,
}

/// The goals, and what the viewer has of the challenge.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GoalsResult {
    /// All goals.
    pub(super) goals: Vec<Goal>,
    /// The member's goals; empty for a visitor.
    pub(super) user_goals: Vec<Goal>,
    /// The member's saved plan; empty when there is none.
    pub(super) user_book_recommendations: Vec<PlanBook>,
}

/// A plan that is not saved.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TenDayPlanResult {
    /// The books, in the order of the days.
    books: Vec<DraftPlanBook>,
    /// Their ids.
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
    /// The id.
    id: i64,
    /// What a True counts for: a type or a colour.
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
    /// In their order.
    pub(super) questions: Vec<QuizQuestion>,
}

/// The total of one type or colour.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct QuizTotal {
    /// The type or colour.
    #[serde(rename = "type")]
    dimension: &'static str,
    /// How often True was said.
    count: u16,
    /// Out of how many statements.
    questions: u16,
    /// The share in whole percent.
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
    /// The totals of all types or colours.
    totals: Vec<QuizTotal>,
    /// Those with the greatest count: several on a tie, none when nothing was true.
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

/// A saved result.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SavedOutcome {
    /// The result.
    #[serde(flatten)]
    outcome: QuizOutcome,
    /// When the quiz was taken, in ms since the epoch.
    taken_at: i64,
}

impl From<&SavedResult> for SavedOutcome {
    fn from(saved: &SavedResult) -> Self {
        Self { outcome: (&saved.result).into(), taken_at: saved.taken_at.millis() }
    }
}

/// A member's results of a quiz.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct QuizResultsResult {
    /// The latest first.
    pub(super) results: Vec<SavedOutcome>,
    /// Whether the member may see the detailed report.
    pub(super) has_report: bool,
}

/// What the report says of one type or colour.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReportSection {
    /// The total.
    #[serde(flatten)]
    total: QuizTotal,
    /// What it is about.
    title: &'static str,
    /// What a high result means.
    meaning: &'static str,
    /// What to watch out for.
    caution: &'static str,
    /// What to do with it.
    practice: &'static str,
    /// Books that fit, for those that lead.
    books: Vec<BookCard>,
}

/// The detailed report.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct QuizReportResult {
    /// The result that it is about.
    result: SavedOutcome,
    /// All types or colours, those that lead first.
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

/// Books that fit what was chosen.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct FittingBooksResult {
    /// The best match first.
    pub(super) books: Vec<BookCard>,
}

/// What this instance has counted; what is zero is null.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Figures {
    /// How many people have completed a summary.
    readers: Option<u64>,
    /// How often summaries were opened.
    reads: Option<u64>,
    /// How many ratings there are.
    ratings: Option<u64>,
    /// The mean rating, 1 to 5 in tenths.
    rating: Option<f64>,
}

/// What the steps of getting started show.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OnboardingResult {
    /// All goals.
    goals: Vec<Goal>,
    /// All categories.
    categories: Vec<Category>,
    /// The books of the thumbs, at most five.
    books: Vec<BookCard>,
    /// What is true of this instance.
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
