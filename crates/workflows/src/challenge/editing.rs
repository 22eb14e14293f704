//! Editing the quizzes.

use admin::{EditQueries, SubjectKind};
use challenge::{Challenge, ChallengeQueries, Question, QuestionDraft, QuizKind};
use kernel::StoreError;

use crate::{
    audit::AuditTrail,
    editing::{EditError, Versioned, begin, changed, row_ref},
    tx::Tx,
};

/// A quiz has no row of its own; this is its id among the row versions.
const fn quiz_number(kind: QuizKind) -> i64 {
    match kind {
        QuizKind::Intelligence => 1,
        QuizKind::Personality => 2,
    }
}

/// A quiz's questions, in their order, with the quiz's version.
pub fn quiz<A>(tx: &mut Tx<'_, '_, A>, kind: QuizKind) -> Result<Versioned<Vec<Question>>, StoreError> {
    let version = tx.pg.row_version(row_ref(SubjectKind::Quiz, quiz_number(kind)))?;
    Ok(Versioned { row: tx.pg.questions(kind)?, version })
}

/// The questions as one text, for the audit log.
fn listed(questions: &[Question]) -> String {
    let lines: Vec<String> =
        questions.iter().map(|one| format!("{}: {}", one.dimension.name(), one.statement)).collect();
    lines.join("\n")
}

/// Replaces all questions of a quiz, based on the version that the editor has read.
pub fn edit_quiz(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (kind, read): (QuizKind, Option<i64>),
    drafts: &[QuestionDraft],
) -> Result<Versioned<Vec<Question>>, EditError> {
    let row = row_ref(SubjectKind::Quiz, quiz_number(kind));
    begin(tx, row, read)?;
    let before = listed(&tx.pg.questions(kind)?);
    tx.pg.save_questions(kind, drafts)?;
    let after = listed(&tx.pg.questions(kind)?);
    changed(tx, trail, (row, kind.as_str()), "quiz.update", &[("questions", Some(&before), Some(&after))])?;
    Ok(quiz(tx, kind)?)
}
