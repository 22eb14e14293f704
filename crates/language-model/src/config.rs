//! Configuration of the endpoint.

use std::time::Duration;

use kernel::{ConfigError, Secret};
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
    /// Reads the variables whose names begin with `SUMMARISER_`; `None` without `SUMMARISER_URL`: then the built-in engine
    /// writes all summaries.
    pub fn read(var: &impl Fn(&'static str) -> Option<String>) -> Result<Option<Self>, ConfigError> {
        let Some(address) = var("SUMMARISER_URL") else { return Ok(None) };
        let endpoint = endpoint(&address).ok_or_else(|| {
            ConfigError::new(
                "SUMMARISER_URL",
                "is the http or https address of an OpenAI-compatible API, without query",
            )
        })?;
        let model = var("SUMMARISER_MODEL").ok_or_else(|| {
            ConfigError::new("SUMMARISER_MODEL", "is missing: SUMMARISER_URL needs the name of a model")
        })?;
        Ok(Some(Self {
            endpoint,
            key: var("SUMMARISER_KEY").map(Secret::new),
            model,
            timeout: Duration::from_secs(number(var, "SUMMARISER_TIMEOUT", 120, 1..=1_800)?),
            max_input: number(var, "SUMMARISER_MAX_INPUT", MAX_PROMPT_BYTES, 1_000..=4_000_000)?,
            max_tokens: number(var, "SUMMARISER_MAX_TOKENS", 4_000, 100..=100_000)?,
        }))
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

fn number<N: std::str::FromStr + PartialOrd + std::fmt::Display>(
    var: &impl Fn(&'static str) -> Option<String>,
    name: &'static str,
    default: N,
    range: std::ops::RangeInclusive<N>,
) -> Result<N, ConfigError> {
    let Some(text) = var(name) else { return Ok(default) };
    let read = text.trim().parse().ok().filter(|number| range.contains(number));
    read.ok_or_else(|| ConfigError::new(name, format!("is a number from {} to {}", range.start(), range.end())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(vars: &[(&'static str, &str)]) -> Result<Option<LanguageModelConfig>, String> {
        let var = |name| vars.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        LanguageModelConfig::read(&var).map_err(|error| error.to_string())
    }

    #[test]
    fn without_an_address_there_is_no_model() {
        assert!(read(&[("SUMMARISER_MODEL", "small")]).unwrap().is_none());
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
            let mut vars = vec![(name, value)];
            vars.extend(good);
            assert!(read(&vars).unwrap_err().starts_with(&format!("{name}: ")), "{name}={value}");
        }
        assert!(read(&good[..1]).unwrap_err().starts_with("SUMMARISER_MODEL: "));
    }
}
