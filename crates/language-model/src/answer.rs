//! The response of an endpoint: server-sent events with pieces of a text, which is JSON.

use serde::Deserialize;
use summaries::engine::{Draft, DraftIdea, ModelError};

/// Maximum size of a streamed response, in bytes, including the framing of its events.
const MAX_BYTES: usize = 8 << 20;
/// Maximum size of the model's text, in bytes.
const MAX_TEXT: usize = 512 << 10;

/// Assembles a streamed response.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    /// The beginning of an incomplete line.
    line: Vec<u8>,
    bytes: usize,
    text: String,
    is_over: bool,
}

/// An event of the stream.
#[derive(Deserialize)]
struct Event {
    #[serde(default)]
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    delta: Delta,
}

#[derive(Default, Deserialize)]
struct Delta {
    content: Option<String>,
}

impl Answer {
    /// Adds a chunk from the network. Returns `false` when the response is complete.
    pub(crate) fn push(&mut self, chunk: &[u8]) -> Result<bool, ModelError> {
        self.bytes += chunk.len();
        if self.bytes > MAX_BYTES {
            return Err(too_long());
        }
        for byte in chunk {
            if *byte == b'\n' {
                let line = std::mem::take(&mut self.line);
                self.take_line(&line)?;
            } else {
                self.line.push(*byte);
            }
        }
        Ok(!self.is_over)
    }

    /// Ignores comments, event names and empty lines.
    fn take_line(&mut self, line: &[u8]) -> Result<(), ModelError> {
        let Some(data) = line.strip_prefix(b"data:") else { return Ok(()) };
        let data = data.trim_ascii();
        if data == b"[DONE]" {
            self.is_over = true;
            return Ok(());
        }
        let event: Event =
            serde_json::from_slice(data).map_err(|_| ModelError::BadAnswer("an event is no JSON".to_owned()))?;
        for piece in event.choices.into_iter().filter_map(|choice| choice.delta.content) {
            self.text.push_str(&piece);
        }
        if self.text.len() > MAX_TEXT { Err(too_long()) } else { Ok(()) }
    }

    /// How many characters the model has written so far.
    pub(crate) fn chars(&self) -> usize {
        self.text.chars().count()
    }

    /// Parses the text as a draft. Some models wrap the JSON in a code fence or a sentence.
    pub(crate) fn into_draft(mut self) -> Result<Draft, ModelError> {
        let line = std::mem::take(&mut self.line);
        self.take_line(&line)?;
        let none = || ModelError::BadAnswer("it has no JSON".to_owned());
        let (start, end) =
            self.text.find('{').zip(self.text.rfind('}')).filter(|(start, end)| start < end).ok_or_else(none)?;
        let written: Written = serde_json::from_str(&self.text[start..=end])
            .map_err(|error| ModelError::BadAnswer(format!("its JSON is not what was asked for: {error}")))?;
        let ideas = written.ideas.into_iter().map(|idea| DraftIdea {
            title: idea.title,
            text: idea.text,
            passages: idea.passages,
            quotations: idea.quotations,
        });
        Ok(Draft { ideas: ideas.collect() })
    }
}

fn too_long() -> ModelError {
    ModelError::BadAnswer("it is too long".to_owned())
}

/// The JSON that the model is instructed to write.
#[derive(Deserialize)]
struct Written {
    ideas: Vec<WrittenIdea>,
}

#[derive(Deserialize)]
struct WrittenIdea {
    title: String,
    text: String,
    #[serde(default)]
    passages: Vec<usize>,
    #[serde(default)]
    quotations: Vec<String>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(piece: &str) -> String {
        format!("data: {}\n\n", json!({ "choices": [{ "delta": { "content": piece } }] }))
    }

    fn answered(text: &str) -> Result<Draft, ModelError> {
        let mut answer = Answer::default();
        answer.push(event(text).as_bytes())?;
        answer.into_draft()
    }

    #[test]
    fn pieces_that_are_cut_anywhere_are_put_together() {
        let text = json!({ "ideas": [{ "title": "Été", "text": "Warm.", "passages": [2] }] }).to_string();
        let (head, tail) = text.split_at(text.find("rm").unwrap());
        let stream = format!(": ping\n\n{}{}data: [DONE]\n\n", event(head), event(tail));
        let mut answer = Answer::default();
        let mut goes_on = true;
        for byte in stream.as_bytes() {
            goes_on = answer.push(&[*byte]).unwrap();
        }
        assert!(!goes_on);
        assert_eq!(answer.chars(), text.chars().count());
        let draft = answer.into_draft().unwrap();
        assert_eq!((draft.ideas[0].title.as_str(), draft.ideas[0].passages.as_slice()), ("Été", &[2][..]));
    }

    #[test]
    fn what_stands_around_the_json_is_left_out() {
        let draft = answered("Here it is:\n```json\n{\"ideas\":[{\"title\":\"A\",\"text\":\"B\"}]}\n```").unwrap();
        assert_eq!(draft.ideas.len(), 1);
    }

    #[test]
    fn what_is_no_draft_is_a_bad_answer() {
        for text in [
            "",
            "I can't do that.",
            "{\"ideas\": 3}",
            "{\"ideas\":[{\"title\":\"A\"}]}",
            "}{",
            "{\"ideas\":[{\"title\":\"A\"",
        ] {
            assert!(matches!(answered(text), Err(ModelError::BadAnswer(_))), "{text}");
        }
        assert!(matches!(Answer::default().push(b"data: {oops\n"), Err(ModelError::BadAnswer(_))));
    }

    #[test]
    fn an_answer_is_bounded() {
        let mut answer = Answer::default();
        let long = event(&"word ".repeat(MAX_TEXT / 5 + 1));
        assert!(matches!(answer.push(long.as_bytes()), Err(ModelError::BadAnswer(_))));
        let mut answer = Answer::default();
        let line = vec![b' '; MAX_BYTES + 1];
        assert!(matches!(answer.push(&line), Err(ModelError::BadAnswer(_))));
    }
}
