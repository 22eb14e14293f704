//! Positions that e-reader programs synchronize in the protocol of KOReader (`delivery.koreader-sync`).

use delivery::{BookDocument, DocumentId, SyncCommands, SyncQueries, SyncedPlace};
use documents::first_section_page;
use kernel::{BookId, StoreError, UserId};
use reading_progress::{Device, PositionReport, ProgressQueries};

use crate::{
    error::ViewError,
    reading_progress::reading::save_position,
    tx::{Transactions, Tx},
};

/// The device id that a program gets with positions that are from the site itself.
const SITE_DEVICE: &str = "site";

/// Remembers which book an EPUB has that is handed out, so that positions in it are positions in the book.
pub async fn remember_epub(transactions: &Transactions, book: BookId, file: &[u8]) -> Result<(), StoreError> {
    let document = DocumentId::of_file(file);
    let known = {
        let document = document.clone();
        transactions.read::<_, StoreError, _>(move |tx| tx.pg.book_document(&document)).await?
    };
    if known.is_some() {
        return Ok(());
    }
    let Some(first_page) = first_section_page(file) else { return Ok(()) };
    let of = BookDocument { book, first_page };
    transactions.write::<_, StoreError, _>(move |tx| tx.pg.put_book_document(&document, of)).await
}

/// Stores a position that a device reports. In a file of a book of the catalogue it is the member's position in the book too, merged
/// with those of other devices, if the member may read the book.
pub async fn save_synced_place(
    transactions: &Transactions,
    member: UserId,
    place: SyncedPlace,
) -> Result<(), ViewError> {
    let (device, document, progress, now) =
        (device_name(&place.device_id), place.document.clone(), place.progress.clone(), place.at);
    let of = transactions
        .write::<_, ViewError, _>(move |tx| {
            tx.pg.put_synced_place(member, &place)?;
            Ok(tx.pg.book_document(&document)?)
        })
        .await?;
    let Some(of) = of else { return Ok(()) };
    let facts = transactions.read::<_, StoreError, _>(move |tx| tx.pg.book_facts(of.book)).await?;
    let Some(facts) = facts else { return Ok(()) };
    let Some(found) = of.place_of(&progress, facts.sections) else { return Ok(()) };
    let report = PositionReport { device, ..PositionReport::here(i64::from(found.section), found.is_past_end, now) };
    save_position(transactions, member, &facts, report).await?;
    Ok(())
}

/// The position of the member in a document: that of their e-reader program or, if they have read on elsewhere since, that one.
/// `site`: the name of the site, as the device of the latter. `None`: there is none.
pub fn synced_place<A>(
    tx: &mut Tx<'_, '_, A>,
    member: UserId,
    document: &DocumentId,
    site: &str,
) -> Result<Option<SyncedPlace>, StoreError> {
    let stored = tx.pg.synced_place(member, document)?;
    let Some(of) = tx.pg.book_document(document)? else { return Ok(stored) };
    let facts = tx.pg.book_facts(of.book)?;
    let reading = tx.pg.place_of(member, of.book)?.and_then(|place| place.reading);
    let Some((facts, reading)) = facts.zip(reading) else { return Ok(stored) };
    if stored.as_ref().is_some_and(|stored| stored.at >= reading.at) {
        return Ok(stored);
    }
    Ok(Some(SyncedPlace {
        document: document.clone(),
        progress: of.progress_at(reading.position),
        percentage: f64::from(reading.position) / f64::from(facts.sections.max(1)),
        device: site.to_owned(),
        device_id: SITE_DEVICE.to_owned(),
        at: reading.at,
    }))
}

/// A name for a position's device, from what a program calls it.
fn device_name(id: &str) -> Option<Device> {
    let plain = id.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    let name: String = "koreader-".chars().chain(plain).take(Device::MAX_CHARS).collect();
    Device::parse(&name)
}

#[cfg(test)]
mod tests {
    use super::device_name;

    #[test]
    fn every_device_has_a_name() {
        let name = |id: &str| device_name(id).map(|device| device.as_str().to_owned());
        assert_eq!(name("1A2B-3C").as_deref(), Some("koreader-1A2B-3C"));
        assert_eq!(name("ä é").as_deref(), Some("koreader-"));
        assert_eq!(name(&"x".repeat(100)).map(|name| name.len()), Some(64));
    }
}
