//! A test double of a language model behind an OpenAI-compatible endpoint: streamed chat completions, and failures.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::{Value, json};

use crate::provider::read_request;

/// How the double responds to requests.
#[derive(Clone, Debug)]
pub enum ModelAnswer {
    /// Streams this text in small pieces.
    Writes(String),
    /// Streams this text and closes the connection before the stream is complete.
    BreaksOff(String),
    /// Responds with this status.
    Status(u16),
    /// Sends the response headers, then nothing until the client gives up.
    Stalls,
    /// Responds with something other than an event stream.
    Garbage,
}

/// A received request.
#[derive(Clone, Debug)]
pub struct ModelRequest {
    pub path: String,
    /// The `Authorization` header.
    pub authorization: Option<String>,
    pub body: Value,
}

#[derive(Debug)]
struct State {
    answer: ModelAnswer,
    requests: Vec<ModelRequest>,
}

/// The double. It listens on a free port for as long as the process runs.
#[derive(Clone, Debug)]
pub struct LanguageModelDouble {
    /// The base URL of the API, for `SUMMARISER_URL`.
    pub url: String,
    state: Arc<Mutex<State>>,
}

impl LanguageModelDouble {
    /// Starts the double.
    pub fn start(answer: ModelAnswer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}/v1", listener.local_addr().expect("a listening socket has an address"));
        let double = Self { url, state: Arc::new(Mutex::new(State { answer, requests: Vec::new() })) };
        let own = double.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let own = own.clone();
                // A client that closes the connection is not an error of the double.
                std::thread::spawn(move || own.answer(stream).ok());
            }
        });
        double
    }

    /// Changes how the double responds from now on.
    pub fn set(&self, answer: ModelAnswer) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).answer = answer;
    }

    /// The requests received so far.
    pub fn requests(&self) -> Vec<ModelRequest> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).requests.clone()
    }

    fn answer(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let request = read_request(&stream)?;
        let answer = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.requests.push(ModelRequest {
                path: request.path.clone(),
                authorization: request.header("authorization").map(str::to_owned),
                body: serde_json::from_slice(&request.body).unwrap_or_default(),
            });
            state.answer.clone()
        };
        let head = |status: u16, kind: &str| {
            format!("HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n")
        };
        match answer {
            ModelAnswer::Writes(text) => {
                stream.write_all(head(200, "text/event-stream").as_bytes())?;
                write_pieces(&mut stream, &text)?;
                stream.write_all(b"data: [DONE]\n\n")?;
            }
            ModelAnswer::BreaksOff(text) => {
                stream.write_all(head(200, "text/event-stream").as_bytes())?;
                let half = text.chars().take(text.chars().count() / 2).collect::<String>();
                write_pieces(&mut stream, &half)?;
            }
            ModelAnswer::Status(status) => {
                stream.write_all(head(status, "application/json").as_bytes())?;
                stream.write_all(b"{\"error\":{\"message\":\"no\"}}")?;
            }
            ModelAnswer::Stalls => {
                stream.write_all(head(200, "text/event-stream").as_bytes())?;
                // Ends when the client closes the connection.
                stream.read_to_end(&mut Vec::new())?;
            }
            ModelAnswer::Garbage => {
                stream.write_all(head(200, "text/html").as_bytes())?;
                stream.write_all(b"<html>data: nothing</html>\ndata: {\n\n")?;
            }
        }
        stream.shutdown(Shutdown::Both)
    }
}

fn write_pieces(stream: &mut TcpStream, text: &str) -> std::io::Result<()> {
    let chars: Vec<char> = text.chars().collect();
    for piece in chars.chunks(24) {
        let piece: String = piece.iter().collect();
        let event =
            json!({ "object": "chat.completion.chunk", "choices": [{ "index": 0, "delta": { "content": piece } }] });
        stream.write_all(format!("data: {event}\n\n").as_bytes())?;
    }
    Ok(())
}
