//! The in-memory store, for tests of the rules and of the code above them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    ops::Range,
};

use kernel::{
    AnswerId, BookId, CategoryId, CommitmentId, Day, HighlightId, Limit, ListId, ListTotal, PushSubscriptionId,
    ReviewCardId, SessionId, Slug, StoreError, SummaryId, TeamListId, Timestamp, UserId,
};

use crate::{
    BookHighlights, CardAnswer, CardFacts, CardHighlight, CardKind, CommitmentQueries, CommitmentState,
    CommitmentStore, CompletedIdea, CompletedIdeaCommands, CompletedIdeaQueries, DueNotice, FoundIdea, HighlightPlace,
    HighlightSource, HighlightedRange, ListCommands, ListQueries, ListSearch, ListSlug, ListStore, ListedList, Notice,
    NoticeCommands, NoticeQueries, Outcome, OwnedList, Part, PlaceRange, PlacedHighlight, PlacedIdea, PopularPassage,
    PushSubscription, PushTarget, ReadingList, RecallAnswer, Schedule, Sharing, StoredCard, StoredCommitment,
    StoredHighlight, StoredList, StudyCommands, StudyQueries, StudySettings, StudyStore, Webhook, WebhookAttempt,
    contract::World,
};

/// The stored state. It has one caller at a time, so it needs no locks.
#[derive(Debug, Default)]
pub struct Memory {
    sources: i64,
    /// When each book was saved last.
    books: BTreeMap<BookId, Timestamp>,
    checked: BTreeMap<BookId, Checked>,
    popular: BTreeMap<BookId, Vec<PopularPassage>>,
    versions: BTreeMap<UserId, u64>,
    highlights: BTreeMap<(UserId, HighlightId), StoredHighlight>,
    settings: BTreeMap<UserId, StudySettings>,
    cards: BTreeMap<(UserId, ReviewCardId), StoredCard>,
    answers: BTreeMap<(UserId, AnswerId), CardAnswer>,
    commitments: BTreeMap<(UserId, CommitmentId), StoredCommitment>,
    /// The moment of each by member, book and heading.
    completed_ideas: BTreeMap<(UserId, BookId, String), Timestamp>,
    lists: BTreeMap<(UserId, ListId), StoredList>,
    /// The owner and the list of each.
    team_lists: BTreeMap<TeamListId, (UserId, ListId)>,
    last_team_list: i64,
    agreements: BTreeMap<(TeamListId, UserId), Timestamp>,
    /// Who follows which list of whom, and since when.
    followers: BTreeMap<(UserId, UserId, ListId), Timestamp>,
    categories: BTreeMap<BookId, Vec<CategoryId>>,
    notices: BTreeMap<DueNotice, Notice>,
    webhooks: BTreeMap<UserId, Webhook>,
    /// Sessions that live, with their members.
    sessions: BTreeMap<SessionId, UserId>,
    push_subscriptions: Vec<PushSubscription>,
}

/// What is known of a book with highlights.
#[derive(Debug)]
struct Checked {
    /// When the text was saved in which they were looked for last.
    updated_at: Option<Timestamp>,
    is_to_count: bool,
}

impl Memory {
    /// Records that the highlights of a source have changed.
    fn record_change(&mut self, source: Option<HighlightSource>) {
        if let Some(HighlightSource::Book(book)) = source {
            self.checked.entry(book).or_insert(Checked { updated_at: None, is_to_count: true }).is_to_count = true;
        }
    }

    fn of(&self, member: UserId) -> impl Iterator<Item = &StoredHighlight> {
        self.highlights.iter().filter(move |((owner, _), _)| *owner == member).map(|(_, stored)| stored)
    }

    fn cards_of(&self, member: UserId) -> impl Iterator<Item = &StoredCard> {
        self.cards.iter().filter(move |((owner, _), _)| *owner == member).map(|(_, stored)| stored)
    }

    /// The member's answers, by moment and id.
    fn answers_of(&self, member: UserId) -> Vec<&CardAnswer> {
        let of_member = self.answers.iter().filter(|((owner, _), _)| *owner == member);
        let mut answers: Vec<&CardAnswer> = of_member.map(|(_, answer)| answer).collect();
        answers.sort_by_key(|answer| (answer.at, answer.id));
        answers
    }

    fn card_highlight(&self, member: UserId, id: HighlightId) -> Option<CardHighlight> {
        let StoredHighlight { highlight, .. } = self.highlights.get(&(member, id))?;
        let words = highlight.state.anchor.exact.clone();
        let is_there = highlight.state.is_shown() && highlight.source.is_some() && !words.is_empty();
        Some(CardHighlight { id, words, is_there })
    }

    fn delete_source(&mut self, source: HighlightSource) {
        for stored in self.cards.values_mut().filter(|stored| stored.card.source == Some(source)) {
            stored.card.source = None;
        }
        for stored in self.highlights.values_mut().filter(|stored| stored.highlight.source == Some(source)) {
            stored.highlight.source = None;
            stored.place = HighlightPlace::Gone;
        }
    }
}

impl World for Memory {
    fn add_member(&mut self) -> UserId {
        let member = UserId::from_store(i64::try_from(self.versions.len()).unwrap_or(i64::MAX) + 1);
        self.versions.insert(member, 0);
        member
    }

    fn add_book(&mut self) -> BookId {
        self.sources += 1;
        let book = BookId::from_store(self.sources);
        self.books.insert(book, Timestamp::from_millis(0));
        book
    }

    fn save_book(&mut self, book: BookId, at: Timestamp) {
        self.books.insert(book, at);
    }

    fn add_summary(&mut self, _: UserId) -> SummaryId {
        self.sources += 1;
        SummaryId::from_store(self.sources)
    }

    fn add_category(&mut self, book: BookId) -> CategoryId {
        let all = self.categories.values().map(Vec::len).sum::<usize>();
        let category = CategoryId::from_store(i64::try_from(all).unwrap_or(i64::MAX) + 1);
        self.categories.entry(book).or_default().push(category);
        category
    }

    fn delete_book(&mut self, book: BookId) {
        self.delete_source(HighlightSource::Book(book));
        for stored in self.commitments.values_mut().filter(|stored| stored.commitment.book == Some(book)) {
            stored.commitment.book = None;
        }
        for stored in self.lists.values_mut() {
            stored.list.state.books.remove(&book);
        }
        self.books.remove(&book);
        self.checked.remove(&book);
        self.popular.remove(&book);
        self.completed_ideas.retain(|(_, of, _), _| *of != book);
    }

    fn delete_summary(&mut self, summary: SummaryId) {
        self.delete_source(HighlightSource::Summary(summary));
    }

    fn add_session(&mut self, member: UserId) -> SessionId {
        self.sources += 1;
        let session = SessionId::from_store(self.sources);
        self.sessions.insert(session, member);
        session
    }

    fn end_session(&mut self, session: SessionId) {
        self.sessions.remove(&session);
    }

    fn store(&mut self) -> &mut dyn StudyStore {
        self
    }
}

impl Memory {
    fn owned(&self, owner: UserId, id: ListId) -> Option<OwnedList> {
        self.lists.get(&(owner, id)).map(|stored| OwnedList { owner, stored: stored.clone() })
    }

    fn listed(&self, search: &ListSearch) -> Vec<ListedList> {
        let text = search.text.to_lowercase();
        let is_wanted = |list: &ReadingList| {
            let is_listed = list.sharing == Sharing::Public || list.is_taken_down;
            let has_slug = list.slug.as_ref().is_some_and(|slug| slug.as_str() == search.text);
            list.state.is_shown()
                && (has_slug || is_listed && list.state.name.value.as_str().to_lowercase().contains(&text))
        };
        let followers = |owner, id| self.followers.keys().filter(|(_, of, list)| (*of, *list) == (owner, id)).count();
        let wanted = self.lists.iter().filter(|(_, stored)| is_wanted(&stored.list));
        let listed = wanted.map(|((owner, id), stored)| ListedList {
            owned: OwnedList { owner: *owner, stored: stored.clone() },
            followers: followers(*owner, *id).try_into().unwrap_or(u32::MAX),
        });
        listed.collect()
    }
}

impl ListQueries for Memory {
    fn find_list(&mut self, member: UserId, id: ListId) -> Result<Option<StoredList>, StoreError> {
        Ok(self.lists.get(&(member, id)).cloned())
    }

    fn lists_after(&mut self, member: UserId, version: u64, limit: Limit) -> Result<Vec<StoredList>, StoreError> {
        let of_member = self.lists.iter().filter(|((owner, _), _)| *owner == member).map(|(_, stored)| stored);
        let mut later: Vec<_> = of_member.filter(|stored| stored.version > version).cloned().collect();
        later.sort_by_key(|stored| stored.version);
        later.truncate(limit.get() + 1);
        Ok(later)
    }

    fn count_lists(&mut self, member: UserId) -> Result<usize, StoreError> {
        let of_member = self.lists.iter().filter(|((owner, _), _)| *owner == member).map(|(_, stored)| stored);
        Ok(of_member.filter(|stored| stored.list.state.is_shown()).count())
    }

    fn books_on_lists(&mut self, member: UserId) -> Result<Vec<BookId>, StoreError> {
        let own = self.lists.iter().filter(|((owner, _), _)| *owner == member);
        let books: BTreeSet<BookId> = own.flat_map(|(_, stored)| stored.list.state.shown_books()).collect();
        Ok(books.into_iter().collect())
    }

    fn shared_list(&mut self, slug: &ListSlug) -> Result<Option<OwnedList>, StoreError> {
        let found = self.lists.iter().find(|(_, stored)| stored.list.slug.as_ref() == Some(slug));
        Ok(found.map(|((owner, _), stored)| OwnedList { owner: *owner, stored: stored.clone() }))
    }

    fn followed_lists(&mut self, member: UserId) -> Result<Vec<OwnedList>, StoreError> {
        let mut followed: Vec<_> = self.followers.iter().filter(|((follower, ..), _)| *follower == member).collect();
        followed.sort_by_key(|(key, at)| (**at, **key));
        Ok(followed.into_iter().filter_map(|((_, owner, id), _)| self.owned(*owner, *id)).collect())
    }

    fn is_following(&mut self, member: UserId, owner: UserId, id: ListId) -> Result<bool, StoreError> {
        Ok(self.followers.contains_key(&(member, owner, id)))
    }

    fn count_followed(&mut self, member: UserId) -> Result<usize, StoreError> {
        Ok(self.followers.keys().filter(|(follower, ..)| *follower == member).count())
    }

    fn list_followers(&mut self, member: UserId) -> Result<Vec<(ListId, u32)>, StoreError> {
        let mut counts: BTreeMap<ListId, u32> = BTreeMap::new();
        for (_, _, id) in self.followers.keys().filter(|(_, owner, _)| *owner == member) {
            *counts.entry(*id).or_default() += 1;
        }
        Ok(counts.into_iter().collect())
    }

    fn team_list(&mut self, id: TeamListId) -> Result<Option<OwnedList>, StoreError> {
        Ok(self.team_lists.get(&id).and_then(|(owner, list)| self.owned(*owner, *list)))
    }

    fn team_lists_of(&mut self, owners: &[UserId]) -> Result<Vec<OwnedList>, StoreError> {
        let given = self.team_lists.values().filter(|(owner, _)| owners.contains(owner));
        Ok(given.filter_map(|(owner, list)| self.owned(*owner, *list)).collect())
    }

    fn agreed_members(&mut self, id: TeamListId) -> Result<Vec<(UserId, Timestamp)>, StoreError> {
        let of_list = self.agreements.iter().filter(|((list, _), _)| *list == id);
        Ok(of_list.map(|((_, member), at)| (*member, *at)).collect())
    }

    fn agreements_of(&mut self, member: UserId) -> Result<Vec<(TeamListId, Timestamp)>, StoreError> {
        let of_member = self.agreements.iter().filter(|((_, of), _)| *of == member);
        Ok(of_member.map(|((list, _), at)| (*list, *at)).collect())
    }

    fn public_lists(
        &mut self,
        books: usize,
        after: Option<&ListSlug>,
        limit: Limit,
    ) -> Result<Vec<(ListSlug, Timestamp)>, StoreError> {
        let is_indexed = |list: &ReadingList| {
            list.sharing == Sharing::Public && list.state.is_shown() && list.state.shown_books().len() >= books
        };
        let public = self.lists.values().map(|stored| &stored.list).filter(|list| is_indexed(list));
        let mut found: Vec<_> = public.filter_map(|list| Some((list.slug.clone()?, list.state.edited_at()))).collect();
        found.sort();
        found.retain(|(slug, _)| after.is_none_or(|after| slug > after));
        found.truncate(limit.get());
        Ok(found)
    }

    fn search_lists(&mut self, search: &ListSearch, limit: Limit) -> Result<Vec<ListedList>, StoreError> {
        let mut found = self.listed(search);
        found.sort_by_key(|listed| Reverse(listed.cursor()));
        found.retain(|listed| search.after.is_none_or(|after| listed.cursor() < after));
        found.truncate(limit.get() + 1);
        Ok(found)
    }

    fn count_listed(&mut self, search: &ListSearch) -> Result<ListTotal, StoreError> {
        Ok(ListTotal::of_counted(self.listed(search).len() as u64))
    }
}

impl ListCommands for Memory {
    fn lock_slugs(&mut self, base: &Slug) -> Result<BTreeSet<ListSlug>, StoreError> {
        let numbered = format!("{base}-");
        let is_like = |slug: &ListSlug| slug.as_str() == base.as_str() || slug.as_str().starts_with(&numbered);
        Ok(self.lists.values().filter_map(|stored| stored.list.slug.clone()).filter(is_like).collect())
    }

    fn follow_list(&mut self, member: UserId, owner: UserId, id: ListId, at: Timestamp) -> Result<(), StoreError> {
        self.followers.entry((member, owner, id)).or_insert(at);
        Ok(())
    }

    fn unfollow_list(&mut self, member: UserId, owner: UserId, id: ListId) -> Result<(), StoreError> {
        self.followers.remove(&(member, owner, id));
        Ok(())
    }

    fn put_agreement(
        &mut self,
        id: TeamListId,
        member: UserId,
        agreed_at: Option<Timestamp>,
    ) -> Result<bool, StoreError> {
        if !self.team_lists.contains_key(&id) {
            return Ok(false);
        }
        match agreed_at {
            Some(at) => self.agreements.insert((id, member), at),
            None => self.agreements.remove(&(id, member)),
        };
        Ok(true)
    }
}

impl ListStore for Memory {
    fn put_list(&mut self, member: UserId, list: &StoredList) -> Result<(), StoreError> {
        let mut stored = list.clone();
        stored.list.state.changed_at = stored.list.state.edited_at();
        stored.list.state.books.retain(|book, _| self.books.contains_key(book));
        self.versions.insert(member, stored.version);
        self.lists.insert((member, stored.list.id), stored);
        Ok(())
    }

    fn insert_team_list(&mut self, member: UserId, id: ListId) -> Result<TeamListId, StoreError> {
        if let Some((known, _)) = self.team_lists.iter().find(|(_, list)| **list == (member, id)) {
            return Ok(*known);
        }
        self.last_team_list += 1;
        let given = TeamListId::from_store(self.last_team_list);
        self.team_lists.insert(given, (member, id));
        Ok(given)
    }

    fn delete_team_list(&mut self, id: TeamListId) -> Result<(), StoreError> {
        self.team_lists.remove(&id);
        self.agreements.retain(|(list, _), _| *list != id);
        Ok(())
    }

    fn remove_followers(&mut self, owner: UserId, id: ListId) -> Result<(), StoreError> {
        self.followers.retain(|(_, of, list), _| (*of, *list) != (owner, id));
        Ok(())
    }
}

impl CompletedIdeaQueries for Memory {
    fn completed_ideas(&mut self, member: UserId, since: Timestamp) -> Result<Vec<CompletedIdea>, StoreError> {
        let own = self.completed_ideas.iter().filter(|((of, ..), at)| *of == member && **at >= since);
        Ok(own.map(|((_, book, idea), at)| CompletedIdea { book: *book, idea: idea.clone(), at: *at }).collect())
    }
}

impl CompletedIdeaCommands for Memory {
    fn record_completed_ideas(&mut self, member: UserId, ideas: &[CompletedIdea]) -> Result<(), StoreError> {
        for CompletedIdea { book, idea, at } in ideas.iter().filter(|idea| self.books.contains_key(&idea.book)) {
            let latest = self.completed_ideas.entry((member, *book, idea.clone())).or_insert(*at);
            *latest = (*latest).max(*at);
        }
        Ok(())
    }
}

impl NoticeQueries for Memory {
    fn notices_due(
        &mut self,
        by: Timestamp,
        after: Option<DueNotice>,
        limit: Limit,
    ) -> Result<Vec<DueNotice>, StoreError> {
        let due = self.notices.iter().filter(|(due, notice)| {
            notice.due_at.is_some_and(|at| at <= by) && after.is_none_or(|after| **due > after)
        });
        Ok(due.map(|(due, _)| *due).take(limit.get()).collect())
    }

    fn highlights_by_id(
        &mut self,
        member: UserId,
        after: Option<HighlightId>,
        limit: usize,
    ) -> Result<Vec<StoredHighlight>, StoreError> {
        let mut found: Vec<StoredHighlight> =
            self.of(member).filter(|stored| is_mailed(stored, after)).cloned().collect();
        found.sort_by_key(|stored| stored.highlight.id);
        found.truncate(limit);
        Ok(found)
    }

    fn webhook_of(&mut self, member: UserId) -> Result<Option<Webhook>, StoreError> {
        Ok(self.webhooks.get(&member).cloned())
    }

    fn push_subscriptions_of(&mut self, member: UserId, _: Timestamp) -> Result<Vec<PushSubscription>, StoreError> {
        let of_member = |one: &&PushSubscription| self.sessions.get(&one.session) == Some(&member);
        Ok(self.push_subscriptions.iter().filter(of_member).cloned().collect())
    }

    fn push_subscription(
        &mut self,
        id: PushSubscriptionId,
        _: Timestamp,
    ) -> Result<Option<PushSubscription>, StoreError> {
        let found = self.push_subscriptions.iter().find(|one| one.id == id && self.sessions.contains_key(&one.session));
        Ok(found.cloned())
    }
}

/// Whether a digest may have this highlight.
fn is_mailed(stored: &StoredHighlight, after: Option<HighlightId>) -> bool {
    let state = &stored.highlight.state;
    state.is_shown() && !state.anchor.exact.is_empty() && after.is_none_or(|after| stored.highlight.id > after)
}

impl NoticeCommands for Memory {
    fn lock_due_notice(&mut self, due: DueNotice, by: Timestamp) -> Result<Option<Notice>, StoreError> {
        Ok(self.notices.get(&due).copied().filter(|notice| notice.due_at.is_some_and(|at| at <= by)))
    }

    fn put_notice(&mut self, member: UserId, notice: Notice) -> Result<(), StoreError> {
        self.notices.insert(DueNotice { member, kind: notice.kind }, notice);
        Ok(())
    }

    fn lock_notices(&mut self, member: UserId) -> Result<Vec<Notice>, StoreError> {
        Ok(self.notices.iter().filter(|(due, _)| due.member == member).map(|(_, notice)| *notice).collect())
    }

    fn put_webhook(&mut self, member: UserId, webhook: &Webhook) -> Result<(), StoreError> {
        self.webhooks.insert(member, webhook.clone());
        Ok(())
    }

    fn delete_webhook(&mut self, member: UserId) -> Result<bool, StoreError> {
        Ok(self.webhooks.remove(&member).is_some())
    }

    fn record_webhook_attempt(
        &mut self,
        member: UserId,
        salt: &[u8],
        attempt: &WebhookAttempt,
        is_on: Option<bool>,
    ) -> Result<(), StoreError> {
        if let Some(webhook) = self.webhooks.get_mut(&member).filter(|webhook| webhook.salt == salt) {
            webhook.last = Some(attempt.clone());
            webhook.is_on = is_on.unwrap_or(webhook.is_on);
        }
        Ok(())
    }

    fn put_push_subscription(
        &mut self,
        session: SessionId,
        target: &PushTarget,
        _: Timestamp,
    ) -> Result<(), StoreError> {
        self.push_subscriptions.retain(|one| one.session != session && one.target.endpoint != target.endpoint);
        self.sources += 1;
        let id = PushSubscriptionId::from_store(self.sources);
        self.push_subscriptions.push(PushSubscription { id, session, target: target.clone() });
        Ok(())
    }

    fn delete_push_subscription_of(&mut self, session: SessionId) -> Result<(), StoreError> {
        self.push_subscriptions.retain(|one| one.session != session);
        Ok(())
    }

    fn delete_push_subscription(&mut self, id: PushSubscriptionId) -> Result<(), StoreError> {
        self.push_subscriptions.retain(|one| one.id != id);
        Ok(())
    }
}

impl CommitmentQueries for Memory {
    fn find_commitment(&mut self, member: UserId, id: CommitmentId) -> Result<Option<StoredCommitment>, StoreError> {
        Ok(self.commitments.get(&(member, id)).cloned())
    }

    fn open_commitments(&mut self, member: UserId) -> Result<Vec<StoredCommitment>, StoreError> {
        let is_open = |state: &CommitmentState| state.is_shown() && state.outcome.value == Outcome::Open;
        let of_member = self.commitments.iter().filter(|((owner, _), _)| *owner == member).map(|(_, stored)| stored);
        Ok(of_member.filter(|stored| is_open(&stored.commitment.state)).cloned().collect())
    }

    fn commitments_after(
        &mut self,
        member: UserId,
        version: u64,
        limit: Limit,
    ) -> Result<Vec<StoredCommitment>, StoreError> {
        let is_later = |owner: UserId, stored: &StoredCommitment| owner == member && stored.version > version;
        let later = self.commitments.iter().filter(|((owner, _), stored)| is_later(*owner, stored));
        let mut later: Vec<_> = later.map(|(_, stored)| stored.clone()).collect();
        later.sort_by_key(|stored| stored.version);
        later.truncate(limit.get() + 1);
        Ok(later)
    }
}

impl CommitmentStore for Memory {
    fn put_commitment(&mut self, member: UserId, commitment: &StoredCommitment) -> Result<(), StoreError> {
        self.commitments.insert((member, commitment.commitment.id), commitment.clone());
        self.versions.insert(member, commitment.version);
        Ok(())
    }
}

impl StudyQueries for Memory {
    fn find_highlight(&mut self, member: UserId, id: HighlightId) -> Result<Option<StoredHighlight>, StoreError> {
        Ok(self.highlights.get(&(member, id)).cloned())
    }

    fn highlights_after(
        &mut self,
        member: UserId,
        version: u64,
        limit: Limit,
    ) -> Result<Vec<StoredHighlight>, StoreError> {
        let mut later: Vec<_> = self.of(member).filter(|stored| stored.version > version).cloned().collect();
        later.sort_by_key(|stored| stored.version);
        later.truncate(limit.get() + 1);
        Ok(later)
    }

    fn study_version(&mut self, member: UserId) -> Result<u64, StoreError> {
        Ok(self.versions.get(&member).copied().unwrap_or(0))
    }

    fn highlights_in_book(&mut self, member: UserId, book: BookId) -> Result<Option<BookHighlights>, StoreError> {
        let source = Some(HighlightSource::Book(book));
        let all: Vec<_> = self.of(member).filter(|stored| stored.highlight.source == source).collect();
        let shown = all.iter().filter(|stored| stored.highlight.state.is_shown()).count();
        let version = all.iter().map(|stored| stored.version).max();
        Ok(version.map(|version| BookHighlights { count: u32::try_from(shown).unwrap_or(u32::MAX), version }))
    }

    fn review_cards(&mut self, member: UserId, ids: &[ReviewCardId]) -> Result<Vec<StoredCard>, StoreError> {
        Ok(self.cards_of(member).filter(|stored| ids.contains(&stored.card.id)).cloned().collect())
    }

    fn review_cards_after(
        &mut self,
        member: UserId,
        version: u64,
        limit: Limit,
    ) -> Result<Vec<StoredCard>, StoreError> {
        let mut later: Vec<_> = self.cards_of(member).filter(|stored| stored.version > version).cloned().collect();
        later.sort_by_key(|stored| stored.version);
        later.truncate(limit.get() + 1);
        Ok(later)
    }

    fn card_highlights(&mut self, member: UserId, ids: &[HighlightId]) -> Result<Vec<CardHighlight>, StoreError> {
        Ok(ids.iter().filter_map(|id| self.card_highlight(member, *id)).collect())
    }

    fn card_answers(&mut self, member: UserId, cards: &[ReviewCardId]) -> Result<Vec<CardAnswer>, StoreError> {
        let answers = self.answers_of(member).into_iter();
        Ok(answers.filter(|answer| cards.contains(&answer.card)).cloned().collect())
    }

    fn card_facts(&mut self, member: UserId, today: Day) -> Result<Vec<CardFacts>, StoreError> {
        let answers = self.answers_of(member);
        let facts = self.cards_of(member).filter(|stored| stored.card.state.is_shown()).map(|stored| {
            let StoredCard { card, schedule, .. } = stored;
            let highlight = stored.highlight().and_then(|id| self.card_highlight(member, id));
            let first = answers.iter().find(|answer| answer.card == card.id && answer.day == today);
            CardFacts {
                id: card.id,
                created_at: card.state.created_at,
                is_paused: card.state.is_paused.value,
                is_askable: stored.is_askable(highlight.as_ref()),
                due: schedule.due,
                first_answer_today: first.map(|answer| answer.at),
            }
        });
        Ok(facts.collect())
    }

    fn recall_answers(&mut self, member: UserId, since: Day) -> Result<Vec<RecallAnswer>, StoreError> {
        let mut before: BTreeMap<ReviewCardId, Day> = BTreeMap::new();
        let mut recalled = Vec::new();
        for CardAnswer { card, rating, day, .. } in self.answers_of(member) {
            let (rating, day, before) = (*rating, *day, before.insert(*card, *day));
            let book = self.cards.get(&(member, *card)).and_then(StoredCard::book);
            let categories = book.and_then(|book| self.categories.get(&book)).into_iter().flatten();
            if day >= since {
                recalled.extend(categories.map(|category| RecallAnswer { category: *category, rating, day, before }));
            }
        }
        Ok(recalled)
    }

    fn answer_days(&mut self, member: UserId) -> Result<Vec<(Day, u32)>, StoreError> {
        let mut days: BTreeMap<Day, u32> = BTreeMap::new();
        for answer in self.answers_of(member) {
            *days.entry(answer.day).or_default() += 1;
        }
        Ok(days.into_iter().collect())
    }

    fn count_highlights(&mut self, member: UserId, made: Range<Timestamp>) -> Result<u32, StoreError> {
        let states = self.of(member).map(|stored| &stored.highlight.state);
        let count = states.filter(|state| state.is_shown() && made.contains(&state.created_at)).count();
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    fn placed_ideas(
        &mut self,
        book: BookId,
        after: Option<(UserId, ReviewCardId)>,
        limit: Limit,
    ) -> Result<Vec<PlacedIdea>, StoreError> {
        let later = self.cards.iter().filter(|(key, _)| after.is_none_or(|after| **key > after));
        let of_book = later.filter(|(_, stored)| {
            stored.book() == Some(book) && matches!(stored.card.state.kind, CardKind::Idea { .. })
        });
        let placed = of_book.map(|((member, id), stored)| PlacedIdea {
            member: *member,
            id: *id,
            kind: stored.card.state.kind.clone(),
            found: stored.idea.clone(),
        });
        Ok(placed.take(limit.get()).collect())
    }

    fn books_to_check(&mut self, limit: usize) -> Result<Vec<BookId>, StoreError> {
        let is_due = |(book, checked): &(&BookId, &Checked)| checked.updated_at.as_ref() != self.books.get(*book);
        Ok(self.checked.iter().filter(is_due).map(|(book, _)| *book).take(limit).collect())
    }

    fn placed_highlights(
        &mut self,
        book: BookId,
        after: Option<(UserId, HighlightId)>,
        limit: Limit,
    ) -> Result<Vec<PlacedHighlight>, StoreError> {
        let later = self.highlights.iter().filter(|(key, _)| after.is_none_or(|after| **key > after));
        let placed = later.filter_map(|((member, id), StoredHighlight { highlight, place, .. })| {
            let is_found =
                highlight.source == Some(HighlightSource::Book(book)) && !highlight.state.anchor.exact.is_empty();
            is_found.then(|| PlacedHighlight {
                member: *member,
                id: *id,
                part: highlight.state.part,
                anchor: highlight.state.anchor.clone(),
                place: place.clone(),
            })
        });
        Ok(placed.take(limit.get()).collect())
    }

    fn highlights_to_empty(
        &mut self,
        before: Timestamp,
        limit: usize,
    ) -> Result<Vec<(UserId, HighlightId)>, StoreError> {
        let is_old = |stored: &StoredHighlight| {
            let state = &stored.highlight.state;
            !state.is_shown()
                && !state.anchor.exact.is_empty()
                && state.deleted_at.is_some_and(|deleted| deleted < before)
        };
        Ok(self.highlights.iter().filter(|(_, stored)| is_old(stored)).map(|(key, _)| *key).take(limit).collect())
    }

    fn books_to_count(&mut self, limit: usize) -> Result<Vec<BookId>, StoreError> {
        Ok(self.checked.iter().filter(|(_, checked)| checked.is_to_count).map(|(book, _)| *book).take(limit).collect())
    }

    fn highlighted_ranges(&mut self, book: BookId) -> Result<Vec<HighlightedRange>, StoreError> {
        let is_counted =
            |member| self.settings.get(member).is_none_or(|settings: &StudySettings| settings.counts_in_popular);
        let of_book = self.highlights.iter().filter(|((member, _), stored)| {
            let StoredHighlight { highlight, .. } = stored;
            is_counted(member)
                && highlight.source == Some(HighlightSource::Book(book))
                && highlight.state.part == Part::Text
                && highlight.state.is_shown()
        });
        let ranges = of_book.filter_map(|((member, _), stored)| match stored.place {
            HighlightPlace::Same(PlaceRange { section, start, end }) => {
                Some(HighlightedRange { member: *member, section, range: start..end })
            }
            HighlightPlace::Changed { .. } | HighlightPlace::Gone => None,
        });
        Ok(ranges.collect())
    }

    fn popular_passages_of(&mut self, book: BookId) -> Result<Vec<PopularPassage>, StoreError> {
        Ok(self.popular.get(&book).cloned().unwrap_or_default())
    }

    fn find_study_settings(&mut self, member: UserId) -> Result<Option<StudySettings>, StoreError> {
        Ok(self.settings.get(&member).copied())
    }
}

impl StudyCommands for Memory {
    fn put_study_settings(&mut self, member: UserId, settings: StudySettings) -> Result<bool, StoreError> {
        let is_member = self.versions.contains_key(&member);
        if is_member {
            self.settings.insert(member, settings);
            self.recount_books_of(member)?;
        }
        Ok(is_member)
    }

    fn recount_books_of(&mut self, member: UserId) -> Result<(), StoreError> {
        let sources: Vec<_> = self.of(member).map(|stored| stored.highlight.source).collect();
        for source in sources {
            self.record_change(source);
        }
        Ok(())
    }

    fn record_checked_book(&mut self, book: BookId, updated_at: Timestamp) -> Result<(), StoreError> {
        if let Some(checked) = self.checked.get_mut(&book) {
            checked.updated_at = Some(updated_at);
            checked.is_to_count = true;
        }
        Ok(())
    }

    fn record_counted_book(&mut self, book: BookId) -> Result<(), StoreError> {
        if let Some(checked) = self.checked.get_mut(&book) {
            checked.is_to_count = false;
        }
        Ok(())
    }

    fn put_popular_passages(&mut self, book: BookId, passages: &[PopularPassage]) -> Result<(), StoreError> {
        self.popular.insert(book, passages.to_vec());
        Ok(())
    }
}

impl StudyStore for Memory {
    fn lock_study_member(&mut self, member: UserId) -> Result<Option<u64>, StoreError> {
        Ok(self.versions.get(&member).copied())
    }

    fn put_highlight(&mut self, member: UserId, highlight: &StoredHighlight) -> Result<(), StoreError> {
        self.highlights.insert((member, highlight.highlight.id), highlight.clone());
        self.versions.insert(member, highlight.version);
        self.record_change(highlight.highlight.source);
        Ok(())
    }

    fn put_highlight_place(
        &mut self,
        member: UserId,
        id: HighlightId,
        place: &HighlightPlace,
        version: u64,
    ) -> Result<(), StoreError> {
        let Some(stored) = self.highlights.get_mut(&(member, id)) else { return Ok(()) };
        (stored.place, stored.version) = (place.clone(), version);
        let source = stored.highlight.source;
        self.versions.insert(member, version);
        self.record_change(source);
        Ok(())
    }

    fn put_review_card(&mut self, member: UserId, card: &StoredCard) -> Result<(), StoreError> {
        self.cards.insert((member, card.card.id), card.clone());
        self.versions.insert(member, card.version);
        if let (Some(book), CardKind::Idea { .. }) = (card.book(), &card.card.state.kind) {
            self.checked.entry(book).or_insert(Checked { updated_at: None, is_to_count: false });
        }
        Ok(())
    }

    fn insert_card_answers(&mut self, member: UserId, answers: &[CardAnswer]) -> Result<Vec<AnswerId>, StoreError> {
        let mut new = Vec::new();
        for answer in answers {
            if let Entry::Vacant(vacant) = self.answers.entry((member, answer.id)) {
                vacant.insert(answer.clone());
                new.push(answer.id);
            }
        }
        Ok(new)
    }

    fn put_card_schedule(
        &mut self,
        member: UserId,
        id: ReviewCardId,
        schedule: &Schedule,
        version: u64,
    ) -> Result<(), StoreError> {
        if let Some(stored) = self.cards.get_mut(&(member, id)) {
            (stored.schedule, stored.version) = (*schedule, version);
        }
        self.versions.insert(member, version);
        Ok(())
    }

    fn put_found_idea(
        &mut self,
        member: UserId,
        id: ReviewCardId,
        found: Option<&FoundIdea>,
        version: u64,
    ) -> Result<(), StoreError> {
        if let Some(stored) = self.cards.get_mut(&(member, id)) {
            (stored.idea, stored.version) = (found.cloned(), version);
        }
        self.versions.insert(member, version);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use crate::contract;

    #[test]
    fn memory_keeps_the_contract() {
        contract::run(|case| case(&mut Memory::default()));
    }
}
