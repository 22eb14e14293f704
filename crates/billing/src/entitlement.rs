//! Entitlements: the periods in which a member may read everything.

use kernel::{Period, Timestamp};

/// The right to read everything, for a period or for life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entitlement {
    /// The plan that gave it, such as `yearly`.
    pub plan_id: String,
    /// The plan's display name.
    pub plan_name: String,
    /// The start, inclusive (`paidDate` on the wire).
    pub starts_at: Timestamp,
    /// The end, exclusive (`endPaidDate` on the wire); `None` for life.
    pub ends_at: Option<Timestamp>,
}

impl Entitlement {
    pub const fn period(&self) -> Period {
        Period { starts_at: self.starts_at, ends_at: self.ends_at }
    }

    /// Whether it is valid at `now`.
    pub fn runs_at(&self, now: Timestamp) -> bool {
        self.period().contains(now)
    }

    /// The best entitlement valid at `now`: a lifetime one, otherwise the one with the latest end; of equals, the
    /// earliest start.
    pub fn best(all: &[Self], now: Timestamp) -> Option<&Self> {
        all.iter()
            .filter(|one| one.runs_at(now))
            .max_by_key(|one| (one.ends_at.is_none(), one.ends_at, std::cmp::Reverse(one.starts_at)))
    }
}

#[cfg(test)]
mod tests {
    use super::Entitlement;
    use kernel::Timestamp;

    fn from_to(start: i64, end: Option<i64>) -> Entitlement {
        Entitlement {
            plan_id: "yearly".to_owned(),
            plan_name: "Yearly".to_owned(),
            starts_at: Timestamp::from_millis(start),
            ends_at: end.map(Timestamp::from_millis),
        }
    }

    #[test]
    fn it_runs_from_its_start_to_the_moment_before_its_end() {
        let one = from_to(10, Some(20));
        let runs: Vec<bool> = [9, 10, 19, 20].map(|at| one.runs_at(Timestamp::from_millis(at))).into();
        assert_eq!(runs, [false, true, true, false]);
    }

    #[test]
    fn the_best_is_the_longest_of_those_that_run() {
        let now = Timestamp::from_millis(50);
        let (over, short, long) = (from_to(0, Some(50)), from_to(0, Some(60)), from_to(10, Some(90)));
        let older = from_to(5, Some(90));
        assert_eq!(Entitlement::best(&[long.clone(), older.clone(), long.clone()], now), Some(&older));
        let (life, later) = (from_to(40, None), from_to(51, None));
        assert_eq!(Entitlement::best(&[over.clone(), later.clone()], now), None);
        assert_eq!(Entitlement::best(&[over.clone(), short.clone(), long.clone(), later.clone()], now), Some(&long));
        assert_eq!(Entitlement::best(&[life.clone(), over, short, long, later], now), Some(&life));
    }
}
