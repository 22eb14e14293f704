//! A language model behind an OpenAI-compatible endpoint: implements the summarizer's port [`summaries::engine::SummaryModel`]
//! (`summaries.model-endpoint`) with streamed chat completions.
//!
//! The operator chooses the endpoint, which is trusted with the text; its response is not trusted. Time and size are bounded
//! here, and [`summaries::engine::validate`] accepts only what the source contains.

mod answer;
mod client;
mod config;

pub use client::LanguageModel;
pub use config::LanguageModelConfig;
