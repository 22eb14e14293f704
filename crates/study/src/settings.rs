//! What a member has switched on or off (`study.study-switches`).

/// The settings of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StudySettings {
    /// Whether the reader offers and shows highlights.
    pub has_highlights: bool,
    /// Whether the member's highlights count for popular passages.
    pub counts_in_popular: bool,
    /// Whether popular passages are shown to the member.
    pub shows_popular: bool,
}

impl Default for StudySettings {
    fn default() -> Self {
        Self { has_highlights: true, counts_in_popular: true, shows_popular: true }
    }
}
