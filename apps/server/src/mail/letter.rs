//! A mail before it is set: what it says, in the parts that both the HTML and the text show.

/// What a mail says. The look is the templates' (`templates/mail/letter.html`, `letter.txt`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Letter {
    /// The subject: one line, without secrets, for it is shown on locked phones.
    pub(super) subject: String,
    /// What lists of mails show after the subject.
    pub(super) preheader: String,
    /// The heading.
    pub(super) heading: String,
    /// What follows, part by part.
    pub(super) parts: Vec<Part>,
    /// Why the recipient gets this.
    pub(super) why: String,
    /// Who gets an answer, if not the site.
    pub(super) reply_to: Option<ReplyTo>,
}

/// One part of a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A paragraph.
    Text(String),
    /// The one thing to do: a button, with its link written out below it.
    Button {
        /// What the button says.
        label: &'static str,
        /// A whole address.
        link: String,
    },
    /// A code to type.
    Code {
        /// What to do with it.
        label: &'static str,
        /// The digits.
        code: String,
    },
    /// Names and values.
    Facts(Vec<(&'static str, String)>),
    /// What somebody wrote, line by line.
    Quote(Vec<String>),
    /// What to do if it was not you, and for how long it is good.
    Note(String),
}

/// Who gets an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReplyTo {
    /// Their name, possibly empty.
    pub(super) name: String,
    /// Their address.
    pub(super) email: String,
}
