//! Why a viewer may not do something, and the message for it.

use std::fmt;

/// Something that a viewer may want to do with a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Read the full text.
    Read,
    /// Write history: positions, completion, the start of the video.
    WriteHistory,
    /// Hear the audio.
    Listen,
    /// Watch the video.
    Watch,
    /// See the illustrated key ideas.
    SeeVisuals,
    /// Download the text as a file.
    Download,
    DownloadInfographic,
    /// Send the book to an e-reader, or set one up.
    SendToEReader,
}

impl Action {
    /// Every action.
    pub const ALL: [Self; 8] = [
        Self::Read,
        Self::WriteHistory,
        Self::Listen,
        Self::Watch,
        Self::SeeVisuals,
        Self::Download,
        Self::DownloadInfographic,
        Self::SendToEReader,
    ];
}

/// Why a viewer may not do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DenialReason {
    /// The book is announced, or has no text yet.
    NotWritten,
    /// The viewer is not signed in.
    SignInRequired,
    /// The action needs a plan, or the allowance is used up.
    UpgradeRequired,
    /// The allowance suffices for this book, but the member has not opened it. Only opening uses the allowance.
    NotOpened,
}

/// An action that was denied. Its `Display` text is shown to people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Refusal {
    /// The action that was denied.
    pub action: Action,
    pub reason: DenialReason,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.reason {
            DenialReason::SignInRequired => "Please log in.",
            DenialReason::NotWritten => match self.action {
                Action::Read | Action::WriteHistory | Action::Watch | Action::SeeVisuals => {
                    "This summary is coming soon."
                }
                Action::Listen => "There is no such audio.",
                Action::DownloadInfographic => "There is no such infographic.",
                Action::Download | Action::SendToEReader => "This summary has not been written yet.",
            },
            DenialReason::UpgradeRequired | DenialReason::NotOpened => match (self.action, self.reason) {
                (Action::WriteHistory, DenialReason::NotOpened) => "Please open this summary first.",
                (Action::Read | Action::WriteHistory, _) => "Please upgrade to read this summary in full.",
                (Action::Listen, _) => "Please upgrade to listen to this summary.",
                (Action::Watch, _) => "Please upgrade to see the full video content for this summary.",
                (Action::SeeVisuals, _) => "Please upgrade to see the visuals for this summary.",
                (Action::Download, _) => "Please upgrade to download this summary.",
                (Action::DownloadInfographic, _) => "Please upgrade to download infographics.",
                (Action::SendToEReader, _) => "Please upgrade to send summaries to your e-reader.",
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Action, DenialReason, Refusal};

    #[test]
    fn the_texts_are_those_of_the_specification() {
        let text = |action, reason| Refusal { action, reason }.to_string();
        for action in Action::ALL {
            assert_eq!(text(action, DenialReason::SignInRequired), "Please log in.");
        }
        let upgrade = DenialReason::UpgradeRequired;
        for (action, wanted) in [
            (Action::Read, "Please upgrade to read this summary in full."),
            (Action::WriteHistory, "Please upgrade to read this summary in full."),
            (Action::Listen, "Please upgrade to listen to this summary."),
            (Action::Watch, "Please upgrade to see the full video content for this summary."),
            (Action::Download, "Please upgrade to download this summary."),
            (Action::DownloadInfographic, "Please upgrade to download infographics."),
            (Action::SendToEReader, "Please upgrade to send summaries to your e-reader."),
        ] {
            assert_eq!(text(action, upgrade), wanted);
        }
        assert_eq!(text(Action::Listen, DenialReason::NotOpened), "Please upgrade to listen to this summary.");
        assert_eq!(text(Action::WriteHistory, DenialReason::NotOpened), "Please open this summary first.");
        let unwritten = DenialReason::NotWritten;
        assert_eq!(text(Action::WriteHistory, unwritten), "This summary is coming soon.");
        assert_eq!(text(Action::Download, unwritten), "This summary has not been written yet.");
        assert_eq!(text(Action::SendToEReader, unwritten), "This summary has not been written yet.");
    }
}
