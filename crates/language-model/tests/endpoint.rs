//! The client against a test double of an OpenAI-compatible endpoint.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use kernel::{Secret, config::Variables};
use language_model::{LanguageModel, LanguageModelConfig};
use serde_json::json;
use summaries::engine::{Draft, ModelError, Prompt, Source, SummaryModel};
use testing::{LanguageModelDouble, ModelAnswer};

const TEXT: &str = "Reason is common to all. Nobody is born idle.";

fn written() -> String {
    json!({ "ideas": [{ "title": "Reason", "text": "All have it. Été.", "passages": [1], "quotations": ["Nobody is born idle."] }] })
        .to_string()
}

fn model(url: &str, timeout: Duration) -> LanguageModel {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let vars = Variables::new([("SUMMARISER_URL", url), ("SUMMARISER_MODEL", "small")]);
    let config = LanguageModelConfig::read(&vars).unwrap();
    LanguageModel::new(LanguageModelConfig { timeout, key: Some(Secret::new("the key")), ..config }).unwrap()
}

async fn ask(model: &LanguageModel) -> Result<Draft, ModelError> {
    let prompt = Prompt::new(&Source::plain(TEXT), model.max_input());
    model.write(&prompt, &|_| ()).await
}

#[tokio::test]
async fn a_streamed_answer_is_a_draft_and_its_progress_is_told() {
    let double = LanguageModelDouble::start(ModelAnswer::Writes(written()));
    let model = model(&double.url, Duration::from_mins(1));
    let seen = Arc::new(AtomicUsize::new(0));
    let own = Arc::clone(&seen);
    let prompt = Prompt::new(&Source::plain(TEXT), model.max_input());
    let draft = model.write(&prompt, &move |chars| own.store(chars, Ordering::Relaxed)).await.unwrap();
    assert_eq!(draft.ideas[0].title, "Reason");
    assert!(seen.load(Ordering::Relaxed) > 0);

    let request = double.requests().remove(0);
    assert_eq!(request.path, "/v1/chat/completions");
    assert_eq!(request.authorization.as_deref(), Some("Bearer the key"));
    assert_eq!((&request.body["model"], &request.body["stream"]), (&json!("small"), &json!(true)));
    let text = request.body["messages"][1]["content"].as_str().unwrap();
    assert_eq!(text, "[1] Reason is common to all.\n[2] Nobody is born idle.\n");
}

#[tokio::test]
async fn every_failure_is_told_and_none_waits_for_ever() {
    let double = LanguageModelDouble::start(ModelAnswer::Stalls);
    let fast = model(&double.url, Duration::from_millis(200));
    assert!(matches!(ask(&fast).await, Err(ModelError::Unavailable(text)) if text.starts_with("no complete answer")));
    let model = model(&double.url, Duration::from_mins(1));
    for (answer, is_refusal) in [
        (ModelAnswer::Status(500), false),
        (ModelAnswer::Status(429), false),
        (ModelAnswer::Status(401), true),
        (ModelAnswer::Status(302), true),
    ] {
        double.set(answer.clone());
        let error = ask(&model).await.unwrap_err();
        assert_eq!(matches!(error, ModelError::Refused(_)), is_refusal, "{answer:?}: {error}");
    }
    for answer in [ModelAnswer::Garbage, ModelAnswer::BreaksOff(written()), ModelAnswer::Writes("No.".to_owned())] {
        double.set(answer.clone());
        let error = ask(&model).await.unwrap_err();
        assert!(matches!(error, ModelError::BadAnswer(_) | ModelError::Unavailable(_)), "{answer:?}: {error}");
        assert!(!error.to_string().contains("127.0.0.1"), "{error}");
    }
}
