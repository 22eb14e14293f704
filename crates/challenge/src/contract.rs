//! What every store of the challenge and the quizzes does, with the rules of [`Challenge`] over it: one suite for memory and Postgres.

use kernel::{BookId, CategoryId, DAY, GoalId, HOUR, Limit, QuestionId, TimeZone, Timestamp, UserId};

use crate::{
    Answer, BookAccess, Challenge, ChallengeError, ChallengeStore, Choices, ChosenGoals, DailyMail, Dimension, DueMail,
    FITTING_BOOKS, MailHour, Openness, PLAN_DAYS, PlanDay, QuestionDraft, QuizKind, ReadableBooks, SavedPlan,
    SuggestedBooks, Topic,
};

/// The facts about a book that the challenge depends on.
#[derive(Clone, Debug)]
pub struct BookFacts {
    /// The goals that it serves.
    pub goals: Vec<GoalId>,
    pub categories: Vec<CategoryId>,
    /// Marked as popular by an editor.
    pub is_popular: bool,
    /// Whether everybody may read it.
    pub is_free: bool,
    /// Whether it is published and not only announced.
    pub is_readable: bool,
}

impl Default for BookFacts {
    fn default() -> Self {
        Self { goals: Vec::new(), categories: Vec::new(), is_popular: false, is_free: false, is_readable: true }
    }
}

/// An empty store, and the data that other domains own.
pub trait World {
    /// Adds a member.
    fn add_member(&mut self) -> UserId;
    /// Moves a member to the time zone with this IANA name.
    fn move_to(&mut self, member: UserId, zone: &str);
    /// Adds a goal.
    fn add_goal(&mut self) -> GoalId;
    /// Adds a category.
    fn add_category(&mut self) -> CategoryId;
    /// Adds a book, with an id greater than all earlier ones.
    fn add_book(&mut self, book: &BookFacts) -> BookId;
    /// Records that a member has completed a book.
    fn complete(&mut self, member: UserId, book: BookId);
    /// Adds a question after all others.
    fn add_question(&mut self, dimension: Dimension, statement: &str) -> QuestionId;
    /// The store.
    fn store(&mut self) -> &mut dyn ChallengeStore;
}

/// One case of the suite, run on an empty store.
pub type Case = fn(&mut dyn World);

/// Runs all cases; `on_empty_store` gives each one a store of its own.
pub fn run(mut on_empty_store: impl FnMut(Case)) {
    for case in CASES {
        on_empty_store(*case);
    }
}

/// All cases. The compiler reports a case that is not listed here as dead code.
const CASES: &[Case] = &[
    candidates_are_readable_not_completed_and_the_popular_ones_first,
    a_plan_alternates_between_the_goals_and_is_filled_up,
    a_plan_begins_with_the_books_that_its_reader_may_read,
    a_goal_that_is_not_there_has_no_plan,
    a_saved_plan_stands_until_the_next_and_its_days_are_done_by_completion,
    a_plan_that_is_none_is_not_saved,
    a_mail_a_day_is_taken_once_until_the_plan_ends,
    mails_end_when_they_are_stopped_or_the_plan_is_replaced,
    who_moves_gets_the_mail_at_the_hour_of_the_new_zone,
    members_whose_mail_is_due_are_found_by_their_number,
    goals_are_remembered_in_their_order,
    books_fit_goals_and_categories,
    a_result_is_saved_for_members_with_those_before,
    the_questions_of_a_quiz_are_replaced_in_order,
    a_quiz_is_saved_as_a_whole_in_its_order,
    figures_are_zero_until_a_summary_is_completed,
];

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);

fn book(world: &mut dyn World, goals: &[GoalId]) -> BookId {
    world.add_book(&BookFacts { goals: goals.to_vec(), ..BookFacts::default() })
}

fn chosen(goals: &[GoalId]) -> ChosenGoals {
    ChosenGoals::new(goals).unwrap()
}

fn candidates_are_readable_not_completed_and_the_popular_ones_first(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    let (calm, other) = (world.add_goal(), world.add_goal());
    let category = world.add_category();
    let popular = world.add_book(&BookFacts { goals: vec![other, calm], is_popular: true, ..BookFacts::default() });
    let older = book(world, &[calm]);
    world.add_book(&BookFacts { goals: vec![calm], is_readable: false, ..BookFacts::default() });
    let completed = book(world, &[calm]);
    let elsewhere = world.add_book(&BookFacts { categories: vec![category], ..BookFacts::default() });
    world.complete(ada, completed);
    let mut of = |topic, reader, limit| -> Vec<BookId> {
        world.store().candidates(topic, Openness::Any, reader, limit).unwrap().iter().map(|one| one.book).collect()
    };
    assert_eq!(of(Topic::Goal(calm), None, 9), [popular, completed, older]);
    assert_eq!(of(Topic::Goal(calm), Some(bob), 2), [popular, completed]);
    assert_eq!(of(Topic::Goal(calm), Some(ada), 9), [popular, older]);
    assert_eq!(of(Topic::All, Some(ada), 9), [popular, elsewhere, older]);
    assert_eq!(of(Topic::Category(category), None, 9), [elsewhere]);
    let mut goals = world.store().candidates(Topic::Goal(other), Openness::Any, None, 1).unwrap().remove(0).goals;
    goals.sort_unstable();
    assert_eq!(goals, [calm, other], "all goals of the book");
}

/// The books of a plan for a reader who may read everything.
fn draw_up(world: &mut dyn World, goals: &ChosenGoals, reader: Option<UserId>) -> Vec<BookId> {
    let days = world.store().draw_up_plan(goals, reader, &ReadableBooks::All).unwrap();
    days.iter().map(|day| day.book).collect()
}

fn a_plan_begins_with_the_books_that_its_reader_may_read(world: &mut dyn World) {
    use BookAccess::{FreeSummary, Included, PlanRequired};
    let ada = world.add_member();
    let (calm, lead) = (world.add_goal(), world.add_goal());
    let closed: Vec<BookId> = (0..3).map(|_| book(world, &[calm])).collect();
    let free = world.add_book(&BookFacts { goals: vec![lead], is_free: true, ..BookFacts::default() });
    let done = world.add_book(&BookFacts { goals: vec![calm], is_free: true, ..BookFacts::default() });
    let popular = world.add_book(&BookFacts { is_free: true, is_popular: true, ..BookFacts::default() });
    world.complete(ada, done);
    let mut draw = |readable| -> Vec<_> {
        let days = world.store().draw_up_plan(&chosen(&[calm, lead]), Some(ada), &readable).unwrap();
        days.iter().map(|day| (day.book, day.access)).collect()
    };
    let opened = vec![closed[0]];
    assert_eq!(
        draw(ReadableBooks::Limited { opened, free_summaries: 1 }),
        [
            (closed[0], Included),
            (free, Included),
            (popular, Included),
            (closed[2], FreeSummary),
            (closed[1], PlanRequired)
        ]
    );
    let none = ReadableBooks::Limited { opened: Vec::new(), free_summaries: 0 };
    let places = [2, 1, 0].map(|at: usize| (closed[at], PlanRequired));
    assert_eq!(draw(none)[2..], places);
    let all: Vec<BookId> = vec![closed[2], free, closed[1], closed[0], popular];
    assert_eq!(draw(ReadableBooks::All), all.into_iter().map(|book| (book, Included)).collect::<Vec<_>>());
}

fn a_plan_alternates_between_the_goals_and_is_filled_up(world: &mut dyn World) {
    let ada = world.add_member();
    let (calm, lead) = (world.add_goal(), world.add_goal());
    let calm_books = [book(world, &[calm]), book(world, &[calm]), book(world, &[calm])];
    let lead_books = [book(world, &[lead]), book(world, &[lead])];
    let both = book(world, &[calm, lead]);
    let others: Vec<BookId> = (0..9).map(|_| book(world, &[])).collect();
    world.complete(ada, calm_books[2]);
    let plan = draw_up(world, &chosen(&[calm, lead]), Some(ada));
    let expected = [both, lead_books[1], calm_books[1], lead_books[0], calm_books[0]];
    assert_eq!(plan[..5], expected);
    assert_eq!(plan[5..], [others[8], others[7], others[6], others[5], others[4]]);
    assert_eq!(plan.len(), PLAN_DAYS);
    assert!(draw_up(world, &chosen(&[calm]), None).contains(&calm_books[2]));
}

fn a_goal_that_is_not_there_has_no_plan(world: &mut dyn World) {
    let calm = world.add_goal();
    let gone = GoalId::from_store(i64::MAX);
    let refused = world.store().draw_up_plan(&chosen(&[calm, gone]), None, &ReadableBooks::All);
    assert!(matches!(refused, Err(ChallengeError::UnknownGoal)));
    assert!(draw_up(world, &chosen(&[calm]), None).is_empty(), "an empty catalogue");
}

fn a_saved_plan_stands_until_the_next_and_its_days_are_done_by_completion(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    let (calm, lead) = (world.add_goal(), world.add_goal());
    let books: Vec<BookId> = (0..3).map(|_| book(world, &[calm])).collect();
    assert_eq!(world.store().plan_of(ada).unwrap(), None);
    let order = [books[2], books[0], books[1]];
    world.store().save_plan(ada, &chosen(&[lead, calm]), &order, NOW).unwrap();
    world.complete(ada, books[0]);
    world.complete(bob, books[1]);
    let (plan, days) = world.store().plan_of(ada).unwrap().unwrap();
    assert_eq!(plan, SavedPlan { goals: vec![lead, calm], books: order.to_vec(), saved_at: NOW });
    let days: Vec<_> = days.iter().map(|day| (day.number, day.book, day.is_done)).collect();
    assert_eq!(days, [(1, books[2], false), (2, books[0], true), (3, books[1], false)]);
    assert_eq!(world.store().plan_of(bob).unwrap(), None);

    world.store().save_plan(ada, &chosen(&[calm]), &books[1..], NOW.plus(DAY)).unwrap();
    let (plan, _) = world.store().plan_of(ada).unwrap().unwrap();
    assert_eq!((plan.goals, plan.books, plan.saved_at), (vec![calm], books[1..].to_vec(), NOW.plus(DAY)));
    assert_eq!(world.store().chosen_goals(ada).unwrap(), [calm]);
}

fn a_plan_that_is_none_is_not_saved(world: &mut dyn World) {
    let ada = world.add_member();
    let goals = chosen(&[world.add_goal()]);
    let books: Vec<BookId> = (0..=PLAN_DAYS).map(|_| book(world, &[])).collect();
    let gone = BookId::from_store(i64::MAX);
    for plan in [&[][..], &books, &[books[0], books[0]], &[books[0], gone]] {
        let refused = world.store().save_plan(ada, &goals, plan, NOW);
        assert!(matches!(refused, Err(ChallengeError::InvalidPlan)), "{plan:?}");
    }
    let gone = chosen(&[GoalId::from_store(i64::MAX)]);
    let refused = world.store().save_plan(ada, &gone, &books[..2], NOW);
    assert!(matches!(refused, Err(ChallengeError::UnknownGoal)));
    let refused = world.store().save_plan(UserId::from_store(i64::MAX), &goals, &books[..2], NOW);
    assert!(matches!(refused, Err(ChallengeError::UnknownMember)));
    assert_eq!(world.store().plan_of(ada).unwrap(), None);
}

/// A member with a plan of `days` books, saved at [`NOW`], which is 02:00 in UTC on 21 November 2026.
fn member_with_plan(world: &mut dyn World, days: usize) -> (UserId, Vec<BookId>, ChosenGoals) {
    let (member, goals) = (world.add_member(), chosen(&[world.add_goal()]));
    let books: Vec<BookId> = (0..days).map(|_| book(world, &[])).collect();
    world.store().save_plan(member, &goals, &books, NOW).unwrap();
    (member, books, goals)
}

fn hour(hour: i64) -> MailHour {
    MailHour::new(hour).unwrap()
}

fn a_mail_a_day_is_taken_once_until_the_plan_ends(world: &mut dyn World) {
    let newcomer = world.add_member();
    let refused = world.store().request_daily_mail(newcomer, hour(7), NOW);
    assert!(matches!(refused, Err(ChallengeError::NoPlan)));
    let (ada, books, _) = member_with_plan(world, 2);
    world.complete(ada, books[1]);
    let today = TimeZone::UTC.day_of(NOW);
    let moment = |days: i32| TimeZone::UTC.moment(today.plus(days), 20);
    assert_eq!(world.store().daily_mail(ada).unwrap(), None);
    let asked = world.store().request_daily_mail(ada, hour(20), NOW).unwrap();
    let expected = DailyMail { hour: Some(hour(20)), requested_at: NOW, last_sent_on: None, due_at: Some(moment(0)) };
    assert_eq!((asked, world.store().daily_mail(ada).unwrap()), (expected, Some(expected)));
    assert_eq!(world.store().take_daily_mail(ada, moment(0).plus(-1)).unwrap(), None);
    let mail = |number: usize, is_done| DueMail { day: PlanDay { number, book: books[number - 1], is_done }, days: 2 };
    assert_eq!(world.store().take_daily_mail(ada, moment(0)).unwrap(), Some(mail(1, false)));
    assert_eq!(world.store().take_daily_mail(ada, moment(0)).unwrap(), None, "one a day");
    let stored = world.store().daily_mail(ada).unwrap().unwrap();
    assert_eq!((stored.last_sent_on, stored.due_at), (Some(today), Some(moment(1))));
    // A second request on the same day, for a later hour, does not send that day's mail again.
    world.store().stop_daily_mail(ada).unwrap();
    let asked = world.store().request_daily_mail(ada, hour(23), moment(0).plus(HOUR)).unwrap();
    assert_eq!(asked.due_at, Some(moment(1).plus(3 * HOUR)));
    let changed = world.store().request_daily_mail(ada, hour(20), moment(0).plus(2 * HOUR)).unwrap();
    assert_eq!((changed.requested_at, changed.due_at), (moment(0).plus(HOUR), Some(moment(1))), "another hour");
    assert_eq!(world.store().take_daily_mail(ada, moment(1).plus(HOUR)).unwrap(), Some(mail(2, true)));
    assert_eq!(world.store().daily_mail(ada).unwrap().unwrap().due_at, None, "the plan has no third day");
    assert_eq!(world.store().take_daily_mail(ada, moment(2)).unwrap(), None);
}

fn mails_end_when_they_are_stopped_or_the_plan_is_replaced(world: &mut dyn World) {
    let (ada, books, goals) = member_with_plan(world, 3);
    world.store().stop_daily_mail(ada).unwrap();
    assert_eq!(world.store().daily_mail(ada).unwrap(), None, "none to stop");
    let tomorrow = NOW.plus(DAY);
    world.store().request_daily_mail(ada, hour(0), NOW).unwrap();
    world.store().stop_daily_mail(ada).unwrap();
    let stopped = world.store().daily_mail(ada).unwrap().unwrap();
    assert_eq!((stopped.hour, stopped.due_at), (None, None));
    assert_eq!(world.store().take_daily_mail(ada, tomorrow).unwrap(), None);
    world.store().request_daily_mail(ada, hour(0), NOW).unwrap();
    assert!(world.store().take_daily_mail(ada, tomorrow).unwrap().is_some());
    world.store().save_plan(ada, &goals, &books, tomorrow).unwrap();
    let replaced = world.store().daily_mail(ada).unwrap().unwrap();
    assert_eq!((replaced.hour, replaced.due_at), (None, None), "the new plan's mails are asked for anew");
    assert_eq!(world.store().take_daily_mail(ada, tomorrow.plus(DAY)).unwrap(), None);
    world.store().stop_daily_mail(UserId::from_store(i64::MAX)).unwrap();
}

fn who_moves_gets_the_mail_at_the_hour_of_the_new_zone(world: &mut dyn World) {
    let (ada, ..) = member_with_plan(world, 3);
    world.store().request_daily_mail(ada, hour(9), NOW).unwrap();
    world.move_to(ada, "Asia/Tokyo");
    let tokyo = TimeZone::named("Asia/Tokyo");
    let expected = tokyo.moment(tokyo.day_of(NOW).plus(1), 9);
    let moved = world.store().reschedule_daily_mail(ada, NOW).unwrap().unwrap();
    assert_eq!(moved.due_at, Some(expected), "nine o'clock was over there when the mails were asked for");
    let other = world.add_member();
    assert_eq!(world.store().reschedule_daily_mail(other, NOW).unwrap(), None);
}

fn members_whose_mail_is_due_are_found_by_their_number(world: &mut dyn World) {
    let members: Vec<UserId> = (0..4).map(|_| member_with_plan(world, 1).0).collect();
    for (member, at) in members.iter().zip([5, 3, 4, 3]) {
        world.store().request_daily_mail(*member, hour(at), NOW).unwrap();
    }
    world.store().stop_daily_mail(members[3]).unwrap();
    let by = TimeZone::UTC.moment(TimeZone::UTC.day_of(NOW), 4);
    let mut due =
        |by, after, limit| world.store().members_with_daily_mail_due(by, after, Limit::clamped(limit)).unwrap();
    assert_eq!(due(by, None, 9), [members[1], members[2]]);
    assert_eq!(due(by, None, 1), [members[1]]);
    assert_eq!(due(by, Some(members[1]), 9), [members[2]]);
    assert!(due(by.plus(-1), Some(members[1]), 9).is_empty());
}

fn goals_are_remembered_in_their_order(world: &mut dyn World) {
    let ada = world.add_member();
    let (calm, lead, know) = (world.add_goal(), world.add_goal(), world.add_goal());
    assert!(world.store().chosen_goals(ada).unwrap().is_empty());
    world.store().choose_goals(ada, &[know, calm, lead]).unwrap();
    assert_eq!(world.store().chosen_goals(ada).unwrap(), [know, calm, lead]);
    world.store().choose_goals(ada, &[lead]).unwrap();
    assert_eq!(world.store().chosen_goals(ada).unwrap(), [lead]);
    world.store().choose_goals(ada, &[]).unwrap();
    assert!(world.store().chosen_goals(ada).unwrap().is_empty());
}

fn books_fit_goals_and_categories(world: &mut dyn World) {
    let (calm, science) = (world.add_goal(), world.add_category());
    let of_goal = [book(world, &[calm]), book(world, &[calm])];
    let in_category = world.add_book(&BookFacts { categories: vec![science], ..BookFacts::default() });
    let others: Vec<BookId> = (0..6).map(|_| book(world, &[])).collect();
    let choices = Choices::new(&[calm], &[science]).unwrap();
    let fitting = world.store().fitting_books(&choices, None).unwrap();
    assert_eq!(fitting, [of_goal[1], in_category, of_goal[0], others[5], others[4]]);
    let popular = world.store().fitting_books(&Choices::default(), None).unwrap();
    assert_eq!((popular.len(), popular[0]), (FITTING_BOOKS, others[5]));
}

fn a_quiz_is_saved_as_a_whole_in_its_order(world: &mut dyn World) {
    use Dimension::{Blue, Green, Red, Yellow};
    let kind = QuizKind::Personality;
    let red = world.add_question(Red, "I decide.");
    let gone = world.add_question(Blue, "I examine.");
    let musical = world.add_question(Dimension::Musical, "I hum.");
    let draft = |id, dimension, n: usize| QuestionDraft { id, dimension, statement: format!("Statement {n}.") };
    let colours = [Blue, Green, Yellow, Red, Blue, Green, Yellow, Red, Blue, Green, Yellow, Red, Green, Yellow, Red];
    let drafts = |red_at: usize| -> Vec<QuestionDraft> {
        let all = colours.iter().enumerate();
        all.map(|(n, colour)| draft((n == red_at).then_some(red), *colour, n)).collect()
    };
    world.store().save_questions(kind, &drafts(3)).unwrap();
    let saved = world.store().questions(kind).unwrap();
    assert_eq!(saved.iter().map(|question| question.dimension).collect::<Vec<_>>(), colours);
    assert_eq!((saved[3].id, saved[3].statement.as_str()), (red, "Statement 3."));
    assert!(saved.iter().all(|question| question.id != gone));
    assert_eq!(world.store().questions(QuizKind::Intelligence).unwrap()[0].id, musical);

    // In reverse order, each with its id.
    let turned: Vec<QuestionDraft> = saved
        .iter()
        .rev()
        .map(|one| QuestionDraft { id: Some(one.id), dimension: one.dimension, statement: one.statement.clone() })
        .collect();
    world.store().save_questions(kind, &turned).unwrap();
    let again = world.store().questions(kind).unwrap();
    assert_eq!(again, saved.iter().rev().cloned().collect::<Vec<_>>());

    let mut unknown = turned.clone();
    unknown[0].id = Some(musical);
    let mut twice = turned.clone();
    twice[1].id = twice[0].id;
    for wrong in [unknown, twice] {
        assert!(matches!(world.store().save_questions(kind, &wrong), Err(ChallengeError::UnknownQuestion)));
    }
    let refused = world.store().save_questions(kind, &turned[1..]);
    assert!(matches!(refused, Err(ChallengeError::UnbalancedQuiz(_))));
    assert_eq!(world.store().questions(kind).unwrap(), again);
}

fn a_result_is_saved_for_members_with_those_before(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    let red = world.add_question(Dimension::Red, "I decide.");
    let blue = world.add_question(Dimension::Blue, "I examine.");
    world.add_question(Dimension::Musical, "I hum.");
    let kind = QuizKind::Personality;
    let questions = world.store().questions(kind).unwrap();
    assert_eq!(questions.iter().map(|question| question.id).collect::<Vec<_>>(), [red, blue]);
    assert_eq!((questions[1].dimension, questions[1].statement.as_str()), (Dimension::Blue, "I examine."));
    let say = |truths: [bool; 2]| {
        [Answer { question: red, is_true: truths[0] }, Answer { question: blue, is_true: truths[1] }]
    };
    let first = world.store().take_quiz(kind, &say([true, false]), Some(ada), NOW).unwrap();
    assert_eq!(first.leaders(), [Dimension::Red]);
    let second = world.store().take_quiz(kind, &say([true, true]), Some(ada), NOW.plus(DAY)).unwrap();
    world.store().take_quiz(kind, &say([false, true]), None, NOW).unwrap();
    let saved = world.store().quiz_results(ada, kind, 9).unwrap();
    let saved: Vec<_> = saved.into_iter().map(|saved| (saved.result, saved.taken_at)).collect();
    assert_eq!(saved, [(second, NOW.plus(DAY)), (first, NOW)]);
    assert_eq!(world.store().quiz_results(ada, kind, 1).unwrap().len(), 1);
    assert!(world.store().quiz_results(ada, QuizKind::Intelligence, 9).unwrap().is_empty());
    assert!(world.store().quiz_results(bob, kind, 9).unwrap().is_empty());
    let gone = world.store().take_quiz(kind, &say([true, true]), Some(UserId::from_store(i64::MAX)), NOW);
    assert!(matches!(gone, Err(ChallengeError::UnknownMember)));
}

fn the_questions_of_a_quiz_are_replaced_in_order(world: &mut dyn World) {
    let of = |world: &mut dyn World, kind| {
        let found = world.store().questions(kind).unwrap();
        found.into_iter().map(|question| (question.dimension, question.statement)).collect::<Vec<_>>()
    };
    world.add_question(Dimension::Red, "I decide.");
    let hum = world.add_question(Dimension::Musical, "I hum.");
    let other = of(world, QuizKind::Intelligence);
    let ours = [(Dimension::Blue, "I examine.".to_owned()), (Dimension::Red, "I lead.".to_owned())];
    let drafts = ours.clone().map(|(dimension, statement)| QuestionDraft { id: None, dimension, statement });
    world.store().replace_questions(QuizKind::Personality, &drafts).unwrap();
    assert_eq!(of(world, QuizKind::Personality), ours);
    assert_eq!(of(world, QuizKind::Intelligence), other, "the other quiz stays");
    assert!(world.store().questions(QuizKind::Intelligence).unwrap().iter().any(|question| question.id == hum));
}

fn figures_are_zero_until_a_summary_is_completed(world: &mut dyn World) {
    let ada = world.add_member();
    let books = [book(world, &[]), book(world, &[])];
    assert_eq!(world.store().site_figures().unwrap().readers, 0);
    for one in books {
        world.complete(ada, one);
    }
    assert_eq!(world.store().site_figures().unwrap().readers, 1);
}
