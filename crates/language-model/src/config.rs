//! Configuration of the endpoint.

use std::time::Duration;

use kernel::{Secret, config::Variables};
use summaries::engine::MAX_PROMPT_BYTES;
use url::Url;

/// The endpoint of the model, and the limits of a request.
#[derive(Clone, Debug)]
pub struct LanguageModelConfig {
    /// The URL of `chat/completions`.
    pub endpoint: Url,
    /// The API key, sent as a bearer token; self-hosted endpoints often need none.
    pub key: Option<Secret>,
    /// The model's name at the endpoint.
    pub model: String,
    /// Timeout of a complete response.
    pub timeout: Duration,
    /// Maximum size of the text that is sent, in bytes.
    pub max_input: usize,
    /// Maximum number of tokens in a response (`max_tokens`).
    pub max_tokens: u32,
}

impl LanguageModelConfig {
    /// Reads the variables whose names begin with `SUMMARISER_`. `None` without `SUMMARISER_URL` (then the built-in engine writes
    /// all summaries), or if something is wrong.
    pub fn read(vars: &Variables) -> Option<Self> {
        let timeout = vars.number("SUMMARISER_TIMEOUT", 120, 1..=1_800);
        let max_input = vars.number("SUMMARISER_MAX_INPUT", MAX_PROMPT_BYTES, 1_000..=4_000_000);
        let max_tokens = vars.number("SUMMARISER_MAX_TOKENS", 4_000, 100..=100_000);
        let key = vars.get("SUMMARISER_KEY").map(Secret::new);
        let Some(address) = vars.trimmed("SUMMARISER_URL") else {
            vars.refuse_without("SUMMARISER_URL", &["SUMMARISER_MODEL", "SUMMARISER_KEY"]);
            return None;
        };
        let endpoint = endpoint(&address);
        if endpoint.is_none() {
            vars.refuse("SUMMARISER_URL", "is the http or https address of an OpenAI-compatible API, without query");
        }
        let model = vars.needed("SUMMARISER_MODEL", "is missing: SUMMARISER_URL needs the name of a model");
        let timeout = Duration::from_secs(timeout);
        Some(Self { endpoint: endpoint?, key, model: model?, timeout, max_input, max_tokens })
    }
}

/// Appends the path: `https://models.example/v1` becomes `https://models.example/v1/chat/completions`.
fn endpoint(address: &str) -> Option<Url> {
    let mut url = Url::parse(address).ok()?;
    let fits = matches!(url.scheme(), "http" | "https") && url.query().is_none() && url.fragment().is_none();
    if !fits || !url.username().is_empty() || url.password().is_some() {
        return None;
    }
    url.path_segments_mut().ok()?.pop_if_empty().extend(["chat", "completions"]);
    Some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(vars: &[(&'static str, &str)]) -> Result<Option<LanguageModelConfig>, String> {
        let vars = Variables::new(vars.iter().copied());
        let read = LanguageModelConfig::read(&vars);
        vars.finish(Some(read)).map_err(|error| error.to_string())
    }

    #[test]
    fn without_an_address_there_is_no_model() {
        assert!(read(&[]).unwrap().is_none());
        assert!(read(&[("SUMMARISER_MODEL", "small")]).unwrap_err().starts_with("SUMMARISER_MODEL: is set without"));
    }

    #[test]
    fn the_address_is_that_of_the_api() {
        for address in ["https://models.example/v1", "https://models.example/v1/"] {
            let config = read(&[("SUMMARISER_URL", address), ("SUMMARISER_MODEL", "small")]).unwrap().unwrap();
            assert_eq!(config.endpoint.as_str(), "https://models.example/v1/chat/completions");
            assert_eq!((config.timeout.as_secs(), config.max_input, config.max_tokens), (120, 48_000, 4_000));
        }
    }

    #[test]
    fn a_bad_value_is_named() {
        let good = [("SUMMARISER_URL", "http://127.0.0.1:8080"), ("SUMMARISER_MODEL", "small")];
        for (name, value) in [
            ("SUMMARISER_URL", "models.example"),
            ("SUMMARISER_URL", "file:///etc/passwd"),
            ("SUMMARISER_URL", "https://models.example/v1?key=secret"),
            ("SUMMARISER_URL", "https://user:secret@models.example/v1"),
            ("SUMMARISER_TIMEOUT", "0"),
            ("SUMMARISER_MAX_INPUT", "many"),
            ("SUMMARISER_MAX_TOKENS", "1"),
        ] {
            let vars = [&good[..], &[(name, value)]].concat();
            assert!(read(&vars).unwrap_err().starts_with(&format!("{name}: ")), "{name}={value}");
        }
        assert!(read(&good[..1]).unwrap_err().starts_with("SUMMARISER_MODEL: "));
    }
}
