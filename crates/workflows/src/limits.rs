//! The rate limits, with their environment variables and defaults (figures: `identity.rate-limits`). A network is an IPv4
//! address, or the first 64 bits of an IPv6 address.

use identity::{Limits, RateLimitBucket};
use kernel::{ConfigError, config::Variables};

macro_rules! rate_limits {
    ($($(#[$doc:meta])* $field:ident: $name:literal = $default:literal,)+) => {
        /// The rate limits. Each is a list of `count/seconds`.
        #[derive(Clone, Debug)]
        pub struct RateLimits {
            $($(#[$doc])* pub $field: Limits,)+
        }

        impl RateLimits {
            /// A limit that nobody can reach.
            pub const NONE: &str = "1000000/1";
            /// The variables with their defaults.
            pub const DEFAULTS: &[(&str, &str)] = &[$(($name, $default)),+];

            /// Reads the variables; `None` if one is wrong.
            pub fn read(vars: &Variables) -> Option<Self> {
                let read = |name, default: &str| {
                    let text = vars.get(name);
                    vars.accept(text.as_deref().unwrap_or(default).parse().map_err(|error: identity::InvalidLimits| {
                        ConfigError::new(name, error.to_string())
                    }))
                };
                $(let $field = read($name, $default);)+
                Some(Self { $($field: $field?,)+ })
            }

            /// Limits that nobody can reach.
            pub fn unlimited() -> Option<Self> {
                Self::read(&Variables::new(Self::DEFAULTS.iter().map(|(name, _)| (*name, Self::NONE))))
            }
        }
    };
}

rate_limits! {
    /// Logins from one network.
    login: "RATE_LIMIT_LOGIN" = "3/60",
    /// Logins to one account, from anywhere.
    login_account: "RATE_LIMIT_LOGIN_ACCOUNT" = "100/3600",
    /// Sign-ups from one network with an unconfirmed address.
    signup: "RATE_LIMIT_SIGNUP" = "3/3600",
    /// All sign-ups from one network.
    signup_network: "RATE_LIMIT_SIGNUP_NETWORK" = "100/86400",
    /// Password reset mails requested from one network.
    recovery: "RATE_LIMIT_RECOVERY" = "3/3600",
    /// Password reset mails to one address.
    recovery_account: "RATE_LIMIT_RECOVERY_ACCOUNT" = "3/3600",
    /// Attempts with the codes of mailed links (password reset, confirmation, archive), from one network.
    reset: "RATE_LIMIT_RESET" = "10/3600",
    /// Login links requested from one network.
    login_link: "RATE_LIMIT_LOGIN_LINK" = "3/3600",
    /// Login links mailed to one account.
    login_link_account: "RATE_LIMIT_LOGIN_LINK_ACCOUNT" = "3/3600",
    /// Attempts with six-digit codes, from one network.
    code: "RATE_LIMIT_CODE" = "10/3600",
    /// Attempts with six-digit codes, on one account.
    code_account: "RATE_LIMIT_CODE_ACCOUNT" = "5/900",
    /// Confirmation mails requested by one member.
    confirm: "RATE_LIMIT_CONFIRM" = "3/3600",
    /// Attempts of one member to prove their identity, such as with the current password.
    password: "RATE_LIMIT_PASSWORD" = "5/900",
    /// Attempts with second-factor codes, on one account.
    second_factor: "RATE_LIMIT_SECOND_FACTOR" = "5/300,30/86400",
    /// Passkey ceremonies from one network.
    passkey: "RATE_LIMIT_PASSKEY" = "30/60",
    /// Provider sign-ins from one network.
    provider: "RATE_LIMIT_PROVIDER" = "30/60",
    /// Attempts with login link secrets and provider sign-in tokens, from one network.
    arrival: "RATE_LIMIT_ARRIVAL" = "30/60",
    /// Messages to support from one network.
    contact: "RATE_LIMIT_CONTACT" = "5/3600",
    /// Invitations sent by one member (`referral.invitation-limit`).
    invite: "RATE_LIMIT_INVITE" = "20/86400",
    /// Ten-day plans mailed to visitors, from one network or to one mailbox.
    plan_mail: "RATE_LIMIT_PLAN_MAIL" = "10/3600",
    /// Deliveries to an e-reader, requested by one member.
    e_reader: "RATE_LIMIT_E_READER" = "20/3600",
    /// Book files downloaded by one member.
    download: "RATE_LIMIT_DOWNLOAD" = "60/3600",
    /// Data archives requested by one member.
    archive: "RATE_LIMIT_ARCHIVE" = "3/3600",
    /// Archives that one member imports, and searches for what is kept of them.
    import: "RATE_LIMIT_IMPORT" = "20/86400",
    /// Analytics events sent by pages from one network.
    event: "RATE_LIMIT_EVENT" = "120/3600",
    /// Purchase attempts from one network, to slow down attempts with stolen cards.
    checkout: "RATE_LIMIT_CHECKOUT" = "30/600",
    /// Coupon attempts from one network.
    coupon: "RATE_LIMIT_COUPON" = "30/600",
    /// Attempts with redemption codes, by one member or from one network.
    redeem: "RATE_LIMIT_REDEEM" = "20/3600",
    /// Seats that one member sends by mail.
    seat: "RATE_LIMIT_SEAT" = "400/86400",
    /// Own summaries requested by one member.
    summary: "RATE_LIMIT_SUMMARY" = "20/86400",
    /// Highlights, review cards and lists of answers that one member saves.
    study: "RATE_LIMIT_STUDY" = "2000/3600",
    /// Exports of one member's highlights.
    study_export: "RATE_LIMIT_STUDY_EXPORT" = "30/3600",
    /// Pictures of highlights that one member asks for.
    picture: "RATE_LIMIT_PICTURE" = "60/3600",
    /// Changes and tests of one member's webhook.
    study_webhook: "RATE_LIMIT_STUDY_WEBHOOK" = "20/3600",
    /// Calls with one member's API tokens.
    api_token: "RATE_LIMIT_API_TOKEN" = "1200/3600",
    /// Webhooks from one network that PayPal is asked to verify and does not.
    webhook: "RATE_LIMIT_WEBHOOK" = "60/3600",
}

impl RateLimits {
    /// The limit of a bucket. The buckets of mailed secrets share one variable.
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
            RateLimitBucket::Import => &self.import,
            RateLimitBucket::Event => &self.event,
            RateLimitBucket::Checkout => &self.checkout,
            RateLimitBucket::Coupon => &self.coupon,
            RateLimitBucket::Redeem => &self.redeem,
            RateLimitBucket::Seat => &self.seat,
            RateLimitBucket::Summary => &self.summary,
            RateLimitBucket::Study => &self.study,
            RateLimitBucket::StudyExport => &self.study_export,
            RateLimitBucket::Picture => &self.picture,
            RateLimitBucket::StudyWebhook => &self.study_webhook,
            RateLimitBucket::ApiToken => &self.api_token,
            RateLimitBucket::Webhook => &self.webhook,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use identity::RateLimitBucket;

    use super::{RateLimits, Variables};

    const OPERATING: &str = include_str!("../../../docs/OPERATING.md");

    /// The documentation for operators must match.
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
        let position = |name: &str| RateLimits::DEFAULTS.iter().position(|(known, _)| *known == name);
        let vars = RateLimits::DEFAULTS.iter().map(|(name, _)| (*name, format!("{}/60", position(name).unwrap() + 1)));
        let limits = RateLimits::read(&Variables::new(vars)).unwrap();
        let used: BTreeSet<String> =
            RateLimitBucket::ALL.into_iter().map(|bucket| format!("{:?}", limits.of(bucket))).collect();
        assert_eq!(used.len(), RateLimits::DEFAULTS.len());
    }

    #[test]
    fn the_defaults_are_limits() {
        assert!(RateLimits::read(&Variables::new::<&str, &str>([])).is_some());
        assert!(RateLimits::DEFAULTS.contains(&("RATE_LIMIT_LOGIN", "3/60")));
        assert!(RateLimits::DEFAULTS.contains(&("RATE_LIMIT_INVITE", "20/86400")));
    }
}
