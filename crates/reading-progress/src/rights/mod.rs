//! What a viewer may do with a book: one pure function, [`rights()`], and its parts.

mod allowance;
mod condition;
mod grant;
mod infographics;
mod refusal;
mod viewer;

use kernel::Timestamp;

pub use allowance::{Allowance, AllowanceUse, FREE_SUMMARIES, FRIEND_SUMMARIES, MONTHLY_SUMMARIES, free_summaries};
pub use condition::{FullTexts, HistoryCondition, history_condition};
pub use grant::{Grant, OpeningRight, has_plan};
pub use infographics::{INFOGRAPHICS_OF_A_PLAN, InfographicsAddOn, InfographicsDownload, infographics};
pub use refusal::{Action, DenialReason, Refusal};
pub use viewer::{BookFacts, Member, Viewer};

/// What happens when the viewer is given the full text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The right that must be recorded before the full text is sent; `None`: it was recorded before, or the viewer is a
    /// visitor.
    pub record: Option<OpeningRight>,
    /// Whether it uses the last free summary (`lastFree`).
    pub is_last_free: bool,
}

impl Opening {
    /// Whether it uses one summary of the allowance.
    pub fn takes_one(&self) -> bool {
        self.record.is_some_and(OpeningRight::is_permanent)
    }
}

/// What one viewer may do with one book at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rights {
    /// Read the full text. If [`Opening::record`] is set, it must be recorded before the text is sent.
    pub read: Result<Opening, DenialReason>,
    /// Hear the audio: allowed if the full text may be read without using the allowance. It also decides whether
    /// positions may be saved.
    pub listen: Result<(), DenialReason>,
    /// Watch the video.
    pub watch: Result<(), DenialReason>,
    /// See the illustrated key ideas.
    pub see_visuals: Result<(), DenialReason>,
    /// Download the text as a file, which uses the allowance as opening does. A visitor may download a free book.
    pub download: Result<Opening, DenialReason>,
    pub download_infographic: Result<(), DenialReason>,
    /// Send the book to an e-reader.
    pub send_to_e_reader: Result<(), DenialReason>,
    /// Whether the viewer has a plan that runs.
    pub has_plan: bool,
    /// The free summaries that are left after reading; `None` for visitors and with a plan.
    pub allowance: Option<Allowance>,
    /// When one of the viewer's grants next begins or ends: the rights are valid until then. `None`: no such moment.
    pub until: Option<Timestamp>,
}

impl Rights {
    /// `Ok` if the action is allowed; otherwise the refusal.
    pub fn check(&self, action: Action) -> Result<(), Refusal> {
        let allowed = match action {
            Action::Read => self.read.map(|_| ()),
            Action::WriteHistory | Action::Listen => self.listen,
            Action::Watch => self.watch,
            Action::SeeVisuals => self.see_visuals,
            Action::Download => self.download.map(|_| ()),
            Action::DownloadInfographic => self.download_infographic,
            Action::SendToEReader => self.send_to_e_reader,
        };
        allowed.map_err(|reason| Refusal { action, reason })
    }

    /// The rights while the book is not opened: every action is denied, and the allowance is the one before reading
    /// (`reading-progress.last-free`).
    #[must_use]
    pub fn of_preview(self) -> Self {
        let taken = u32::from(self.read.is_ok_and(|opening| opening.takes_one()));
        Self {
            read: unopened(self.read),
            listen: unopened(self.listen),
            watch: unopened(self.watch),
            see_visuals: unopened(self.see_visuals),
            download: unopened(self.download),
            download_infographic: unopened(self.download_infographic),
            send_to_e_reader: unopened(self.send_to_e_reader),
            allowance: self.allowance.map(|allowance| Allowance { left: allowance.left + taken, ..allowance }),
            ..self
        }
    }

    /// The same rights if reading does not use the allowance; otherwise those of the preview.
    #[must_use]
    pub fn without_taking(self) -> Self {
        if self.read.is_ok_and(|opening| opening.takes_one()) { self.of_preview() } else { self }
    }

    /// The rights of a member who has bought the book's file: downloading it uses no allowance and needs no plan
    /// (`delivery.download-rights`). A text that is not written yet can't be downloaded.
    #[must_use]
    pub fn of_owner(self) -> Self {
        let owned = Opening { record: None, is_last_free: false };
        let download = match self.download {
            Ok(_) | Err(DenialReason::UpgradeRequired | DenialReason::NotOpened) => Ok(owned),
            Err(reason @ (DenialReason::SignInRequired | DenialReason::NotWritten)) => Err(reason),
        };
        Self { download, ..self }
    }

    /// The rights of a member who has bought an add-on with the book's infographic (`catalogue.infographic-add-ons`):
    /// downloading it needs no plan.
    #[must_use]
    pub fn of_infographic_owner(self) -> Self {
        let download_infographic = match self.download_infographic {
            Err(DenialReason::UpgradeRequired) => Ok(()),
            other => other,
        };
        Self { download_infographic, ..self }
    }

    /// Whether the allowance is used up, so that this book can't be read (`limitReached`).
    pub fn limit_reached(&self) -> bool {
        self.read == Err(DenialReason::UpgradeRequired)
    }
}

/// Decides what the viewer may do with the book at a moment.
///
/// If several reasons deny an action, one is reported. For reading, listening, downloads and infographics it is that
/// the text is not written; for watching, visuals and the e-reader it is that a plan is missing.
pub fn rights(viewer: Viewer<'_>, book: BookFacts, now: Timestamp) -> Rights {
    let has_plan = viewer.has_plan(now);
    let plan = if has_plan { Ok(()) } else { Err(without_plan(&viewer)) };
    let announced = if book.coming_soon { Err(DenialReason::NotWritten) } else { Ok(()) };
    let text = if book.sections == 0 { Err(DenialReason::NotWritten) } else { announced };

    let read = announced.and_then(|()| read(&viewer, book, now));
    let seen_with_plan = if book.free { Ok(()) } else { plan }.and(announced);
    Rights {
        read,
        listen: read.and_then(|opening| if opening.takes_one() { Err(DenialReason::NotOpened) } else { Ok(()) }),
        watch: seen_with_plan,
        see_visuals: seen_with_plan,
        download: text.and(read),
        download_infographic: announced.and(plan),
        send_to_e_reader: plan.and(text),
        has_plan,
        allowance: left_after(&viewer, read, now),
        until: until(&viewer, now),
    }
}

/// Whether a member with these grants may set up an e-reader and send books to it: only with a running plan.
pub fn may_use_e_reader(grants: &[Grant], now: Timestamp) -> Result<(), Refusal> {
    if has_plan(grants, now) {
        Ok(())
    } else {
        Err(Refusal { action: Action::SendToEReader, reason: DenialReason::UpgradeRequired })
    }
}

/// Denies the action because the book is not opened, unless it is already denied for another reason.
fn unopened<T>(right: Result<T, DenialReason>) -> Result<T, DenialReason> {
    right.and(Err(DenialReason::NotOpened))
}

/// Why an action that needs a plan is denied without one.
const fn without_plan(viewer: &Viewer<'_>) -> DenialReason {
    match viewer {
        Viewer::Visitor => DenialReason::SignInRequired,
        Viewer::Member(_) => DenialReason::UpgradeRequired,
    }
}

/// Whether the viewer may read the full text of a book that is not coming soon.
fn read(viewer: &Viewer<'_>, book: BookFacts, now: Timestamp) -> Result<Opening, DenialReason> {
    let unrecorded = Opening { record: None, is_last_free: false };
    let Viewer::Member(member) = viewer else {
        return if book.free { Ok(unrecorded) } else { Err(DenialReason::SignInRequired) };
    };
    let recorded_once = |right| Opening { record: Some(right).filter(|_| member.opened.is_none()), ..unrecorded };
    if book.free {
        Ok(recorded_once(OpeningRight::FreeBook))
    } else if has_plan(member.grants, now) {
        Ok(recorded_once(OpeningRight::Plan))
    } else if member.opened.is_some_and(OpeningRight::is_permanent) {
        Ok(unrecorded)
    } else {
        let (allowance, right) = member.allowance.allowance(now);
        match allowance.left {
            0 => Err(DenialReason::UpgradeRequired),
            left => Ok(Opening { record: Some(right), is_last_free: left == 1 }),
        }
    }
}

/// The allowance after the text was read.
fn left_after(viewer: &Viewer<'_>, read: Result<Opening, DenialReason>, now: Timestamp) -> Option<Allowance> {
    let Viewer::Member(member) = viewer else { return None };
    let before = free_summaries(member.grants, member.allowance, now)?;
    let taken = u32::from(read.is_ok_and(|opening| opening.takes_one()));
    Some(Allowance { left: before.left - taken, ..before })
}

/// The next moment at which a grant begins or ends.
fn until(viewer: &Viewer<'_>, now: Timestamp) -> Option<Timestamp> {
    let Viewer::Member(member) = viewer else { return None };
    let edges = member.grants.iter().map(|grant| grant.period()).flat_map(|one| [Some(one.starts_at), one.ends_at]);
    edges.flatten().filter(|edge| *edge > now).min()
}

#[cfg(test)]
mod tests;
