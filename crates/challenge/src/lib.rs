//! Features that attract new members: the ten-day challenge, the two quizzes and onboarding.
//!
//! # What it owns
//!
//! The plan of ten books for a member's goals (`challenge.plan-selection`), the questions of the quizzes, their results
//! and reports (`challenge.quiz-statements`), and a person's choices during onboarding (`challenge.onboarding-result`).
//! Goals, categories and books belong to the catalogue, completions to reading progress, and payments to billing.
//!
//! # What always holds
//!
//! - A plan has at most ten books, all different, and none that the member had completed when it was drawn up. It has
//!   fewer only when the catalogue has fewer.
//! - The same facts give the same plan.
//! - A plan that is drawn up begins with the books that its reader may read, and holds as many of them as it can.
//! - A member gets at most one daily mail on each day of their own calendar, none before they request them, and none
//!   after the plan's last day.
//! - A quiz that an editor saves has the required number of statements of each dimension (`challenge.quiz-statements`).
//! - A result counts every question of its quiz once.
//!
//! # Words
//!
//! *Candidate*: a readable book that a plan may contain. *Dimension*: one of the types or colors that a quiz measures.
//! *Leader*: a dimension with the highest count of a result.

#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod daily_mail;
mod error;
#[cfg(any(test, feature = "testing"))]
pub mod memory;
mod onboarding;
mod plan;
mod quiz;
mod report;
mod service;
mod store;
mod suggested_books;

pub use daily_mail::{DailyMail, DueMail, MailHour, NextMail, PlanSpan, next_mail};
pub use error::ChallengeError;
pub use onboarding::{Choices, FITTING_BOOKS, MAX_CHOICES, ONBOARDING_PROGRESS, SiteFigures};
pub use plan::{
    BookAccess, Candidate, ChosenGoals, DraftDay, MAX_GOALS, PLAN_DAYS, PlanDay, Ranking, ReadableBooks, SavedPlan,
    alternate, choose_days, order_by_match,
};
pub use quiz::{
    Answer, DIMENSIONS, Dimension, Question, QuestionDraft, QuizKind, QuizResult, STATEMENT_MAX_CHARS, SavedResult,
    Total, UnknownDimension, UnknownQuiz, checked_questions, may_see_report,
};
pub use report::DimensionReport;
pub use service::Challenge;
pub use store::{ChallengeCommands, ChallengeQueries, ChallengeStore, Openness, Topic};
pub use suggested_books::SuggestedBooks;
