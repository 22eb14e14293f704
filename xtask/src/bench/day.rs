//! The benchmark of a usual day: a thousand members who are signed in, each request of another one.

use anyhow::Result;

use super::load::Load;
use super::request::Request;
use super::site::{RunningServer, Site};
use super::table::Table;
use super::{CONNECTIONS, MEMBER};
use crate::postgres::psql;

/// Members who are signed in.
const MEMBERS: usize = 1_000;
/// Requests that are prepared and then repeated: many times as many as members, so that the books differ too.
const REQUESTS: usize = 20_000;

/// Measures, and adds the result to the table.
pub(super) fn measure(
    site: &Site<'_>,
    served: &RunningServer,
    ids: &[u64],
    seconds: u32,
    table: &mut Table,
) -> Result<()> {
    let members = sign_in(site, served, MEMBERS)?;
    let requests: Vec<Request> = (0..REQUESTS).map(|number| request(number, ids, &members)).collect();
    let load = Load::new(seconds, CONNECTIONS)?;
    load.warm_up(served, &requests)?;
    let sample = load.measure(served, &requests)?;
    table.row(&format!("a day's mix, {} members", members.len()), &sample, None);
    Ok(())
}

/// Signs in members of the scale seed, who have no password: they get the demo member's, and a year of their own.
pub(super) fn sign_in(site: &Site<'_>, served: &RunningServer, members: usize) -> Result<Vec<String>> {
    let emails = psql(
        &site.database(),
        &format!(
            "WITH chosen AS ( \
                 UPDATE users u SET password_hash = m.password_hash FROM users m \
                 WHERE m.email_key = '{MEMBER}' AND u.id IN (SELECT id FROM users \
                     WHERE email_key LIKE 'account-%' OR email_key LIKE 'scale-%' ORDER BY id LIMIT {members}) \
                 RETURNING u.id, u.email), \
             given AS (INSERT INTO entitlements (user_id, plan_id, plan_name, starts_at, ends_at) \
                 SELECT id, 'yearly', 'Yearly', now() - interval '1 day', now() + interval '1 year' FROM chosen) \
             SELECT email FROM chosen"
        ),
    )?;
    emails.lines().map(|email| served.log_in(email)).collect()
}

/// A request of the mix. Of a hundred, 90 read, 8 save a position, 1 searches, 1 keeps a book.
pub(super) fn request(number: usize, ids: &[u64], members: &[String]) -> Request {
    // Primes walk through books and members at different paces; each hundred is shuffled by one that has no divisor in common with it.
    let (of_hundred, book, member) =
        (number * 37 % 100, number * 7_919 % ids.len().max(1), number * 104_729 % members.len().max(1));
    let (book, token) = (ids.get(book).copied().unwrap_or(1), members.get(member).map_or("", String::as_str));
    let get = |path: &str| Request::get(path).with_token(token);
    match of_hundred {
        0..55 => get(&format!("/api/books/{book}")),
        55..70 => get("/api/books?limit=20"),
        70..78 => get("/api/user-book-history?limit=10"),
        78..84 => get("/api/library?limit=20"),
        84..90 => get("/api/user-book-history/xp"),
        90..98 => Request::save_position(book, token),
        98 => get("/api/search?q=caber"),
        _ => Request::keep_book(book, token),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_requests_have_the_mix_of_a_day() {
        let members: Vec<String> = (0..10).map(|number| format!("token-{number}")).collect();
        let requests: Vec<Request> = (0..100).map(|number| request(number, &[5, 6, 7], &members)).collect();
        let count = |wanted: &dyn Fn(&Request) -> bool| requests.iter().filter(|one| wanted(one)).count();
        assert_eq!(count(&|one| one.method == "PUT"), 8);
        assert_eq!(count(&|one| one.method == "POST"), 1);
        assert_eq!(count(&|one| one.path.starts_with("/api/search")), 1);
        for member in &members {
            assert!(requests.iter().any(|one| one.headers.iter().any(|(_, value)| value.ends_with(member.as_str()))));
        }
    }
}
