//! The archive: everything that is kept of a member, told by each domain in turn (`decisions.md` 21).

mod account;
mod reading;

use identity::{Identity, Issue, Purpose, User};
use kernel::{Timestamp, UserId};
use mail::Mail;
use postgres::Pg;

use super::tx::Tx;
use crate::{
    archive::{Archive, Page, Zone},
    error::{ApiError, Code},
};

/// A part of the archive: what one domain keeps, as JSON for programs and in words for people.
type Chapter = fn(&mut Pg<'_>, &mut Desk<'_>) -> Result<(), ApiError>;

/// Who tells what, in order. **A domain that keeps something of people adds a chapter here.**
const CHAPTERS: &[Chapter] = &[
    account::profile,
    account::devices,
    account::providers,
    account::passkeys,
    account::invitations,
    account::e_reader,
    account::events,
    reading::plans,
    reading::choices,
    reading::progress,
    reading::history,
    reading::library,
    reading::ratings,
    reading::opened,
];

/// What a chapter works on.
struct Desk<'a> {
    /// Whose archive it is.
    owner: &'a User,
    /// The clock by which people are told.
    zone: Zone,
    /// The present moment.
    now: Timestamp,
    /// The file.
    archive: Archive,
    /// Who the member is, in words.
    profile: Page,
    /// What they read, in words.
    reading: Page,
    /// What reading keeps of them.
    records: reading_progress::Records,
    /// What the books are called.
    books: reading::Names,
}

/// A finished archive.
#[derive(Clone, PartialEq, Eq)]
pub struct Made {
    /// The file's name.
    pub name: String,
    /// The file.
    pub bytes: Vec<u8>,
}

impl std::fmt::Debug for Made {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Made").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Makes a member's archive; each list is told as it is when it is read.
pub fn make(tx: &mut Tx<'_, '_>, user: UserId) -> Result<Made, ApiError> {
    let now = tx.now();
    let owner = tx.pg.user(user)?.ok_or_else(ApiError::unauthenticated)?;
    let (zone, site) = (Zone::named(&owner.timezone), &tx.settings.site_name);
    let (records, books) = reading::read(tx.pg, user)?;
    let mut desk = Desk {
        owner: &owner,
        now,
        archive: Archive::new(now),
        profile: Page::new(&format!("{} {} at {site}", owner.first_name, owner.last_name)),
        reading: Page::new(&format!("What {} reads at {site}", owner.first_name)),
        zone,
        records,
        books,
    };
    desk.archive.text("README.md", &read_me(&desk, site).into_text())?;
    for chapter in CHAPTERS {
        chapter(tx.pg, &mut desk)?;
    }
    let Desk { mut archive, zone, profile, reading, .. } = desk;
    archive.text("profile.md", &profile.into_text())?;
    archive.text("reading.md", &reading.into_text())?;
    Ok(Made { name: format!("pith-archive-{}.zip", zone.date(now)), bytes: archive.finish()? })
}

fn read_me(desk: &Desk<'_>, site: &str) -> Page {
    let mut page = Page::new(&format!("Your archive from {site}"));
    page.paragraph(&format!(
        "This is everything that {site} keeps of {} {} ({}), as it was on {}.",
        desk.owner.first_name,
        desk.owner.last_name,
        desk.owner.email.as_str(),
        desk.zone.moment(desk.now)
    ));
    page.heading("To read");
    page.item("profile.md", "who you are to us, your devices and ways in");
    page.item("reading.md", "your books, ratings and progress");
    page.heading("For programs");
    page.paragraph("The same and more, in files that end in .json. Times in them are in UTC.");
    page.paragraph("Passwords and other secrets are not in it: we keep none that could be read.");
    page
}

/// Leaves a mail with a link to the archive, good once and for a day. Only a confirmed address gets it: what it opens is
/// everything that there is.
pub fn send_link(tx: &mut Tx<'_, '_>, user: UserId) -> Result<(), ApiError> {
    let user = tx.pg.user(user)?.ok_or_else(ApiError::unauthenticated)?;
    if user.email_confirmed_at.is_none() {
        return Err(ApiError::new(Code::NotConfirmed, "Please confirm your email address first."));
    }
    let issue = Issue { purpose: Purpose::Archive, user: Some(user.id), data: None, binding: None };
    let secret = tx.pg.issue_secret(issue, tx.env)?;
    let link = tx.settings.link(&format!("/account/archive#{}", secret.token));
    tx.queue_mail(&user.email, &Mail::Archive { first_name: user.first_name, link })?;
    Ok(())
}

/// Makes the archive to which a mailed link leads; `None` when the link is not good (any more). A link is used up only
/// when the archive is made.
pub fn redeem(tx: &mut Tx<'_, '_>, code: &str) -> Result<Option<Made>, ApiError> {
    let found = tx.pg.redeem_secret(Purpose::Archive, code, tx.now())?;
    found.and_then(|found| found.user).map(|user| make(tx, user)).transpose()
}

/// An optional moment for programs.
fn utc(at: Option<Timestamp>) -> Option<String> {
    at.map(crate::archive::utc)
}
