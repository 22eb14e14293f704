//! The rate limits: each with its environment variable and its default (figures: `identity.rate-limits`).

use identity::{Limits, RateLimitBucket};
use kernel::ConfigError;

macro_rules! rate_limits {
    ($($(#[$doc:meta])* $field:ident: $name:literal = $default:literal,)+) => {
        /// The rate limits, each a list of `count/seconds`.
        #[derive(Clone, Debug)]
        pub struct RateLimits {
            $($(#[$doc])* pub $field: Limits,)+
        }

        impl RateLimits {
            /// No limit: more attempts than a machine can make.
            pub const NONE: &str = "1000000/1";
            /// The variables, and what counts when they are not set.
            pub const DEFAULTS: &[(&str, &str)] = &[$(($name, $default)),+];

            /// Reads the variables.
            pub fn read(var: &impl Fn(&'static str) -> Option<String>) -> Result<Self, ConfigError> {
                let read = |name, default: &str| {
                    let text = var(name);
                    text.as_deref().unwrap_or(default).parse().map_err(|error: identity::InvalidLimits| {
                        ConfigError::new(name, error.to_string())
                    })
                };
                Ok(Self { $($field: read($name, $default)?,)+ })
            }
        }
    };
}

rate_limits! {
    /// Logins from one address of the network.
    login: "RATE_LIMIT_LOGIN" = "3/60",
    /// Logins to one account, from wherever.
    login_account: "RATE_LIMIT_LOGIN_ACCOUNT" = "100/3600",
    /// Sign-ups from one address of the network that are not confirmed yet.
    signup: "RATE_LIMIT_SIGNUP" = "3/3600",
    /// All sign-ups from one address of the network.
    signup_network: "RATE_LIMIT_SIGNUP_NETWORK" = "100/86400",
    /// Mails for a new password, asked for from one address of the network.
    recovery: "RATE_LIMIT_RECOVERY" = "3/3600",
    /// Mails for a new password to one address.
    recovery_account: "RATE_LIMIT_RECOVERY_ACCOUNT" = "3/3600",
    /// Mailed codes that are tried from one address of the network.
    reset: "RATE_LIMIT_RESET" = "10/3600",
    /// Mailed links to log in, asked for from one address of the network.
    login_link: "RATE_LIMIT_LOGIN_LINK" = "3/3600",
    /// Mailed links to log in to one account.
    login_link_account: "RATE_LIMIT_LOGIN_LINK_ACCOUNT" = "3/3600",
    /// Six-digit codes that are tried from one address of the network.
    code: "RATE_LIMIT_CODE" = "10/3600",
    /// Six-digit codes that are tried on one account.
    code_account: "RATE_LIMIT_CODE_ACCOUNT" = "5/900",
    /// Mails to confirm an address, asked for by one member.
    confirm: "RATE_LIMIT_CONFIRM" = "3/3600",
    /// Changes for which one member types the password.
    password: "RATE_LIMIT_PASSWORD" = "5/900",
    /// Codes of the second factor that are tried on one account.
    second_factor: "RATE_LIMIT_SECOND_FACTOR" = "5/300,30/86400",
    /// Ceremonies with a passkey from one address of the network.
    passkey: "RATE_LIMIT_PASSKEY" = "30/60",
    /// Sign-ins with a provider from one address of the network.
    provider: "RATE_LIMIT_PROVIDER" = "30/60",
    /// Tokens of addresses that are traded from one address of the network.
    arrival: "RATE_LIMIT_ARRIVAL" = "30/60",
    /// Messages from one address of the network.
    contact: "RATE_LIMIT_CONTACT" = "5/3600",
    /// Invitations of one member (`referral.invitation-limit`).
    invite: "RATE_LIMIT_INVITE" = "20/86400",
    /// Ten-day plans that are mailed to visitors, from one address of the network or to one mailbox.
    plan_mail: "RATE_LIMIT_PLAN_MAIL" = "10/3600",
    /// Books that one member has sent to an e-reader.
    e_reader: "RATE_LIMIT_E_READER" = "20/3600",
    /// Files of books that one member downloads.
    download: "RATE_LIMIT_DOWNLOAD" = "60/3600",
    /// Archives of one member.
    archive: "RATE_LIMIT_ARCHIVE" = "3/3600",
    /// Events that pages count, from one address of the network.
    event: "RATE_LIMIT_EVENT" = "120/3600",
    /// Purchases that are tried from one address of the network: who tries stolen cards is slowed down.
    checkout: "RATE_LIMIT_CHECKOUT" = "30/600",
    /// Coupons that are tried from one address of the network.
    coupon: "RATE_LIMIT_COUPON" = "30/600",
    /// Redemption codes that are tried by one member, or from one address of the network.
    redeem: "RATE_LIMIT_REDEEM" = "20/3600",
    /// Seats of a team that one member sends by mail.
    seat: "RATE_LIMIT_SEAT" = "400/86400",
    /// Summaries that one member has made of pages, files and texts of their own.
    summary: "RATE_LIMIT_SUMMARY" = "20/86400",
    /// Webhooks from one address of the network that PayPal is asked about and does not verify.
    webhook: "RATE_LIMIT_WEBHOOK" = "60/3600",
}

impl RateLimits {
    /// The limit of a bucket. The codes of mailed links share one variable.
    pub const fn of(&self, bucket: RateLimitBucket) -> &Limits {
        match bucket {
            RateLimitBucket::Login => &self.login,
            RateLimitBucket::LoginAccount => &self.login_account,
            RateLimitBucket::SignUp => &self.signup,
            RateLimitBucket::SignUpNetwork => &self.signup_network,
            RateLimitBucket::Recovery => &self.recovery,
            RateLimitBucket::RecoveryAccount => &self.recovery_account,
            RateLimitBucket::Reset | RateLimitBucket::Confirm | RateLimitBucket::ArchiveLink => &self.reset,
            RateLimitBucket::LoginLink => &self.login_link,
            RateLimitBucket::LoginLinkAccount => &self.login_link_account,
            RateLimitBucket::Code => &self.code,
            RateLimitBucket::CodeAccount => &self.code_account,
            RateLimitBucket::ConfirmMail => &self.confirm,
            RateLimitBucket::Password => &self.password,
            RateLimitBucket::Factor => &self.second_factor,
            RateLimitBucket::Passkey => &self.passkey,
            RateLimitBucket::Provider => &self.provider,
            RateLimitBucket::Arrival => &self.arrival,
            RateLimitBucket::Contact => &self.contact,
            RateLimitBucket::Invite => &self.invite,
            RateLimitBucket::PlanMail => &self.plan_mail,
            RateLimitBucket::EReader => &self.e_reader,
            RateLimitBucket::Download => &self.download,
            RateLimitBucket::Archive => &self.archive,
            RateLimitBucket::Event => &self.event,
            RateLimitBucket::Checkout => &self.checkout,
            RateLimitBucket::Coupon => &self.coupon,
            RateLimitBucket::Redeem => &self.redeem,
            RateLimitBucket::Seat => &self.seat,
            RateLimitBucket::Summary => &self.summary,
            RateLimitBucket::Webhook => &self.webhook,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use identity::RateLimitBucket;

    use super::RateLimits;

    const OPERATING: &str = include_str!("../../../docs/OPERATING.md");

    /// What operators read is what counts.
    #[test]
    fn the_operators_table_has_every_limit_with_its_default_and_no_other() {
        let documented: Vec<(&str, &str)> = OPERATING
            .lines()
            .filter_map(|line| {
                let (name, rest) = line.strip_prefix("| `RATE_LIMIT_")?.split_once("` | `")?;
                Some((name, rest.split_once('`')?.0))
            })
            .collect();
        let read: Vec<(&str, &str)> = RateLimits::DEFAULTS
            .iter()
            .map(|(name, default)| (name.strip_prefix("RATE_LIMIT_").expect("every name begins so"), *default))
            .collect();
        assert_eq!(documented, read);
    }

    #[test]
    fn every_variable_limits_a_bucket() {
        let position = |name| RateLimits::DEFAULTS.iter().position(|(known, _)| *known == name);
        let limits = RateLimits::read(&|name| Some(format!("{}/60", position(name)? + 1))).unwrap();
        let used: BTreeSet<String> =
            RateLimitBucket::ALL.into_iter().map(|bucket| format!("{:?}", limits.of(bucket))).collect();
        assert_eq!(used.len(), RateLimits::DEFAULTS.len());
    }

    #[test]
    fn the_defaults_are_limits() {
        assert!(RateLimits::read(&|_| None).is_ok());
        assert!(RateLimits::DEFAULTS.contains(&("RATE_LIMIT_LOGIN", "3/60")));
        assert!(RateLimits::DEFAULTS.contains(&("RATE_LIMIT_INVITE", "20/86400")));
    }
}
