//! A double of an OpenID provider that can misbehave in ways that no honest provider would.
//!
//! It enforces its side of the protocol (codes are valid once, for one client, one redirect URI and one PKCE verifier), so that a
//! client that omits its part fails too. A test gives consent instead of a person.

use std::{
    collections::{BTreeMap, HashMap},
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use hmac::{Hmac, Mac};
use p256::ecdsa::{Signature, SigningKey, signature::Signer};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use url::{Url, form_urlencoded};

use crate::EcKey;

/// The client id that the double accepts.
pub const CLIENT_ID: &str = "pith-client";
/// The secret of [`CLIENT_ID`].
pub const CLIENT_SECRET: &str = "a secret between two programs";

/// How the double misbehaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// It does not.
    None,
    /// The id token names another issuer.
    WrongIssuer,
    /// The id token is for another client.
    WrongAudience,
    /// The id token is for this client and another one.
    TwoAudiences,
    /// The id token has the nonce of another flow.
    WrongNonce,
    /// The id token has no nonce.
    NoNonce,
    /// The id token has expired.
    Expired,
    /// The id token is signed with a key that is not published.
    UnpublishedKey,
    /// The id token names the published key but is signed with another one.
    WrongSignature,
    /// The id token was changed after it had been signed.
    Altered,
    /// The id token uses the algorithm `none`.
    NoAlgorithm,
    /// The id token is signed with the client secret (HMAC).
    SharedSecret,
    NoIdToken,
    /// The id token has no e-mail address, and the access token belongs to another person.
    OtherPerson,
    /// The subject is empty.
    Nobody,
    /// The id token has no e-mail address; the userinfo response has one.
    EmailElsewhere,
    /// The discovery document names another issuer.
    OtherIssuerPublished,
    /// Responses are not JSON.
    Nonsense,
    /// Responses are server errors.
    Failing,
    /// Responses are larger than any client should read.
    Endless,
    /// Responses are redirects to another host.
    Redirect,
    /// Connections are closed without a response.
    Down,
}

struct Code {
    redirect_uri: String,
    challenge: Option<String>,
    nonce: Option<String>,
    claims: Value,
    now: i64,
}

struct State {
    lie: Lie,
    key: EcKey,
    key_id: u32,
    codes: HashMap<String, Code>,
    tokens: HashMap<String, Value>,
    count: u32,
    asked: BTreeMap<String, u32>,
    secrets: Vec<String>,
}

/// The double, listening on a free port for as long as the process runs.
pub struct OpenIdDouble {
    /// Its issuer, which is its URL.
    pub issuer: String,
    state: Arc<Mutex<State>>,
}

impl std::fmt::Debug for OpenIdDouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenIdDouble").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}

impl OpenIdDouble {
    /// Starts the double.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let issuer = format!("http://{}", listener.local_addr().expect("a listening socket has an address"));
        let state = Arc::new(Mutex::new(State {
            lie: Lie::None,
            key: EcKey::new([1; 32]),
            key_id: 1,
            codes: HashMap::new(),
            tokens: HashMap::new(),
            count: 0,
            asked: BTreeMap::new(),
            secrets: Vec::new(),
        }));
        let (shared, own) = (Arc::clone(&state), issuer.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (shared, own) = (Arc::clone(&shared), own.clone());
                std::thread::spawn(move || answer(stream, &shared, &own));
            }
        });
        Self { issuer, state }
    }

    /// Sets how the double misbehaves from now on.
    pub fn lie(&self, lie: Lie) {
        lock(&self.state).lie = lie;
    }

    /// Signs with a new key from now on, and publishes only that one.
    pub fn rotate_key(&self) {
        let mut state = lock(&self.state);
        state.key_id += 1;
        let byte = u8::try_from(state.key_id).expect("a test rotates a few times");
        state.key = EcKey::new([byte; 32]);
    }

    /// How often this path was requested.
    pub fn asked_for(&self, path: &str) -> u32 {
        lock(&self.state).asked.get(path).copied().unwrap_or_default()
    }

    /// The client secrets received so far.
    pub fn secrets(&self) -> Vec<String> {
        lock(&self.state).secrets.clone()
    }

    /// Simulates that a person with these claims consents at the URL to which the browser was redirected; returns the
    /// authorization code. `now` is in seconds since the Unix epoch.
    pub fn consent(&self, address: &Url, claims: Value, now: i64) -> String {
        let query: HashMap<String, String> = address.query_pairs().into_owned().collect();
        assert_eq!(query.get("client_id").map(String::as_str), Some(CLIENT_ID));
        assert_eq!(query.get("response_type").map(String::as_str), Some("code"));
        let challenge = query.get("code_challenge").cloned();
        assert!(challenge.is_none() || query.get("code_challenge_method").map(String::as_str) == Some("S256"));
        let mut state = lock(&self.state);
        state.count += 1;
        let code = format!("code-{}", state.count);
        let redirect_uri = query["redirect_uri"].clone();
        let nonce = query.get("nonce").cloned();
        state.codes.insert(code.clone(), Code { redirect_uri, challenge, nonce, claims, now });
        code
    }

    /// Invalidates a code, as a provider does after a while.
    pub fn forget(&self, code: &str) {
        lock(&self.state).codes.remove(code);
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads one request and responds. A client that closes the connection is not an error.
fn answer(stream: TcpStream, state: &Mutex<State>, issuer: &str) {
    let _ = try_answer(stream, state, issuer);
}

fn try_answer(mut stream: TcpStream, state: &Mutex<State>, issuer: &str) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let (mut length, mut authorization) = (0, String::new());
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let Some((name, value)) = header.trim_end().split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap_or(0),
            "authorization" => value.trim().clone_into(&mut authorization),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let mut state = lock(state);
    *state.asked.entry(path.clone()).or_default() += 1;
    let (status, text) = match state.lie {
        Lie::Down => return Ok(()),
        Lie::Failing => (500, "{}".to_owned()),
        Lie::Nonsense => (200, "<html>".to_owned()),
        Lie::Endless => (200, format!("\"{}\"", "a".repeat(10_000_000))),
        Lie::Redirect => (302, String::new()),
        _ => {
            let (status, json) = reply(&mut state, issuer, &path, &body, &authorization);
            (status, json.to_string())
        }
    };
    drop(state);
    write!(
        stream,
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nLocation: {issuer}/elsewhere\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
        text.len()
    )
}

fn reply(state: &mut State, issuer: &str, path: &str, body: &[u8], authorization: &str) -> (u16, Value) {
    match path {
        "/.well-known/openid-configuration" => {
            let named = if state.lie == Lie::OtherIssuerPublished { "https://elsewhere.example" } else { issuer };
            (
                200,
                json!({
                    "issuer": named,
                    "authorization_endpoint": format!("{issuer}/authorize"),
                    "token_endpoint": format!("{issuer}/token"),
                    "userinfo_endpoint": format!("{issuer}/userinfo"),
                    "jwks_uri": format!("{issuer}/keys"),
                    "response_types_supported": ["code"],
                    "subject_types_supported": ["public"],
                    "id_token_signing_alg_values_supported": ["ES256"],
                    "token_endpoint_auth_methods_supported": ["client_secret_post"],
                }),
            )
        }
        "/keys" => {
            let (x, y) = state.key.coordinates();
            let key = json!({ "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": state.key_id.to_string(), "x": x, "y": y });
            (200, json!({ "keys": [key] }))
        }
        "/token" => trade(state, issuer, &form_urlencoded::parse(body).into_owned().collect()),
        "/userinfo" => match authorization.strip_prefix("Bearer ").and_then(|token| state.tokens.get(token)) {
            Some(claims) if state.lie == Lie::OtherPerson => {
                let mut claims = claims.clone();
                claims["sub"] = json!("another person");
                (200, claims)
            }
            Some(claims) => (200, claims.clone()),
            None => (401, json!({ "error": "invalid_token" })),
        },
        _ => (404, json!({})),
    }
}

fn trade(state: &mut State, issuer: &str, form: &HashMap<String, String>) -> (u16, Value) {
    let field = |name: &str| form.get(name).map(String::as_str);
    state.secrets.extend(field("client_secret").map(str::to_owned));
    if field("client_id") != Some(CLIENT_ID) || field("client_secret").is_none_or(str::is_empty) {
        return (401, json!({ "error": "invalid_client" }));
    }
    let refused = (400, json!({ "error": "invalid_grant" }));
    let Some(code) = field("code").and_then(|code| state.codes.remove(code)) else { return refused };
    let verified = field("code_verifier").map(|verifier| BASE64.encode(Sha256::digest(verifier)));
    if field("redirect_uri") != Some(&code.redirect_uri) || verified != code.challenge {
        return refused;
    }
    state.count += 1;
    let access_token = format!("access-{}", state.count);
    state.tokens.insert(access_token.clone(), code.claims.clone());
    let mut tokens = json!({ "access_token": access_token, "token_type": "Bearer", "expires_in": 600 });
    if state.lie != Lie::NoIdToken {
        tokens["id_token"] = json!(id_token(state, issuer, &code));
    }
    (200, tokens)
}

fn id_token(state: &State, issuer: &str, code: &Code) -> String {
    let mut claims = code.claims.clone();
    claims["iss"] = json!(issuer);
    claims["aud"] = json!(CLIENT_ID);
    claims["iat"] = json!(code.now);
    claims["exp"] = json!(code.now + 600);
    if let Some(nonce) = &code.nonce {
        claims["nonce"] = json!(nonce);
    }
    let mut header = json!({ "alg": "ES256", "typ": "JWT", "kid": state.key_id.to_string() });
    let mut key = state.key.clone();
    let map = claims.as_object_mut().expect("claims are an object");
    match state.lie {
        Lie::WrongIssuer => map.insert("iss".to_owned(), json!("https://elsewhere.example")),
        Lie::WrongAudience => map.insert("aud".to_owned(), json!("another client")),
        Lie::TwoAudiences => map.insert("aud".to_owned(), json!([CLIENT_ID, "another client"])),
        Lie::WrongNonce => map.insert("nonce".to_owned(), json!("another flow's")),
        Lie::NoNonce => map.remove("nonce"),
        Lie::Expired => map.insert("exp".to_owned(), json!(code.now - 1)),
        Lie::Nobody => map.insert("sub".to_owned(), json!("")),
        Lie::OtherPerson | Lie::EmailElsewhere => map.remove("email"),
        _ => None,
    };
    match state.lie {
        Lie::UnpublishedKey => {
            header["kid"] = json!("unpublished");
            key = EcKey::new([200; 32]);
        }
        Lie::WrongSignature => key = EcKey::new([200; 32]),
        Lie::NoAlgorithm => header["alg"] = json!("none"),
        Lie::SharedSecret => header["alg"] = json!("HS256"),
        _ => {}
    }
    let encode = |value: &Value| BASE64.encode(value.to_string());
    let signed = format!("{}.{}", encode(&header), encode(&claims));
    let signature = match state.lie {
        Lie::NoAlgorithm => Vec::new(),
        Lie::SharedSecret => {
            let mut mac = Hmac::<Sha256>::new_from_slice(CLIENT_SECRET.as_bytes()).expect("any key will do");
            mac.update(signed.as_bytes());
            mac.finalize().into_bytes().to_vec()
        }
        _ => {
            let signature: Signature = SigningKey::from(key.secret()).sign(signed.as_bytes());
            signature.to_vec()
        }
    };
    let signed = if state.lie == Lie::Altered {
        claims["sub"] = json!("another person");
        format!("{}.{}", encode(&header), encode(&claims))
    } else {
        signed
    };
    format!("{signed}.{}", BASE64.encode(signature))
}
