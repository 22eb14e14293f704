//! Configuration: environment variables, read once at the start. The table in `docs/OPERATING.md` lists them all.

use std::{env, net::IpAddr, path::PathBuf, time::Duration};

use client_info::Network;
use kernel::{ConfigError, Email, Secret, config::read_switch};
use language_model::LanguageModelConfig;
use mail::MailConfig;
use media::MediaConfig;
use narration::SpeechConfig;
use openid::ProviderConfig;
use payments::PaymentsConfig;
use workflows::{limits::RateLimits, tx::Settings};

/// The configuration of a process.
#[derive(Clone, Debug)]
pub struct Config {
    pub profile: Profile,
    /// The IP address that the server listens on.
    pub bind: IpAddr,
    pub port: u16,
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
    /// The libpq connection string of the database. Its user needs only the rights that `migrate` grants it.
    pub database_url: String,
    /// The connection string with which `migrate` and `restore` connect as the owner of the tables. Defaults to
    /// [`Config::database_url`].
    pub owner_database_url: String,
    pub read_connections: u32,
    pub write_connections: u32,
    /// How long a request waits for a database connection.
    pub database_wait: Duration,
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
    /// Whether the demo has no secret in its data directory yet. Then [`Config::secret`] is temporary, and
    /// [`keep_demo_secret`] creates the permanent one, unless the database was sealed with an earlier one.
    pub lacks_demo_secret: bool,
    pub limits: RateLimits,
    /// Sign-in providers, in the order in which pages show them.
    pub providers: Vec<ProviderConfig>,
    /// Payment providers.
    pub payments: PaymentsConfig,
    /// Price ids of the payment providers that mean the monthly plan (`billing.legacy-plan-names`).
    pub monthly_price_ids: Vec<String>,
    /// How mails are sent.
    pub mail: MailConfig,
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
    /// Names, contact details and links of the site.
    pub site: SiteConfig,
}

/// The deployment profile (`site.demo-profile`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// For real members.
    Production,
    /// For trying the product: demo accounts, sandbox payments.
    Demo,
}

/// Names, contact details and links of the site (`site.settings-names`).
#[derive(Clone, Debug)]
pub struct SiteConfig {
    /// The product's name.
    pub name: String,
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

mod weaknesses;

pub use weaknesses::is_public;

/// The demo's social links, in the form of `SOCIAL_LINKS`: URLs of a domain that is reserved for examples.
const DEMO_SOCIAL_LINKS: &str =
    "Mastodon=https://example.com/mastodon,Instagram=https://example.com/instagram,YouTube=https://example.com/youtube";
/// The demo's app stores, in the form of `STORE_LINKS`.
const DEMO_STORE_LINKS: &str = "App Store=https://example.com/app-store,Google Play=https://example.com/google-play";

fn wrong(variable: &'static str, problem: impl Into<String>) -> ConfigError {
    ConfigError::new(variable, problem)
}

impl Config {
    /// Reads the environment variables. A blank one counts as not set.
    pub fn from_env() -> Result<Self, ConfigError> {
        Self::from_vars(|name| env::var(name).ok().filter(|value| !value.trim().is_empty()))
    }

    /// Reads variables from any source; tests pass their own.
    pub fn from_vars(var: impl Fn(&'static str) -> Option<String>) -> Result<Self, ConfigError> {
        let profile = match var("PITH_PROFILE").as_deref() {
            None | Some("production") => Profile::Production,
            Some("demo") => Profile::Demo,
            Some(other) => return Err(wrong("PITH_PROFILE", format!("is 'production' or 'demo', not '{other}'"))),
        };
        let bind = parsed(&var, "BIND", "127.0.0.1", "an IP address")?;
        let port: u16 = parsed(&var, "PORT", "4000", "a port number")?;
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        let workers: usize = parsed(&var, "WORKERS", &cores.to_string(), "a number of threads")?;
        if workers == 0 {
            return Err(wrong("WORKERS", "is at least 1"));
        }
        let public_url = public_url(var("PUBLIC_URL"), profile, port)?;
        if profile == Profile::Demo && (weaknesses::is_public_host(host_of(&public_url)) || is_public(bind)) {
            return Err(wrong(
                "PITH_PROFILE",
                "is 'demo', whose accounts have published passwords, at a public address: PUBLIC_URL and BIND must be of this \
                 machine or a private network",
            ));
        }
        let home = PathBuf::from(var("PITH_HOME").unwrap_or_else(|| "var".to_owned()));
        let (secret, lacks_demo_secret) = secret(var("PITH_SECRET"), profile, &home)?;
        let site_name = var("SITE_NAME").unwrap_or_else(|| "Pith".to_owned());
        let mail = MailConfig::read(&var, host_of(&public_url), &site_name)?;
        let trusted_proxies = networks(&var, "TRUSTED_PROXIES")?;
        let database_url = var("DATABASE_URL").ok_or_else(|| {
            wrong("DATABASE_URL", "is missing: the address of a Postgres database, like postgres://user@host/pith")
        })?;
        let metrics_from = networks(&var, "METRICS_FROM")?;
        Ok(Self {
            profile,
            bind,
            port,
            public_url,
            home,
            drawing_wait: media::PATIENCE,
            program: env::current_exe().unwrap_or_else(|_| PathBuf::from("pith")),
            media: MediaConfig::read(&var)?,
            trusted_proxies,
            metrics_from,
            owner_database_url: var("DATABASE_OWNER_URL").unwrap_or_else(|| database_url.clone()),
            database_url,
            read_connections: at_least_one(&var, "DATABASE_READ_CONNECTIONS", &(4 * workers).to_string())?,
            write_connections: at_least_one(&var, "DATABASE_WRITE_CONNECTIONS", &(8 * workers).to_string())?,
            database_wait: Duration::from_millis(at_least_one(&var, "DATABASE_WAIT_MS", "1500")?.into()),
            workers,
            connections: at_least_one(&var, "CONNECTIONS", "4096")? as usize,
            connections_per_client: at_least_one(&var, "CONNECTIONS_PER_CLIENT", "256")? as usize,
            events_kept_days: at_least_one(&var, "EVENTS_KEPT_DAYS", "400")?,
            messages_kept_days: at_least_one(&var, "MESSAGES_KEPT_DAYS", "730")?,
            secret,
            lacks_demo_secret,
            limits: rate_limits(&var, profile)?,
            providers: openid::read_providers(&var)?,
            payments: PaymentsConfig::read(&var)?,
            monthly_price_ids: var("MONTHLY_PRICE_IDS")
                .unwrap_or_default()
                .split(',')
                .map(|id| id.trim().to_owned())
                .filter(|id| !id.is_empty())
                .collect(),
            drain: Duration::from_secs(parsed(&var, "DRAIN_SECONDS", "30", "a number of seconds")?),
            mail,
            speech: SpeechConfig::read(&var)?,
            language_model: LanguageModelConfig::read(&var)?,
            summary_wait: Duration::from_secs(parsed(&var, "SUMMARISER_WAIT", "25", "a number of seconds")?),
            kindle_domains: kindle_domains(&var)?,
            worker: read_switch(&var, "WORKER", true)?,
            cache: read_switch(&var, "PITH_CACHE", true)?,
            demo_year: profile == Profile::Demo && read_switch(&var, "DEMO_YEAR", true)?,
            site: SiteConfig {
                name: site_name,
                support_email: Email::parse(&var("SUPPORT_EMAIL").unwrap_or_else(|| "support@example.com".to_owned()))
                    .map_err(|_| wrong("SUPPORT_EMAIL", "is an email address"))?,
                support_phone: var("SUPPORT_PHONE").unwrap_or_else(|| "+1 555 010 0100".to_owned()),
                copyright_year: var("COPYRIGHT_YEAR").unwrap_or_else(|| "2022".to_owned()),
                social: named_links(&var, "SOCIAL_LINKS", profile, DEMO_SOCIAL_LINKS)?,
                stores: named_links(&var, "STORE_LINKS", profile, DEMO_STORE_LINKS)?,
            },
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

    /// Warnings about insecure settings that are allowed, one sentence each. They are logged at startup.
    pub fn weaknesses(&self) -> Vec<String> {
        weaknesses::of(self)
    }

    /// Refuses to run in production with sandbox payments (`billing.sandbox-marked`). Commands that take no payments
    /// don't call it.
    pub fn refuse_sandbox(&self) -> Result<(), ConfigError> {
        match self.profile {
            Profile::Production => self.payments.refuse_sandbox(),
            Profile::Demo => Ok(()),
        }
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

/// The host of the site's URL, without the port.
fn host_of(public_url: &str) -> &str {
    let host = public_url.split_once("://").map_or(public_url, |(_, host)| host);
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

fn parsed<T: std::str::FromStr>(
    var: &impl Fn(&'static str) -> Option<String>,
    name: &'static str,
    default: &str,
    what: &str,
) -> Result<T, ConfigError> {
    let text = var(name).unwrap_or_else(|| default.to_owned());
    text.trim().parse().map_err(|_| wrong(name, format!("is {what}, not '{text}'")))
}

fn at_least_one(
    var: &impl Fn(&'static str) -> Option<String>,
    name: &'static str,
    default: &str,
) -> Result<u32, ConfigError> {
    let number: u32 = parsed(var, name, default, "a number")?;
    if number == 0 { Err(wrong(name, "is at least 1")) } else { Ok(number) }
}

fn public_url(given: Option<String>, profile: Profile, port: u16) -> Result<String, ConfigError> {
    match given {
        None if profile == Profile::Demo => Ok(format!("http://localhost:{port}")),
        None => Err(wrong(
            "PUBLIC_URL",
            "is missing: the address at which people reach the site, like https://pith.example",
        )),
        Some(url) => {
            let url = url.trim().trim_end_matches('/').to_owned();
            let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
            let fine = host
                .is_some_and(|host| !host.is_empty() && !host.contains(['?', '#', '@', '/', '"', '<', '>', ' ', '\\']));
            if fine { Ok(url) } else { Err(wrong("PUBLIC_URL", format!("is http(s)://host[:port], not '{url}'"))) }
        }
    }
}

/// Reads the rate limits. Only the demo profile may turn them off, with `RATE_LIMITS=off`.
fn rate_limits(var: &impl Fn(&'static str) -> Option<String>, profile: Profile) -> Result<RateLimits, ConfigError> {
    match var("RATE_LIMITS").as_deref() {
        None | Some("on") => RateLimits::read(var),
        Some("off") if profile == Profile::Demo => RateLimits::read(&|_| Some(RateLimits::NONE.to_owned())),
        Some("off") => Err(wrong("RATE_LIMITS", "is 'off' in the demo profile only")),
        Some(other) => Err(wrong("RATE_LIMITS", format!("is 'on' or 'off', not '{other}'"))),
    }
}

fn networks(var: &impl Fn(&'static str) -> Option<String>, name: &'static str) -> Result<Vec<Network>, ConfigError> {
    let Some(text) = var(name) else { return Ok(Vec::new()) };
    let read = |one: &str| {
        let one = one.trim();
        one.parse().map_err(|error| wrong(name, format!("'{one}' is {error}")))
    };
    text.split(',').map(read).collect()
}

/// The configured secret. The demo profile defaults to the secret in its data directory; production requires one. The
/// flag tells whether the demo has none stored yet.
fn secret(given: Option<String>, profile: Profile, home: &std::path::Path) -> Result<(Secret, bool), ConfigError> {
    const LEAST: usize = identity::Seal::MIN_SECRET_BYTES;
    match given {
        Some(text) if text.len() < LEAST => Err(wrong("PITH_SECRET", format!("has at least {LEAST} characters"))),
        Some(text) => Ok((Secret::new(text), false)),
        None if profile == Profile::Production => {
            Err(wrong("PITH_SECRET", "is missing: at least 32 random characters, which seal the keys in the database"))
        }
        None => demo_secret(home)
            .map(|(secret, is_missing)| (Secret::new(secret), is_missing))
            .map_err(|error| wrong("PITH_HOME", format!("can't be read from ({}): {error}", home.display()))),
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
fn kindle_domains(var: &impl Fn(&'static str) -> Option<String>) -> Result<Vec<String>, ConfigError> {
    const NAME: &str = "KINDLE_DOMAINS";
    let Some(text) = var(NAME) else { return Ok(delivery::KINDLE_DOMAINS.map(str::to_owned).to_vec()) };
    text.split(',')
        .map(|domain| {
            let domain = domain.trim().to_lowercase();
            let fine = Email::parse(&format!("name@{domain}")).is_ok();
            if fine { Ok(domain) } else { Err(wrong(NAME, format!("is a list of domains, and '{domain}' is none"))) }
        })
        .collect()
}

/// Reads `Name=https://…` pairs, separated by commas.
fn named_links(
    var: &impl Fn(&'static str) -> Option<String>,
    name: &'static str,
    profile: Profile,
    demo: &str,
) -> Result<Vec<(String, String)>, ConfigError> {
    let text = match (var(name), profile) {
        (Some(text), _) => text,
        (None, Profile::Demo) => demo.to_owned(),
        (None, Profile::Production) => return Ok(Vec::new()),
    };
    text.split(',')
        .map(|pair| {
            let (label, url) =
                pair.trim().split_once('=').ok_or_else(|| wrong(name, "is Name=https://…,Name=https://…"))?;
            if url.starts_with("https://") || url.starts_with("http://") {
                Ok((label.trim().to_owned(), url.trim().to_owned()))
            } else {
                Err(wrong(name, format!("'{url}' is not a web address")))
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Config, Profile};

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

    fn config(vars: &[(&str, &str)]) -> Result<Config, String> {
        let base = [
            ("DATABASE_URL", "postgres://localhost/pith"),
            ("PITH_SECRET", "0123456789abcdef0123456789abcdef"),
            ("PUBLIC_URL", "https://pith.example/"),
        ];
        Config::from_vars(|name| {
            vars.iter()
                .chain(&base)
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned())
                .filter(|v| !v.is_empty())
        })
        .map_err(|error| error.to_string())
    }

    #[test]
    fn production_is_the_default_profile() {
        let config = config(&[]).unwrap();
        assert_eq!(config.profile, Profile::Production);
        assert_eq!((config.bind.to_string(), config.port), ("127.0.0.1".to_owned(), 4000));
        assert_eq!(config.public_url, "https://pith.example");
        assert!(config.is_https());
    }

    #[test]
    fn a_bad_value_is_named_in_one_sentence() {
        for (name, value) in [
            ("PORT", "70000"),
            ("BIND", "localhost"),
            ("PITH_PROFILE", "staging"),
            ("PUBLIC_URL", "pith.example"),
            ("PUBLIC_URL", "https://pith.example/app"),
            ("PITH_SECRET", "short"),
            ("RATE_LIMIT_LOGIN", "3 per minute"),
            ("RATE_LIMITS", "off"),
            ("WORKERS", "0"),
            ("PITH_CACHE", "maybe"),
            ("WORKER", "maybe"),
            ("SPEECH", "maybe"),
            ("SPEECH_PROGRAM", "/nowhere/at/all"),
            ("SPEECH_ENCODER", "maybe"),
            ("SUMMARISER_URL", "models.example"),
            ("SMTP_URL", "mail.example"),
            ("MAIL_FROM", "nobody"),
            ("TRUSTED_PROXIES", "10.0.0.0/8,proxy"),
            ("METRICS_FROM", "10.0.0.0/8,monitor"),
            ("DATABASE_READ_CONNECTIONS", "0"),
            ("SOCIAL_LINKS", "javascript:alert(1)"),
            ("SUPPORT_EMAIL", "support"),
            ("MEDIA_URL", "ftp://files.example"),
            ("KINDLE_DOMAINS", "kindle.com,,kindle.cn"),
            ("STRIPE_SECRET_KEY", "secret"),
        ] {
            let error = config(&[(name, value)]).unwrap_err();
            assert!(error.starts_with(&format!("{name}: ")) && !error.contains('\n'), "{name}={value}: {error}");
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
        let refusal = config(&[]).unwrap().refuse_sandbox().unwrap_err().to_string();
        assert!(refusal.starts_with("STRIPE_SECRET_KEY: is missing"), "{refusal}");
        let demo = config(&[("PITH_PROFILE", "demo"), ("PUBLIC_URL", "http://localhost:4000")]).unwrap();
        assert!(demo.refuse_sandbox().is_ok());
        let keys = [
            ("STRIPE_SECRET_KEY", "sk_live_1"),
            ("STRIPE_PUBLISHABLE_KEY", "pk_live_1"),
            ("STRIPE_WEBHOOK_SECRET", "whsec_1"),
        ];
        assert!(config(&keys).unwrap().refuse_sandbox().is_ok());
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
            let base = [("PITH_SECRET", "JK2v9qTzRw7pXb4nLm8sYc3dHf6gAe5u"), ("SMTP_URL", "smtps://mail.example")];
            config(&[vars, &base].concat()).unwrap().weaknesses()
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
