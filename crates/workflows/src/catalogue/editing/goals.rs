//! Editing goals.

use admin::{SubjectKind, ordered};
use catalogue::{
    Catalogue, CatalogueQueries, EditingCommands, EditingQueries, Goal, GoalDraft, GoalEdit, GoalPicture, Naming,
};
use kernel::{GoalId, Slug, StoreError};

use crate::{
    audit::AuditTrail,
    catalogue::editing::books,
    editing::{
        EditError, Versioned, begin, changed, created, deleted, free_slug, in_use, place_of, remove_pictures,
        reordered, row_ref, uploaded, versioned,
    },
    tx::Tx,
};

/// All goals, in their order, with their versions.
pub fn goals<A>(tx: &mut Tx<'_, '_, A>) -> Result<Vec<Versioned<Goal>>, StoreError> {
    let goals = tx.pg.goals()?;
    versioned(tx, SubjectKind::Goal, goals, |goal| goal.id.get())
}

/// Reads a goal with its version. Fails with [`EditError::Unknown`] if there is no such goal.
pub fn goal<A>(tx: &mut Tx<'_, '_, A>, id: GoalId) -> Result<Versioned<Goal>, EditError> {
    goals(tx)?.into_iter().find(|goal| goal.row.id == id).ok_or(EditError::Unknown("goal"))
}

/// Adds a goal at the end of the order. Its slug follows from its title.
pub fn add_goal(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, edit: GoalEdit) -> Result<Versioned<Goal>, EditError> {
    let title = edit.title.clone().unwrap_or_default();
    let is_taken = |tx: &mut Tx<'_, '_>, slug: &Slug| Ok(tx.pg.goals()?.iter().any(|goal| goal.draft.slug == *slug));
    let slug = free_slug(tx, &title, is_taken)?;
    let draft = edit.draft(slug, place_of(tx.pg.goals()?.len()));
    let now = tx.now();
    let id = tx.pg.save_goal(&draft, now)?.id();
    created(trail, (row_ref(SubjectKind::Goal, id.get()), &draft.title), "goal.create");
    goal(tx, id)
}

/// Changes a goal, based on the version that the editor has read.
pub fn edit_goal(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (id, read): (GoalId, Option<i64>),
    edit: GoalEdit,
) -> Result<Versioned<Goal>, EditError> {
    let row = row_ref(SubjectKind::Goal, id.get());
    begin(tx, row, read)?;
    let before = goal(tx, id)?.row.draft;
    let draft = edit.applied(&before);
    let now = tx.now();
    tx.pg.save_goal(&draft, now)?;
    let after = goal(tx, id)?.row.draft;
    let (from, to) = (before.place.to_string(), after.place.to_string());
    changed(
        tx,
        trail,
        (row, &after.title),
        "goal.update",
        &[
            ("title", Some(&before.title), Some(&after.title)),
            ("shortTitle", Some(&before.short_title), Some(&after.short_title)),
            ("mobileTitle", Some(&before.mobile_title), Some(&after.mobile_title)),
            ("desc", Some(&before.description), Some(&after.description)),
            ("place", Some(&from), Some(&to)),
        ],
    )?;
    goal(tx, id)
}

/// Reorders all goals.
pub fn order_goals(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    ids: &[GoalId],
) -> Result<Vec<Versioned<Goal>>, EditError> {
    let before = tx.pg.goals()?;
    let titles = |goals: &[Goal]| goals.iter().map(|goal| goal.draft.title.clone()).collect::<Vec<_>>();
    let ids: Vec<i64> = ids.iter().map(|id| id.get()).collect();
    let after = ordered(before.clone(), &ids, |goal| goal.id.get())?;
    let now = tx.now();
    for (at, goal) in after.iter().enumerate() {
        tx.pg.save_goal(&GoalDraft { place: place_of(at), ..goal.draft.clone() }, now)?;
    }
    reordered(trail, SubjectKind::Goal, "goal.order", (&titles(&before), &titles(&after)));
    Ok(goals(tx)?)
}

/// Deletes a goal, and removes it from books and from members' choices.
pub fn delete_goal(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: GoalId) -> Result<(), EditError> {
    let row = row_ref(SubjectKind::Goal, id.get());
    begin(tx, row, None)?;
    let Goal { draft: gone, pictures, .. } = goal(tx, id)?.row;
    for (book, _) in tx.pg.books_naming(Naming::Goal(id))? {
        books::rewrite_book(tx, trail, book, |draft| draft.goals.retain(|slug| *slug != gone.slug))?;
    }
    if !tx.pg.delete_goal(id)? {
        return Err(in_use("A book was just given this goal. Try again."));
    }
    remove_pictures(tx, [pictures.photo, pictures.feature_photo])?;
    deleted(tx, trail, (row, &gone.title), "goal.delete")
}

/// Replaces a goal's picture with an uploaded one, by its object store key.
pub fn attach_goal_picture(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    id: GoalId,
    picture: GoalPicture,
    key: &str,
) -> Result<Versioned<Goal>, EditError> {
    let row = row_ref(SubjectKind::Goal, id.get());
    begin(tx, row, None)?;
    let stored = goal(tx, id)?.row;
    tx.pg.set_goal_picture(id, picture, key)?;
    let field = match picture {
        GoalPicture::Photo => "photo",
        GoalPicture::FeaturePhoto => "photov2",
    };
    let before = stored.pictures.of(picture).map(String::as_str);
    uploaded(tx, trail, (row, &stored.draft.title), "goal.upload", (field, before, key))?;
    goal(tx, id)
}
