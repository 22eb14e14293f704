//! The data archive: everything stored about a member, as one zip with JSON for programs and Markdown for people
//! (`identity.data-archive`).

mod account_chapters;
mod challenge_chapters;
mod commitment_chapter;
mod completed_ideas_chapter;
mod kept_chapter;
mod list_chapter;
mod local_time;
mod markdown;
mod money_chapters;
mod reading_chapters;
mod study_chapters;

use identity::{Identity, IdentityQueries, Issue, Purpose, User};
use kernel::{StoreError, Timestamp, UserId};
use mail::Mail;
use reading_progress::ProgressError;
use zip::result::ZipError;

use crate::identity::archive::{local_time::LocalTime, markdown::MarkdownPage, reading_chapters::BookNames};
use crate::{tx::Tx, zip_file::ZipFile};

pub use local_time::date_of;

/// Why there is no archive.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The account was deleted meanwhile.
    #[error("the member is not signed in any more")]
    SignedOut,
    /// The member's address is not confirmed.
    #[error("Please confirm your email address first.")]
    NotConfirmed,
    /// The member's reading records could not be read.
    #[error(transparent)]
    Progress(#[from] ProgressError),
    /// The zip could not be written.
    #[error(transparent)]
    Zip(#[from] ZipError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Writes one chapter of the archive: the data of one domain, as JSON and as Markdown.
type Chapter<A> = fn(&mut Tx<'_, '_, A>, &mut Draft<'_>) -> Result<(), ArchiveError>;

/// The chapters, in order. **A domain that stores data about people must add a chapter here.**
fn chapters<A>() -> [Chapter<A>; 29] {
    [
        account_chapters::profile,
        account_chapters::devices,
        account_chapters::api_tokens,
        account_chapters::providers,
        account_chapters::passkeys,
        account_chapters::invitations,
        account_chapters::e_reader,
        account_chapters::own_summaries,
        account_chapters::events,
        reading_chapters::plans,
        money_chapters::payments,
        money_chapters::codes,
        money_chapters::referrals,
        reading_chapters::choices,
        reading_chapters::progress,
        reading_chapters::history,
        reading_chapters::library,
        reading_chapters::ratings,
        reading_chapters::notices,
        reading_chapters::opened,
        study_chapters::highlights,
        study_chapters::review_cards,
        commitment_chapter::commitments,
        completed_ideas_chapter::completed_ideas,
        list_chapter::lists,
        study_chapters::settings,
        kept_chapter::kept_entries,
        challenge_chapters::goals_and_plan,
        challenge_chapters::quiz_results,
    ]
}

/// An archive that is being written.
struct Draft<'a> {
    owner: &'a User,
    /// The member's time zone, for dates that people read.
    zone: LocalTime,
    now: Timestamp,
    zip: ZipFile,
    /// The Markdown page about the account.
    profile: MarkdownPage,
    /// The Markdown page about reading.
    reading: MarkdownPage,
    /// The member's reading records.
    records: reading_progress::Records,
    /// The names of the books in the records.
    books: BookNames,
}

/// A finished archive.
#[derive(Clone, PartialEq, Eq)]
pub struct DataArchive {
    /// The file name.
    pub name: String,
    /// The zip file.
    pub bytes: Vec<u8>,
}

impl std::fmt::Debug for DataArchive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DataArchive").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Writes a member's archive. Each list is as of the moment when it is read.
pub fn write_archive<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<DataArchive, ArchiveError> {
    let now = tx.now();
    let owner = tx.pg.user(member)?.ok_or(ArchiveError::SignedOut)?;
    let (zone, site) = (LocalTime::of_zone(&owner.timezone), &tx.settings.site_name);
    let (records, books) = reading_chapters::read(tx, member)?;
    let mut draft = Draft {
        owner: &owner,
        now,
        zip: ZipFile::new(now),
        profile: MarkdownPage::new(&format!("{} {} at {site}", owner.first_name, owner.last_name)),
        reading: MarkdownPage::new(&format!("What {} reads at {site}", owner.first_name)),
        zone,
        records,
        books,
    };
    draft.zip.text("README.md", &read_me(&draft, site).into_text())?;
    for chapter in chapters() {
        chapter(tx, &mut draft)?;
    }
    let Draft { mut zip, zone, profile, reading, .. } = draft;
    zip.text("profile.md", &profile.into_text())?;
    zip.text("reading.md", &reading.into_text())?;
    Ok(DataArchive { name: format!("pith-archive-{}.zip", zone.date(now)), bytes: zip.finish()? })
}

fn read_me(draft: &Draft<'_>, site: &str) -> MarkdownPage {
    let mut page = MarkdownPage::new(&format!("Your archive from {site}"));
    page.paragraph(&format!(
        "This is everything that {site} keeps about {} {} ({}), as it was on {}.",
        draft.owner.first_name,
        draft.owner.last_name,
        draft.owner.email.as_str(),
        draft.zone.moment(draft.now)
    ));
    page.heading("To read");
    page.item("profile.md", "your profile, your devices and how you log in");
    page.item("reading.md", "your books, ratings and progress");
    page.heading("For programs");
    page.paragraph("The same and more, in files that end in .json. Times in them are in UTC.");
    page.paragraph("Passwords and other secrets are not included: we keep none in readable form.");
    page
}

/// Mails a link to the archive, valid for a day and for one use. Only to a confirmed address, because the archive contains
/// everything about the member.
pub fn mail_archive_link(tx: &mut Tx<'_, '_>, member: UserId) -> Result<(), ArchiveError> {
    let user = tx.pg.user(member)?.ok_or(ArchiveError::SignedOut)?;
    if user.email_confirmed_at.is_none() {
        return Err(ArchiveError::NotConfirmed);
    }
    let issue = Issue { purpose: Purpose::Archive, user: Some(user.id), data: None, binding: None };
    let secret = tx.pg.issue_secret(issue, tx.env)?;
    let link = tx.settings.link(&format!("/account/archive#{}", secret.token));
    tx.queue_mail(&user.email, &Mail::Archive { first_name: user.first_name, link })?;
    Ok(())
}

/// Writes the archive that a mailed link is for; `None` if the link is invalid, used or expired. If writing fails, the link stays
/// valid.
pub fn redeem_archive_link(tx: &mut Tx<'_, '_>, code: &str) -> Result<Option<DataArchive>, ArchiveError> {
    let found = tx.pg.redeem_secret(Purpose::Archive, code, tx.now())?;
    found.and_then(|found| found.user).map(|user| write_archive(tx, user)).transpose()
}

fn utc(at: Option<Timestamp>) -> Option<String> {
    at.map(local_time::utc)
}
