//! Registers: the parts of a record that merge by themselves.

use kernel::Timestamp;

/// A value and when it was set. Of two registers the greater one wins: the one set later; of the same moment the one
/// with the greater value, so that the result is always the same.
// `at` comes first: the derived order is the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Register<T> {
    /// When the value was set.
    pub at: Timestamp,
    pub value: T,
}

impl<T> Register<T> {
    /// A value that was set at this moment.
    pub const fn new(value: T, at: Timestamp) -> Self {
        Self { at, value }
    }

    /// A value that nobody has set: any other register is greater, or equal.
    pub const fn unset(value: T) -> Self {
        Self { at: Timestamp::from_millis(0), value }
    }

    /// The same value, its moment replaced.
    #[must_use]
    pub fn with_moment(self, correct: impl FnOnce(Timestamp) -> Timestamp) -> Self {
        Self { at: correct(self.at), value: self.value }
    }
}

impl<T: Ord> Register<T> {
    /// The greater of two.
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        self.max(other)
    }
}

#[cfg(test)]
mod tests {
    use kernel::Timestamp;
    use proptest::prelude::*;

    use super::Register;

    fn some_register() -> impl Strategy<Value = Register<u8>> {
        (0..4_i64, 0..4_u8).prop_map(|(at, value)| Register::new(value, Timestamp::from_millis(at)))
    }

    #[test]
    fn the_later_value_wins_and_at_the_same_moment_the_greater() {
        let at = |millis, value| Register::new(value, Timestamp::from_millis(millis));
        assert_eq!(at(1, "z").merged(at(2, "a")), at(2, "a"));
        assert_eq!(at(2, "z").merged(at(2, "a")), at(2, "z"));
        assert_eq!(at(1, "z").merged(Register::unset("zz")), at(1, "z"));
    }

    proptest! {
        #[test]
        fn merging_is_associative_commutative_and_idempotent(a in some_register(), b in some_register(), c in some_register()) {
            prop_assert_eq!(a.merged(b).merged(c), a.merged(b.merged(c)));
            prop_assert_eq!(a.merged(b), b.merged(a));
            prop_assert_eq!(a.merged(a), a);
        }
    }
}
