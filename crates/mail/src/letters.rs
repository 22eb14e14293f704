//! The text of every mail. Plain, brief, kind: what happened, what to do, and what to do if it was not you.

use std::collections::BTreeSet;

use jiff::{Timestamp, tz::TimeZone};
use kernel::Money;

use crate::{
    display_name::display_name,
    letter::{Letter, LetterLink, Part, ReplyTo},
    mail::{AskedInMail, DigestHighlight, Mail, PlanMailBook, ReceiptGift},
    site::Site,
};

/// Writes the letter of a mail.
pub(crate) fn letter(mail: &Mail, site: &Site) -> Letter {
    let words = Words { site: &site.name, url: &site.url, support: site.support_email.as_str() };
    match mail {
        Mail::ConfirmEmail { first_name, link } => words.confirm_email(first_name, link),
        Mail::ResetPassword { first_name, link } => words.reset_password(first_name, link),
        Mail::PasswordChanged { first_name, device, place, at, timezone } => {
            words.password_changed(first_name, event(device, place, *at, timezone))
        }
        Mail::NewSignIn { first_name, device, place, at, timezone } => {
            words.new_sign_in(first_name, event(device, place, *at, timezone))
        }
        Mail::AccountDeleted { first_name } => words.account_deleted(first_name),
        Mail::LoginLink { first_name, link, code } => words.login_link(first_name, link, code),
        Mail::ProofCode { first_name, code } => words.proof_code(first_name, code),
        Mail::ConfirmNewEmail { first_name, link } => words.confirm_new_email(first_name, link),
        Mail::EmailChanged { first_name, new_email } => words.email_changed(first_name, new_email),
        Mail::Archive { first_name, link } => words.archive(first_name, link),
        Mail::Invitation { your_name, friend_name, link, inviter: _ } => words.invitation(your_name, friend_name, link),
        Mail::Message { kind, name, email, body } => words.message(kind, name, email, body),
        Mail::Answer { name, text, message } => words.answer(name, text, message),
        Mail::SecondFactorChanged { first_name, what } => words.second_factor_changed(first_name, what),
        Mail::SummaryPublished { first_name, title, author, link } => {
            words.summary_published(first_name, title, author, link)
        }
        Mail::EReaderFile { title, author, link } => words.e_reader_file(title, author.as_deref(), link),
        Mail::Receipt { first_name, plan, charged, at, next, is_trial, sign_up, timezone, gift } => {
            let mut sums =
                vec![("Bought", plan.clone()), ("Charged", money(*charged)), ("On", format_time(*at, timezone))];
            sums.extend(gift.iter().flat_map(|gift| gift_facts(gift, timezone)));
            let next = next.map(|(amount, at)| (money(amount), format_time(at, timezone)));
            words.receipt(first_name, &sums, next, *is_trial, sign_up.as_deref())
        }
        Mail::TrialEnding { first_name, plan, amount, at, link, timezone } => {
            words.trial_ending(first_name, plan, &money(*amount), &format_time(*at, timezone), link)
        }
        Mail::RenewalFailed { first_name, plan, amount, until, link, timezone } => {
            words.renewal_failed(first_name, plan, &money(*amount), &format_time(*until, timezone), link)
        }
        Mail::Gift { sender, recipient, message, code, link } => words.gift(sender, recipient, message, code, link),
        Mail::Codes { first_name, codes, link } => words.codes(first_name, codes, link),
        Mail::TenDayPlan { goals, books, link } => words.ten_day_plan(goals, books, link),
        Mail::DailyBook { first_name, day, days, title, author, is_done, link, unsubscribe } => {
            let book = DayBook { day: *day, days: *days, title, author, is_done: *is_done };
            words.daily_book(first_name, &book, link, unsubscribe)
        }
        Mail::ReviewReminder { first_name, cards, minutes, asked, link, unsubscribe } => {
            words.review_reminder(first_name, (*cards, *minutes), asked, link, unsubscribe)
        }
        Mail::HighlightDigest { first_name, highlights, link, unsubscribe } => {
            words.highlight_digest(first_name, highlights, link, unsubscribe)
        }
        Mail::PlanCanceled { first_name, plan, until, link, timezone } => {
            words.plan_canceled(first_name, plan, &format_time(*until, timezone), link)
        }
        Mail::PauseOffer { first_name, plan, amount, at, link, timezone } => {
            words.pause_offer(first_name, plan, &money(*amount), &format_time(*at, timezone), link)
        }
        Mail::Seat { sender, code, link } => words.seat(sender, code, link),
        Mail::Test => words.test(),
    }
}

/// The facts that a receipt shows about a gift: recipient, code, and date of delivery.
fn gift_facts(gift: &ReceiptGift, timezone: &str) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if !gift.recipient.is_empty() {
        facts.push(("Gift for", gift.recipient.clone()));
    }
    facts.push(match &gift.code {
        Some(code) => ("The gift code", code.clone()),
        None if gift.is_delivered => ("Emailed on", format_time(gift.at, timezone)),
        None => ("Will be emailed on", format_time(gift.at, timezone)),
    });
    facts
}

/// Writes the letters of one site.
struct Words<'a> {
    site: &'a str,
    url: &'a str,
    support: &'a str,
}

/// One day of a ten-day plan, and its book.
struct DayBook<'a> {
    day: usize,
    days: usize,
    title: &'a str,
    author: &'a str,
    is_done: bool,
}

/// How long ago something was, at the beginning of a sentence.
fn days_ago(days: u32) -> String {
    match days {
        3 => "Three days ago".to_owned(),
        14 => "Two weeks ago".to_owned(),
        _ => format!("{days} days ago"),
    }
}

fn text(words: impl Into<String>) -> Part {
    Part::Text(words.into())
}

fn note(words: impl Into<String>) -> Part {
    Part::Note(words.into())
}

fn button(label: &'static str, link: impl Into<String>) -> Part {
    Part::Button { label, link: link.into() }
}

/// `Hello Ada,`, or `Hello,` when the name is empty or can't be shown.
fn greeting(name: &str) -> Part {
    Part::Text(display_name(name).map_or_else(|| "Hello,".to_owned(), |name| format!("Hello {name},")))
}

/// Device, place and time of an event; those that are unknown are left out.
fn event(device: &str, place: &str, at: i64, timezone: &str) -> Part {
    let facts = [("Device", device.to_owned()), ("Place", place.to_owned()), ("Time", format_time(at, timezone))];
    Part::Facts(facts.into_iter().filter(|(_, value)| !value.trim().is_empty()).collect())
}

/// Formats a time (milliseconds since the Unix epoch) in the member's time zone. An unknown zone counts as UTC; a time out of
/// range yields an empty text.
fn format_time(millis: i64, timezone: &str) -> String {
    let zone = TimeZone::get(timezone).unwrap_or(TimeZone::UTC);
    Timestamp::from_millisecond(millis)
        .map_or_else(|_| String::new(), |at| at.to_zoned(zone).strftime("%B %-d, %Y, %-I:%M %p %Z").to_string())
}

fn money(cents: i64) -> String {
    Money::from_cents(cents).to_string()
}

impl Words<'_> {
    fn letter(&self, subject: impl Into<String>, preheader: impl Into<String>, parts: Vec<Part>) -> Letter {
        let subject = subject.into();
        Letter {
            heading: subject.clone(),
            subject,
            preheader: preheader.into(),
            parts,
            why: format!("You are receiving this email because this address belongs to an account at {}.", self.site),
            reply_to: None,
            unsubscribe: None,
        }
    }

    fn confirm_email(&self, first_name: &str, link: &str) -> Letter {
        let site = self.site;
        let parts = vec![
            greeting(first_name),
            text(format!("You signed up at {site} with this address. Please confirm that it is yours.")),
            button("Confirm my address", link),
            note("The link is good for seven days. If you did not sign up, you can ignore this email."),
        ];
        Letter {
            heading: format!("Welcome to {site}"),
            why: format!("You are receiving this email because someone signed up at {site} with this address."),
            ..self.letter("Confirm your address", "One click and you are all set.", parts)
        }
    }

    fn reset_password(&self, first_name: &str, link: &str) -> Letter {
        let parts = vec![
            greeting(first_name),
            text(format!(
                "Someone asked for a new password for your account at {}. You can choose one here.",
                self.site
            )),
            button("Choose a new password", link),
            text(
                "The link is good for one hour and works once. Once you choose a new password, every device is logged out.",
            ),
            note("If this was not you, ignore this email: your password will not change."),
        ];
        self.letter("Choose a new password", "The link is good for one hour.", parts)
    }

    fn password_changed(&self, first_name: &str, event: Part) -> Letter {
        let parts = vec![
            greeting(first_name),
            text(
                "Your password was changed, and your other devices were logged out. If this was you, there is nothing to do.",
            ),
            event,
            text("If this was not you, choose a new password right away. That logs out every device."),
            button("Choose a new password", format!("{}/forgot-password", self.url)),
            note(format!("If you need help, write to {}.", self.support)),
        ];
        self.letter("Your password was changed", "If this was you, there is nothing to do.", parts)
    }

    fn new_sign_in(&self, first_name: &str, event: Part) -> Letter {
        let parts = vec![
            greeting(first_name),
            text("Someone logged in to your account on a new device. If this was you, there is nothing to do."),
            event,
            text("If this was not you, log the device out in your account and choose a new password."),
            button("See my devices", format!("{}/account", self.url)),
            note(format!("You can choose a new password at {}/forgot-password.", self.url)),
        ];
        self.letter("New login to your account", "If this was you, there is nothing to do.", parts)
    }

    fn account_deleted(&self, first_name: &str) -> Letter {
        let site = self.site;
        let parts = vec![
            greeting(first_name),
            text(format!(
                "Your account at {site} has been deleted, along with everything in it that identified you. You are logged out on every device."
            )),
            text("Thank you for reading with us. You can sign up again with this address whenever you like."),
            button("Go to the home page", format!("{}/", self.url)),
            note(format!("If this was not you, please write to {}.", self.support)),
        ];
        Letter {
            why: format!(
                "You are receiving this email because this address belonged to an account at {site}. It is the last one we will send."
            ),
            ..self.letter("Your account has been deleted", "Thank you for reading with us.", parts)
        }
    }

    fn login_link(&self, first_name: &str, link: &str, code: &str) -> Letter {
        let parts = vec![
            greeting(first_name),
            text(format!("Here is your link to log in to {}.", self.site)),
            button("Log in", link),
            Part::Code { label: "Or enter this code where you asked for the link:", code: code.to_owned() },
            text("Both are good for 15 minutes and work once."),
            note(
                "If this was not you, ignore this email: nobody can get in without it. We will never ask you for the code.",
            ),
        ];
        self.letter("Your login link", "Good for 15 minutes.", parts)
    }

    fn proof_code(&self, first_name: &str, code: &str) -> Letter {
        let parts = vec![
            greeting(first_name),
            text(format!("Here is your {} code. It confirms that it is you.", self.site)),
            Part::Code { label: "Enter this code where you asked for it:", code: code.to_owned() },
            button("See my devices", format!("{}/account", self.url)),
            text("The code is good for 15 minutes and works once, on the device that asked for it."),
            note(
                "If this was not you, log out your devices in your account and choose a new password. We will never ask you for the code.",
            ),
        ];
        self.letter("Your code", "Good for 15 minutes.", parts)
    }

    fn confirm_new_email(&self, first_name: &str, link: &str) -> Letter {
        let site = self.site;
        let parts = vec![
            greeting(first_name),
            text(format!("Your account at {site} will use this address from now on. Please confirm that it is yours.")),
            button("Confirm my new address", link),
            note(
                "The link is good for 24 hours. Until you confirm, the old address stays in use. If this was not you, you can ignore this email.",
            ),
        ];
        Letter {
            why: format!("You are receiving this email because someone gave this address for an account at {site}."),
            ..self.letter("Confirm your new address", "One click, and your account will use it.", parts)
        }
    }

    fn email_changed(&self, first_name: &str, new_email: &str) -> Letter {
        let site = self.site;
        let parts = vec![
            greeting(first_name),
            text(format!(
                "Your account at {site} has a new address. From now on we send emails there, and you log in with it."
            )),
            Part::Facts(vec![("New address", new_email.to_owned())]),
            text("If this was you, there is nothing to do. If it was not, please write to us right away."),
            button("Write to us", format!("{}/contact", self.url)),
            note(format!("You can also write to {}.", self.support)),
        ];
        Letter {
            why: format!("You are receiving this email because this was the address of an account at {site}."),
            ..self.letter("Your address was changed", "From now on we write to the new one.", parts)
        }
    }

    fn summary_published(&self, first_name: &str, title: &str, author: &str, link: &str) -> Letter {
        let parts = vec![
            greeting(first_name),
            text(format!("The summary of {title} by {author} is ready. You asked us to let you know.")),
            button("Read the summary", link),
            note("This is the only email we will send you about this book."),
        ];
        Letter {
            why: format!(
                "You are receiving this email because you asked {} to tell you when this summary is ready.",
                self.site
            ),
            ..self.letter(format!("{title} is ready"), format!("By {author}: the summary you were waiting for."), parts)
        }
    }

    fn ten_day_plan(&self, goals: &[String], books: &[PlanMailBook], link: &str) -> Letter {
        let site = self.site;
        let days = (1..).zip(books).map(|(day, book)| LetterLink {
            label: format!("Day {day}"),
            text: book.name.clone(),
            link: book.link.clone(),
        });
        let parts = vec![
            text(format!(
                "Here is your reading plan for: {}. One book a day, about fifteen minutes each.",
                goals.join(", ")
            )),
            Part::Links(days.collect()),
            button("Start reading", link),
            note(format!(
                "We will not send anything else. If you did not ask {site} for a plan, you can ignore this email."
            )),
        ];
        Letter {
            why: format!(
                "You are receiving this email because this address was given for a ten-day challenge at {site}."
            ),
            ..self.letter("Your ten-day reading plan", "One book a day, about fifteen minutes each.", parts)
        }
    }

    fn daily_book(&self, first_name: &str, book: &DayBook<'_>, link: &str, unsubscribe: &str) -> Letter {
        let DayBook { day, days, title, author, is_done } = book;
        let today = if *is_done {
            format!(
                "Your book today is {title} by {author}. You have already completed it: take the day off, or read it again."
            )
        } else {
            format!("Your book today is {title} by {author}. It takes about fifteen minutes.")
        };
        let note_text = if day == days {
            "This was the last email of your plan. Thank you for reading along."
        } else {
            "One email a day, until the last day of your plan."
        };
        let parts = vec![
            greeting(first_name),
            text(today),
            button(if *is_done { "Read again" } else { "Start reading" }, link),
            note(note_text),
        ];
        Letter {
            heading: format!("Day {day} of {days}"),
            why: format!(
                "You are receiving this email because you asked {} for one email a day about your reading plan.",
                self.site
            ),
            unsubscribe: Some(unsubscribe.to_owned()),
            ..self.letter(format!("Day {day}: {title}"), format!("By {author}: your book for today."), parts)
        }
    }

    fn review_reminder(
        &self,
        first_name: &str,
        (cards, minutes): (usize, usize),
        asked: &[AskedInMail],
        link: &str,
        unsubscribe: &str,
    ) -> Letter {
        let time = if minutes == 1 { "about a minute".to_owned() } else { format!("about {minutes} minutes") };
        let mut parts = vec![greeting(first_name)];
        if cards > 0 {
            parts.push(text(format!("It takes {time} to go through them, and what you have read stays with you.")));
            parts.push(button("Review now", link));
        }
        for one in asked {
            parts.push(text(format!("{}, after “{}”, you wanted to:", days_ago(one.days), one.title)));
            parts.push(Part::Quote(vec![one.text.clone()]));
        }
        if cards == 0 {
            parts.push(button("Say what became of it", link));
        } else if !asked.is_empty() {
            parts.push(text("Your home page asks you what became of it."));
        }
        parts.push(note(
            "This email comes at the hour you chose, on days on which cards are due and none was reviewed yet, and 3 and 14 days \
             after you wanted to do something.",
        ));
        let (subject, preview) = match (cards, asked) {
            (0, [one, ..]) => ("What became of it?".to_owned(), one.text.clone()),
            (1, _) => ("One card is due today".to_owned(), format!("It takes {time}.")),
            _ => (format!("{cards} cards are due today"), format!("It takes {time}.")),
        };
        Letter {
            why: format!("You are receiving this email because you asked {} to remind you.", self.site),
            unsubscribe: Some(unsubscribe.to_owned()),
            ..self.letter(subject, preview, parts)
        }
    }

    fn highlight_digest(
        &self,
        first_name: &str,
        highlights: &[DigestHighlight],
        link: &str,
        unsubscribe: &str,
    ) -> Letter {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let mut parts = vec![greeting(first_name), text("Here is what you once highlighted.")];
        parts.extend(highlights.iter().map(|highlight| Part::Highlight {
            words: lines(&highlight.words),
            note: lines(&highlight.note),
            source: if highlight.author.is_empty() {
                highlight.title.clone()
            } else {
                format!("{}, {}", highlight.title, highlight.author)
            },
            link: highlight.link.clone(),
        }));
        parts.push(button("See all highlights", link));
        Letter {
            why: format!("You are receiving this email because you asked {} to send you your highlights.", self.site),
            unsubscribe: Some(unsubscribe.to_owned()),
            ..self.letter(digest_subject(highlights), "Some of what you have kept.", parts)
        }
    }

    /// An e-reader keeps the file and drops the text, which is for a person who opens the mailbox.
    fn e_reader_file(&self, title: &str, author: Option<&str>, link: &str) -> Letter {
        let site = self.site;
        let named = author.map_or_else(|| title.to_owned(), |author| format!("{title} by {author}"));
        let preview = author.map_or_else(|| format!("From {site}."), |author| format!("By {author}, from {site}."));
        let parts = vec![
            text(format!("Here is the summary of {named} for your e-reader. It is attached as an EPUB file.")),
            button("See it on the web", link),
            note(format!("You asked for it at {site}, where you can also change your e-reader’s address.")),
        ];
        Letter {
            why: format!("You are receiving this email because a member of {site} sent it to this e-reader."),
            ..self.letter(format!("{title}: a summary"), preview, parts)
        }
    }

    fn plan_canceled(&self, first_name: &str, plan: &str, until: &str, link: &str) -> Letter {
        let parts = vec![
            greeting(first_name),
            text(format!("Your subscription was cancelled. You will not be charged for {plan} again.")),
            Part::Facts(vec![("You can read until", until.to_owned())]),
            button("Turn renewal back on", link),
            note("Until then, you can turn renewal back on with one click. What you have read and saved stays yours."),
        ];
        self.letter("Your subscription was cancelled", format!("You can read until {until}."), parts)
    }

    fn pause_offer(&self, first_name: &str, plan: &str, amount: &str, at: &str, link: &str) -> Letter {
        let parts = vec![
            greeting(first_name),
            text(format!("You are paying for {plan} and have not opened a summary in two months.")),
            text(
                "If now is not a good time, pause your plan for one to three months: you will not be charged until the \
                 pause ends.",
            ),
            Part::Facts(vec![("Next charge", amount.to_owned()), ("Date", at.to_owned())]),
            button("Pause your plan", link),
            note("If you do nothing, your plan continues as before. You can also cancel it on the same page."),
        ];
        self.letter("Would you like to pause your plan?", format!("The next charge is {amount} on {at}."), parts)
    }

    fn seat(&self, sender: &str, code: &str, link: &str) -> Letter {
        let site = self.site;
        let sender = display_name(sender).unwrap_or_else(|| "Your team".to_owned());
        let parts = vec![
            text(format!("{sender} has a seat on {site} for you: every summary, for a year.")),
            Part::Code { label: "Your code:", code: code.to_owned() },
            button("Claim my seat", link),
            note("The code works once. There is nothing to pay."),
        ];
        Letter {
            why: format!("You are receiving this email because {sender} gave your address to {site} for this seat."),
            ..self.letter(format!("{sender} has a seat on {site} for you"), "Every summary, for a year.", parts)
        }
    }

    fn test(&self) -> Letter {
        let site = self.site;
        let parts = vec![
            text(format!(
                "This email was sent to try the mail server of {site}. It has arrived, so the settings are right."
            )),
            button("Open the site", self.url),
            note(
                "Look at its headers too: SPF, DKIM and DMARC should pass, or other mailboxes may refuse what the site sends.",
            ),
        ];
        Letter {
            why: format!("You are receiving this email because the operator of {site} asked for it."),
            ..self.letter(format!("A test email from {site}"), "Mails arrive.", parts)
        }
    }

    fn archive(&self, first_name: &str, link: &str) -> Letter {
        let parts = vec![
            greeting(first_name),
            text(format!(
                "Here is everything that {} keeps about you, in one file: your account, your books, your progress.",
                self.site
            )),
            button("Download my archive", link),
            note(
                "The link is good for 24 hours and works once. If this was not you, log out your devices in your account and choose a new password.",
            ),
        ];
        self.letter("Your archive is ready", "Everything we keep about you, in one file.", parts)
    }

    fn invitation(&self, your_name: &str, friend_name: &str, link: &str) -> Letter {
        let site = self.site;
        let friend = display_name(your_name).unwrap_or_else(|| "A friend".to_owned());
        let parts = vec![
            greeting(friend_name),
            text(format!("{friend} reads on {site} and thought of you.")),
            text(
                "There, a great book takes fifteen minutes: its key ideas, one to a page, in plain and careful prose. Your first three summaries are free.",
            ),
            button("Take a look", link),
            note(format!("If this is not for you, just ignore this email: {site} will not send another one.")),
        ];
        Letter {
            heading: format!("{friend} invites you"),
            why: format!(
                "You are receiving this email because {friend} gave your address to {site} for this one invitation."
            ),
            ..self.letter(format!("{friend} invites you to {site}"), "Your first three summaries are free.", parts)
        }
    }

    fn receipt(
        &self,
        first_name: &str,
        sums: &[(&'static str, String)],
        next: Option<(String, String)>,
        is_trial: bool,
        sign_up: Option<&str>,
    ) -> Letter {
        let mut facts = sums.to_vec();
        let mut parts = vec![greeting(first_name), text("Thank you. This is your receipt.")];
        if let Some((amount, at)) = next {
            facts.extend([("Next charge", amount), ("Due", at)]);
        }
        parts.push(Part::Facts(facts));
        if is_trial {
            parts.push(text(
                "Your free trial runs until the next charge. We will email you a day before it ends; cancel before then and nothing is charged.",
            ));
        }
        match sign_up {
            Some(link) => {
                parts.push(text("You bought without an account. Sign up or log in to use what you bought."));
                parts.push(button("Sign up", link));
            }
            None => parts.push(button("See your account", format!("{}/account", self.url))),
        }
        parts.push(note(format!("If anything looks wrong, write to {}.", self.support)));
        Letter {
            why: format!("You are receiving this email because this address was used for a purchase at {}.", self.site),
            ..self.letter("Your receipt", "What you bought and what was charged.", parts)
        }
    }

    fn trial_ending(&self, first_name: &str, plan: &str, amount: &str, at: &str, link: &str) -> Letter {
        let parts = vec![
            greeting(first_name),
            text(format!("Your free trial of the {plan} plan ends on {at}, when {amount} will be charged.")),
            text("If you want to continue, there is nothing to do. If not, cancel before then and nothing is charged."),
            button("See your plan", link),
        ];
        self.letter("Your free trial ends tomorrow", format!("{amount} is charged on {at}."), parts)
    }

    fn renewal_failed(&self, first_name: &str, plan: &str, amount: &str, until: &str, link: &str) -> Letter {
        let parts = vec![
            greeting(first_name),
            text(format!("We could not charge {amount} for your {plan} plan. No money was taken.")),
            text(format!("You keep your plan until {until}. Until then you can pay with another card.")),
            button("Fix the payment", link),
            note(format!("If you need help, write to {}.", self.support)),
        ];
        self.letter("Your payment did not go through", format!("You keep your plan until {until}."), parts)
    }

    fn gift(&self, sender: &str, recipient: &str, message: &str, code: &str, link: &str) -> Letter {
        let site = self.site;
        let sender = display_name(sender).unwrap_or_else(|| "Someone".to_owned());
        let mut parts = vec![
            greeting(recipient),
            text(format!("{sender} bought you a year of {site} as a gift: every summary, to read and to listen to.")),
        ];
        if !message.trim().is_empty() {
            parts.push(Part::Quote(message.lines().map(str::to_owned).collect()));
        }
        parts.push(Part::Code { label: "The gift code", code: code.to_owned() });
        parts.push(button("Redeem the gift", link));
        parts.push(note("The code works once and does not expire."));
        Letter {
            heading: "A year of reading".to_owned(),
            why: format!("You are receiving this email because {sender} gave {site} this address for a gift."),
            ..self.letter(format!("A gift from {sender}"), format!("A year of {site}."), parts)
        }
    }

    fn codes(&self, first_name: &str, codes: &[String], link: &str) -> Letter {
        let parts = vec![
            greeting(first_name),
            text(format!("Here are the {} codes you bought. Each one gives one person a year.", codes.len())),
            Part::Quote(codes.to_vec()),
            text("Send each person a code. You can also find the codes under Teams and see which have been used."),
            button("See your seats", link),
        ];
        Letter {
            why: format!("You are receiving this email because this address was used for a purchase at {}.", self.site),
            ..self.letter("Your codes", "One for each person, good for a year.", parts)
        }
    }

    fn message(&self, kind: &str, name: &str, email: &str, body: &str) -> Letter {
        let heading = match kind {
            "suggest" => "A book was suggested",
            "feedback" => "Someone sent feedback",
            "leaving" => "Someone deleted their account",
            "cancellation" => "Someone cancelled",
            _ => "Someone wrote to us",
        };
        let from = [("Name", name), ("Address", email)];
        let facts: Vec<_> = from
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(label, value)| (label, value.to_owned()))
            .collect();
        let mut parts = Vec::new();
        if !facts.is_empty() {
            parts.push(Part::Facts(facts));
        }
        parts.push(Part::Quote(body.lines().map(str::to_owned).collect()));
        parts.push(button("Open the inbox", format!("{}/admin/messages", self.url)));
        if !email.is_empty() {
            parts.push(note("Replies to this email go to the address above."));
        }
        Letter {
            heading: heading.to_owned(),
            why: format!("You are receiving this email because {} sends messages to this address.", self.site),
            reply_to: (!email.is_empty())
                .then(|| ReplyTo { name: display_name(name).unwrap_or_default(), email: email.to_owned() }),
            ..self.letter(
                display_name(name).map_or_else(|| heading.to_owned(), |name| format!("{heading}: {name}")),
                body.lines().next().unwrap_or_default().chars().take(120).collect::<String>(),
                parts,
            )
        }
    }

    fn answer(&self, name: &str, answer: &str, message: &str) -> Letter {
        let site = self.site;
        let mut parts = vec![greeting(name)];
        let paragraphs = answer.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
        parts.extend(paragraphs.map(text));
        parts.push(note("You wrote:"));
        parts.push(Part::Quote(message.lines().map(str::to_owned).collect()));
        parts.push(button("Write to us again", format!("{}/contact", self.url)));
        Letter {
            why: format!(
                "You are receiving this email because someone wrote to {site} and gave this address for the reply."
            ),
            reply_to: Some(ReplyTo { name: site.to_owned(), email: self.support.to_owned() }),
            ..self.letter(
                format!("Our reply from {site}"),
                answer.lines().next().unwrap_or_default().chars().take(120).collect::<String>(),
                parts,
            )
        }
    }

    fn second_factor_changed(&self, first_name: &str, what: &str) -> Letter {
        let parts = vec![
            greeting(first_name),
            text(what),
            text(
                "If this was you, there is nothing to do. If it was not, choose a new password right away and check how you log in to your account.",
            ),
            button("See my account", format!("{}/account", self.url)),
            note(format!(
                "You can choose a new password at {}/forgot-password. If you need help, write to {}.",
                self.url, self.support
            )),
        ];
        self.letter("The way you log in was changed", "If this was you, there is nothing to do.", parts)
    }
}

/// Names the source of the first highlight, and how many others there are. A title that a person typed may be no name.
fn digest_subject(highlights: &[DigestHighlight]) -> String {
    let titles: BTreeSet<&str> = highlights.iter().map(|highlight| highlight.title.as_str()).collect();
    let first = highlights.first().and_then(|highlight| display_name(&highlight.title));
    match (first, titles.len()) {
        (None, _) => "Your highlights".to_owned(),
        (Some(first), 0 | 1) => format!("Your highlights from {first}"),
        (Some(first), 2) => format!("Your highlights from {first} and one other title"),
        (Some(first), all) => format!("Your highlights from {first} and {} other titles", all - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::format_time;

    #[test]
    fn a_time_is_written_in_the_members_time_zone() {
        assert_eq!(format_time(1_781_524_800_000, "UTC"), "June 15, 2026, 12:00 PM UTC");
        assert_eq!(format_time(1_781_524_800_000, "Europe/Berlin"), "June 15, 2026, 2:00 PM CEST");
        assert_eq!(format_time(1_781_524_800_000, "Nowhere/At_all"), "June 15, 2026, 12:00 PM UTC");
        assert_eq!(format_time(i64::MAX, "UTC"), "");
    }
}
