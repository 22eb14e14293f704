//! What a viewer may do with a book, and why not (`reading-progress.full-text-rights`, `delivery.download-rights`).
//!
//! # What it owns
//!
//! One pure function, [`rights`], of viewer, book and time. It says whether the viewer may read the full text, listen,
//! watch the video, see the visuals, download the file or the infographic, and send the book to an e-reader; and for each
//! the reason when not ([`DenialReason`]) with its text ([`Refusal`]). The allowance of free summaries is part of it
//! ([`Allowance`]). What a query has to filter by is a value of this crate too: [`HistoryCondition`], [`FullTexts`].
//!
//! It knows no other domain. A workflow fills [`Viewer`] and [`BookFacts`] from billing, reading-progress and catalogue.
//!
//! # What always holds
//!
//! - A member never opens more summaries than the allowance has.
//! - Opening the same summary again takes nothing.
//! - What was opened with the allowance stays open; what a plan opened lapses with the plan.
//!
//! # Words
//!
//! *Grant*: something that billing gives a member, such as a plan. *Opening*: being given a full text.
//! *Opening right*: the right by which a full text was opened. *Allowance*: the free summaries of a member without a plan.

mod allowance;
mod condition;
mod grant;
mod infographics;
mod refusal;
mod rights;
mod viewer;

pub use allowance::{Allowance, AllowanceUse, FREE_SUMMARIES, FRIEND_SUMMARIES, MONTHLY_SUMMARIES, free_summaries};
pub use condition::{FullTexts, HistoryCondition, history_condition};
pub use grant::{Grant, OpeningRight, has_plan};
pub use infographics::{INFOGRAPHICS_OF_A_PLAN, InfographicsAddOn, InfographicsDownload, infographics};
pub use refusal::{Action, DenialReason, Refusal};
pub use rights::{Opening, Rights, may_use_e_reader, rights};
pub use viewer::{BookFacts, Member, Viewer};
