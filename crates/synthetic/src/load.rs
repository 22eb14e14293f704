//! Loads synthetic books and members into a database that has the demo content.

use std::time::Duration;

use admin::{DayRange, StatsCommands};
use anyhow::{Context, ensure};
use billing::BillingCommands;
use catalogue::{AuthorDraft, BookRef, Catalogue, CatalogueLists, CatalogueQueries, Filters, ListQuery, Sort};
use diesel::{Connection, PgConnection};
use kernel::{DAY, Day, Limit, Slug, Timestamp};
use postgres::{Db, DbConfig, Pg};

use crate::{
    books, members, purchases,
    statements::{self, ScaleAuthor},
};

/// How many synthetic books are saved per transaction.
const BATCH: u32 = 250;
/// How many synthetic books have their own text; the others reuse these texts.
const TEXTS: u32 = 1_000;
/// How many of the others are added per statement.
const GROWN: u32 = 5_000;
/// When the synthetic content was saved: 2026-01-01, a constant so that runs are identical.
const SAVED_AT: Timestamp = Timestamp::from_millis(20_454 * DAY);
/// The last day of the business statistics, in days since 1970-01-01: 2026-11-20, when the synthetic history ends.
const LAST_DAY: i32 = 20_777;
/// When it was counted.
const COUNTED_AT: Timestamp = Timestamp::from_millis(20_777 * DAY);
/// How many days until then are counted as the product does. With a million members each takes seconds. The counts of books, of which a
/// year's statistics read the most rows, are added for the whole year.
const COUNTED_DAYS: i32 = 40;
/// How many days are counted per transaction.
const COUNTED_AT_ONCE: i32 = 10;

/// Adds books and members up to these numbers: a tenth of the members have a history, the others have bought something. Existing rows
/// are kept.
pub(crate) fn load(url: &str, books: u32, members: u32) -> anyhow::Result<()> {
    ensure!(postgres::is_migrated(url)?, "the database is not up to date: run `pith migrate` first");
    let wait = Duration::from_secs(10);
    let config = DbConfig {
        url: url.to_owned(),
        direct_url: None,
        replica_url: None,
        read_connections: 1,
        write_connections: 1,
        wait,
    };
    let db = Db::new(&config, "synthetic");
    let (categories, covers) = db.write_now(demo_content)?;
    ensure!(!categories.is_empty() && !covers.is_empty(), "the database has no content: run `pith seed` first");
    let texts = books.min(TEXTS);
    for first in (0..texts).step_by(BATCH as usize) {
        let end = texts.min(first.saturating_add(BATCH));
        db.write_now::<_, anyhow::Error>(|pg| save_texts(pg, first..end, &categories, &covers))?;
    }
    println!("{texts} texts");
    let mut connection = PgConnection::establish(url)?;
    connection.transaction(|connection| grow(connection, texts, books))?;
    println!("{books} books");
    let readers = (members / members::MEMBERS_PER_READER).max(1);
    let accounts = members.saturating_sub(readers);
    members::add_readers(&mut connection, readers, |count| println!("{count} of {readers} members with a history"))?;
    connection.transaction(|connection| members::add_accounts(connection, accounts))?;
    println!("{accounts} members without one");
    connection.transaction(purchases::add_purchases)?;
    db.write_now::<_, kernel::StoreError>(|pg| pg.sum_accounts())?;
    println!("their purchases");
    connection.transaction(members::count_completions)?;
    for first in (LAST_DAY - COUNTED_DAYS + 1..=LAST_DAY).step_by(COUNTED_AT_ONCE.unsigned_abs() as usize) {
        let range = DayRange::new(Day::from_epoch(first), Day::from_epoch(LAST_DAY.min(first + COUNTED_AT_ONCE - 1)))?;
        db.write_now::<_, kernel::StoreError>(|pg| pg.recount_days(range, COUNTED_AT))?;
    }
    // Notifies running nodes that the catalogue has changed.
    db.write_now::<_, anyhow::Error>(|pg| {
        pg.learn_words(&books::vocabulary())?;
        Ok(pg.tidy_catalogue()?)
    })
}

/// The demo's categories, and its covers, which synthetic books reuse.
fn demo_content(pg: &mut Pg<'_>) -> anyhow::Result<(Vec<Slug>, Vec<String>)> {
    let categories = pg.categories()?.into_iter().map(|category| category.draft.subid).collect();
    let newest =
        ListQuery { sort: Sort::New, filters: Filters::default(), after: None, limit: Limit::clamped(Limit::MAX) };
    let covers = pg.books(&newest)?.items.into_iter().filter_map(|book| book.image).collect();
    Ok((categories, covers))
}

/// Saves the books that have their own texts.
fn save_texts(
    pg: &mut Pg<'_>,
    numbers: std::ops::Range<u32>,
    categories: &[Slug],
    covers: &[String],
) -> anyhow::Result<()> {
    let mut last: Option<AuthorDraft> = None;
    for number in numbers {
        let author = books::author(number)?;
        if last.as_ref() != Some(&author) {
            pg.save_author(&author, SAVED_AT)?;
            last = Some(author);
        }
        let draft = books::book(number, categories, covers)?;
        pg.save_book(&draft, SAVED_AT).with_context(|| format!("synthetic book {number}"))?;
    }
    Ok(())
}

/// Adds the books beyond those with their own texts, in one transaction.
fn grow(connection: &mut PgConnection, texts: u32, books: u32) -> anyhow::Result<()> {
    let last = Slug::parse(&format!("scale-{}", books.saturating_sub(1)))?;
    let is_there = Pg::new(connection).book(&BookRef::Subid(last))?.is_some();
    if books <= texts || is_there {
        return Ok(());
    }
    statements::drop_indexes(connection)?;
    for first in (texts..books).step_by(GROWN as usize) {
        let end = books.min(first.saturating_add(GROWN));
        let mut authors = Vec::new();
        for number in (first..end).filter(|number| *number == first || number % books::BOOKS_PER_AUTHOR == 0) {
            let author = books::author(number)?;
            let (slug, key) = (author.slug.to_string(), author.key());
            authors.push(ScaleAuthor { slug, name: author.name, key, description: author.description });
        }
        statements::add_authors(connection, &authors)?;
        let grown: Vec<_> = (first..end).map(|number| books::outline(number, number % texts)).collect();
        statements::add_books(connection, &grown, texts)?;
        println!("{end} of {books} books");
    }
    Ok(statements::make_indexes(connection)?)
}
