//! The mails that the product sends, one variant each.

use serde::{Deserialize, Serialize};

/// Recipient and delivery of a gift, as its receipt shows them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptGift {
    /// The recipient's name and e-mail address; empty if the giver named nobody.
    pub recipient: String,
    /// When the gift was or will be mailed, in milliseconds since the Unix epoch.
    pub at: i64,
    pub is_delivered: bool,
    /// The gift code, if the giver gets it instead of the recipient.
    pub code: Option<String>,
}

/// A highlight in a mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DigestHighlight {
    pub words: String,
    /// Empty without one.
    pub note: String,
    /// Of the book or the member's own summary.
    pub title: String,
    /// Empty for an own summary.
    pub author: String,
    /// The absolute URL of the book or the summary; `None`: it was deleted.
    pub link: Option<String>,
}

/// A commitment that a mail asks about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedInMail {
    /// What the member wanted to do.
    pub text: String,
    /// Of the book after which they wanted it.
    pub title: String,
    /// How many days ago that was.
    pub days: u32,
}

/// A book of a mailed ten-day plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "QueuedPlanBook")]
pub struct PlanMailBook {
    /// The title with the author.
    pub name: String,
    /// The absolute URL of the book's page; `None` in a mail that an earlier version queued.
    pub link: Option<String>,
}

/// The forms in which a book of a plan stands in a queued mail.
#[derive(Deserialize)]
#[serde(untagged)]
enum QueuedPlanBook {
    Linked {
        name: String,
        link: Option<String>,
    },
    /// What earlier versions queued.
    Named(String),
}

impl From<QueuedPlanBook> for PlanMailBook {
    fn from(queued: QueuedPlanBook) -> Self {
        match queued {
            QueuedPlanBook::Linked { name, link } => Self { name, link },
            QueuedPlanBook::Named(name) => Self { name, link: None },
        }
    }
}

/// A mail before it is rendered. `link` is an absolute URL, `at` milliseconds since the Unix epoch, shown in the member's
/// `timezone` (an IANA name).
///
/// To add a mail: a variant here, its name below, and its words in `letters.rs`; all mails share one layout. This is also
/// the payload of queued jobs: a field may be added with a default, but never renamed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mail {
    /// Asks a new member to confirm the address.
    ConfirmEmail { first_name: String, link: String },
    /// Lets a member choose a new password.
    ResetPassword { first_name: String, link: String },
    /// Reports a changed password.
    PasswordChanged { first_name: String, device: String, place: String, at: i64, timezone: String },
    /// Reports a sign-in on a new device.
    NewSignIn { first_name: String, device: String, place: String, at: i64, timezone: String },
    /// Confirms that the account is deleted.
    AccountDeleted { first_name: String },
    /// Signs a member in, by a link or six digits.
    LoginLink { first_name: String, link: String, code: String },
    /// Carries the six-digit code by which a member proves who they are.
    ProofCode { first_name: String, code: String },
    /// Asks to confirm a new address; sent to that address.
    ConfirmNewEmail { first_name: String, link: String },
    /// Reports a changed address; sent to the old one.
    EmailChanged { first_name: String, new_email: String },
    /// Carries the link to the member's data archive.
    Archive { first_name: String, link: String },
    /// Invites a friend. `inviter` is the member's id: the invitation counts once it has been sent.
    Invitation {
        your_name: String,
        friend_name: String,
        link: String,
        #[serde(default)]
        inviter: Option<i64>,
    },
    /// Forwards a message from the contact forms to support.
    Message { kind: String, name: String, email: String, body: String },
    /// Answers a message from the contact forms. `message` is what the person wrote.
    Answer { name: String, text: String, message: String },
    /// Reports a changed second factor or passkey; `what` is a complete sentence.
    SecondFactorChanged { first_name: String, what: String },
    /// Tells a member who asked to be notified that a summary is published.
    SummaryPublished { first_name: String, title: String, author: String, link: String },
    /// Delivers a book to an e-reader as an attached file.
    EReaderFile { title: String, author: Option<String>, link: String },
    /// Shows what was bought, what was charged, and the next charge. `sign_up`: the link by which a guest claims the purchase.
    Receipt {
        first_name: String,
        plan: String,
        charged: i64,
        at: i64,
        next: Option<(i64, i64)>,
        is_trial: bool,
        sign_up: Option<String>,
        timezone: String,
        /// Set when the purchase is a gift.
        #[serde(default)]
        gift: Option<ReceiptGift>,
    },
    /// Reports that a trial ends in a day, and what is charged then.
    TrialEnding { first_name: String, plan: String, amount: i64, at: i64, link: String, timezone: String },
    /// Reports that a renewal payment failed, and until when the plan stays active.
    RenewalFailed { first_name: String, plan: String, amount: i64, until: i64, link: String, timezone: String },
    /// Carries a gift code: to the recipient, or to the buyer if no recipient was named.
    Gift { sender: String, recipient: String, message: String, code: String, link: String },
    /// Carries the codes of a bulk purchase.
    Codes { first_name: String, codes: Vec<String>, link: String },
    /// Sends a visitor a ten-day plan. `goals` are titles.
    TenDayPlan { goals: Vec<String>, books: Vec<PlanMailBook>, link: String },
    /// Carries the book of the day of the member's ten-day plan. `unsubscribe` is the URL that ends these mails: people open it,
    /// and mail clients post to it (RFC 8058).
    DailyBook {
        first_name: String,
        day: usize,
        days: usize,
        title: String,
        author: String,
        is_done: bool,
        link: String,
        unsubscribe: String,
    },
    /// Reminds a member of due review cards, and asks what became of commitments; at least one of both. `minutes`: about how long
    /// the cards take. `link`: to the review; without cards to the page on which the questions are answered.
    ReviewReminder {
        first_name: String,
        cards: usize,
        minutes: usize,
        asked: Vec<AskedInMail>,
        link: String,
        unsubscribe: String,
    },
    /// Carries some of a member's highlights.
    HighlightDigest { first_name: String, highlights: Vec<DigestHighlight>, link: String, unsubscribe: String },
    /// Confirms that a plan is canceled. It stays active until `until`.
    PlanCanceled { first_name: String, plan: String, until: i64, link: String, timezone: String },
    /// Offers a pause to a paying member who has opened no summary for two months. `amount` is charged next, at `at`.
    PauseOffer { first_name: String, plan: String, amount: i64, at: i64, link: String, timezone: String },
    /// Carries the code of a team seat, sent by the buyer.
    Seat { sender: String, code: String, link: String },
    /// Shows an operator that mails arrive.
    Test,
}

impl Mail {
    /// The kind of mail, as the back office shows it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::ConfirmEmail { .. } => "confirm_email",
            Self::ResetPassword { .. } => "reset_password",
            Self::PasswordChanged { .. } => "password_changed",
            Self::NewSignIn { .. } => "new_sign_in",
            Self::AccountDeleted { .. } => "account_deleted",
            Self::LoginLink { .. } => "login_link",
            Self::ProofCode { .. } => "proof_code",
            Self::ConfirmNewEmail { .. } => "confirm_new_email",
            Self::EmailChanged { .. } => "email_changed",
            Self::Archive { .. } => "archive",
            Self::Invitation { .. } => "invitation",
            Self::Message { .. } => "message",
            Self::Answer { .. } => "answer",
            Self::SecondFactorChanged { .. } => "second_factor_changed",
            Self::SummaryPublished { .. } => "summary_published",
            Self::EReaderFile { .. } => "e_reader_file",
            Self::Receipt { .. } => "receipt",
            Self::TrialEnding { .. } => "trial_ending",
            Self::RenewalFailed { .. } => "renewal_failed",
            Self::Gift { .. } => "gift",
            Self::Codes { .. } => "codes",
            Self::TenDayPlan { .. } => "ten_day_plan",
            Self::DailyBook { .. } => "daily_book",
            Self::ReviewReminder { .. } => "review_reminder",
            Self::HighlightDigest { .. } => "highlight_digest",
            Self::PlanCanceled { .. } => "plan_canceled",
            Self::PauseOffer { .. } => "pause_offer",
            Self::Seat { .. } => "seat",
            Self::Test => "test",
        }
    }
}
