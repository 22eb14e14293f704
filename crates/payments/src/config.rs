//! Settings of the payment providers, and the gateways built from them (`billing.sandbox-cards`).

use std::{net::Ipv4Addr, path::Path, sync::Arc, time::Duration};

use billing::gateway::{GatewayProvider, PaymentGateway};
use kernel::{ConfigError, Env, Secret, config::read_switch};
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
    /// Reads the `STRIPE_…`, `PAYPAL_…` and `SANDBOX_…` environment variables.
    pub fn read(var: &impl Fn(&'static str) -> Option<String>) -> Result<Self, ConfigError> {
        let sandbox_file = read_switch(var, SANDBOX_FILE, true)?;
        Ok(Self { stripe: read_stripe(var)?, paypal: read_paypal(var)?, sandbox_file })
    }

    /// Whether no provider has API keys, so that payments are simulated.
    pub const fn is_sandbox(&self) -> bool {
        self.stripe.is_none() && self.paypal.is_none()
    }

    /// For profiles with real payments.
    ///
    /// # Errors
    /// [`ConfigError`] if payments would be simulated.
    pub fn refuse_sandbox(&self) -> Result<(), ConfigError> {
        if self.is_sandbox() {
            let missing = "is missing, and so is PAYPAL_CLIENT_ID: without a payment provider's keys, payments are \
                simulated, and only in the demo profile";
            return Err(ConfigError::new(STRIPE_SECRET_KEY, missing));
        }
        Ok(())
    }
}

fn read_stripe(var: &impl Fn(&'static str) -> Option<String>) -> Result<Option<StripeConfig>, ConfigError> {
    let trimmed = |name| var(name).map(|text| text.trim().to_owned());
    let Some(secret_key) = trimmed(STRIPE_SECRET_KEY) else {
        return match [STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET].into_iter().find(|name| var(name).is_some()) {
            Some(name) => Err(ConfigError::new(STRIPE_SECRET_KEY, format!("is missing, though {name} is set"))),
            None => Ok(None),
        };
    };
    let needed = |name: &'static str, prefix: &str| {
        let text = trimmed(name)
            .ok_or_else(|| ConfigError::new(name, format!("is missing, though {STRIPE_SECRET_KEY} is set")))?;
        if text.starts_with(prefix) { Ok(text) } else { Err(ConfigError::new(name, format!("begins with {prefix}"))) }
    };
    if !secret_key.starts_with("sk_") && !secret_key.starts_with("rk_") {
        return Err(ConfigError::new(STRIPE_SECRET_KEY, "begins with sk_ or rk_"));
    }
    Ok(Some(StripeConfig {
        api: read_url(var, STRIPE_API_URL, stripe::API)?,
        secret_key: Secret::new(secret_key),
        publishable_key: needed(STRIPE_PUBLISHABLE_KEY, "pk_")?,
        webhook_secret: Secret::new(needed(STRIPE_WEBHOOK_SECRET, "whsec_")?),
        timeout: TIMEOUT,
    }))
}

fn read_paypal(var: &impl Fn(&'static str) -> Option<String>) -> Result<Option<PayPalConfig>, ConfigError> {
    let trimmed = |name| var(name).map(|text| text.trim().to_owned());
    let Some(client_id) = trimmed(PAYPAL_CLIENT_ID) else {
        return match [PAYPAL_CLIENT_SECRET, PAYPAL_WEBHOOK_ID].into_iter().find(|name| var(name).is_some()) {
            Some(name) => Err(ConfigError::new(PAYPAL_CLIENT_ID, format!("is missing, though {name} is set"))),
            None => Ok(None),
        };
    };
    let needed = |name: &'static str| {
        trimmed(name).ok_or_else(|| ConfigError::new(name, format!("is missing, though {PAYPAL_CLIENT_ID} is set")))
    };
    Ok(Some(PayPalConfig {
        api: read_url(var, PAYPAL_API_URL, paypal::API)?,
        client_id,
        client_secret: Secret::new(needed(PAYPAL_CLIENT_SECRET)?),
        webhook_id: needed(PAYPAL_WEBHOOK_ID)?,
        timeout: TIMEOUT,
    }))
}

/// Reads the base URL of an API. API keys are sent to it, so it must use TLS or be on this machine.
fn read_url(
    var: &impl Fn(&'static str) -> Option<String>,
    name: &'static str,
    default: &str,
) -> Result<Url, ConfigError> {
    let text = var(name).unwrap_or_else(|| default.to_owned());
    let url = Url::parse(text.trim()).ok().filter(|url| {
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
        let var =
            |name: &'static str| vars.iter().rev().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        PaymentsConfig::read(&var).map_err(|error| error.to_string())
    }

    #[test]
    fn without_keys_payments_are_pretended_and_that_can_be_refused() {
        let none = read(&[]).unwrap();
        assert!(none.is_sandbox());
        assert!(none.refuse_sandbox().unwrap_err().to_string().starts_with("STRIPE_SECRET_KEY: is missing"));
        let stripe = read(&STRIPE).unwrap();
        assert!(!stripe.is_sandbox() && stripe.refuse_sandbox().is_ok());
        let stripe = stripe.stripe.unwrap();
        assert_eq!((stripe.api.as_str(), stripe.secret_key.bytes()), (stripe::API, &b"sk_test_hush"[..]));
        assert!(!format!("{stripe:?}").contains("hush"));
    }

    #[test]
    fn a_bad_value_is_named() {
        for (name, value) in [
            (STRIPE_SECRET_KEY, "pk_test_1"),
            (STRIPE_PUBLISHABLE_KEY, "sk_test_1"),
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
