//! Settings of the payment providers, and the gateways built from them (`billing.sandbox-cards`).

use std::{net::Ipv4Addr, path::Path, sync::Arc, time::Duration};

use billing::gateway::{GatewayProvider, PaymentGateway};
use kernel::{ConfigError, Env, Secret, config::Variables};
use url::{Host, Url};

use crate::{
    Sandbox,
    key::digest,
    paypal::{self, PayPal, PayPalConfig},
    stripe::{self, SetupError, Stripe, StripeConfig},
};

/// The timeout of one request to a provider.
const TIMEOUT: Duration = Duration::from_secs(20);

const STRIPE_SECRET_KEY: &str = "STRIPE_SECRET_KEY";
const STRIPE_PUBLISHABLE_KEY: &str = "STRIPE_PUBLISHABLE_KEY";
const STRIPE_WEBHOOK_SECRET: &str = "STRIPE_WEBHOOK_SECRET";
const STRIPE_API_URL: &str = "STRIPE_API_URL";
const PAYPAL_CLIENT_ID: &str = "PAYPAL_CLIENT_ID";
const PAYPAL_CLIENT_SECRET: &str = "PAYPAL_CLIENT_SECRET";
const PAYPAL_WEBHOOK_ID: &str = "PAYPAL_WEBHOOK_ID";
const PAYPAL_API_URL: &str = "PAYPAL_API_URL";
const SANDBOX_FILE: &str = "SANDBOX_FILE";

/// The settings of each provider with API keys in the environment, and of the sandbox, which stands in for them without keys.
#[derive(Clone, Debug)]
pub struct PaymentsConfig {
    pub stripe: Option<StripeConfig>,
    pub paypal: Option<PayPalConfig>,
    /// Whether the sandbox's state is in a file, which other processes share and which outlives this one.
    pub sandbox_file: bool,
}

impl PaymentsConfig {
    /// Reads the `STRIPE_…`, `PAYPAL_…` and `SANDBOX_…` environment variables. A provider whose variables are wrong is left out.
    pub fn read(vars: &Variables) -> Self {
        Self { stripe: read_stripe(vars), paypal: read_paypal(vars), sandbox_file: vars.switch(SANDBOX_FILE, true) }
    }

    /// Whether no provider has API keys, so that payments are simulated.
    pub const fn is_sandbox(&self) -> bool {
        self.stripe.is_none() && self.paypal.is_none()
    }

    /// Whether the card payments are of Stripe's test mode.
    pub fn is_test(&self) -> bool {
        self.stripe.as_ref().is_some_and(|stripe| mode(&stripe.publishable_key) == Some("test"))
    }

    /// Refuses that payments are simulated (`billing.sandbox-marked`). A provider whose variables are wrong has been refused already.
    pub fn refuse_sandbox(vars: &Variables) {
        const NAMES: [&str; 6] = [
            STRIPE_SECRET_KEY,
            STRIPE_PUBLISHABLE_KEY,
            STRIPE_WEBHOOK_SECRET,
            PAYPAL_CLIENT_ID,
            PAYPAL_CLIENT_SECRET,
            PAYPAL_WEBHOOK_ID,
        ];
        if NAMES.iter().all(|name| vars.get(name).is_none()) {
            vars.refuse(
                STRIPE_SECRET_KEY,
                "is missing, and so is PAYPAL_CLIENT_ID: without a payment provider's keys, payments are simulated, and only in \
                 the demo profile",
            );
        }
    }
}

fn read_stripe(vars: &Variables) -> Option<StripeConfig> {
    let api = vars.accept(api_url(vars, STRIPE_API_URL, stripe::API));
    let begins = |name, prefixes: &[&str]| {
        let Some(text) = vars.trimmed(name) else { return };
        if !prefixes.iter().any(|prefix| text.starts_with(prefix)) {
            vars.refuse(name, format!("begins with {}", prefixes.join(" or ")));
        }
    };
    begins(STRIPE_SECRET_KEY, &["sk_", "rk_"]);
    begins(STRIPE_PUBLISHABLE_KEY, &["pk_"]);
    begins(STRIPE_WEBHOOK_SECRET, &["whsec_"]);
    let mode_of = |name| vars.trimmed(name).as_deref().and_then(mode);
    // Stripe's page of one mode gets nothing that a key of the other can charge.
    if let (Some(ours), Some(pages)) = (mode_of(STRIPE_SECRET_KEY), mode_of(STRIPE_PUBLISHABLE_KEY))
        && ours != pages
    {
        let problem = format!("is a key of {pages} mode, and {STRIPE_SECRET_KEY} one of {ours} mode");
        vars.refuse(STRIPE_PUBLISHABLE_KEY, problem);
    }
    let [secret, publishable, webhook] =
        vars.all_or_none([STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET])?;
    Some(StripeConfig {
        api: api?,
        secret_key: Secret::new(secret),
        publishable_key: publishable,
        webhook_secret: Secret::new(webhook),
        timeout: TIMEOUT,
    })
}

/// The mode that a key of Stripe's names behind its kind.
fn mode(key: &str) -> Option<&'static str> {
    let named = key.split('_').nth(1)?;
    ["live", "test"].into_iter().find(|mode| *mode == named)
}

fn read_paypal(vars: &Variables) -> Option<PayPalConfig> {
    let api = vars.accept(api_url(vars, PAYPAL_API_URL, paypal::API));
    let [client_id, secret, webhook_id] =
        vars.all_or_none([PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET, PAYPAL_WEBHOOK_ID])?;
    Some(PayPalConfig { api: api?, client_id, client_secret: Secret::new(secret), webhook_id, timeout: TIMEOUT })
}

/// Reads the base URL of an API. API keys are sent to it, so it must use TLS or be on this machine.
fn api_url(vars: &Variables, name: &'static str, default: &str) -> Result<Url, ConfigError> {
    let url = Url::parse(&vars.trimmed(name).unwrap_or_else(|| default.to_owned())).ok().filter(|url| {
        let is_local = match url.host() {
            Some(Host::Domain(host)) => host == "localhost",
            Some(Host::Ipv4(address)) => address == Ipv4Addr::LOCALHOST,
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        };
        (url.scheme() == "https" || url.scheme() == "http" && is_local)
            && url.path() == "/"
            && url.username().is_empty()
    });
    url.ok_or_else(|| ConfigError::new(name, "is an address with https:// (http:// on this machine only) and no path"))
}

/// The gateways of the configured providers; only the sandbox if none is configured.
#[derive(Debug)]
pub struct Gateways {
    gateways: Vec<Arc<dyn PaymentGateway>>,
    sandbox: Option<Arc<Sandbox>>,
}

impl Gateways {
    /// Creates the gateways without connecting to the providers. The sandbox's file is in `home`, the data folder,
    /// and signs its webhooks with a key derived from `secret`, so that all processes of a site share both.
    pub fn new(config: &PaymentsConfig, home: &Path, secret: &Secret, env: &Arc<dyn Env>) -> Result<Self, SetupError> {
        if config.is_sandbox() {
            let key = Secret::new(digest(&["sandbox webhooks", &hex::encode(secret.bytes())]));
            let sandbox = Arc::new(if config.sandbox_file {
                Sandbox::in_file(&home.join("sandbox.json"), Arc::clone(env), key)
            } else {
                Sandbox::in_memory(Arc::clone(env), key)
            });
            let gateway: Arc<dyn PaymentGateway> = sandbox.clone();
            return Ok(Self { gateways: vec![gateway], sandbox: Some(sandbox) });
        }
        let mut gateways: Vec<Arc<dyn PaymentGateway>> = Vec::new();
        if let Some(stripe) = &config.stripe {
            gateways.push(Arc::new(Stripe::new(stripe.clone(), Arc::clone(env))?));
        }
        if let Some(paypal) = &config.paypal {
            gateways.push(Arc::new(PayPal::new(paypal.clone(), Arc::clone(env))?));
        }
        Ok(Self { gateways, sandbox: None })
    }

    /// The gateway of a provider; `None` if it is not configured.
    pub fn get(&self, provider: GatewayProvider) -> Option<&Arc<dyn PaymentGateway>> {
        self.gateways.iter().find(|gateway| gateway.provider() == provider)
    }

    /// The gateway for card payments: Stripe or the sandbox.
    pub fn cards(&self) -> Option<&Arc<dyn PaymentGateway>> {
        self.get(GatewayProvider::Sandbox).or_else(|| self.get(GatewayProvider::Stripe))
    }

    pub fn all(&self) -> impl Iterator<Item = &Arc<dyn PaymentGateway>> {
        self.gateways.iter()
    }

    /// The configured providers.
    pub fn providers(&self) -> Vec<GatewayProvider> {
        self.gateways.iter().map(|gateway| gateway.provider()).collect()
    }

    /// The sandbox, for its authentication page and its webhooks; `None` if a real provider is configured.
    pub const fn sandbox(&self) -> Option<&Arc<Sandbox>> {
        self.sandbox.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use kernel::{FixedEnv, Timestamp};

    use super::*;

    const STRIPE: [(&str, &str); 3] = [
        (STRIPE_SECRET_KEY, " sk_test_hush "),
        (STRIPE_PUBLISHABLE_KEY, "pk_test_1"),
        (STRIPE_WEBHOOK_SECRET, "whsec_hush"),
    ];

    const PAYPAL: [(&str, &str); 3] =
        [(PAYPAL_CLIENT_ID, "client"), (PAYPAL_CLIENT_SECRET, "hush"), (PAYPAL_WEBHOOK_ID, "1JE4291016473214C")];

    fn read(vars: &[(&str, &str)]) -> Result<PaymentsConfig, String> {
        let vars = Variables::new(vars.iter().copied());
        let read = PaymentsConfig::read(&vars);
        vars.finish(Some(read)).map_err(|error| error.to_string())
    }

    #[test]
    fn without_keys_payments_are_pretended_and_that_can_be_refused() {
        let refused = |vars: &[(&str, &str)]| {
            let vars = Variables::new(vars.iter().copied());
            PaymentsConfig::read(&vars);
            PaymentsConfig::refuse_sandbox(&vars);
            vars.finish(Some(())).map_err(|errors| errors.to_string())
        };
        assert!(read(&[]).unwrap().is_sandbox());
        assert!(refused(&[]).unwrap_err().starts_with("STRIPE_SECRET_KEY: is missing, and so is PAYPAL_CLIENT_ID"));
        assert_eq!((refused(&STRIPE), refused(&PAYPAL)), (Ok(()), Ok(())));
        assert!(!refused(&PAYPAL[1..]).unwrap_err().contains("STRIPE"));
        let stripe = read(&STRIPE).unwrap();
        assert!(!stripe.is_sandbox());
        let stripe = stripe.stripe.unwrap();
        assert_eq!((stripe.api.as_str(), stripe.secret_key.bytes()), (stripe::API, &b"sk_test_hush"[..]));
        assert!(!format!("{stripe:?}").contains("hush"));
    }

    #[test]
    fn a_bad_value_is_named() {
        for (name, value) in [
            (STRIPE_SECRET_KEY, "pk_test_1"),
            (STRIPE_PUBLISHABLE_KEY, "sk_test_1"),
            (STRIPE_PUBLISHABLE_KEY, "pk_live_1"),
            (STRIPE_WEBHOOK_SECRET, "secret"),
            (STRIPE_API_URL, "http://api.example"),
            (STRIPE_API_URL, "https://api.example/v1"),
            (STRIPE_API_URL, "nonsense"),
            (SANDBOX_FILE, "memory"),
        ] {
            let error = read(&[&STRIPE[..], &[(name, value)]].concat()).unwrap_err();
            assert!(error.starts_with(&format!("{name}: ")) && !error.contains("hush"), "{error}");
        }
        assert!(read(&STRIPE[1..]).unwrap_err().starts_with("STRIPE_SECRET_KEY: is missing, though"));
        assert!(read(&STRIPE[..2]).unwrap_err().starts_with("STRIPE_WEBHOOK_SECRET: is missing, though"));
        assert_eq!(read(&STRIPE[..1]).unwrap_err().lines().count(), 2);
        assert!(read(&PAYPAL[..2]).unwrap_err().starts_with("PAYPAL_WEBHOOK_ID: is missing, though"));
        assert!(read(&PAYPAL[1..]).unwrap_err().starts_with("PAYPAL_CLIENT_ID: is missing, though"));
        let local = [&STRIPE[..], &[(STRIPE_API_URL, "http://127.0.0.1:4242")]].concat();
        assert_eq!(read(&local).unwrap().stripe.unwrap().api.as_str(), "http://127.0.0.1:4242/");
    }

    #[test]
    fn the_gateways_are_those_with_keys_or_the_sandbox() {
        let env: Arc<dyn Env> = Arc::new(FixedEnv::at(Timestamp::from_millis(0)));
        let home = tempfile::tempdir().unwrap();
        let of =
            |vars: &[(&str, &str)]| Gateways::new(&read(vars).unwrap(), home.path(), &Secret::new("s"), &env).unwrap();
        let sandbox = of(&[]);
        assert!(sandbox.sandbox().is_some() && sandbox.get(GatewayProvider::Stripe).is_none());
        assert_eq!(sandbox.cards().unwrap().provider(), GatewayProvider::Sandbox);
        let file = home.path().join("sandbox.json");
        of(&[(SANDBOX_FILE, "off")]).sandbox().unwrap().advance().unwrap();
        assert!(!file.exists());
        sandbox.sandbox().unwrap().advance().unwrap();
        assert!(file.exists());
        rustls::crypto::ring::default_provider().install_default().ok();
        let stripe = of(&STRIPE);
        assert!(stripe.sandbox().is_none() && stripe.get(GatewayProvider::PayPal).is_none());
        assert_eq!(stripe.cards().unwrap().provider(), GatewayProvider::Stripe);
        assert_eq!(stripe.all().count(), 1);
        let both = of(&[&STRIPE[..], &PAYPAL].concat());
        assert!(both.all().count() == 2 && both.get(GatewayProvider::PayPal).is_some());
        let paypal = of(&PAYPAL);
        assert!(paypal.cards().is_none() && paypal.sandbox().is_none());
        assert!(!format!("{:?}", read(&PAYPAL).unwrap()).contains("hush"));
    }
}
