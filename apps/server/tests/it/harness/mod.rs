//! The real server on a free port, with a database, a data folder and a clock of one test's own.
#![allow(dead_code, clippy::unused_async, clippy::format_collect, reason = "each test uses a part of it")]

pub mod authenticator;
pub mod mails;
pub mod process;
pub mod receiver;
pub mod speech;
pub mod uploads;
pub mod words;

use std::{
    net::TcpListener,
    sync::{Arc, LazyLock},
    thread::JoinHandle,
};

use actix_web::dev::ServerHandle;
use catalogue::{AuthorDraft, BookDraft, Catalogue, CatalogueError, CatalogueQueries, CategoryDraft};
use config::Config;
use diesel::{PgConnection, QueryableByName, RunQueryDsl, pg::Pg, sql_query};
use kernel::{FixedEnv, Slug, Timestamp, config::Variables};
use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use server::serve;
use tempfile::TempDir;
use testing::{PayPalDouble, TestDatabase};
use web::app::App;
use workflows::limits::RateLimits;

/// Monday, 15 June 2026, 12:00 UTC.
pub const START: Timestamp = Timestamp::from_millis(1_781_524_800_000);
/// What seals the keys of every test's server.
pub const SECRET: &str = "a secret that only the tests know";
/// Keys of a payment provider that nothing is asked of: a site for members does not start without.
pub const PAYMENT_KEYS: [(&str, &str); 4] = [
    ("STRIPE_SECRET_KEY", "sk_test_of_the_tests"),
    ("STRIPE_PUBLISHABLE_KEY", "pk_test_of_the_tests"),
    ("STRIPE_WEBHOOK_SECRET", "whsec_of_the_tests"),
    ("STRIPE_API_URL", "http://127.0.0.1:9"),
];
/// A password that every rule allows.
pub const PASSWORD: &str = "correct horse battery";

pub struct TestApp {
    pub address: String,
    pub env: Arc<FixedEnv>,
    pub app: Arc<App>,
    pub client: Client,
    server: ServerHandle,
    door: Option<TcpListener>,
    thread: Option<JoinHandle<()>>,
    // Dropped last: the server has stopped by then.
    pub database: Arc<TestDatabase>,
    home: Arc<TempDir>,
}

/// A person who is signed in, with cookies of their own.
pub struct Person {
    pub client: Client,
    pub token: String,
    pub user: Value,
    pub email: String,
}

impl Person {
    pub fn id(&self) -> i64 {
        self.user["id"].as_i64().expect("a user has an id")
    }
}

/// What came back.
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub headers: reqwest::header::HeaderMap,
    pub text: String,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// The result of a success.
    #[track_caller]
    pub fn result(&self) -> Value {
        assert!([StatusCode::OK, StatusCode::ACCEPTED].contains(&self.status), "{}", self.text);
        let mut body = self.json();
        assert_eq!(body["status"], "ok", "{}", self.text);
        body["result"].take()
    }

    /// Checks that it is a failure with this status, code and text.
    #[track_caller]
    pub fn fails(&self, status: u16, code: &str, text: &str) {
        let body = self.json();
        assert_eq!(
            (self.status.as_u16(), body["status"].as_str(), body["code"].as_str(), body["error"].as_str()),
            (status, Some("error"), Some(code), Some(text)),
        );
    }
}

impl TestApp {
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// Starts with configuration besides the tests' own.
    pub async fn start_with(vars: &[(&str, &str)]) -> Self {
        let home = tempfile::tempdir().expect("a temporary folder");
        let env = Arc::new(FixedEnv::at(START));
        Self::start_on(Arc::new(TestDatabase::new()), Arc::new(home), env, vars)
    }

    /// [`TestApp::start_with`] with the keys of PayPal's double.
    pub async fn start_with_paypal(double: &PayPalDouble, vars: &[(&str, &str)]) -> Self {
        let keys = [
            ("PAYPAL_CLIENT_ID", testing::paypal::CLIENT_ID),
            ("PAYPAL_CLIENT_SECRET", testing::paypal::CLIENT_SECRET),
            ("PAYPAL_WEBHOOK_ID", testing::paypal::WEBHOOK_ID),
            ("PAYPAL_API_URL", double.url()),
        ];
        Self::start_with(&[&keys[..], vars].concat()).await
    }

    /// [`TestApp::start_with`] at this time.
    pub fn start_at(now: Timestamp, vars: &[(&str, &str)]) -> Self {
        let home = tempfile::tempdir().expect("a temporary folder");
        Self::start_on(Arc::new(TestDatabase::new()), Arc::new(home), Arc::new(FixedEnv::at(now)), vars)
    }

    /// Starts another node on the same database, data folder and clock.
    pub async fn start_beside(&self) -> Self {
        self.start_beside_with(&[]).await
    }

    /// [`TestApp::start_beside`] with configuration besides the tests' own.
    pub async fn start_beside_with(&self, vars: &[(&str, &str)]) -> Self {
        Self::start_on(Arc::clone(&self.database), Arc::clone(&self.home), Arc::clone(&self.env), vars)
    }

    /// Starts on a database and a data folder that are there already.
    pub fn start_restored(database: TestDatabase, home: TempDir) -> Self {
        Self::start_on(Arc::new(database), Arc::new(home), Arc::new(FixedEnv::at(START)), &[])
    }

    fn start_on(database: Arc<TestDatabase>, home: Arc<TempDir>, env: Arc<FixedEnv>, vars: &[(&str, &str)]) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let door = listener.try_clone().expect("a socket can be shared");
        let port = listener.local_addr().expect("a listening socket has an address").port();
        let base = [
            ("PITH_PROFILE", "production".to_owned()),
            ("PITH_SECRET", SECRET.to_owned()),
            ("PUBLIC_URL", format!("http://127.0.0.1:{port}")),
            ("PORT", port.to_string()),
            ("PITH_HOME", home.path().display().to_string()),
            // Whatever a call needs, this role must have the right to it.
            ("DATABASE_URL", database.application_url()),
            // A busy machine makes tests slow, never a refusal.
            ("DATABASE_WAIT_MS", "20000".to_owned()),
            // Jobs run when a test says so.
            ("SUMMARISER_WAIT", "0".to_owned()),
            // Whatever this machine has: tests bring their own.
            ("SPEECH", "off".to_owned()),
            ("SPEECH_ENCODER", "off".to_owned()),
        ];
        // Limits have tests of their own; the others may try as often as they like.
        let unlimited = RateLimits::DEFAULTS.iter().map(|(name, _)| ((*name).to_owned(), "100000/1".to_owned()));
        let base = base.map(|(name, value)| (name.to_owned(), value));
        let given = vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let mut config = Config::read(&Variables::new(unlimited.chain(base).chain(given)))
            .expect("the tests' configuration is right");
        // A busy machine makes tests slow, never a refusal.
        config.drawing_wait = std::time::Duration::from_mins(2);
        config.program = env!("CARGO_BIN_EXE_pith").into();
        let app = App::new(config, Arc::clone(&env) as Arc<dyn kernel::Env>).expect("the app is wired");
        let (sender, receiver) = std::sync::mpsc::channel();
        let running = Arc::clone(&app);
        let thread = std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let server = serve::server(&running, listener).expect("the server starts");
                sender.send(server.handle()).expect("the test waits for the server");
                server.await.expect("the server runs");
            });
        });
        Self {
            address: format!("http://127.0.0.1:{port}"),
            env,
            app,
            client: client(),
            server: receiver.recv().expect("the server starts"),
            door: Some(door),
            thread: Some(thread),
            database,
            home,
        }
    }

    /// Loads a folder of content, or the demo's.
    pub async fn load_content(&self, folder: Option<&std::path::Path>) -> anyhow::Result<seed::Tally> {
        let target = seed::Target { db: &self.app.db, env: &*self.app.env, media: &self.app.media };
        let config = &self.app.config;
        seed::load_content(&target, folder, &config.site.name, config.speech.enabled).await
    }

    /// The data folder.
    pub fn home(&self) -> &std::path::Path {
        self.home.path()
    }

    pub fn connect(&self) -> PgConnection {
        self.database.connect()
    }

    /// Runs a statement on the test's database.
    pub fn sql(&self, statement: &str) {
        self.database.with_connection(|connection| {
            sql_query(statement).execute(connection).unwrap_or_else(|error| panic!("{statement}: {error}"))
        });
    }

    /// Rows of the test's database.
    pub fn rows<R: QueryableByName<Pg> + 'static>(&self, query: &str) -> Vec<R> {
        let load = |connection: &mut PgConnection| sql_query(query).load(connection);
        self.database.with_connection(load).unwrap_or_else(|error| panic!("{query}: {error}"))
    }

    /// Counts rows: `count("users")`, `count("users WHERE role = 'admin'")`.
    pub fn count(&self, from: &str) -> i64 {
        #[derive(diesel::QueryableByName)]
        struct Row {
            #[diesel(sql_type = diesel::sql_types::BigInt)]
            count: i64,
        }
        self.rows::<Row>(&format!("SELECT count(*) AS count FROM {from}"))[0].count
    }

    /// The mails that wait to be sent, oldest first: the address and the mail. No worker runs in tests but
    /// [`TestApp::work_off`].
    pub fn mails(&self) -> Vec<(String, mail::Mail)> {
        #[derive(diesel::QueryableByName)]
        struct Row {
            #[diesel(sql_type = diesel::sql_types::Binary)]
            payload: Vec<u8>,
        }
        let rows: Vec<Row> =
            self.rows("SELECT payload FROM jobs WHERE kind = 'mail' AND payload IS NOT NULL ORDER BY id");
        rows.iter().map(|row| mail::open(&self.app.seal, &row.payload).expect("a mail can be opened")).collect()
    }

    /// Does every job that is due, as a worker would; gives how many attempts there were.
    pub async fn work_off(&self) -> usize {
        server::worker::work_off(&self.app).await.expect("the worker works")
    }

    /// Does the jobs of a kind that are due; the others stay queued.
    pub async fn work_off_kind(&self, kind: &str) -> usize {
        let others = format!("kind <> '{kind}' AND state = 'queued'");
        self.sql(&format!("UPDATE jobs SET due_at = due_at + interval '100 years' WHERE {others}"));
        let attempts = self.work_off().await;
        self.sql(&format!(
            "UPDATE jobs SET due_at = due_at - interval '100 years' WHERE {others} AND due_at > '2100-01-01'"
        ));
        attempts
    }

    /// Queues the scheduled jobs that are due, as every worker does; gives how many were.
    pub async fn queue_scheduled(&self) -> usize {
        server::worker::queue_scheduled(&self.app).await.expect("the worker works")
    }

    /// Runs a command of `pith` on the test's site, as an operator does, in a process of its own.
    pub async fn operator_command(&self, name: &str) -> std::process::Output {
        self.operator_call(&[name.as_ref()]).await
    }

    /// [`TestApp::operator_command`] with arguments.
    pub async fn operator_call(&self, arguments: &[&std::ffi::OsStr]) -> std::process::Output {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pith"));
        command
            .args(arguments)
            .env("PITH_SECRET", SECRET)
            .env("DATABASE_URL", self.database.url())
            .env("PUBLIC_URL", &self.address)
            .env("PITH_HOME", self.home());
        tokio::task::spawn_blocking(move || command.output()).await.expect("no panic").expect("the command runs")
    }

    /// Stops the server as a signal does.
    pub async fn drain(&mut self) {
        let door = self.door.take().expect("a server is stopped once");
        serve::drain(&self.app, &self.server, door).await.expect("the door closes");
    }

    /// Ends every connection to the test's database and lets no new one be made.
    pub fn cut_database(&self) {
        self.database.cut();
    }

    /// Ends what [`TestApp::cut_database`] began.
    pub fn restore_database(&self) {
        self.database.restore();
    }

    /// [`TestApp::get`] for many at once.
    pub async fn get_owned(&self, path: String) -> Reply {
        self.get(&path).await
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.address))
    }

    /// Sends a request as a visitor or a person.
    pub async fn send(&self, person: Option<&Person>, method: Method, path: &str, body: Option<Value>) -> Reply {
        let client = person.map_or(&self.client, |person| &person.client);
        let mut request = client.request(method, format!("{}{path}", self.address));
        if let Some(person) = person {
            request = request.bearer_auth(&person.token);
        }
        if let Some(body) = body {
            request = request.json(&body);
        }
        reply(request).await
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.send(None, Method::GET, path, None).await
    }

    pub async fn get_as(&self, person: &Person, path: &str) -> Reply {
        self.send(Some(person), Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Reply {
        self.send(None, Method::POST, path, Some(body)).await
    }

    pub async fn post_as(&self, person: &Person, path: &str, body: Value) -> Reply {
        self.send(Some(person), Method::POST, path, Some(body)).await
    }

    pub async fn put_as(&self, person: &Person, path: &str, body: Value) -> Reply {
        self.send(Some(person), Method::PUT, path, Some(body)).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Reply {
        self.send(None, Method::PUT, path, Some(body)).await
    }

    pub async fn delete_as(&self, person: &Person, path: &str) -> Reply {
        self.send(Some(person), Method::DELETE, path, None).await
    }

    /// Asks until this node has heard, from whichever made the change, that the person's token is worth nothing.
    pub async fn refused_soon(&self, person: &Person) {
        let started = std::time::Instant::now();
        while self.get_as(person, "/api/user/account").await.status != StatusCode::UNAUTHORIZED {
            assert!(started.elapsed().as_secs() < 120, "the node still knows the token of {}", person.email);
            tokio::task::yield_now().await;
        }
    }

    /// [`TestApp::mails`].
    pub fn queued_mails(&self) -> Vec<(String, mail::Mail)> {
        self.mails()
    }

    /// Signs a person up through the front door.
    pub async fn sign_up(&self, email: &str) -> Person {
        let client = client();
        let body = json!({ "username": email, "password": PASSWORD, "firstName": "Ada", "lastName": "Reader", "timezone": "UTC" });
        let reply = reply(client.post(format!("{}/api/user/register", self.address)).json(&body)).await;
        let result = reply.result();
        Person {
            client,
            token: result["token"].as_str().expect("a token").to_owned(),
            user: result["user"].clone(),
            email: email.to_owned(),
        }
    }

    /// Signs a person up and gives them a plan that runs for a year of the test's clock.
    pub async fn sign_up_paid(&self, email: &str) -> Person {
        let person = self.sign_up(email).await;
        self.sql(&format!(
            "INSERT INTO entitlements (user_id, plan_id, plan_name, starts_at, ends_at) \
             VALUES ({}, 'yearly', 'Yearly', to_timestamp({}), to_timestamp({}))",
            person.id(),
            START.millis() / 1000 - 60,
            START.millis() / 1000 + 365 * 86_400,
        ));
        self.forget(&person);
        person
    }

    /// Makes a person an editor or an admin, and signs them in again, as with a second factor: a role stands in the
    /// token of a strong session.
    pub async fn sign_up_with_role(&self, email: &str, role: &str) -> Person {
        let person = self.sign_up(email).await;
        self.sql(&format!("UPDATE users SET role = '{role}' WHERE id = {}", person.id()));
        let mut person = self.log_in(email, PASSWORD).await;
        self.sql(&format!("UPDATE sessions SET strong = true WHERE user_id = {}", person.id()));
        self.refresh(&mut person).await;
        person
    }

    /// Asks for a new token by the cookie.
    pub async fn refresh(&self, person: &mut Person) {
        let result = reply(person.client.post(format!("{}/api/user/refresh-token", self.address))).await.result();
        result["token"].as_str().expect("a token").clone_into(&mut person.token);
        person.user = result["user"].clone();
    }

    pub async fn log_in(&self, email: &str, password: &str) -> Person {
        let client = client();
        let body = json!({ "username": email, "password": password });
        let result = reply(client.post(format!("{}/api/user/login", self.address)).json(&body)).await.result();
        Person {
            client,
            token: result["token"].as_str().expect("a token").to_owned(),
            user: result["user"].clone(),
            email: email.to_owned(),
        }
    }

    /// Confirms a person's address behind the server's back.
    pub fn confirm(&self, person: &Person) {
        self.sql(&format!("UPDATE users SET email_confirmed_at = created_at WHERE id = {}", person.id()));
    }

    /// Proves in the person's session, by a mailed code, that the address is theirs.
    pub async fn prove_by_mail(&self, person: &Person) {
        self.post_as(person, "/api/user/proof/code", json!({})).await.result();
        let code = |queued| if let mail::Mail::ProofCode { code, .. } = queued { Some(code) } else { None };
        let code = self.mails_to(&person.email).into_iter().rev().find_map(code).expect("the mail is queued");
        self.post_as(person, "/api/user/proof", json!({ "code": code })).await.result();
    }

    /// Drops what the server remembers of a person whose rows a test changed behind its back.
    pub fn forget(&self, person: &Person) {
        self.app.responses.invalidate_reader(kernel::UserId::from_store(person.id()));
    }

    /// Puts a book of six sections into the catalogue, in the category `unsorted`; gives its id. `more` sets columns,
    /// as in `"free = true"`.
    pub fn add_book(&self, subid: &str, more: &str) -> i64 {
        let body = (0..6)
            .map(|n| format!("<h3>Idea {n}</h3><p>The first paragraph of idea {n} in {subid}.</p><p>The second one says more.</p>"))
            .collect();
        let author = AuthorDraft {
            slug: slug("ada-author"),
            name: "Ada Author".to_owned(),
            sort_name: None,
            description: String::new(),
        };
        let draft = BookDraft {
            title: format!("Title of {subid}"),
            description: format!("About {subid}."),
            body,
            categories: vec![slug(UNSORTED)],
            published: true,
            ..BookDraft::blank(slug(subid), author.slug.clone(), START)
        };
        let saved = self.app.db.write_now::<_, CatalogueError>(|pg| {
            pg.save_author(&author, START)?;
            pg.save_category(&category(UNSORTED), START)?;
            pg.save_book(&draft, START)
        });
        let id = saved.expect("the book is added").id().get();
        if !more.is_empty() {
            self.sql(&format!("UPDATE books SET {more} WHERE id = {id}"));
            self.app.responses.invalidate_catalogue();
        }
        id
    }

    /// Puts a category into the catalogue, and books into it; gives its id.
    pub fn add_category(&self, subid: &str, books: &[i64]) -> i64 {
        #[derive(diesel::QueryableByName)]
        struct Row {
            #[diesel(sql_type = diesel::sql_types::Text)]
            subid: String,
        }
        let saved = self.app.db.write_now::<_, CatalogueError>(|pg| pg.save_category(&category(subid), START));
        for book in books {
            let row = &self.rows::<Row>(&format!("SELECT subid FROM books WHERE id = {book}"))[0];
            self.app
                .db
                .write_now::<_, CatalogueError>(|pg| {
                    let (_, mut draft) = pg.find_book_draft(&slug(&row.subid))?.expect("the book is there");
                    draft.categories.retain(|name| name.as_str() != UNSORTED);
                    draft.categories.push(slug(subid));
                    pg.save_book(&draft, START)
                })
                .expect("the book is saved");
        }
        saved.expect("the category is added").id().get()
    }
}

/// The category of books that were given no other.
const UNSORTED: &str = "unsorted";

fn slug(text: &str) -> Slug {
    Slug::parse(text).expect("a name that can stand in addresses")
}

fn category(subid: &str) -> CategoryDraft {
    CategoryDraft { subid: slug(subid), name: format!("Name of {subid}"), hue: 45, small_image: None, place: 0 }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        // Stopping is asked for now and happens on the server's own thread.
        drop(self.server.stop(false));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn client() -> Client {
    client_builder()
        .cookie_store(true)
        .timeout(std::time::Duration::from_secs(30))
        .build()
        .expect("a client without TLS needs nothing")
}

/// A client that follows no redirect. The servers of tests speak no TLS: reading the machine's root certificates would
/// cost each client more than the test's requests do.
pub fn client_builder() -> reqwest::ClientBuilder {
    Client::builder()
        .tls_certs_only([])
        .redirect(reqwest::redirect::Policy::none())
        // Shorter than the server keeps an idle connection. While a test waits for its database on the runtime's own thread
        // it does not hear that the server has closed one.
        .pool_idle_timeout(std::time::Duration::from_secs(20))
}

/// Sends a request and reads the whole response, whose status has to stand in the API's description.
pub async fn reply(request: RequestBuilder) -> Reply {
    let (client, request) = request.build_split();
    let request = request.expect("a request that can be sent");
    let (method, path) = (request.method().clone(), request.url().path().to_owned());
    let response = client.execute(request).await.expect("the server answers");
    assert_documented(&method, &path, response.status());
    Reply {
        status: response.status(),
        headers: response.headers().clone(),
        text: response.text().await.expect("a response's body arrives"),
    }
}

/// Fails when the API's description has this call but doesn't name this status for it.
fn assert_documented(method: &Method, path: &str, status: StatusCode) {
    static DOCUMENT: LazyLock<Value> =
        LazyLock::new(|| serde_json::to_value(web::document()).expect("the description is JSON"));
    let given: Vec<&str> = path.split('/').collect();
    let is_parameter = |segment: &str| segment.starts_with('{');
    let matches = |pattern: &str| {
        let wanted: Vec<&str> = pattern.split('/').collect();
        let same = |(wanted, given): (&&str, &&str)| wanted == given || (is_parameter(wanted) && !given.is_empty());
        wanted.len() == given.len() && wanted.iter().zip(&given).all(same)
    };
    let paths = DOCUMENT["paths"].as_object().expect("paths");
    // A literal segment wins over a parameter, as in the server.
    let found =
        paths.iter().filter(|(pattern, _)| matches(pattern)).min_by_key(|(pattern, _)| pattern.matches('{').count());
    let name = if method == Method::HEAD { "get".to_owned() } else { method.as_str().to_lowercase() };
    let Some((pattern, operation)) = found.and_then(|(pattern, item)| Some((pattern, item.get(name)?))) else { return };
    let documented = operation["responses"].as_object().expect("responses");
    assert!(documented.contains_key(status.as_str()), "{method} {pattern} answers {status}, which is not documented");
}
