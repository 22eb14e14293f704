//! What the challenge, the quizzes and onboarding offer.

use std::collections::HashSet;

use kernel::{BookId, GoalId, QuestionId, StoreError, TimeZone, Timestamp, UserId};

use crate::{
    Answer, ChallengeError, ChallengeStore, ChosenGoals, DailyMail, DueMail, MailHour, NextMail, PLAN_DAYS, PlanSpan,
    QuestionDraft, QuizKind, QuizResult, SavedPlan, checked_questions, next_mail, plan::distinct,
};

/// The challenge, the quizzes and onboarding, over any store of them. Everything happens in the store's transaction.
pub trait Challenge: ChallengeStore {
    /// Saves a plan in the place of the one before, whose daily mails end.
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

    /// Remembers a member's goals in the place of those before.
    fn choose_goals(&mut self, member: UserId, goals: &[GoalId]) -> Result<(), ChallengeError> {
        if !self.has_goals(goals)? {
            return Err(ChallengeError::UnknownGoal);
        }
        if self.lock_challenger(member)?.is_none() {
            return Err(ChallengeError::UnknownMember);
        }
        Ok(self.replace_goals(member, goals)?)
    }

    /// Asks for one mail a day until the plan's last day, at an hour of the member's time zone. Who has asked before changes the hour.
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

    /// Ends a member's daily mails, if they get any.
    fn stop_daily_mail(&mut self, member: UserId) -> Result<(), StoreError> {
        if self.lock_challenger(member)?.is_none() {
            return Ok(());
        }
        match self.daily_mail(member)? {
            Some(mail) => self.put_daily_mail(member, &DailyMail { hour: None, due_at: None, ..mail }),
            None => Ok(()),
        }
    }

    /// Decides again when the next mail is due, as after a move to another time zone.
    fn reschedule_daily_mail(&mut self, member: UserId, now: Timestamp) -> Result<Option<DailyMail>, StoreError> {
        let Some((mut mail, plan, zone)) = daily_mail_facts(self, member)? else { return Ok(None) };
        mail.due_at = next_mail(&mail, span(&plan), &zone, now).due_at(now);
        self.put_daily_mail(member, &mail)?;
        Ok(Some(mail))
    }

    /// Takes the member's mail that is due, so that nobody else sends it; `None` when none is.
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

    /// Counts the answers to a quiz; a member's result is saved.
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

    /// Saves the statements of a quiz as a whole, in this order: those with a number are changed, those without one are
    /// new, and those that are left out are gone. Results that were saved stay as they are.
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

/// What the schedule of a member's mails follows from, with the member locked; `None`: no mails.
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
