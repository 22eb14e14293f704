//! A language model behind an OpenAI-compatible endpoint, as the summariser's port [`summaries::engine::SummaryModel`]
//! (`summaries.model-endpoint`): chat completions, streamed.
//!
//! The endpoint is the operator's choice and is trusted with the text; its answer is not. It is bounded in time and size here, and
//! [`summaries::engine::validate`] believes only what stands in the source.

mod answer;
mod client;
mod config;

pub use client::LanguageModel;
pub use config::LanguageModelConfig;
