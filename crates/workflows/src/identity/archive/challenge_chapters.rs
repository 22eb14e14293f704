//! The archive's chapters about the ten-day challenge and the quizzes.

use catalogue::{CatalogueLists, CatalogueQueries};
use challenge::{ChallengeQueries, MailHour, QuizKind, Total};
use serde_json::json;

use crate::identity::archive::{ArchiveError, Draft, utc};
use crate::tx::Tx;

/// More quiz results than a member can have.
const ALL: usize = 10_000;

/// The member's chosen goals and saved plan.
pub(super) fn goals_and_plan<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let (goals, chosen) = (tx.pg.goals()?, tx.pg.chosen_goals(draft.owner.id)?);
    let chosen: Vec<_> = chosen.iter().filter_map(|id| goals.iter().find(|goal| goal.id == *id)).collect();
    let page = &mut draft.reading;
    page.heading("Your goals");
    for goal in &chosen {
        page.item(&goal.draft.title, &goal.draft.description);
    }
    if chosen.is_empty() {
        page.nothing("None.");
    }
    let entries = chosen.iter().map(|goal| json!({ "goalId": goal.id.get(), "title": goal.draft.title }));
    draft.zip.json_list("goals.json", entries)?;

    let Some((plan, days)) = tx.pg.plan_of(draft.owner.id)? else { return Ok(()) };
    let names = tx.pg.book_names(&plan.books)?;
    draft.reading.heading("Your ten days");
    let title = |book| names.get(&book).map_or("A book that is no longer here", |name| name.title.as_str());
    for day in &days {
        draft.reading.item(&format!("Day {}", day.number), title(day.book));
    }
    let entries = days.iter().map(|day| {
        json!({ "day": day.number, "bookId": day.book.get(), "title": title(day.book), "savedAt": utc(Some(plan.saved_at)) })
    });
    draft.zip.json_list("ten-day-plan.json", entries)?;
    daily_mail(tx, draft)
}

/// The hour of the plan's daily mail, and when the latest was sent.
fn daily_mail<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let Some(mail) = tx.pg.daily_mail(draft.owner.id)? else { return Ok(()) };
    let hour = mail.hour.map(MailHour::get);
    let wanted = hour.map_or_else(|| "none".to_owned(), |hour| format!("at {hour:02}:00"));
    draft.reading.item("The daily email for your plan", &wanted);
    let entry = json!({
        "hour": hour,
        "askedForAt": utc(Some(mail.requested_at)),
        "lastSentOn": mail.last_sent_on.map(|day| day.to_string()),
    });
    draft.zip.json_list("daily-mail.json", [entry])?;
    Ok(())
}

/// The member's results of both quizzes.
pub(super) fn quiz_results<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let mut results = Vec::new();
    for kind in [QuizKind::Intelligence, QuizKind::Personality] {
        results.extend(tx.pg.quiz_results(draft.owner.id, kind, ALL)?);
    }
    if results.is_empty() {
        return Ok(());
    }
    draft.profile.heading("Quizzes");
    for saved in &results {
        let leaders: Vec<_> = saved.result.leaders().iter().map(|leader| leader.name()).collect();
        let when = draft.zone.day(saved.taken_at);
        draft
            .profile
            .item(&format!("The {} quiz", saved.result.kind.as_str()), &format!("{when}: {}", leaders.join(", ")));
    }
    let total =
        |total: &Total| json!({ "type": total.dimension.name(), "count": total.count, "questions": total.questions });
    let entries = results.iter().map(|saved| {
        json!({
            "quiz": saved.result.kind.as_str(),
            "totals": saved.result.totals.iter().map(total).collect::<Vec<_>>(),
            "takenAt": utc(Some(saved.taken_at)),
        })
    });
    draft.zip.json_list("quiz-results.json", entries)?;
    Ok(())
}
