//! How the errors of each domain become the one error of the HTTP boundary. Every match is exhaustive, so that a new cause
//! is given its status and code here before it compiles.

use billing::{BillingError, CartError, CheckoutError, CodeError, CouponError, InvalidCode};
use catalogue::CatalogueError;
use challenge::ChallengeError;
use delivery::EReaderError;
use editorial::EditorialError;
use identity::{IdentityError, ProviderError};
use kernel::StoreError;
use media::{MediaError, PictureError};
use reading_progress::{Action, DenialReason, ProgressError, Refusal};
use referral::ReferralError;
use summaries::MemberSummaryError;
use support::SupportError;
use workflows::book_files::BookFileError;
use workflows::{
    admin_money::AdminMoneyError,
    archive::ArchiveError,
    challenge::PlanError,
    checkout::{
        events::ReceiveError,
        price::PriceError,
        purchase::{ApplyError, PurchaseError},
    },
    e_reader_delivery::DeliveryError,
    editing::EditError,
    error::ViewError,
    infographics::InfographicsError,
    invite_friend::InviteError,
    membership::{billing_page::RefundRequestError, codes::RedeemError, renewal::RenewalError},
    people::PeopleError,
    proof::ProofError,
    provider_sign_in::ProviderSignInError,
    quizzes::QuizError,
    refunds::RefundError,
    summarise::SummariseError,
};

use super::{ApiError, Code};

/// How long a member who has enough summaries under way waits before the next try, in seconds.
const SUMMARY_WAIT: u64 = 5;

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        if error.is_unavailable() {
            tracing::warn!(%error, "the store is unavailable");
            Self::busy()
        } else if error.is_owner_gone() {
            // They deleted their account, or were signed out, while this request was on its way.
            Self::unauthenticated()
        } else if error.is_unstorable_text() {
            Self::unstorable_text()
        } else {
            Self::internal(error)
        }
    }
}

impl From<askama::Error> for ApiError {
    fn from(error: askama::Error) -> Self {
        Self::internal(error)
    }
}

impl From<IdentityError> for ApiError {
    fn from(error: IdentityError) -> Self {
        let text = error.to_string();
        match error {
            IdentityError::RegistrationIncomplete(field)
            | IdentityError::LoginIncomplete(field)
            | IdentityError::NameTooLong(field)
            | IdentityError::NameNotVisible(field)
            | IdentityError::NameMissing(field) => Self::invalid(account_field(field), text),
            IdentityError::InvalidEmail(_) => Self::invalid(account_field(identity::Field::Email), text),
            IdentityError::PasswordTooShort | IdentityError::PasswordTooLong | IdentityError::PasswordTooCommon => {
                Self::invalid(account_field(identity::Field::Password), text)
            }
            IdentityError::PasswordsDiffer => Self::invalid("password2", text),
            IdentityError::CurrentPasswordWrong => {
                Self::new(Code::InvalidCredentials, text).on_field("currentPassword")
            }
            IdentityError::LastAdmin => Self::new(Code::LastAdmin, text),
            IdentityError::UnknownTimezone => Self::invalid("timezone", text),
            IdentityError::EmailUnchanged => Self::invalid("email", text),
            IdentityError::LinkInvalid | IdentityError::CodeInvalid => Self::new(Code::CodeInvalid, text),
            IdentityError::EmailTakenMeanwhile => Self::new(Code::EmailTaken, text),
            IdentityError::EmailTaken => {
                Self::new(Code::EmailTaken, text).on_field(account_field(identity::Field::Email))
            }
            IdentityError::InvalidCredentials => Self::new(Code::InvalidCredentials, text),
            IdentityError::WrongFactorCode => Self::new(Code::CodeInvalid, text).on_field("code"),
            IdentityError::TicketOver => Self::new(Code::CodeInvalid, text).on_field("ticket"),
            IdentityError::TotpAlreadyEnabled | IdentityError::PasskeyAlreadyAdded => {
                Self::new(Code::AlreadyThere, text)
            }
            IdentityError::LastSignInMethod => Self::new(Code::LastSignInMethod, text),
            IdentityError::NoTotp | IdentityError::NoPasskey => Self::new(Code::NotFound, text),
            IdentityError::FreshLoginRequired | IdentityError::MoveNeedsSession => {
                Self::new(Code::FreshLoginRequired, text)
            }
            IdentityError::MailedCodeRequired => Self::new(Code::MailedCodeRequired, text),
            IdentityError::InvalidPasskeyName => Self::invalid("name", text),
            IdentityError::TooManyPasskeys => Self::new(Code::ValidationFailed, text),
            IdentityError::SessionEnded => Self::new(Code::SessionEnded, text),
            IdentityError::RateLimited(after) => Self::too_many_tries(after.seconds()),
            IdentityError::Busy => Self::busy(),
            IdentityError::Seal(cause) => Self::internal(cause),
            IdentityError::Store(cause) => cause.into(),
        }
    }
}

impl From<ProviderError> for ApiError {
    fn from(error: ProviderError) -> Self {
        let text = error.to_string();
        match error {
            ProviderError::NoEmail(_) => Self::new(Code::ProviderRefused, text),
            ProviderError::ConnectFirst => Self::new(Code::ConnectFirst, text),
            ProviderError::ConnectedElsewhere(_) | ProviderError::AnotherConnected(_) => {
                Self::new(Code::AlreadyThere, text)
            }
            ProviderError::LastSignInMethod(_) => Self::new(Code::LastSignInMethod, text),
            ProviderError::Store(cause) => cause.into(),
        }
    }
}

/// A field's name in the bodies of sign-up and login.
const fn account_field(field: identity::Field) -> &'static str {
    match field {
        identity::Field::Email => "username",
        identity::Field::Password => "password",
        identity::Field::FirstName => "firstName",
        identity::Field::LastName => "lastName",
    }
}

impl From<ProviderSignInError> for ApiError {
    fn from(error: ProviderSignInError) -> Self {
        match error {
            ProviderSignInError::Provider(error) => error.into(),
            ProviderSignInError::Identity(error) => error.into(),
            ProviderSignInError::OpenId(error) => error.into(),
            ProviderSignInError::Declined => Self::new(Code::ProviderRefused, error.to_string()),
            ProviderSignInError::FlowOver => Self::sign_in_flow_over(),
            ProviderSignInError::SignedOut => Self::unauthenticated(),
            ProviderSignInError::NotConfigured => Self::not_found("login provider"),
            ProviderSignInError::CallbackUrl(error) => Self::internal(error),
            ProviderSignInError::Store(error) => error.into(),
        }
    }
}

impl From<ProofError> for ApiError {
    fn from(error: ProofError) -> Self {
        match error {
            ProofError::WrongCode => Self::new(Code::CodeInvalid, error.to_string()).on_field("code"),
            ProofError::WrongPasskey => Self::new(Code::InvalidCredentials, error.to_string()),
            ProofError::NoPasskeys => Self::not_found("page"),
            ProofError::Identity(error) => error.into(),
        }
    }
}

impl From<PeopleError> for ApiError {
    fn from(error: PeopleError) -> Self {
        let text = error.to_string();
        match error {
            PeopleError::Unknown => Self::not_found("user"),
            PeopleError::SignedOut => Self::unauthenticated(),
            PeopleError::UnknownPlan => Self::invalid("planId", text),
            PeopleError::PlanOver => Self::invalid("endPaidDate", text),
            PeopleError::SubscriptionRuns => Self::new(Code::AlreadySubscribed, text),
            PeopleError::ReasonMissing => Self::invalid("reason", text),
            PeopleError::Identity(IdentityError::EmailTaken) => {
                Self::new(Code::EmailTaken, IdentityError::EmailTaken.to_string()).on_field("email")
            }
            PeopleError::Identity(error) => error.into(),
            PeopleError::Support(error) => error.into(),
            PeopleError::Archive(error) => error.into(),
            PeopleError::Store(error) => error.into(),
        }
    }
}

impl From<EditError> for ApiError {
    fn from(error: EditError) -> Self {
        let text = error.to_string();
        match error {
            EditError::Unknown(what) => Self::not_found(what),
            EditError::Conflict(_) | EditError::OrderStale => Self::new(Code::EditConflict, text),
            EditError::Taken(field) => Self::new(Code::AlreadyThere, text).on_field(field),
            EditError::NameTaken => Self::new(Code::AlreadyThere, text).on_field("name"),
            EditError::InUse(_) => Self::new(Code::InUse, text),
            EditError::Missing { field, .. } => Self::invalid(field, text),
            EditError::Catalogue(error) => error.into(),
            EditError::Editorial(error) => error.into(),
            EditError::Challenge(error) => error.into(),
            EditError::Unreadable(error) => Self::internal(error),
            EditError::Store(error) => error.into(),
        }
    }
}

impl From<InviteError> for ApiError {
    fn from(error: InviteError) -> Self {
        match error {
            InviteError::Referral(error) => error.into(),
            InviteError::Identity(error) => error.into(),
            InviteError::Store(error) => error.into(),
        }
    }
}

impl From<ViewError> for ApiError {
    fn from(error: ViewError) -> Self {
        match error {
            ViewError::SignedOut => Self::unauthenticated(),
            ViewError::NotFound(what) => Self::not_found(what),
            ViewError::Refused(refusal) => refusal.into(),
            ViewError::Catalogue(error) => error.into(),
            ViewError::Progress(error) => error.into(),
            ViewError::Store(error) => error.into(),
        }
    }
}

impl From<CatalogueError> for ApiError {
    fn from(error: CatalogueError) -> Self {
        match error {
            CatalogueError::Invalid { field, message } => Self::invalid(field, message),
            CatalogueError::Unknown { field, .. } => Self::invalid(field, error.to_string()),
            CatalogueError::UnknownFilter(filter) => {
                Self::new(Code::NotFound, error.to_string()).on_field(filter.as_str())
            }
            CatalogueError::BadCursor => Self::invalid("after", error.to_string()),
            CatalogueError::Store(error) => error.into(),
        }
    }
}

impl From<ProgressError> for ApiError {
    fn from(error: ProgressError) -> Self {
        let text = error.to_string();
        match error {
            ProgressError::RatingRequired => Self::invalid("rating", text),
            ProgressError::FeedbackTooLong => Self::invalid("feedback", text),
            ProgressError::NoCategory => Self::invalid("recommends", text),
            ProgressError::UnknownCategory => Self::new(Code::NotFound, text).on_field("recommends"),
            ProgressError::NotOpened => Self::new(Code::NotOpened, text),
            ProgressError::AlreadyHere => Self::new(Code::AlreadyThere, text),
            ProgressError::UnknownReader => Self::unauthenticated(),
            ProgressError::Store(error) => error.into(),
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let code = match (refusal.reason, refusal.action) {
            (DenialReason::SignInRequired, _) => Code::Unauthenticated,
            (DenialReason::NotOpened, Action::WriteHistory) => Code::NotOpened,
            (DenialReason::UpgradeRequired | DenialReason::NotOpened, _) => Code::UpgradeRequired,
            (DenialReason::NotWritten, Action::Read | Action::WriteHistory | Action::Watch | Action::SeeVisuals) => {
                Code::Forbidden
            }
            (
                DenialReason::NotWritten,
                Action::Listen | Action::Download | Action::DownloadInfographic | Action::SendToEReader,
            ) => Code::NotFound,
        };
        Self::new(code, refusal.to_string())
    }
}

impl From<EReaderError> for ApiError {
    fn from(error: EReaderError) -> Self {
        let text = error.to_string();
        match error {
            EReaderError::Incomplete
            | EReaderError::NotKindle(_)
            | EReaderError::InvalidEmail(_)
            | EReaderError::NoAddress => Self::invalid("kindle_email", text),
            EReaderError::UnknownDomain => Self::invalid("kindle_email_end", text),
            EReaderError::UnknownDelivery => Self::not_found("delivery"),
            EReaderError::NotFailed => Self::new(Code::AlreadyThere, text),
            EReaderError::Store(cause) => cause.into(),
        }
    }
}

impl From<MemberSummaryError> for ApiError {
    fn from(error: MemberSummaryError) -> Self {
        let text = error.to_string();
        match error {
            MemberSummaryError::UnknownSummary => Self::not_found("summary"),
            MemberSummaryError::Finished => Self::new(Code::AlreadyThere, text),
            MemberSummaryError::TooManyAtOnce => Self::too_many_tries(SUMMARY_WAIT).saying(text),
            MemberSummaryError::QueueFull => Self::busy().saying(text),
            MemberSummaryError::InvalidTitle => Self::invalid("title", text),
            MemberSummaryError::Store(cause) => cause.into(),
        }
    }
}

impl From<SummariseError> for ApiError {
    fn from(error: SummariseError) -> Self {
        match error {
            SummariseError::SignedOut => Self::unauthenticated(),
            SummariseError::UpgradeRequired => Self::new(Code::UpgradeRequired, error.to_string()),
            SummariseError::Summary(error) => error.into(),
            SummariseError::Store(error) => error.into(),
        }
    }
}

impl From<DeliveryError> for ApiError {
    fn from(error: DeliveryError) -> Self {
        match error {
            DeliveryError::View(error) => error.into(),
            DeliveryError::EReader(error) => error.into(),
            DeliveryError::Unfinished => Self::new(Code::AlreadyThere, error.to_string()),
            DeliveryError::Store(error) => error.into(),
        }
    }
}

impl From<SupportError> for ApiError {
    fn from(error: SupportError) -> Self {
        let text = error.to_string();
        match error {
            SupportError::Incomplete(field)
            | SupportError::FeedbackIncomplete(field)
            | SupportError::Unanswered(field)
            | SupportError::TooLong(field) => Self::invalid(form_field(field), text),
            SupportError::NameTooLong => Self::invalid(form_field(support::Field::Name), text),
            SupportError::InvalidEmail(_) => Self::invalid(form_field(support::Field::Email), text),
            SupportError::UnknownReason => Self::invalid("reason", text),
            SupportError::NoAddress => Self::new(Code::AlreadyThere, text),
            SupportError::UnknownMessage => Self::not_found("message"),
            SupportError::Store(cause) => cause.into(),
        }
    }
}

/// A field's name in the bodies of the forms.
const fn form_field(field: support::Field) -> &'static str {
    match field {
        support::Field::Name => "name",
        support::Field::Email => "email",
        support::Field::Body => "body",
        support::Field::Feedback => "feedback",
        support::Field::Answer => "text",
        support::Field::Why => "why",
        support::Field::How => "how",
    }
}

impl From<ReferralError> for ApiError {
    fn from(error: ReferralError) -> Self {
        let text = error.to_string();
        match error {
            ReferralError::Incomplete(field)
            | ReferralError::NameTooLong(field)
            | ReferralError::NameWithLink(field) => Self::invalid(invitation_field(field), text),
            ReferralError::InvalidEmail(_) | ReferralError::Oneself => {
                Self::invalid(invitation_field(referral::Field::FriendEmail), text)
            }
            ReferralError::NotConfirmed => Self::new(Code::NotConfirmed, text),
            ReferralError::TooMany(wait) => Self::too_many_tries(wait.seconds()),
            ReferralError::UnknownMember => Self::unauthenticated(),
            ReferralError::Store(cause) => cause.into(),
        }
    }
}

/// A field's name in the body of an invitation.
const fn invitation_field(field: referral::Field) -> &'static str {
    match field {
        referral::Field::YourName => "yourName",
        referral::Field::FriendName => "friendName",
        referral::Field::FriendEmail => "friendEmail",
    }
}

impl From<CartError> for ApiError {
    fn from(error: CartError) -> Self {
        let text = error.to_string();
        match error {
            CartError::InvalidPlan => Self::new(Code::UnknownPlan, text),
            CartError::TooFew(_) | CartError::TooMany(_) | CartError::TooLarge => Self::invalid("quantity", text),
            CartError::UnknownAddOn => Self::invalid("addInfographics", text),
        }
    }
}

impl From<CouponError> for ApiError {
    fn from(error: CouponError) -> Self {
        Self::invalid("coupon", error.to_string())
    }
}

impl From<CheckoutError> for ApiError {
    fn from(error: CheckoutError) -> Self {
        let text = error.to_string();
        match error {
            CheckoutError::InvalidKey | CheckoutError::KeyReused => Self::invalid("Idempotency-Key", text),
            CheckoutError::Unknown => Self::new(Code::NotFound, text),
            CheckoutError::NotClaimable => Self::new(Code::AlreadyThere, text),
            CheckoutError::Store(error) => error.into(),
        }
    }
}

impl From<PriceError> for ApiError {
    fn from(error: PriceError) -> Self {
        match error {
            PriceError::Cart(error) => error.into(),
            PriceError::Coupon(error) => error.into(),
            PriceError::AlreadySubscribed => Self::new(Code::AlreadySubscribed, error.to_string()),
            PriceError::NoSwitchAtProvider => Self::new(Code::SwitchUnavailable, error.to_string()),
            PriceError::AlreadyOwned => Self::new(Code::AlreadyThere, error.to_string()),
            PriceError::SignedOut => Self::unauthenticated(),
            PriceError::Gateway(error) => {
                tracing::warn!(%error, "a payment provider could not say what a switch costs");
                Self::busy()
            }
            PriceError::Store(error) => error.into(),
        }
    }
}

impl From<PurchaseError> for ApiError {
    fn from(error: PurchaseError) -> Self {
        let text = error.to_string();
        match error {
            PurchaseError::Price(error) => error.into(),
            PurchaseError::NoEmail => Self::invalid("email", text),
            PurchaseError::NoCard => Self::invalid("token", text),
            PurchaseError::PriceChanged | PurchaseError::TrialUsed => Self::new(Code::PriceChanged, text),
            PurchaseError::GivenBack | PurchaseError::UnderWay => Self::new(Code::AlreadyThere, text),
            PurchaseError::SwitchInstead => Self::new(Code::AlreadySubscribed, text),
            PurchaseError::Declined(_) => Self::new(Code::CardDeclined, text),
            PurchaseError::NoProvider | PurchaseError::Unavailable => Self::busy().saying(text),
            PurchaseError::Checkout(error) => error.into(),
            PurchaseError::Settle(error) => Self::internal(error),
            PurchaseError::Store(error) => error.into(),
        }
    }
}

impl From<ApplyError> for ApiError {
    fn from(error: ApplyError) -> Self {
        PurchaseError::from(error).into()
    }
}

impl From<ReceiveError> for ApiError {
    fn from(error: ReceiveError) -> Self {
        use billing::gateway::WebhookError;
        match error {
            ReceiveError::Webhook(WebhookError::Unverified(error)) => {
                tracing::warn!(%error, "a webhook can't be verified now");
                Self::busy()
            }
            ReceiveError::Webhook(error) => Self::new(Code::BadRequest, error.to_string()),
            ReceiveError::NoProvider => Self::not_found("page"),
            ReceiveError::RateLimited(error) => error.into(),
            ReceiveError::Store(error) => error.into(),
        }
    }
}

impl From<ChallengeError> for ApiError {
    fn from(error: ChallengeError) -> Self {
        let text = error.to_string();
        match error {
            ChallengeError::Incomplete
            | ChallengeError::TooManyGoals
            | ChallengeError::UnknownGoal
            | ChallengeError::TooManyChoices => Self::invalid("goals", text),
            ChallengeError::UnknownCategory => Self::invalid("categories", text),
            ChallengeError::InvalidPlan => Self::invalid("bookIds", text),
            ChallengeError::InvalidAnswers => Self::invalid("answers", text),
            ChallengeError::InvalidCounts => Self::invalid("counts", text),
            ChallengeError::NoPlan => Self::new(Code::NotFound, text),
            ChallengeError::InvalidHour => Self::invalid("hour", text),
            ChallengeError::BlankStatement
            | ChallengeError::StatementTooLong
            | ChallengeError::RepeatedStatement
            | ChallengeError::UnbalancedQuiz(_)
            | ChallengeError::UnknownQuestion => Self::invalid("questions", text),
            ChallengeError::UnknownMember => Self::unauthenticated(),
            ChallengeError::Store(cause) => cause.into(),
        }
    }
}

impl From<PlanError> for ApiError {
    fn from(error: PlanError) -> Self {
        match error {
            PlanError::Email(_) => Self::invalid("email", error.to_string()),
            PlanError::Challenge(error) => error.into(),
            PlanError::Identity(error) => error.into(),
            PlanError::Store(error) => error.into(),
        }
    }
}

impl From<QuizError> for ApiError {
    fn from(error: QuizError) -> Self {
        match error {
            QuizError::NotOwned => Self::new(Code::UpgradeRequired, error.to_string()),
            QuizError::NoResult => Self::not_found("result"),
            QuizError::Catalogue(error) => error.into(),
            QuizError::Challenge(error) => error.into(),
            QuizError::Store(error) => error.into(),
        }
    }
}

impl From<InvalidCode> for ApiError {
    fn from(error: InvalidCode) -> Self {
        Self::invalid("code", error.to_string())
    }
}

impl From<RedeemError> for ApiError {
    fn from(error: RedeemError) -> Self {
        match error {
            RedeemError::Code(error) => error.into(),
            RedeemError::Identity(error) => error.into(),
            RedeemError::Store(error) => error.into(),
        }
    }
}

impl From<CodeError> for ApiError {
    fn from(error: CodeError) -> Self {
        let text = error.to_string();
        match error {
            CodeError::Unknown => Self::new(Code::NotFound, text).on_field("code"),
            CodeError::Redeemed | CodeError::Revoked | CodeError::Suspended | CodeError::ForLife => {
                Self::new(Code::AlreadyThere, text).on_field("code")
            }
            CodeError::Billing(error) => error.into(),
        }
    }
}

impl From<BillingError> for ApiError {
    fn from(error: BillingError) -> Self {
        match error {
            BillingError::Store(error) => error.into(),
            BillingError::UnknownPayer | BillingError::Invalid(_) => Self::internal(error),
        }
    }
}

impl From<AdminMoneyError> for ApiError {
    fn from(error: AdminMoneyError) -> Self {
        let text = error.to_string();
        match error {
            AdminMoneyError::Unknown(_) => Self::new(Code::NotFound, text),
            AdminMoneyError::CouponExists => Self::new(Code::AlreadyThere, text).on_field("code"),
            AdminMoneyError::CouponUsed => Self::new(Code::InUse, text),
            AdminMoneyError::CouponPeriod => Self::invalid("endsAt", text),
            AdminMoneyError::NoCodeForPlan => Self::invalid("planId", text),
            AdminMoneyError::Months(_) => Self::invalid("months", text),
            AdminMoneyError::CodeCount => Self::invalid("count", text),
            AdminMoneyError::PlanChanged => Self::new(Code::EditConflict, text),
            AdminMoneyError::PayoutChanged => Self::new(Code::PriceChanged, text),
            AdminMoneyError::Billing(error) => error.into(),
            AdminMoneyError::Store(error) => error.into(),
        }
    }
}

impl From<RenewalError> for ApiError {
    fn from(error: RenewalError) -> Self {
        let text = error.to_string();
        match error {
            RenewalError::NoSubscription => Self::new(Code::NotFound, text),
            RenewalError::NotNow => Self::new(Code::AlreadyThere, text),
            RenewalError::PauseLength => Self::invalid("months", text),
            RenewalError::UnknownPlan => Self::new(Code::UnknownPlan, text),
            RenewalError::NoSwitchAtProvider => Self::new(Code::SwitchUnavailable, text),
            RenewalError::RunsAlready => Self::new(Code::AlreadySubscribed, text),
            RenewalError::PriceChanged => Self::new(Code::PriceChanged, text),
            RenewalError::Apply(ApplyError::Gateway(error)) => RenewalError::from(error).into(),
            RenewalError::Apply(error) => error.into(),
            RenewalError::Declined(_) => Self::new(Code::CardDeclined, text),
            RenewalError::Unavailable => Self::busy(),
            RenewalError::Billing(error) => error.into(),
            RenewalError::Store(error) => error.into(),
        }
    }
}

impl From<RefundError> for ApiError {
    fn from(error: RefundError) -> Self {
        let text = error.to_string();
        match error {
            RefundError::Unknown => Self::new(Code::NotFound, text),
            RefundError::Amount => Self::invalid("amount", text),
            RefundError::Refused => Self::new(Code::AlreadyThere, text),
            RefundError::Unavailable => Self::busy(),
            RefundError::Settle(error) => PurchaseError::from(error).into(),
            RefundError::Store(error) => error.into(),
        }
    }
}

impl From<InfographicsError> for ApiError {
    fn from(error: InfographicsError) -> Self {
        match error {
            InfographicsError::Refused(refusal) => refusal.into(),
            InfographicsError::Media(error) => error.into(),
            InfographicsError::Zip(error) => Self::internal(error),
            InfographicsError::Store(error) => error.into(),
        }
    }
}

impl From<RefundRequestError> for ApiError {
    fn from(error: RefundRequestError) -> Self {
        let text = error.to_string();
        match error {
            RefundRequestError::Unknown => Self::not_found("receipt"),
            RefundRequestError::TooLate => Self::new(Code::AlreadyThere, text),
            RefundRequestError::Support(_) => Self::invalid("reason", text),
            RefundRequestError::Store(error) => error.into(),
        }
    }
}

impl From<EditorialError> for ApiError {
    fn from(error: EditorialError) -> Self {
        match error {
            EditorialError::Blank(field) | EditorialError::TooLong(field, _) => {
                Self::invalid(field.as_str(), error.to_string())
            }
            EditorialError::BadLink => Self::invalid("href", error.to_string()),
            EditorialError::EndsFirst => Self::invalid("until", error.to_string()),
            EditorialError::UnknownPlaceholder(_) => Self::invalid("text", error.to_string()),
            EditorialError::BadCategory(_) => Self::invalid("categories", error.to_string()),
            EditorialError::TitleTaken => Self::new(Code::AlreadyThere, error.to_string()).on_field("title"),
            EditorialError::Store(error) => error.into(),
        }
    }
}

impl From<MediaError> for ApiError {
    fn from(error: MediaError) -> Self {
        match error {
            MediaError::BadName(_) => Self::internal(error),
            MediaError::NotARecording
            | MediaError::Picture(
                PictureError::NotAPicture
                | PictureError::NotADrawing
                | PictureError::TooComplex
                | PictureError::TooLarge,
            ) => Self::new(Code::ValidationFailed, error.to_string()),
            // The client has gone, or will send it again.
            MediaError::BrokeOff(_) | MediaError::Busy => Self::busy(),
            MediaError::Full => {
                tracing::error!(%error, "the file store is full");
                Self::new(Code::StorageFull, "There is no room for this file. Nothing was stored.")
            }
            MediaError::Store(_) | MediaError::Disk(_) => {
                tracing::error!(%error, "the file store is out of order");
                Self::busy()
            }
        }
    }
}

impl From<openid::ProviderError> for ApiError {
    fn from(error: openid::ProviderError) -> Self {
        match &error {
            openid::ProviderError::Down(provider, _) => {
                tracing::warn!(%error, "a sign-in provider is down");
                Self::new(Code::ProviderDown, format!("We could not reach {provider}. Please try again in a moment."))
            }
            openid::ProviderError::CodeRefused(_) => Self::sign_in_flow_over(),
            openid::ProviderError::Untrusted(provider, _) => {
                tracing::warn!(%error, "a sign-in provider's response is refused");
                Self::new(
                    Code::ProviderRefused,
                    format!("{provider}'s answer could not be trusted. Please try again or use your password."),
                )
            }
        }
    }
}

impl From<BookFileError> for ApiError {
    fn from(error: BookFileError) -> Self {
        match error {
            BookFileError::Media(error) => error.into(),
            BookFileError::Document(_) | BookFileError::BrokenOff => Self::internal(error),
        }
    }
}

impl From<ArchiveError> for ApiError {
    fn from(error: ArchiveError) -> Self {
        let text = error.to_string();
        match error {
            ArchiveError::SignedOut => Self::unauthenticated(),
            ArchiveError::NotConfirmed => Self::new(Code::NotConfirmed, text),
            ArchiveError::Progress(error) => error.into(),
            ArchiveError::Zip(error) => Self::internal(error),
            ArchiveError::Store(error) => error.into(),
        }
    }
}
