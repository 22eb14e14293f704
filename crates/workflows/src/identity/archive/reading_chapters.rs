//! The archive's chapters about reading: plans, choices, progress, history, library, ratings and opened texts.

use std::collections::{HashMap, HashSet};

use billing::BillingQueries;
use catalogue::{BookName, CatalogueLists, CatalogueQueries};
use kernel::{BookId, CategoryId, UserId};
use reading_progress::{Device, GoalSettings, GoalUnit, OpeningRight, Place, ProgressQueries, Records};
use serde_json::{Value, json};

use crate::identity::archive::{ArchiveError, Draft, date_of, utc};
use crate::streak_days::review_days;
use crate::tx::Tx;

/// The titles, authors and slugs of books.
#[derive(Debug)]
pub(super) struct BookNames(HashMap<BookId, BookName>);

impl BookNames {
    /// The book's title, or a placeholder if the book was deleted.
    fn title(&self, book: BookId) -> &str {
        self.0.get(&book).map_or("A book that is no longer here", |name| name.title.as_str())
    }

    /// Such as `by Henry David Thoreau`, followed by `said`.
    fn words(&self, book: BookId, said: &str) -> String {
        let author = self.0.get(&book).map_or("an unknown author", |name| name.author.as_str());
        format!("by {author}: {said}")
    }

    /// The JSON entry of a book: its id and names, and these fields.
    fn entry(&self, book: BookId, fields: Value) -> Value {
        let name = self.0.get(&book);
        let mut entry = json!({
            "bookId": book.get(),
            "subid": name.map(|name| name.subid.as_str()),
            "title": name.map(|name| name.title.as_str()),
            "author": name.map(|name| name.author.as_str()),
        });
        if let (Value::Object(entry), Value::Object(fields)) = (&mut entry, fields) {
            entry.extend(fields);
        }
        entry
    }
}

/// Reads a member's reading records, and the names of the books in them.
pub(super) fn read<A>(tx: &mut Tx<'_, '_, A>, reader: UserId) -> Result<(Records, BookNames), ArchiveError> {
    let records = tx.pg.records_of(reader)?;
    let books: HashSet<BookId> = records
        .opened
        .iter()
        .map(|one| one.book)
        .chain(records.history.iter().map(|one| one.book))
        .chain(records.library.iter().map(|one| one.book))
        .chain(records.ratings.iter().map(|one| one.book))
        .chain(records.notices.iter().map(|one| one.book))
        .collect();
    let books: Vec<BookId> = books.into_iter().collect();
    Ok((records, BookNames(tx.pg.book_names(&books)?)))
}

/// The member's plans, including past ones.
pub(super) fn plans<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let entitlements = tx.pg.entitlement_history_of(draft.owner.id)?;
    let page = &mut draft.profile;
    page.heading("Plans");
    for plan in &entitlements {
        let until = plan.ends_at.map_or_else(|| "for life".to_owned(), |at| format!("until {}", draft.zone.day(at)));
        page.item(&plan.plan_name, &format!("from {} {until}", draft.zone.day(plan.starts_at)));
    }
    if entitlements.is_empty() {
        page.nothing("Free Plan.");
    }
    draft.zip.json_list(
        "plans.json",
        entitlements.iter().map(|plan| {
            json!({
                "planId": plan.plan_id,
                "planName": plan.plan_name,
                "startsAt": utc(Some(plan.starts_at)),
                "endsAt": utc(plan.ends_at),
            })
        }),
    )?;
    Ok(())
}

/// The member's chosen categories.
pub(super) fn choices<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let names = categories(tx)?;
    let chosen: Vec<(CategoryId, &str)> = draft
        .records
        .recommends
        .iter()
        .map(|category| (*category, names.get(category).map_or("", String::as_str)))
        .collect();
    let page = &mut draft.reading;
    page.heading("Categories you chose");
    match chosen.iter().map(|(_, name)| *name).collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => page.nothing("None."),
        names => page.nothing(&format!("{names}.")),
    }
    let entries = chosen.iter().map(|(category, name)| json!({ "categoryId": category.get(), "name": name }));
    draft.zip.json_list("choices.json", entries)?;
    Ok(())
}

fn categories<A>(tx: &mut Tx<'_, '_, A>) -> Result<HashMap<CategoryId, String>, ArchiveError> {
    Ok(tx.pg.categories()?.into_iter().map(|category| (category.id, category.draft.name)).collect())
}

/// The member's reading progress, day by day.
pub(super) fn progress<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let other_days = review_days(tx, draft.owner.id)?;
    let progress = tx.pg.progress_with(draft.owner.id, &other_days, draft.now)?;
    let awards: Vec<&str> = progress.awards().filter(|(_, at)| at.is_some()).map(|(award, _)| award.name).collect();
    let days = draft.records.days.iter().map(|(day, count)| json!({ "day": date_of(*day), "completions": count }));
    let time = draft
        .records
        .time
        .iter()
        .map(|one| json!({ "day": date_of(one.day), "device": one.device.as_str(), "seconds": one.seconds }));
    draft.zip.json(
        "progress.json",
        &json!({
            "xp": progress.xp,
            "level": progress.level(),
            "awards": awards,
            "completed": progress.num_completed,
            "streak": progress.streaks.current,
            "bestStreak": progress.streaks.best,
            "days": days.collect::<Vec<_>>(),
            "goal": goal_json(draft.records.goal),
            "countsTime": draft.records.goal.counts_time(),
            "readingTime": time.collect::<Vec<_>>(),
        }),
    )?;
    let page = &mut draft.reading;
    page.heading("Progress");
    page.item("XP:", &progress.xp.to_string());
    page.item("Level:", &progress.level().to_string());
    page.item("Summaries completed:", &progress.num_completed.to_string());
    page.item("Best streak:", &format!("{} days", progress.streaks.best));
    if let Some(goal) = draft.records.goal.goal() {
        page.item("Daily goal:", &format!("{} {}", goal.amount(), unit_word(goal.unit())));
    }
    let seconds: u64 = draft.records.time.iter().map(|one| u64::from(one.seconds)).sum();
    if seconds > 0 {
        page.item("Reading time:", &format!("{} minutes", seconds / 60));
    }
    if !awards.is_empty() {
        page.item("Awards:", &awards.join(", "));
    }
    Ok(())
}

fn goal_json(settings: GoalSettings) -> Value {
    settings.goal().map_or(Value::Null, |goal| json!({ "unit": unit_word(goal.unit()), "amount": goal.amount() }))
}

const fn unit_word(unit: GoalUnit) -> &'static str {
    match unit {
        GoalUnit::Minutes => "minutes",
        GoalUnit::Summaries => "summaries",
    }
}

/// The member's reading position in each book.
pub(super) fn history<A>(_: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let page = &mut draft.reading;
    page.heading("History");
    for entry in &draft.records.history {
        let place = &entry.place;
        let completed = place.completed_at.map(|at| format!(", completed on {}", draft.zone.day(at)));
        let said = format!(
            "section {}, on {}{}",
            place.position() + 1,
            draft.zone.moment(place.seen_at),
            completed.unwrap_or_default()
        );
        page.item(draft.books.title(entry.book), &draft.books.words(entry.book, &said));
    }
    if draft.records.history.is_empty() {
        page.nothing("You have not read anything yet.");
    }
    draft.zip.json_list(
        "history.json",
        draft.records.history.iter().map(|entry| {
            let Place { reading, furthest, audio, completed_at, seen_at, hidden_at } = &entry.place;
            let reading = reading.as_ref();
            let fields = json!({
                "position": entry.place.position(),
                "paragraph": reading.and_then(|reading| reading.paragraph),
                "readAt": utc(reading.map(|reading| reading.at)),
                "device": reading.and_then(|reading| reading.device.as_ref()).map(Device::as_str),
                "furthest": furthest,
                "audio": audio.map(|audio| audio.millis),
                "heardAt": utc(audio.map(|audio| audio.at)),
                "completedAt": utc(*completed_at),
                "at": utc(Some(*seen_at)),
                "hiddenAt": utc(*hidden_at),
            });
            draft.books.entry(entry.book, fields)
        }),
    )?;
    Ok(())
}

/// The member's library.
pub(super) fn library<A>(_: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let page = &mut draft.reading;
    page.heading("Library");
    for entry in &draft.records.library {
        let said = format!("added on {}", draft.zone.day(entry.at));
        page.item(draft.books.title(entry.book), &draft.books.words(entry.book, &said));
    }
    if draft.records.library.is_empty() {
        page.nothing("Your library is empty.");
    }
    draft.zip.json_list(
        "library.json",
        draft
            .records
            .library
            .iter()
            .map(|entry| draft.books.entry(entry.book, json!({ "addedAt": utc(Some(entry.at)) }))),
    )?;
    Ok(())
}

/// The member's ratings.
pub(super) fn ratings<A>(_: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let page = &mut draft.reading;
    page.heading("Ratings");
    for rated in &draft.records.ratings {
        let said = format!("{} of 5 stars, on {}", rated.rating.stars(), draft.zone.day(rated.updated_at));
        page.item(draft.books.title(rated.book), &draft.books.words(rated.book, &said));
        page.quote(rated.rating.feedback());
    }
    if draft.records.ratings.is_empty() {
        page.nothing("You have not rated anything yet.");
    }
    draft.zip.json_list(
        "ratings.json",
        draft.records.ratings.iter().map(|rated| {
            let fields = json!({
                "rating": rated.rating.stars(),
                "feedback": rated.rating.feedback(),
                "createdAt": utc(Some(rated.created_at)),
                "updatedAt": utc(Some(rated.updated_at)),
            });
            draft.books.entry(rated.book, fields)
        }),
    )?;
    Ok(())
}

/// The books whose publication the member wants to be notified of.
pub(super) fn notices<A>(_: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let page = &mut draft.reading;
    page.heading("Notices");
    for request in &draft.records.notices {
        let said = format!("we will tell you when it is ready, requested on {}", draft.zone.day(request.at));
        page.item(draft.books.title(request.book), &draft.books.words(request.book, &said));
    }
    if draft.records.notices.is_empty() {
        page.nothing("You are not waiting for any summary.");
    }
    draft.zip.json_list(
        "notices.json",
        draft
            .records
            .notices
            .iter()
            .map(|request| draft.books.entry(request.book, json!({ "requestedAt": utc(Some(request.at)) }))),
    )?;
    Ok(())
}

/// The full texts that the member has opened, and by what right.
pub(super) fn opened<A>(_: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let page = &mut draft.reading;
    page.heading("Opened summaries");
    for opened in &draft.records.opened {
        let by = match opened.by {
            OpeningRight::FreeBook => "free for everyone",
            OpeningRight::Plan => "with your plan",
            OpeningRight::Allowance => "one of your first free summaries",
            OpeningRight::Monthly => "your free summary of the month",
        };
        let said = format!("on {}, {by}", draft.zone.day(opened.at));
        page.item(draft.books.title(opened.book), &draft.books.words(opened.book, &said));
    }
    if draft.records.opened.is_empty() {
        page.nothing("You have not opened any yet.");
    }
    draft.zip.json_list(
        "opened.json",
        draft.records.opened.iter().map(|opened| {
            let by = match opened.by {
                OpeningRight::FreeBook => "free",
                OpeningRight::Plan => "plan",
                OpeningRight::Allowance => "allowance",
                OpeningRight::Monthly => "monthly",
            };
            draft.books.entry(opened.book, json!({ "by": by, "at": utc(Some(opened.at)) }))
        }),
    )?;
    Ok(())
}
