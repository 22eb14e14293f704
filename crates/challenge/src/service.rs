//! The operations of the challenge, the quizzes and onboarding.

use std::collections::HashSet;

use kernel::{BookId, GoalId, QuestionId, StoreError, TimeZone, Timestamp, UserId};

use crate::{
    Answer, ChallengeError, ChallengeStore, ChosenGoals, DailyMail, DueMail, MailHour, NextMail, PLAN_DAYS, PlanSpan,
    QuestionDraft, QuizKind, QuizResult, SavedPlan, checked_questions, next_mail, plan::distinct,
};

/// The operations, over any store. Everything happens in the store's transaction.
pub trait Challenge: ChallengeStore {
    /// Saves a plan; it replaces the earlier one, whose daily mails end. [`ChallengeError::InvalidPlan`] when the books
    /// are not 1 to [`PLAN_DAYS`] different published ones.
    fn save_plan(
        &mut self,
        member: UserId,
        goals: &ChosenGoals,
        books: &[BookId],
        now: Timestamp,
    ) -> Result<(), ChallengeError> {
        let is_plan = (1..=PLAN_DAYS).contains(&books.len()) && distinct(books.iter().copied()).len() == books.len();
        if !is_plan || !self.has_published_books(books)? {
            return Err(ChallengeError::InvalidPlan);
        }
        self.choose_goals(member, goals.as_slice())?;
        let plan = SavedPlan { goals: goals.as_slice().to_vec(), books: books.to_vec(), saved_at: now };
        self.replace_plan(member, &plan)?;
        Ok(self.stop_daily_mail(member)?)
    }

    /// Stores a member's goals; they replace the earlier ones.
    fn choose_goals(&mut self, member: UserId, goals: &[GoalId]) -> Result<(), ChallengeError> {
        if !self.has_goals(goals)? {
            return Err(ChallengeError::UnknownGoal);
        }
        if self.lock_challenger(member)?.is_none() {
            return Err(ChallengeError::UnknownMember);
        }
        Ok(self.replace_goals(member, goals)?)
    }

    /// Requests one mail a day until the plan's last day, at an hour of the member's time zone. A repeated request
    /// changes the hour. [`ChallengeError::NoPlan`] without a saved plan.
    fn request_daily_mail(
        &mut self,
        member: UserId,
        hour: MailHour,
        now: Timestamp,
    ) -> Result<DailyMail, ChallengeError> {
        if self.lock_challenger(member)?.is_none() {
            return Err(ChallengeError::UnknownMember);
        }
        if self.saved_plan(member)?.is_none() {
            return Err(ChallengeError::NoPlan);
        }
        let before = self.daily_mail(member)?;
        let since = before.filter(|mail| mail.hour.is_some()).map_or(now, |mail| mail.requested_at);
        let last_sent_on = before.and_then(|mail| mail.last_sent_on);
        let mail = DailyMail { hour: Some(hour), requested_at: since, last_sent_on, due_at: Some(now) };
        self.put_daily_mail(member, &mail)?;
        Ok(self.reschedule_daily_mail(member, now)?.unwrap_or(mail))
    }

    /// Switches a member's daily mails off, if they get any.
    fn stop_daily_mail(&mut self, member: UserId) -> Result<(), StoreError> {
        if self.lock_challenger(member)?.is_none() {
            return Ok(());
        }
        match self.daily_mail(member)? {
            Some(mail) => self.put_daily_mail(member, &DailyMail { hour: None, due_at: None, ..mail }),
            None => Ok(()),
        }
    }

    /// Computes again when the next mail is due, for example after a change of time zone.
    fn reschedule_daily_mail(&mut self, member: UserId, now: Timestamp) -> Result<Option<DailyMail>, StoreError> {
        let Some((mut mail, plan, zone)) = daily_mail_facts(self, member)? else { return Ok(None) };
        mail.due_at = next_mail(&mail, span(&plan), &zone, now).due_at(now);
        self.put_daily_mail(member, &mail)?;
        Ok(Some(mail))
    }

    /// Takes the member's due mail, so that no other worker sends it; `None` when none is due.
    fn take_daily_mail(&mut self, member: UserId, now: Timestamp) -> Result<Option<DueMail>, StoreError> {
        let Some((mut mail, plan, zone)) = daily_mail_facts(self, member)? else { return Ok(None) };
        let next = next_mail(&mail, span(&plan), &zone, now);
        if let NextMail::Due { on, .. } = next {
            mail.last_sent_on = Some(on);
        }
        mail.due_at = next_mail(&mail, span(&plan), &zone, now).due_at(now);
        self.put_daily_mail(member, &mail)?;
        let NextMail::Due { number, .. } = next else { return Ok(None) };
        let Some((_, days)) = self.plan_of(member)? else { return Ok(None) };
        Ok(days.iter().find(|day| day.number == number).map(|day| DueMail { day: *day, days: days.len() }))
    }

    /// Counts the answers to a quiz, and saves the result of a member.
    fn take_quiz(
        &mut self,
        kind: QuizKind,
        answers: &[Answer],
        member: Option<UserId>,
        now: Timestamp,
    ) -> Result<QuizResult, ChallengeError> {
        let result = QuizResult::count(kind, &self.questions(kind)?, answers)?;
        if let Some(member) = member {
            if self.lock_challenger(member)?.is_none() {
                return Err(ChallengeError::UnknownMember);
            }
            self.insert_quiz_result(member, &result, now)?;
        }
        Ok(result)
    }

    /// Replaces the statements of a quiz, in this order: those with an id are changed, those without one are added, and
    /// all others are deleted. Saved results stay as they are.
    ///
    /// # Errors
    /// Those of [`checked_questions`], and [`ChallengeError::UnknownQuestion`].
    fn save_questions(&mut self, kind: QuizKind, drafts: &[QuestionDraft]) -> Result<(), ChallengeError> {
        let drafts = checked_questions(kind, drafts)?;
        let mut known: HashSet<QuestionId> = self.questions(kind)?.into_iter().map(|question| question.id).collect();
        if !drafts.iter().filter_map(|draft| draft.id).all(|id| known.remove(&id)) {
            return Err(ChallengeError::UnknownQuestion);
        }
        Ok(self.replace_questions(kind, &drafts)?)
    }
}

impl<S: ChallengeStore + ?Sized> Challenge for S {}

/// The facts that a member's mail schedule depends on, with the member locked; `None`: no mails.
fn daily_mail_facts<S: ChallengeStore + ?Sized>(
    store: &mut S,
    member: UserId,
) -> Result<Option<(DailyMail, SavedPlan, TimeZone)>, StoreError> {
    let Some(zone) = store.lock_challenger(member)? else { return Ok(None) };
    let (Some(mail), Some(plan)) = (store.daily_mail(member)?, store.saved_plan(member)?) else { return Ok(None) };
    Ok(Some((mail, plan, zone)))
}

fn span(plan: &SavedPlan) -> PlanSpan {
    PlanSpan { saved_at: plan.saved_at, days: plan.books.len() }
}
