//! A letter: the text of a mail, in parts that both the HTML and the plain-text template show.

/// The text of a mail. Its layout is in the templates (`templates/letter.html`, `letter.txt`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Letter {
    /// One line, without secrets, because locked phones show it.
    pub(crate) subject: String,
    /// The preview text that mail clients show after the subject.
    pub(crate) preheader: String,
    pub(crate) heading: String,
    pub(crate) parts: Vec<Part>,
    /// Why the recipient gets this mail; shown in the footer.
    pub(crate) why: String,
    /// `None`: replies go to the sender of all mails.
    pub(crate) reply_to: Option<ReplyTo>,
    /// The URL that ends mails of this kind; `None` for mails that are sent once.
    pub(crate) unsubscribe: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A paragraph.
    Text(String),
    /// The call to action: a button, with its URL written out below it.
    Button {
        label: &'static str,
        /// An absolute URL.
        link: String,
    },
    /// A code to copy or type.
    Code {
        /// What to do with the code.
        label: &'static str,
        code: String,
    },
    /// Labels and values.
    Facts(Vec<(&'static str, String)>),
    /// A quoted message, line by line.
    Quote(Vec<String>),
    /// A passage that the recipient has highlighted.
    Highlight {
        /// Line by line.
        words: Vec<String>,
        /// The recipient's note, line by line; empty without one.
        note: Vec<String>,
        /// What it is from.
        source: String,
        /// An absolute URL; without one the source stands alone.
        link: Option<String>,
    },
    /// A list of links.
    Links(Vec<LetterLink>),
    /// Small print: how long a link is valid, and what to do if it was not you.
    Note(String),
}

/// A link of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LetterLink {
    /// What stands before the link, such as `Day 1`.
    pub(crate) label: String,
    pub(crate) text: String,
    /// An absolute URL; without one the text stands alone.
    pub(crate) link: Option<String>,
}

/// The recipient of replies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReplyTo {
    /// May be empty.
    pub(crate) name: String,
    pub(crate) email: String,
}
