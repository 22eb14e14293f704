//! The mails that the product sends, one variant for each.

use serde::{Deserialize, Serialize};

/// Where a gift goes, as the receipt says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptGift {
    /// The recipient's name and address; may be empty.
    pub recipient: String,
    /// When it was mailed or will be, in milliseconds.
    pub at: i64,
    /// Whether it was mailed.
    pub is_delivered: bool,
    /// The code, where it goes to the giver.
    pub code: Option<String>,
}

/// A mail before it is rendered. `link` is an absolute URL, `at` milliseconds since the Unix epoch, shown in the member's
/// `timezone` (an IANA name).
///
/// A new mail is a variant here, its name below, and its words in `letters.rs`; the look is the same for all. It is also
/// the payload of queued jobs: a field may be added with a default, but not renamed.
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
    /// Carries six digits by which a member proves who they are.
    ProofCode { first_name: String, code: String },
    /// Asks for the confirmation of a new address, at that address.
    ConfirmNewEmail { first_name: String, link: String },
    /// Reports the new address to the old one.
    EmailChanged { first_name: String, new_email: String },
    /// Carries the link to the member's data archive.
    Archive { first_name: String, link: String },
    /// Invites a friend. `inviter` is the member's id: the invitation counts once it was sent.
    Invitation {
        your_name: String,
        friend_name: String,
        link: String,
        #[serde(default)]
        inviter: Option<i64>,
    },
    /// Forwards a message of the contact forms to support.
    Message { kind: String, name: String, email: String, body: String },
    /// Answers a message of the contact forms. `message` is what the person wrote.
    Answer { name: String, text: String, message: String },
    /// Reports a changed second factor or passkey; `what` is a whole sentence.
    SecondFactorChanged { first_name: String, what: String },
    /// Tells a member who asked for it that a summary can be read.
    SummaryPublished { first_name: String, title: String, author: String, link: String },
    /// Delivers a book to an e-reader, as an attached file.
    EReaderFile { title: String, author: Option<String>, link: String },
    /// What was bought, what was charged, and what will be. `sign_up`: the link by which a guest claims the purchase.
    Receipt {
        first_name: String,
        plan: String,
        charged: i64,
        at: i64,
        next: Option<(i64, i64)>,
        is_trial: bool,
        sign_up: Option<String>,
        timezone: String,
        /// Where a gift goes that was bought.
        #[serde(default)]
        gift: Option<ReceiptGift>,
    },
    /// Reports that a trial ends in a day: what is charged, and when.
    TrialEnding { first_name: String, plan: String, amount: i64, at: i64, link: String, timezone: String },
    /// Reports that a renewal was not paid, and until when the plan stays.
    RenewalFailed { first_name: String, plan: String, amount: i64, until: i64, link: String, timezone: String },
    /// Carries a gift's code. To the buyer when no recipient was named.
    Gift { sender: String, recipient: String, message: String, code: String, link: String },
    /// Carries the codes of a bulk purchase.
    Codes { first_name: String, codes: Vec<String>, link: String },
    /// Carries a plan of ten days to a visitor: the titles of the goals, and of the books with their authors.
    TenDayPlan { goals: Vec<String>, books: Vec<String>, link: String },
    /// Brings the book of a day of the member's ten-day plan. `unsubscribe` ends these mails: it is opened by people, and posted to by
    /// mail programs (RFC 8058).
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
    /// Confirms that a plan is cancelled. It stays until `until`.
    PlanCanceled { first_name: String, plan: String, until: i64, link: String, timezone: String },
    /// Offers a pause to a member who pays and has opened no summary for two months: what is charged next, and when.
    PauseOffer { first_name: String, plan: String, amount: i64, at: i64, link: String, timezone: String },
    /// Carries the code of a seat, which the buyer of a team's seats sends.
    Seat { sender: String, code: String, link: String },
}

impl Mail {
    /// The name that admins see.
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
            Self::PlanCanceled { .. } => "plan_canceled",
            Self::PauseOffer { .. } => "pause_offer",
            Self::Seat { .. } => "seat",
        }
    }
}
