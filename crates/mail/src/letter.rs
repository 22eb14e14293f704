//! A letter: what a mail says, in the parts that both the HTML and the text show.

/// What a mail says. Its look is in the templates (`templates/letter.html`, `letter.txt`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Letter {
    /// The subject: one line, without secrets, because locked phones show it.
    pub(crate) subject: String,
    /// The preview that mail programs show after the subject.
    pub(crate) preheader: String,
    pub(crate) heading: String,
    /// The body, part by part.
    pub(crate) parts: Vec<Part>,
    /// Why the recipient gets this mail.
    pub(crate) why: String,
    /// The `Reply-To`, if not the site.
    pub(crate) reply_to: Option<ReplyTo>,
    /// The URL that ends mails of this kind, for a mail that comes again and again.
    pub(crate) unsubscribe: Option<String>,
}

/// One part of a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A paragraph.
    Text(String),
    /// The call to action: a button, with its link written out below it.
    Button {
        /// The button's label.
        label: &'static str,
        /// An absolute URL.
        link: String,
    },
    /// A code to type.
    Code {
        /// What to do with the code.
        label: &'static str,
        /// The digits.
        code: String,
    },
    /// Labels and values.
    Facts(Vec<(&'static str, String)>),
    /// A quoted message, line by line.
    Quote(Vec<String>),
    /// What to do if it was not you, and how long a link is valid.
    Note(String),
}

/// A `Reply-To`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReplyTo {
    /// Their name, possibly empty.
    pub(crate) name: String,
    /// Their address.
    pub(crate) email: String,
}
