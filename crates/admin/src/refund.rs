//! Reasons for refunds by an admin (`billing.refund-reasons`).

use kernel::{StoreError, Timestamp};

/// The maximum length of a note, in characters.
pub const REFUND_NOTE_MAX: usize = 200;

/// The reason of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundReason {
    RequestedByCustomer,
    /// The same was paid twice.
    Duplicate,
    /// The payment was made without the payer's consent.
    Fraudulent,
    /// Another reason, which the note may explain.
    Other,
}

impl RefundReason {
    pub const ALL: [Self; 4] = [Self::RequestedByCustomer, Self::Duplicate, Self::Fraudulent, Self::Other];

    /// The name in the database and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RequestedByCustomer => "requested_by_customer",
            Self::Duplicate => "duplicate",
            Self::Fraudulent => "fraudulent",
            Self::Other => "other",
        }
    }

    /// The display text.
    pub const fn label(self) -> &'static str {
        match self {
            Self::RequestedByCustomer => "Requested by the customer",
            Self::Duplicate => "Paid twice",
            Self::Fraudulent => "Fraudulent",
            Self::Other => "Other",
        }
    }

    /// The reason with this name; `None` if there is none.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == name)
    }
}

/// The reason of a refund with an admin's note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundGrounds {
    pub reason: RefundReason,
    /// An optional explanation; never empty.
    pub note: Option<String>,
}

/// Why the reason or note is invalid. The messages are shown to admins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRefundGrounds {
    /// The reason is not one of [`RefundReason::ALL`].
    #[error("Please choose a reason.")]
    Reason,
    /// The note has more than [`REFUND_NOTE_MAX`] characters.
    #[error("Please use at most 200 characters for the note.")]
    Note,
}

impl RefundGrounds {
    /// Validates an admin's input: the exact name of a reason, and a note of at most [`REFUND_NOTE_MAX`] characters. A
    /// blank note becomes `None`.
    pub fn read(reason: &str, note: Option<&str>) -> Result<Self, InvalidRefundGrounds> {
        let reason = RefundReason::of_name(reason).ok_or(InvalidRefundGrounds::Reason)?;
        let note = note.map(str::trim).filter(|note| !note.is_empty());
        if note.is_some_and(|note| note.chars().count() > REFUND_NOTE_MAX) {
            return Err(InvalidRefundGrounds::Note);
        }
        Ok(Self { reason, note: note.map(str::to_owned) })
    }
}

/// Writes about refunds, available in any transaction.
pub trait RefundCommands {
    /// Stores the reason of the refund that the movement with this key will record. A later call replaces it.
    fn save_refund_grounds(
        &mut self,
        movement: &str,
        grounds: &RefundGrounds,
        now: Timestamp,
    ) -> Result<(), StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refund_has_one_of_four_reasons_and_perhaps_a_note() {
        let names: Vec<&str> = RefundReason::ALL.into_iter().map(RefundReason::as_str).collect();
        assert_eq!(names, ["requested_by_customer", "duplicate", "fraudulent", "other"]);
        for reason in RefundReason::ALL {
            let read = RefundGrounds::read(reason.as_str(), Some("  By phone. "));
            assert_eq!(read, Ok(RefundGrounds { reason, note: Some("By phone.".to_owned()) }));
        }
        assert_eq!(RefundGrounds::read("other", Some(" ")).map(|read| read.note), Ok(None));
        for wrong in ["", "Other", "because"] {
            assert_eq!(RefundGrounds::read(wrong, None), Err(InvalidRefundGrounds::Reason), "{wrong:?}");
        }
        let note = "é".repeat(REFUND_NOTE_MAX);
        assert!(RefundGrounds::read("other", Some(&note)).is_ok());
        assert_eq!(RefundGrounds::read("other", Some(&format!("{note}é"))), Err(InvalidRefundGrounds::Note));
    }
}
