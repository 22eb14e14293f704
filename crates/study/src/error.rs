//! The errors of this crate; their messages are shown to people.

/// A rule of highlights, review cards or commitments was violated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StudyError {
    /// A highlight without words.
    #[error("Please select some text.")]
    NothingSelected,
    /// The passage is longer than [`crate::QUOTE_MAX_CHARS`].
    #[error("Please select at most 2,000 characters.")]
    PassageTooLong,
    /// The positions are no range, or there is more text around the words than an anchor has.
    #[error("This passage is not in one section.")]
    InvalidPassage,
    /// The note is longer than [`crate::NOTE_MAX_CHARS`].
    #[error("Please keep your note to 5,000 characters.")]
    NoteTooLong,
    /// More tags than [`crate::MAX_TAGS`].
    #[error("Please use at most 20 tags.")]
    TooManyTags,
    /// The tag is empty, or longer than [`crate::TAG_MAX_CHARS`].
    #[error("A tag has up to 40 characters.")]
    InvalidTag,
    /// A recording without the times of its passages.
    #[error("This recording does not say when its sentences are spoken.")]
    NoSentenceTimes,
    /// An own card without a question.
    #[error("Please write a question.")]
    NoQuestion,
    /// An own card without an answer.
    #[error("Please write an answer.")]
    NoAnswer,
    /// The question is longer than [`crate::QUESTION_MAX_CHARS`].
    #[error("Please keep the question to 500 characters.")]
    QuestionTooLong,
    /// The answer is longer than [`crate::ANSWER_MAX_CHARS`].
    #[error("Please keep the answer to 2,000 characters.")]
    AnswerTooLong,
    /// A card of a highlight that hides no word, or all, or what is not in the highlight.
    #[error("Please choose the words to hide.")]
    NothingHidden,
    /// The id of a card is not the one that follows from its idea or its highlight, or a card of another kind has it.
    #[error("This id is not that of the idea or the highlight.")]
    OtherCard,
    /// A commitment without a text.
    #[error("Please write what you will do.")]
    NoCommitment,
    /// The text is longer than [`crate::COMMITMENT_MAX_CHARS`].
    #[error("Please keep it to 500 characters.")]
    CommitmentTooLong,
    /// The outcome of a commitment is none of the three.
    #[error("A commitment is open, done or dropped.")]
    UnknownOutcome,
    /// A commitment is not asked about on this day.
    #[error("A commitment is asked about on day 3 and on day 14.")]
    UnknownAsking,
    /// The rating is none of the four.
    #[error("Please rate from 1 to 4.")]
    InvalidRating,
    /// A daily maximum outside [`crate::DAILY_MAX_RANGE`].
    #[error("Choose from 5 to 200 cards a day.")]
    InvalidDailyMax,
    /// An hour outside [`crate::NOTICE_HOURS`].
    #[error("Choose an hour from 0 to 23.")]
    InvalidNoticeHour,
    /// The reminder is none of its words.
    #[error("There is no such choice.")]
    InvalidReminder,
    /// The digest is none of its words.
    #[error("There is no such choice.")]
    InvalidDigest,
    /// A length outside [`crate::SESSION_MINUTES`].
    #[error("Choose from 1 to 120 minutes.")]
    InvalidSessionMinutes,
    /// The topic is longer than [`crate::TOPIC_MAX_CHARS`].
    #[error("Please keep the topic to 100 characters.")]
    TopicTooLong,
    /// A list without a name.
    #[error("Please name the list.")]
    NoListName,
    /// The name is longer than [`crate::LIST_NAME_MAX_CHARS`].
    #[error("Please keep the name to 100 characters.")]
    ListNameTooLong,
    /// The note is longer than [`crate::LIST_NOTE_MAX_CHARS`].
    #[error("Please keep the note to 2,000 characters.")]
    ListNoteTooLong,
    /// More books than [`crate::LIST_BOOKS`].
    #[error("A list has up to 200 books.")]
    TooManyBooks,
    /// A rank is no short text of digits and letters.
    #[error("A rank has up to 200 digits and letters.")]
    InvalidRank,
    /// To whom a list is shown is none of its words.
    #[error("A list is private, by link or public.")]
    UnknownSharing,
    /// More lists than [`crate::OWN_LISTS`].
    #[error("You have 200 lists. Please delete one first.")]
    TooManyLists,
    /// More lists of others than [`crate::FOLLOWED_LISTS`].
    #[error("You follow 200 lists. Please leave one first.")]
    TooManyFollowed,
    /// A member would follow their own list.
    #[error("This list is yours.")]
    OwnList,
    /// The URL of a webhook is not allowed.
    #[error("Please enter a web address that begins with https://.")]
    InvalidWebhookUrl,
    /// A browser has sent something else than a push subscription.
    #[error("This browser can’t show notifications.")]
    InvalidPushSubscription,
}
