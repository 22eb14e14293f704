//! Security headers of pages that follow from the configuration.

use actix_web::http::header::{HeaderValue, InvalidHeaderValue};
use payments::PaymentsConfig;

/// Security headers of pages: which sources they may load, and which browser features they may use.
///
/// Scripts, styles, fonts and data come from this origin, and nothing is inline. A configured payment provider may also load
/// its scripts and frames for its card form or buttons. That applies to every page, because the web app navigates to the
/// checkout from any page without loading another document.
#[derive(Debug)]
pub struct SitePolicy {
    /// `Content-Security-Policy`.
    pub content: HeaderValue,
    /// `Permissions-Policy`.
    pub permissions: HeaderValue,
    /// `Cross-Origin-Opener-Policy`: PayPal's buttons must communicate with the window that they open.
    pub opener: HeaderValue,
}

impl SitePolicy {
    /// The policy of a site with these payment providers.
    pub fn new(payments: &PaymentsConfig) -> Result<Self, InvalidHeaderValue> {
        let (stripe, paypal) = (payments.stripe.is_some(), payments.paypal.is_some());
        let only = |is_set: bool, hosts: &'static str| if is_set { hosts } else { "" };
        let scripts = only(stripe, " https://js.stripe.com https://*.js.stripe.com");
        let frames = only(stripe, " https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com");
        let calls = only(stripe, " https://api.stripe.com");
        let (buttons, inline) = (only(paypal, " https://*.paypal.com"), only(paypal, " 'unsafe-inline'"));
        let pictures = only(paypal, " https://*.paypal.com https://*.paypalobjects.com");
        let frame_sources =
            if stripe || paypal { format!("frame-src 'self'{frames}{buttons}; ") } else { String::new() };
        let wallets = only(stripe, ", payment=(self \"https://js.stripe.com\")");
        Ok(Self {
            content: HeaderValue::try_from(format!(
                "default-src 'none'; script-src 'self'{scripts}{buttons}; style-src 'self'{inline}; img-src 'self' data:{pictures}; \
                 font-src 'self'; media-src 'self'; connect-src 'self'{calls}{buttons}; {frame_sources}manifest-src 'self'; \
                 form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
            ))?,
            permissions: HeaderValue::try_from(format!(
                "camera=(), microphone=(), geolocation=(), browsing-topics=(), publickey-credentials-create=(self), \
                 publickey-credentials-get=(self){wallets}"
            ))?,
            opener: HeaderValue::from_static(if paypal { "same-origin-allow-popups" } else { "same-origin" }),
        })
    }
}

#[cfg(test)]
mod tests {
    use kernel::config::Variables;

    use super::*;

    fn policy(vars: &[(&'static str, &str)]) -> [String; 3] {
        let config = PaymentsConfig::read(&Variables::new(vars.iter().copied()));
        let SitePolicy { content, permissions, opener } = SitePolicy::new(&config).expect("headers");
        [content, permissions, opener].map(|value| value.to_str().expect("text").to_owned())
    }

    #[test]
    fn a_site_without_providers_loads_from_itself_alone() {
        let [content, permissions, opener] = policy(&[]);
        assert!(
            !content.contains("https:") && !content.contains("unsafe") && !content.contains("frame-src"),
            "{content}"
        );
        assert!(!permissions.contains("payment") && opener == "same-origin", "{permissions} {opener}");
    }

    #[test]
    fn a_provider_with_keys_may_show_its_form_and_no_other_host_may() {
        let stripe = [
            ("STRIPE_SECRET_KEY", "sk_test_1"),
            ("STRIPE_PUBLISHABLE_KEY", "pk_test_1"),
            ("STRIPE_WEBHOOK_SECRET", "whsec_1"),
        ];
        let [content, permissions, opener] = policy(&stripe);
        for part in [
            "script-src 'self' https://js.stripe.com https://*.js.stripe.com;",
            "frame-src 'self' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com;",
            "connect-src 'self' https://api.stripe.com;",
            "style-src 'self';",
        ] {
            assert!(content.contains(part), "{part} in {content}");
        }
        assert!(permissions.ends_with(r#", payment=(self "https://js.stripe.com")"#) && opener == "same-origin");

        let paypal = [("PAYPAL_CLIENT_ID", "id"), ("PAYPAL_CLIENT_SECRET", "secret"), ("PAYPAL_WEBHOOK_ID", "hook")];
        let [content, _, opener] = policy(&paypal);
        assert!(
            content.contains("script-src 'self' https://*.paypal.com;") && !content.contains("stripe"),
            "{content}"
        );
        assert_eq!(opener, "same-origin-allow-popups");
    }
}
