//! The mixed load of a large site: members who read, visitors, buyers, and admins who look through the back office.

use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};

use anyhow::Result;

use super::request::Request;
use super::site::{RunningServer, Site};
use super::{day, scale};

/// Members who are logged in.
const MEMBERS: usize = 200;
/// Requests of members that are prepared and then repeated.
const REQUESTS: usize = 20_000;

/// How much of the load is not the reading of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// Of a hundred requests one buys and 49 are those of `bench scale`, each as often: for the slowest statements.
    Half,
    /// Of a hundred requests one buys and five are those of `bench scale`: a usual day. The figures of the business are not among them,
    /// because an admin opens them a few times a day, and counting today takes seconds.
    Few,
}

/// The requests of a mixed load, by a running number.
pub(super) struct Mix {
    share: Share,
    /// What members read, save and keep.
    members: Vec<Request>,
    /// Every list, page, search, export and figure once.
    others: Vec<Request>,
    /// The number of the first guest who buys. No two runs on a database have the same.
    first_guest: u32,
}

impl Mix {
    /// Logs the members and the admin in, and prepares their requests.
    pub(super) fn new(site: &Site<'_>, served: &RunningServer, share: Share) -> Result<Self> {
        let ids = site.book_ids()?;
        let tokens = day::sign_in(site, served, MEMBERS)?;
        let members = (0..REQUESTS).map(|number| day::request(number, &ids, &tokens)).collect();
        // One request of each row after the other, so that no row comes in a block.
        let mut rows = scale::rows(site, served)?;
        if share == Share::Few {
            rows.retain(|row| row.kind != scale::RowKind::Figures);
        }
        let most = rows.iter().map(|row| row.requests.len().min(MOST_OF_ROW)).max().unwrap_or_default();
        let of =
            |turn: usize| rows.iter().filter_map(move |row| row.requests.iter().take(MOST_OF_ROW).nth(turn)).cloned();
        let mut others: Vec<Request> = (0..most).flat_map(of).collect();
        others.extend(exports(&served.log_in(scale::ADMIN)?));
        // Another run on the same site has bought under other names.
        let random = RandomState::new().hash_one(0);
        let first_guest = u32::try_from(random % 20_000_000).unwrap_or_default() * 100;
        Ok(Self { share, members, others, first_guest })
    }

    /// The request with this number.
    pub(super) fn request(&self, number: usize) -> Cow<'_, Request> {
        let (hundred, of_hundred) = (number / 100, number % 100);
        if of_hundred == 99 {
            let number = u32::try_from(hundred).unwrap_or(u32::MAX);
            return Cow::Owned(Request::buy_as_guest(self.first_guest.wrapping_add(number)));
        }
        let other = match self.share {
            Share::Half => (of_hundred % 2 == 0 && of_hundred < 98).then(|| hundred * 49 + of_hundred / 2),
            Share::Few => (of_hundred % 20 == 0).then(|| hundred * 5 + of_hundred / 20),
        };
        Cow::Borrowed(match other {
            Some(other) => &self.others[other % self.others.len()],
            None => &self.members[number % self.members.len()],
        })
    }
}

/// Of a row with many requests, as of each book, so many are sent.
const MOST_OF_ROW: usize = 20;

/// Exports of the back office, each of some thousand rows.
fn exports(token: &str) -> Vec<Request> {
    [
        "/api/admin/orders/export?from=2026-11-01",
        "/api/admin/ledger/export?from=2026-11-19",
        "/api/admin/user/export?q=account-77",
        "/api/admin/codes/export?q=SCALE-0000",
        "/api/admin/payouts/export?state=payable",
    ]
    .map(|path| Request::post(path).with_token(token))
    .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mix(share: Share) -> Mix {
        let of = |name: &str, count: usize| (0..count).map(|n| Request::get(&format!("/{name}/{n}"))).collect();
        Mix { share, members: of("member", 1_000), others: of("other", 70), first_guest: 500 }
    }

    #[test]
    fn a_hundred_requests_have_one_purchase_and_their_share_of_others() {
        for (share, wanted) in [(Share::Half, 49), (Share::Few, 5)] {
            let mix = mix(share);
            let requests: Vec<_> = (0..100).map(|number| mix.request(number)).collect();
            let others = requests.iter().filter(|one| one.path.starts_with("/other/")).count();
            let purchases = requests.iter().filter(|one| one.method == "POST").count();
            assert_eq!((others, purchases), (wanted, 1), "{share:?}");
        }
    }

    #[test]
    fn every_other_request_is_sent_and_no_purchase_twice() {
        let mix = mix(Share::Few);
        let mut paths: Vec<String> = (0..1_400).map(|number| mix.request(number).path.clone()).collect();
        paths.retain(|path| path.starts_with("/other/"));
        paths.sort();
        paths.dedup();
        assert_eq!(paths.len(), 70);
        assert_ne!(mix.request(99).body, mix.request(199).body);
    }
}
