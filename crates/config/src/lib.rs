//! Configuration: environment variables, read once at the start. The table in `docs/OPERATING.md` lists them all.

use std::{env, net::IpAddr, path::PathBuf, time::Duration};

use backup::BackupConfig;
use client_info::Network;
use kernel::{
    ConfigError, Email, Secret,
    config::{ConfigErrors, Variables},
};
use language_model::LanguageModelConfig;
use mail::MailConfig;
use media::{MediaConfig, S3Config};
use narration::SpeechConfig;
use openid::ProviderConfig;
use payments::PaymentsConfig;
use postgres::DbConfig;
use telemetry::{logs::LogConfig, traces::TraceConfig};
use workflows::{
    limits::RateLimits,
    setup::{MAX_SITE_NAME, is_site_name},
    tx::Settings,
};

/// The configuration of a process.
#[derive(Clone, Debug)]
pub struct Config {
    pub profile: Profile,
    /// The IP address that the server listens on.
    pub bind: IpAddr,
    pub port: u16,
    /// The port at which `pith worker` answers health checks and metrics; `None`: it listens on none.
    pub worker_port: Option<u16>,
    /// The site's URL without a slash at the end. Links, canonical URLs and cookie attributes are derived from it.
    pub public_url: String,
    /// The data directory: media, the mail outbox, and in the demo profile the secret.
    pub home: PathBuf,
    /// The path of this program. It is started as a subprocess, with limits, for each document that it reads and each
    /// picture that it draws.
    pub program: PathBuf,
    /// How long a request waits for a picture that is being drawn.
    pub drawing_wait: Duration,
    /// Where media files are stored.
    pub media: MediaConfig,
    /// The proxies whose forwarding headers are trusted.
    pub trusted_proxies: Vec<Network>,
    /// Networks that may read the metrics, besides programs on the same machine.
    pub metrics_from: Vec<Network>,
    /// The database and its pools. The user of its URL needs only the rights that `migrate` grants it.
    pub database: DbConfig,
    /// The connection string with which `migrate` and `restore` connect as the owner of the tables. Defaults to
    /// [`DbConfig::session_url`].
    pub owner_database_url: String,
    /// Worker threads of the web server.
    pub workers: usize,
    /// The maximum number of connections of all clients together.
    pub connections: usize,
    pub connections_per_client: usize,
    /// Retention of counted events, in days.
    pub events_kept_days: u32,
    /// Retention of messages in the inbox, in days.
    pub messages_kept_days: u32,
    /// Encrypts the keys in the database.
    pub secret: Secret,
    /// Another secret, with which they may still be encrypted, while the operator replaces the one by the other.
    pub secret_also: Option<Secret>,
    /// Whether the demo has no secret in its data directory yet. Then [`Config::secret`] is temporary, and
    /// [`keep_demo_secret`] creates the permanent one, unless the database was sealed with an earlier one.
    pub lacks_demo_secret: bool,
    pub limits: RateLimits,
    /// How backups are made.
    pub backup: BackupConfig,
    /// Sign-in providers, in the order in which pages show them.
    pub providers: Vec<ProviderConfig>,
    /// Payment providers.
    pub payments: PaymentsConfig,
    /// Price ids of the payment providers that mean the monthly plan (`billing.legacy-plan-names`).
    pub monthly_price_ids: Vec<String>,
    /// How mails are sent.
    pub mail: MailConfig,
    /// Whether members' webhooks and push messages may go to private addresses.
    pub private_webhooks: bool,
    /// Text-to-speech.
    pub speech: SpeechConfig,
    /// The language model that writes members' summaries; `None`: the built-in engine writes them.
    pub language_model: Option<LanguageModelConfig>,
    /// How long a call that asks for a summary waits for it (`summaries.finished-answer`).
    pub summary_wait: Duration,
    /// The mail domains of e-readers (`delivery.e-reader-address`).
    pub kindle_domains: Vec<String>,
    /// Whether `serve` also runs jobs; otherwise only `pith worker` does.
    pub worker: bool,
    /// How long a shutdown waits for running requests, and then for running jobs.
    pub drain: Duration,
    /// Whether responses and book facts are cached in memory.
    pub cache: bool,
    /// Whether `pith seed` adds a made-up year of business in the demo profile (`site.demo-year`).
    pub demo_year: bool,
    /// What is logged, and how.
    pub log: LogConfig,
    /// Whether traces are sent.
    pub traces: TraceConfig,
    /// Names, contact details and links of the site.
    pub site: SiteConfig,
    /// Settings that are allowed and most likely not meant, one sentence each: insecure ones, and names that nothing reads. They
    /// are logged at the start.
    pub warnings: Vec<String>,
}

/// The deployment profile (`site.demo-profile`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// For real members.
    Production,
    /// For trying the product: demo accounts, sandbox payments.
    Demo,
}

impl Profile {
    fn read(vars: &Variables) -> Self {
        let known = [("production", Self::Production), ("demo", Self::Demo)];
        vars.one_of("PITH_PROFILE", known).unwrap_or(Self::Production)
    }
}

/// Names, contact details and links of the site (`site.settings-names`).
#[derive(Clone, Debug)]
pub struct SiteConfig {
    /// The product's name.
    pub name: String,
    /// Whether `SITE_NAME` is set; otherwise the setup page may give the site its name.
    pub is_name_set: bool,
    /// The support mailbox. Messages from the public forms are mailed to it.
    pub support_email: Email,
    /// The support phone number, as it is shown.
    pub support_phone: String,
    /// The year in the copyright line.
    pub copyright_year: String,
    /// The name and URL of each social link.
    pub social: Vec<(String, String)>,
    /// The name and URL of each app store.
    pub stores: Vec<(String, String)>,
}

pub mod build;
mod database;
mod unknown;
mod weaknesses;

pub use weaknesses::is_public;

/// The demo's social links, in the form of `SOCIAL_LINKS`: URLs of a domain that is reserved for examples.
const DEMO_SOCIAL_LINKS: &str =
    "Mastodon=https://example.com/mastodon,Instagram=https://example.com/instagram,YouTube=https://example.com/youtube";
/// The demo's app stores, in the form of `STORE_LINKS`.
const DEMO_STORE_LINKS: &str = "App Store=https://example.com/app-store,Google Play=https://example.com/google-play";

impl Config {
    /// Reads the variables, for commands that take no payments.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn read(vars: &Variables) -> Result<Self, ConfigErrors> {
        Self::finish(vars, Self::read_all(vars, false))
    }

    /// Reads the variables, for a process that runs the site: outside the demo profile, it needs a payment provider's keys.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn read_for_site(vars: &Variables) -> Result<Self, ConfigErrors> {
        Self::finish(vars, Self::read_all(vars, true))
    }

    /// The configuration with a name of the site that is stored in the database, where `SITE_NAME` sets none.
    ///
    /// # Errors
    /// As when it was first read.
    pub fn named(
        self,
        stored: Option<String>,
        read: fn(&Variables) -> Result<Self, ConfigErrors>,
    ) -> Result<Self, ConfigErrors> {
        match stored.filter(|_| !self.site.is_name_set) {
            None => Ok(self),
            Some(name) => {
                let mut config = read(&Variables::from_env().with("SITE_NAME", &name))?;
                config.site.is_name_set = false;
                Ok(config)
            }
        }
    }

    fn finish(vars: &Variables, read: Option<Self>) -> Result<Self, ConfigErrors> {
        let unknown = unknown::names(vars);
        match vars.finish(read) {
            Ok(mut config) => {
                config.warnings = weaknesses::of(&config, vars);
                config.warnings.extend(unknown);
                Ok(config)
            }
            Err(errors) => Err(ConfigErrors { warnings: unknown, ..errors }),
        }
    }

    /// `None` if something is wrong. Every variable is read in any case, so that all that is wrong is known.
    fn read_all(vars: &Variables, takes_payments: bool) -> Option<Self> {
        let profile = Profile::read(vars);
        let (bind, port) = listen_address(vars);
        let worker_port = worker_port(vars);
        let home = PathBuf::from(vars.get("PITH_HOME").unwrap_or_else(|| "var".to_owned()));
        let public_url = vars.accept(public_url(vars, profile, port));
        let public_host = public_url.as_deref().map_or("localhost", host_of);
        if profile == Profile::Demo && (weaknesses::is_public_host(public_host) || is_public(bind)) {
            vars.refuse(
                "PITH_PROFILE",
                "is 'demo', whose accounts have published passwords, at a public address: PUBLIC_URL and BIND must be of this \
                 machine or a private network",
            );
        }
        let secret = vars.accept(secret(vars, profile, &home));
        let secret_also = given_secret(vars, "PITH_SECRET_ALSO").and_then(|given| vars.accept(given));
        let owner_database_url = vars.accept(database::owner_url(vars));
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        let workers = vars.number("WORKERS", cores, 1..=1_024);
        let threads = u32::try_from(workers).unwrap_or(u32::MAX);
        let database = database::read(vars, threads);
        let connections = vars.number("CONNECTIONS", 4_096, 1..=1_000_000);
        let connections_per_client = vars.number("CONNECTIONS_PER_CLIENT", 256, 1..=1_000_000);
        let events_kept_days = vars.number("EVENTS_KEPT_DAYS", 400, 1..=36_500);
        let messages_kept_days = vars.number("MESSAGES_KEPT_DAYS", 730, 1..=36_500);
        let drain = Duration::from_secs(vars.number("DRAIN_SECONDS", 30, 0..=3_600));
        let summary_wait = Duration::from_secs(vars.number("SUMMARISER_WAIT", 25, 0..=1_800));
        let trusted_proxies = networks(vars, "TRUSTED_PROXIES");
        let metrics_from = networks(vars, "METRICS_FROM");
        let media = MediaConfig::read(vars);
        let backup = BackupConfig::read(vars, database::checked);
        refuse_unused_bucket(vars, media.as_ref(), backup.as_ref());
        let limits = rate_limits(vars, profile);
        let providers = openid::read_providers(vars);
        let payments = PaymentsConfig::read(vars);
        if takes_payments && profile == Profile::Production {
            PaymentsConfig::refuse_sandbox(vars);
        }
        let speech = SpeechConfig::read(vars);
        let language_model = LanguageModelConfig::read(vars);
        let kindle_domains = kindle_domains(vars);
        let worker = vars.switch("WORKER", true);
        let cache = vars.switch("PITH_CACHE", true);
        let private_webhooks = vars.switch("PRIVATE_WEBHOOKS", false);
        let demo_year = vars.switch("DEMO_YEAR", true) && profile == Profile::Demo;
        let log = LogConfig::read(vars);
        let traces = TraceConfig::read(vars);
        let site = SiteConfig::read(vars, profile);
        let mail = MailConfig::read(vars, public_host, site.as_ref().map_or("", |site| &site.name));
        let monthly_price_ids = vars.get("MONTHLY_PRICE_IDS").unwrap_or_default();
        let monthly_price_ids = monthly_price_ids.split(',').map(|id| id.trim().to_owned()).filter(|id| !id.is_empty());
        let (secret, lacks_demo_secret) = secret?;
        let database = database?;
        Some(Self {
            profile,
            bind,
            port,
            worker_port,
            public_url: public_url?,
            home,
            drawing_wait: media::PATIENCE,
            program: env::current_exe().unwrap_or_else(|_| PathBuf::from("pith")),
            media: media?,
            backup: backup?,
            trusted_proxies,
            metrics_from,
            owner_database_url: owner_database_url?.unwrap_or_else(|| database.session_url().to_owned()),
            database,
            workers,
            connections,
            connections_per_client,
            events_kept_days,
            messages_kept_days,
            secret,
            secret_also,
            lacks_demo_secret,
            limits: limits?,
            providers,
            payments,
            monthly_price_ids: monthly_price_ids.collect(),
            drain,
            mail: mail?,
            speech,
            language_model,
            summary_wait,
            kindle_domains,
            worker,
            cache,
            demo_year,
            private_webhooks,
            log,
            traces,
            site: site?,
            warnings: Vec::new(),
        })
    }

    /// The absolute URL of a path of the site.
    pub fn link(&self, path: &str) -> String {
        format!("{}{path}", self.public_url)
    }

    /// Whether a peer with this IP address is a trusted proxy.
    pub fn is_trusted_proxy(&self, peer: IpAddr) -> bool {
        self.trusted_proxies.iter().any(|network| network.contains(peer))
    }

    /// Whether the site's URL is https.
    pub fn is_https(&self) -> bool {
        self.public_url.starts_with("https://")
    }

    /// The origin of the site's URL: scheme, host and port.
    pub fn origin(&self) -> &str {
        let host = self.public_url.find("://").map_or(0, |at| at + 3);
        self.public_url[host..].find('/').map_or(&*self.public_url, |at| &self.public_url[..host + at])
    }
}

impl From<&Config> for Settings {
    fn from(config: &Config) -> Self {
        Self {
            public_url: config.public_url.clone(),
            site_name: config.site.name.clone(),
            support_email: config.site.support_email.clone(),
            roles_need_strong_session: config.profile != Profile::Demo,
            makes_recordings: config.speech.enabled,
            kindle_domains: config.kindle_domains.clone(),
            monthly_price_ids: config.monthly_price_ids.clone(),
            limits: config.limits.clone(),
        }
    }
}

/// The IP address and the port that the server listens on.
pub fn listen_address(vars: &Variables) -> (IpAddr, u16) {
    let bind = vars.parsed("BIND", IpAddr::from([127, 0, 0, 1]), "an IP address");
    (bind, vars.number("PORT", 4000, 1..=u16::MAX))
}

/// The port at which a worker answers health checks and metrics; `None` if it is `off`.
pub fn worker_port(vars: &Variables) -> Option<u16> {
    const NAME: &str = "WORKER_PORT";
    (vars.trimmed(NAME).as_deref() != Some("off")).then(|| vars.number(NAME, 4001, 1..=u16::MAX))
}

/// The host of the site's URL, without the port.
fn host_of(public_url: &str) -> &str {
    let host = public_url.split_once("://").map_or(public_url, |(_, host)| host);
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

fn public_url(vars: &Variables, profile: Profile, port: u16) -> Result<String, ConfigError> {
    const NAME: &str = "PUBLIC_URL";
    let Some(url) = vars.trimmed(NAME) else {
        return if profile == Profile::Demo {
            Ok(format!("http://localhost:{port}"))
        } else {
            Err(ConfigError::new(
                NAME,
                "is missing: the address at which people reach the site, like https://pith.example",
            ))
        };
    };
    let url = url.trim_end_matches('/');
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let fine =
        host.is_some_and(|host| !host.is_empty() && !host.contains(['?', '#', '@', '/', '"', '<', '>', ' ', '\\']));
    if fine {
        Ok(url.to_owned())
    } else {
        Err(ConfigError::new(NAME, format!("is http(s)://host[:port], not '{url}'")))
    }
}

/// Reads the rate limits. Only the demo profile may turn them off, with `RATE_LIMITS=off`.
fn rate_limits(vars: &Variables, profile: Profile) -> Option<RateLimits> {
    let limits = RateLimits::read(vars);
    if vars.switch("RATE_LIMITS", true) {
        return limits;
    }
    if profile != Profile::Demo {
        vars.refuse("RATE_LIMITS", "is 'off' in the demo profile only");
    }
    RateLimits::unlimited()
}

fn networks(vars: &Variables, name: &'static str) -> Vec<Network> {
    let Some(text) = vars.get(name) else { return Vec::new() };
    let all = text.split(',').map(str::trim);
    all.filter_map(|one| {
        vars.accept(one.parse().map_err(|error| ConfigError::new(name, format!("'{one}' is {error}"))))
    })
    .collect()
}

/// Refuses keys of a bucket that nothing uses: files would lie on the disk instead.
fn refuse_unused_bucket(vars: &Variables, media: Option<&MediaConfig>, backup: Option<&BackupConfig>) {
    let is_unused = |backup: &BackupConfig| !backup.is_in_bucket();
    if matches!(media, Some(MediaConfig::Folder)) && backup.is_some_and(is_unused) {
        vars.refuse_without("MEDIA_URL", &S3Config::VARIABLES);
    }
}

/// A secret that the operator gives; `None` if the variable is not set.
fn given_secret(vars: &Variables, name: &'static str) -> Option<Result<Secret, ConfigError>> {
    const LEAST: usize = identity::Seal::MIN_SECRET_BYTES;
    let text = vars.get(name)?;
    Some(if text.len() < LEAST {
        Err(ConfigError::new(name, format!("has at least {LEAST} characters")))
    } else {
        Ok(Secret::new(text))
    })
}

/// The configured secret. The demo profile defaults to the secret in its data directory; production requires one. The
/// flag tells whether the demo has none stored yet.
fn secret(vars: &Variables, profile: Profile, home: &std::path::Path) -> Result<(Secret, bool), ConfigError> {
    const NAME: &str = "PITH_SECRET";
    match given_secret(vars, NAME) {
        Some(given) => given.map(|secret| (secret, false)),
        None if profile == Profile::Production => Err(ConfigError::new(
            NAME,
            "is missing: at least 32 random characters, which seal the keys in the database",
        )),
        None => demo_secret(home).map(|(secret, is_missing)| (Secret::new(secret), is_missing)).map_err(|error| {
            ConfigError::new("PITH_HOME", format!("can't be read from ({}): {error}", home.display()))
        }),
    }
}

/// The demo's secret from its data directory, or a temporary one. The flag tells whether the directory has none.
fn demo_secret(home: &std::path::Path) -> std::io::Result<(Vec<u8>, bool)> {
    match std::fs::read(home.join("secret")) {
        Ok(secret) => Ok((secret, false)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok((new_secret()?.into_bytes(), true)),
        Err(error) => Err(error),
    }
}

fn new_secret() -> std::io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    Ok(hex::encode(bytes))
}

/// Creates the demo's secret in its data directory. The first process creates it; the others read it.
///
/// # Errors
/// The directory can't be written to.
pub fn keep_demo_secret(home: &std::path::Path) -> std::io::Result<()> {
    use std::{fs, io::Write, os::unix::fs::OpenOptionsExt};
    fs::create_dir_all(home)?;
    match fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(home.join("secret")) {
        Ok(mut file) => file.write_all(new_secret()?.as_bytes()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Reads domains, separated by commas.
fn kindle_domains(vars: &Variables) -> Vec<String> {
    const NAME: &str = "KINDLE_DOMAINS";
    let Some(text) = vars.get(NAME) else { return delivery::KINDLE_DOMAINS.map(str::to_owned).to_vec() };
    let domains = text.split(',').map(|domain| domain.trim().to_lowercase());
    domains
        .inspect(|domain| {
            if Email::parse(&format!("name@{domain}")).is_err() {
                vars.refuse(NAME, format!("is a list of domains, and '{domain}' is none"));
            }
        })
        .collect()
}

impl SiteConfig {
    /// `None` if something is wrong.
    fn read(vars: &Variables, profile: Profile) -> Option<Self> {
        let name = vars.trimmed("SITE_NAME").unwrap_or_else(|| "Pith".to_owned());
        if !is_site_name(&name) {
            vars.refuse("SITE_NAME", format!("is one line of at most {MAX_SITE_NAME} characters"));
        }
        let support_email = vars.trimmed("SUPPORT_EMAIL").unwrap_or_else(|| "support@example.com".to_owned());
        let support_email = Email::parse(&support_email)
            .map_err(|_| ConfigError::new("SUPPORT_EMAIL", format!("is an email address, not '{support_email}'")));
        let support_email = vars.accept(support_email);
        let year: u16 = vars.number("COPYRIGHT_YEAR", 2022, 1900..=9999);
        let support_phone = vars.trimmed("SUPPORT_PHONE").unwrap_or_else(|| "+1 555 010 0100".to_owned());
        if !support_phone.chars().any(|digit| digit.is_ascii_digit()) {
            vars.refuse("SUPPORT_PHONE", "is a phone number");
        }
        Some(Self {
            name,
            is_name_set: vars.get("SITE_NAME").is_some(),
            support_phone,
            copyright_year: year.to_string(),
            social: named_links(vars, "SOCIAL_LINKS", profile, DEMO_SOCIAL_LINKS),
            stores: named_links(vars, "STORE_LINKS", profile, DEMO_STORE_LINKS),
            support_email: support_email?,
        })
    }
}

/// Reads `Name=https://…` pairs, separated by commas.
fn named_links(vars: &Variables, name: &'static str, profile: Profile, demo: &str) -> Vec<(String, String)> {
    let text = match (vars.get(name), profile) {
        (Some(text), _) => text,
        (None, Profile::Demo) => demo.to_owned(),
        (None, Profile::Production) => return Vec::new(),
    };
    let read = |pair: &str| {
        let (label, url) = pair
            .trim()
            .split_once('=')
            .filter(|(label, _)| !label.trim().is_empty())
            .ok_or_else(|| ConfigError::new(name, "is Name=https://…,Name=https://…"))?;
        if url.starts_with("https://") || url.starts_with("http://") {
            Ok((label.trim().to_owned(), url.trim().to_owned()))
        } else {
            Err(ConfigError::new(name, format!("'{url}' is not a web address")))
        }
    };
    text.split(',').filter_map(|pair| vars.accept(read(pair))).collect()
}

#[cfg(test)]
mod tests {
    use super::{Config, Profile, Variables};

    #[test]
    fn the_demo_has_social_links_and_app_stores_and_others_have_those_that_are_set() {
        let site = |vars: &[(&str, &str)]| config(vars).unwrap().site;
        let demo_profile = [("PITH_PROFILE", "demo"), ("PUBLIC_URL", "http://localhost:4000")];
        let demo = site(&demo_profile);
        assert_eq!((demo.social.len(), demo.stores.len()), (3, 2));
        assert!(demo.social.iter().chain(&demo.stores).all(|(_, url)| url.starts_with("https://example.com/")));
        let own = [&demo_profile[..], &[("SOCIAL_LINKS", "Mastodon=https://social.example/@quire")]].concat();
        assert_eq!(site(&own).social, [("Mastodon".to_owned(), "https://social.example/@quire".to_owned())]);
        let production = site(&[]);
        assert!(production.social.is_empty() && production.stores.is_empty());
    }

    const BASE: [(&str, &str); 3] = [
        ("DATABASE_URL", "postgres://localhost/pith"),
        ("PITH_SECRET", "0123456789abcdef0123456789abcdef"),
        ("PUBLIC_URL", "https://pith.example/"),
    ];

    fn config(vars: &[(&str, &str)]) -> Result<Config, String> {
        Config::read(&Variables::new(BASE.iter().chain(vars).copied())).map_err(|error| error.to_string())
    }

    #[test]
    fn production_is_the_default_profile() {
        let config = config(&[]).unwrap();
        assert_eq!(config.profile, Profile::Production);
        assert_eq!((config.bind.to_string(), config.port), ("127.0.0.1".to_owned(), 4000));
        assert_eq!(config.public_url, "https://pith.example");
        assert!(config.is_https());
    }

    const OPERATING: &str = include_str!("../../../docs/OPERATING.md");

    /// The rows of the operators' table of wrong settings: the variables, and the outcome.
    fn wrong_settings() -> Vec<(Vec<(&'static str, &'static str)>, &'static str)> {
        let table = OPERATING.split_once("| setting | outcome | why |").expect("a table").1;
        let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
        rows.map(|row| {
            let [settings, outcome] = row.trim_matches('|').splitn(3, " | ").take(2).collect::<Vec<_>>()[..] else {
                panic!("{row}");
            };
            let settings = settings.split('`').skip(1).step_by(2);
            (settings.map(|one| one.split_once('=').expect("name=value")).collect(), outcome)
        })
        .collect()
    }

    #[test]
    fn wrong_settings_are_refused_or_warned_of_as_operators_are_told() {
        let rows = wrong_settings();
        assert!(rows.len() > 60, "{}", rows.len());
        let fine = [
            ("PITH_SECRET", "JK2v9qTzRw7pXb4nLm8sYc3dHf6gAe5u"),
            ("SMTP_URL", "smtps://mail.example"),
            ("SUPPORT_EMAIL", "help@pith.example"),
            ("STRIPE_SECRET_KEY", "sk_live_1"),
            ("STRIPE_PUBLISHABLE_KEY", "pk_live_1"),
            ("STRIPE_WEBHOOK_SECRET", "whsec_1"),
        ];
        for (settings, told) in rows {
            let read = config(&[&fine, &settings[..]].concat());
            let outcome = match &read {
                Err(_) => "refused",
                Ok(config) if config.warnings.is_empty() => "starts",
                Ok(_) => "warned of",
            };
            assert_eq!(outcome, told, "{settings:?}: {read:?}");
            let lines =
                read.map_or_else(|errors| errors.lines().map(str::to_owned).collect(), |config| config.warnings);
            let names = |line: &String| settings.iter().any(|(name, _)| line.starts_with(name));
            assert!(lines.is_empty() || lines.iter().any(names) || told == "refused", "{settings:?}: {lines:?}");
            assert!(!lines.concat().contains("secret@") && !lines.concat().contains("change-me-change"), "{lines:?}");
        }
    }

    #[test]
    fn production_does_not_start_without_its_secret_or_address() {
        assert!(config(&[("PITH_SECRET", "")]).unwrap_err().starts_with("PITH_SECRET"));
        assert!(config(&[("PUBLIC_URL", "")]).unwrap_err().starts_with("PUBLIC_URL"));
        assert!(config(&[("DATABASE_URL", "")]).unwrap_err().starts_with("DATABASE_URL"));
    }

    #[test]
    fn only_the_demo_runs_with_pretended_payments() {
        let site = |vars: &[(&str, &str)]| {
            let vars = Variables::new(BASE.iter().chain(vars).copied());
            Config::read_for_site(&vars).map(|_| ()).map_err(|errors| errors.to_string())
        };
        let refusal = site(&[("PORT", "no")]).unwrap_err();
        assert!(refusal.starts_with("PORT: ") && refusal.contains("\nSTRIPE_SECRET_KEY: is missing"), "{refusal}");
        assert_eq!(site(&[("PITH_PROFILE", "demo"), ("PUBLIC_URL", "http://localhost:4000")]), Ok(()));
        let keys = [
            ("STRIPE_SECRET_KEY", "sk_live_1"),
            ("STRIPE_PUBLISHABLE_KEY", "pk_live_1"),
            ("STRIPE_WEBHOOK_SECRET", "whsec_1"),
        ];
        assert_eq!(site(&keys), Ok(()));
        assert!(config(&[]).is_ok(), "commands take no payments");
    }

    #[test]
    fn the_demo_starts_at_private_addresses_only() {
        let demo = |url: &str, bind: &str| {
            config(&[("PITH_PROFILE", "demo"), ("PUBLIC_URL", url), ("BIND", bind)]).map(|_| ())
        };
        for url in [
            "http://localhost:4000",
            "http://127.0.0.1:4000",
            "http://[::1]:4000",
            "http://192.168.1.7",
            "http://pith.test",
            "http://demo:4000",
            "http://pith.localhost",
            "http://box.local",
            "http://10.0.0.2:4000",
        ] {
            assert_eq!(demo(url, "0.0.0.0"), Ok(()), "{url}");
        }
        for url in
            ["https://pith.example.com", "http://203.0.113.9:4000", "https://demo.pith.dev", "http://[2001:db8::1]"]
        {
            assert!(demo(url, "127.0.0.1").unwrap_err().starts_with("PITH_PROFILE: "), "{url}");
        }
        assert!(demo("http://localhost:4000", "203.0.113.9").unwrap_err().starts_with("PITH_PROFILE: "));
    }

    #[test]
    fn weak_settings_are_named() {
        let weaknesses = |vars: &[(&str, &str)]| {
            let base = [
                ("PITH_SECRET", "JK2v9qTzRw7pXb4nLm8sYc3dHf6gAe5u"),
                ("SMTP_URL", "smtps://mail.example"),
                ("SUPPORT_EMAIL", "help@pith.example"),
            ];
            config(&[&base, vars].concat()).unwrap().warnings
        };
        assert_eq!(weaknesses(&[]), Vec::<String>::new());
        let one = |vars: &[(&str, &str)], name: &str| {
            let found = weaknesses(vars);
            assert!(found.len() == 1 && found[0].starts_with(name), "{vars:?}: {found:?}");
        };
        one(&[("PUBLIC_URL", "http://pith.example.com")], "PUBLIC_URL ");
        one(&[("SMTP_URL", "")], "SMTP_URL ");
        for secret in [
            "0123456789abcdef0123456789abcdef",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "abcabcabcabcabcabcabcabcabcabcabcabc",
            "change-me-change-me-change-me-please",
            "MySuperSecretPassword-MySuperSecretPassword",
            "12345678901234567890123456789012",
            "correct horse battery staple forever",
        ] {
            one(&[("PITH_SECRET", secret)], "PITH_SECRET ");
        }
        for secret in
            ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "JK2v9qTzRw7pXb4nLm8sYc3dHf6gAe5u+/="]
        {
            assert_eq!(weaknesses(&[("PITH_SECRET", secret)]), Vec::<String>::new(), "{secret}");
        }
        assert!(!weaknesses(&[("PITH_SECRET", "0123456789abcdef0123456789abcdef")])[0].contains("0123456789"));
    }

    #[test]
    fn a_secret_is_never_printed() {
        assert!(!format!("{:?}", config(&[]).unwrap()).contains("0123456789abcdef"));
    }
}
