//! What every store of deliveries does, with the rules of [`EReader`] over it: one suite for memory and Postgres.

use kernel::{BookId, DeliveryId, JobId, Limit, MINUTE, SummaryId, Timestamp, UserId};

use crate::{
    BookDocument, Delivery, DeliveryItem, DeliveryOutcome, DeliveryRequest, DeliveryState, DocumentId, EReader,
    EReaderError, EReaderStore, KINDLE_DOMAINS, KindleAddress, SYNCED_DOCUMENTS, SyncedPlace,
};

/// A store, and the members, books and summaries, which other domains own.
pub trait World {
    /// Adds a member.
    fn add_member(&mut self) -> UserId;
    /// Adds a book.
    fn add_book(&mut self) -> BookId;
    /// Adds a summary that this member owns.
    fn add_summary(&mut self, member: UserId) -> SummaryId;
    /// The store.
    fn store(&mut self) -> &mut dyn EReaderStore;
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
    a_member_has_one_address,
    without_an_address_nothing_is_sent,
    a_book_is_on_its_way_once,
    a_summary_is_sent_like_a_book_and_is_none,
    what_was_sent_can_be_asked_for_again,
    what_failed_can_be_tried_again_by_its_member_only,
    a_retry_joins_what_is_on_its_way,
    who_comes_late_changes_nothing,
    the_log_is_told_page_by_page,
    a_file_is_of_one_book,
    a_position_takes_the_place_of_the_one_before,
    positions_are_kept_of_the_documents_that_were_read_last,
];

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);

fn document(number: u32) -> DocumentId {
    DocumentId::parse(&format!("{number:032x}")).unwrap()
}

fn place(number: u32, minutes: i64) -> SyncedPlace {
    SyncedPlace {
        document: document(number),
        progress: format!("/body/DocFragment[{number}]/body"),
        percentage: 0.25,
        device: "Böök".to_owned(),
        device_id: String::new(),
        at: NOW.plus(minutes * MINUTE),
    }
}

fn a_file_is_of_one_book(world: &mut dyn World) {
    let (walden, candle) = (world.add_book(), world.add_book());
    assert_eq!(world.store().book_document(&document(1)).unwrap(), None);
    let first = BookDocument { book: walden, first_page: 4 };
    for (number, of) in
        [(1, first), (2, BookDocument { book: candle, first_page: 3 }), (1, BookDocument { first_page: 9, ..first })]
    {
        world.store().put_book_document(&document(number), of).unwrap();
    }
    assert_eq!(world.store().book_document(&document(1)).unwrap(), Some(first));
}

fn a_position_takes_the_place_of_the_one_before(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    for (number, minutes) in [(1, 1), (2, 2), (1, 3)] {
        world.store().put_synced_place(ada, &place(number, minutes)).unwrap();
    }
    assert_eq!(world.store().synced_place(ada, &document(1)).unwrap(), Some(place(1, 3)));
    assert_eq!(world.store().synced_place(ada, &document(3)).unwrap(), None);
    assert_eq!(world.store().synced_places(ada).unwrap(), [place(1, 3), place(2, 2)]);
    assert_eq!(world.store().synced_places(bob).unwrap(), []);
}

fn positions_are_kept_of_the_documents_that_were_read_last(world: &mut dyn World) {
    let ada = world.add_member();
    let most = u32::try_from(SYNCED_DOCUMENTS).unwrap();
    for number in 0..most + 2 {
        world.store().put_synced_place(ada, &place(number, i64::from(number))).unwrap();
    }
    let kept = world.store().synced_places(ada).unwrap();
    assert_eq!((kept.len(), kept[0].document.clone()), (usize::try_from(most).unwrap(), document(most + 1)));
    assert_eq!(world.store().synced_place(ada, &document(1)).unwrap(), None);
}

fn address(name: &str) -> KindleAddress {
    KindleAddress::read(name, "kindle.com", &KINDLE_DOMAINS.map(str::to_owned)).unwrap()
}

/// A member with an e-reader address.
fn reader(world: &mut dyn World) -> UserId {
    let member = world.add_member();
    world.store().set_kindle_address(member, &address("ada"), NOW).unwrap();
    member
}

/// Requests a book and assigns the delivery to a job.
fn ask(world: &mut dyn World, member: UserId, book: BookId, job: i64) -> DeliveryId {
    ask_item(world, member, DeliveryItem::Book(book), job)
}

/// Requests a book or a summary and assigns the delivery to a job.
fn ask_item(world: &mut dyn World, member: UserId, item: DeliveryItem, job: i64) -> DeliveryId {
    match world.store().ask_delivery(member, item, NOW).unwrap() {
        DeliveryRequest::Now(id, to) => {
            assert_eq!(to.as_str(), "ada@kindle.com");
            world.store().assign_delivery_job(id, JobId::from_store(job)).unwrap();
            id
        }
        DeliveryRequest::Before(id) => panic!("{id} is on its way"),
    }
}

fn end(world: &mut dyn World, id: DeliveryId, job: i64, ended: DeliveryOutcome) {
    world.store().end_delivery(id, JobId::from_store(job), ended, NOW.plus(MINUTE)).unwrap();
}

fn log(world: &mut dyn World, member: UserId) -> Vec<Delivery> {
    world.store().deliveries(member, None, Limit::clamped(100)).unwrap().items
}

fn a_member_has_one_address(world: &mut dyn World) {
    let (ada, bob) = (world.add_member(), world.add_member());
    assert_eq!(world.store().kindle_address(ada).unwrap(), None);
    for name in ["ada", "Ada.L"] {
        world.store().set_kindle_address(ada, &address(name), NOW).unwrap();
    }
    let kept = world.store().kindle_address(ada).unwrap().unwrap();
    assert_eq!(kept.email().as_str(), "Ada.L@kindle.com");
    assert_eq!(world.store().kindle_address(bob).unwrap(), None);
}

fn without_an_address_nothing_is_sent(world: &mut dyn World) {
    let (ada, book) = (world.add_member(), world.add_book());
    assert!(matches!(world.store().ask_delivery(ada, DeliveryItem::Book(book), NOW), Err(EReaderError::NoAddress)));
    assert!(log(world, ada).is_empty());
}

fn a_book_is_on_its_way_once(world: &mut dyn World) {
    let (ada, bob) = (reader(world), reader(world));
    let (walden, candle) = (world.add_book(), world.add_book());
    let first = ask(world, ada, walden, 1);
    let again = world.store().ask_delivery(ada, DeliveryItem::Book(walden), NOW).unwrap();
    assert_eq!(again, DeliveryRequest::Before(first));
    // Another book, and another member.
    ask(world, ada, candle, 2);
    ask(world, bob, walden, 3);
    assert_eq!(
        log(world, ada).iter().map(|one| one.item).collect::<Vec<_>>(),
        [candle, walden].map(DeliveryItem::Book)
    );
    assert_eq!(log(world, bob).len(), 1);
}

fn a_summary_is_sent_like_a_book_and_is_none(world: &mut dyn World) {
    let (ada, walden) = (reader(world), world.add_book());
    let summary = DeliveryItem::Summary(world.add_summary(ada));
    let first = ask(world, ada, walden, 1);
    let second = ask_item(world, ada, summary, 2);
    assert_eq!(world.store().ask_delivery(ada, summary, NOW).unwrap(), DeliveryRequest::Before(second));
    let sent: Vec<_> = log(world, ada).iter().map(|one| (one.id, one.item)).collect();
    assert_eq!(sent, [(second, summary), (first, DeliveryItem::Book(walden))]);
    assert_eq!((summary.book(), DeliveryItem::Book(walden).summary()), (None, None));
    end(world, second, 2, DeliveryOutcome::Failed("No.".to_owned()));
    let (item, asked) = world.store().retry_delivery(ada, second, NOW).unwrap();
    assert_eq!((item, asked), (summary, DeliveryRequest::Now(second, address("ada").email().clone())));
}

fn what_was_sent_can_be_asked_for_again(world: &mut dyn World) {
    let (ada, walden) = (reader(world), world.add_book());
    let first = ask(world, ada, walden, 1);
    end(world, first, 1, DeliveryOutcome::Sent);
    let told = &log(world, ada)[0];
    assert_eq!((told.state, told.ended_at, told.why.clone()), (DeliveryState::Sent, Some(NOW.plus(MINUTE)), None));
    assert!(matches!(world.store().retry_delivery(ada, first, NOW), Err(EReaderError::NotFailed)));
    let second = ask(world, ada, walden, 2);
    assert!(second > first);
}

fn what_failed_can_be_tried_again_by_its_member_only(world: &mut dyn World) {
    let (ada, bob, walden) = (reader(world), reader(world), world.add_book());
    let id = ask(world, ada, walden, 1);
    end(world, id, 1, DeliveryOutcome::Failed("The mailbox is full.".to_owned()));
    let told = log(world, ada).remove(0);
    assert_eq!((told.state, told.why.as_deref()), (DeliveryState::Failed, Some("The mailbox is full.")));
    assert!(matches!(world.store().retry_delivery(bob, id, NOW), Err(EReaderError::UnknownDelivery)));
    let later = NOW.plus(2 * MINUTE);
    let (item, asked) = world.store().retry_delivery(ada, id, later).unwrap();
    assert_eq!((item, asked), (DeliveryItem::Book(walden), DeliveryRequest::Now(id, address("ada").email().clone())));
    let told = log(world, ada).remove(0);
    assert_eq!(
        (told.state, told.why, told.asked_at, told.ended_at, told.job),
        (DeliveryState::Queued, None, later, None, None)
    );
    assert_eq!(world.store().retry_delivery(ada, id, later).unwrap().1, DeliveryRequest::Before(id));
}

fn a_retry_joins_what_is_on_its_way(world: &mut dyn World) {
    let (ada, walden) = (reader(world), world.add_book());
    let failed = ask(world, ada, walden, 1);
    end(world, failed, 1, DeliveryOutcome::Failed("No.".to_owned()));
    let other = ask(world, ada, walden, 2);
    assert_eq!(
        world.store().retry_delivery(ada, failed, NOW).unwrap(),
        (DeliveryItem::Book(walden), DeliveryRequest::Before(other))
    );
    assert_eq!(log(world, ada).iter().filter(|one| one.state == DeliveryState::Queued).count(), 1);
}

fn who_comes_late_changes_nothing(world: &mut dyn World) {
    let (ada, walden) = (reader(world), world.add_book());
    let id = ask(world, ada, walden, 1);
    end(world, id, 1, DeliveryOutcome::Failed("No.".to_owned()));
    // The delivery has already ended.
    end(world, id, 1, DeliveryOutcome::Sent);
    assert_eq!(log(world, ada)[0].state, DeliveryState::Failed);
    world.store().retry_delivery(ada, id, NOW).unwrap();
    world.store().assign_delivery_job(id, JobId::from_store(2)).unwrap();
    // The delivery is no longer assigned to the first job.
    end(world, id, 1, DeliveryOutcome::Sent);
    assert_eq!(log(world, ada)[0].state, DeliveryState::Queued);
    end(world, id, 2, DeliveryOutcome::Sent);
    assert_eq!(log(world, ada)[0].state, DeliveryState::Sent);
    // There is no such delivery.
    end(world, DeliveryId::from_store(i64::MAX), 2, DeliveryOutcome::Sent);
}

fn the_log_is_told_page_by_page(world: &mut dyn World) {
    let ada = reader(world);
    let books: Vec<BookId> = (0..5).map(|_| world.add_book()).collect();
    for (place, book) in books.iter().enumerate() {
        ask(world, ada, *book, i64::try_from(place).unwrap() + 1);
    }
    let (mut after, mut seen) = (None, Vec::new());
    loop {
        let page = world.store().deliveries(ada, after, Limit::clamped(2)).unwrap();
        seen.extend(page.items.iter().filter_map(|one| one.item.book()));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(seen, books.into_iter().rev().collect::<Vec<_>>());
}
