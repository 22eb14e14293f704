//! Time periods.

use crate::Timestamp;

/// A half-open time period: includes its start, excludes its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    pub starts_at: Timestamp,
    /// Exclusive; `None` if the period never ends.
    pub ends_at: Option<Timestamp>,
}

impl Period {
    pub fn contains(self, at: Timestamp) -> bool {
        self.starts_at <= at && !self.is_over(at)
    }

    /// Whether it has ended by this time.
    pub fn is_over(self, at: Timestamp) -> bool {
        self.ends_at.is_some_and(|end| end <= at)
    }
}

#[cfg(test)]
mod tests {
    use super::Period;
    use crate::Timestamp;

    #[test]
    fn a_period_has_its_start_and_not_its_end() {
        let period = |ends_at: Option<i64>| Period {
            starts_at: Timestamp::from_millis(10),
            ends_at: ends_at.map(Timestamp::from_millis),
        };
        let moments = [9, 10, 19, 20].map(Timestamp::from_millis);
        assert_eq!(moments.map(|at| period(Some(20)).contains(at)), [false, true, true, false]);
        assert_eq!(moments.map(|at| period(Some(20)).is_over(at)), [false, false, false, true]);
        assert_eq!(moments.map(|at| period(None).contains(at)), [false, true, true, true]);
        assert!(!period(Some(10)).contains(moments[1]), "an empty one has no moment");
    }
}
