//! Why an admin gives money back (`billing.refund-reasons`).

use kernel::{StoreError, Timestamp};

/// The most characters of a note.
pub const REFUND_NOTE_MAX: usize = 200;

/// Why money goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundReason {
    /// The payer asked for it.
    RequestedByCustomer,
    /// The same was paid twice.
    Duplicate,
    /// The payer did not pay it themselves.
    Fraudulent,
    /// Something else: the note may say what.
    Other,
}

impl RefundReason {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::RequestedByCustomer, Self::Duplicate, Self::Fraudulent, Self::Other];

    /// Its name in the store and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RequestedByCustomer => "requested_by_customer",
            Self::Duplicate => "duplicate",
            Self::Fraudulent => "fraudulent",
            Self::Other => "other",
        }
    }

    /// What people read.
    pub const fn label(self) -> &'static str {
        match self {
            Self::RequestedByCustomer => "Requested by the customer",
            Self::Duplicate => "Paid twice",
            Self::Fraudulent => "Fraudulent",
            Self::Other => "Other",
        }
    }

    /// The reason of that name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == name)
    }
}

/// Why money goes back, as an admin says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundGrounds {
    pub reason: RefundReason,
    /// What else there is to say.
    pub note: Option<String>,
}

/// What an admin says is no ground. Each text can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRefundGrounds {
    /// The reason is none of those that are offered.
    #[error("Please choose a reason.")]
    Reason,
    /// The note is too long.
    #[error("A note has at most 200 characters.")]
    Note,
}

impl RefundGrounds {
    /// Reads what an admin says: one of the reasons, to the letter, and a note of up to [`REFUND_NOTE_MAX`] characters.
    pub fn read(reason: &str, note: Option<&str>) -> Result<Self, InvalidRefundGrounds> {
        let reason = RefundReason::of_name(reason).ok_or(InvalidRefundGrounds::Reason)?;
        let note = note.map(str::trim).filter(|note| !note.is_empty());
        if note.is_some_and(|note| note.chars().count() > REFUND_NOTE_MAX) {
            return Err(InvalidRefundGrounds::Note);
        }
        Ok(Self { reason, note: note.map(str::to_owned) })
    }
}

/// What is written of refunds, by who holds a transaction.
pub trait RefundCommands {
    /// Notes why the refund is given that the movement with this key will record. Noted again, it counts as it was noted last.
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
