//! Infographics in one file, for members with a plan and for buyers of an add-on (`catalogue.infographic-add-ons`).

use std::{
    collections::BTreeSet,
    io::{Cursor, Write},
    sync::Arc,
};

use billing::{BillingQueries, OwnedItem};
use catalogue::{CatalogueLists, CatalogueQueries, VisualBook, infographics_of_add_on};
use kernel::{BookId, Limit, PayerId, StoreError, UserId};
use media::{Format, Media, MediaError, is_drawing};
use reading_progress::{InfographicsAddOn, Refusal, infographics};
use sha2::{Digest, Sha256};
use zip::{CompressionMethod, ZipWriter, result::ZipError, write::SimpleFileOptions};

use crate::{
    rights::grants_of,
    sealed_link::{open_link, seal_link},
    tx::Tx,
};

/// The purpose for which payers' links are sealed.
const PURPOSE: &[u8] = b"infographics";
/// The beginning of an add-on's plan id, such as `infographics-20`.
const ADD_ON: &str = "infographics-";

/// Width of an infographic in pixels: the largest rendition of a drawing.
pub const PIXELS: u32 = 1280;

/// Why an infographics file could not be made.
#[derive(Debug, thiserror::Error)]
pub enum InfographicsError {
    /// The viewer has no right to it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The object store failed.
    #[error(transparent)]
    Media(#[from] MediaError),
    /// The zip file could not be written.
    #[error(transparent)]
    Zip(#[from] ZipError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Whether a plan is an infographics add-on.
pub fn is_add_on(plan_id: &str) -> bool {
    add_on_count(plan_id).is_some()
}

fn add_on_count(plan_id: &str) -> Option<u32> {
    plan_id.strip_prefix(ADD_ON)?.parse().ok()
}

/// The add-ons among purchased items.
fn add_ons(items: &[OwnedItem]) -> Vec<InfographicsAddOn> {
    let add_on = |item: &OwnedItem| Some(InfographicsAddOn { count: add_on_count(&item.plan_id)?, at: item.bought_at });
    items.iter().filter_map(add_on).collect()
}

/// The last part of a download link for a payer, who may be a guest.
pub fn infographics_link<A>(tx: &Tx<'_, '_, A>, payer: PayerId) -> String {
    seal_link(tx.seal, PURPOSE, &payer.get(), tx.env)
}

/// The payer that a link names; `None` if the link is invalid or expired.
pub fn open_infographics_link<A>(tx: &Tx<'_, '_, A>, link: &str) -> Option<PayerId> {
    open_link(tx.seal, PURPOSE, link, tx.now()).map(PayerId::from_store)
}

/// The books whose infographics a viewer may download in one file, newest first: those of a member, or of a payer with a link.
pub fn downloadable_infographics<A>(
    tx: &mut Tx<'_, '_, A>,
    viewer: Option<UserId>,
    payer: Option<PayerId>,
) -> Result<Vec<VisualBook>, InfographicsError> {
    let now = tx.now();
    let owner = match (viewer, payer) {
        (None, Some(payer)) => tx.pg.member_of_payer(payer)?,
        (viewer, _) => viewer,
    };
    let grants = match owner {
        Some(member) => grants_of(&tx.pg.entitlements_of(member, now)?),
        None => Vec::new(),
    };
    let items = match (owner, payer) {
        (Some(member), _) => tx.pg.member_plan(member)?.items,
        (None, Some(payer)) => tx.pg.payer_plan(payer)?.items,
        (None, None) => Vec::new(),
    };
    let downloads = infographics(&grants, &add_ons(&items), now)?;
    let bought = owned_books(tx, &downloads.bought)?;
    Ok(listed(tx, &bought, downloads.newest)?)
}

/// Whether a member owns an add-on that includes this book's infographic.
pub fn owns_infographic<A>(tx: &mut Tx<'_, '_, A>, member: UserId, book: BookId) -> Result<bool, StoreError> {
    let bought = add_ons(&tx.pg.member_plan(member)?.items);
    Ok(owned_books(tx, &bought)?.contains(&book))
}

/// The books of all these add-ons.
fn owned_books<A>(tx: &mut Tx<'_, '_, A>, bought: &[InfographicsAddOn]) -> Result<BTreeSet<BookId>, StoreError> {
    if bought.is_empty() {
        return Ok(BTreeSet::new());
    }
    let periods = tx.pg.infographic_periods()?;
    Ok(bought.iter().flat_map(|one| infographics_of_add_on(one.count, one.at, &periods)).collect())
}

/// The owned books and the `newest` ones of the gallery, without duplicates, newest first.
fn listed<A>(tx: &mut Tx<'_, '_, A>, owned: &BTreeSet<BookId>, newest: u32) -> Result<Vec<VisualBook>, StoreError> {
    let (mut owned_left, mut newest_left) = (owned.len(), newest);
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let page = tx.pg.visual_books(after, Limit::clamped(Limit::MAX))?;
        for book in page.items.into_iter().filter(|book| book.pictures.infographic.is_some()) {
            let (is_owned, is_new) = (owned.contains(&book.card.id), newest_left > 0);
            owned_left -= usize::from(is_owned);
            newest_left -= u32::from(is_new);
            if is_owned || is_new {
                found.push(book);
            }
        }
        after = page.next;
        if after.is_none() || (owned_left == 0 && newest_left == 0) {
            return Ok(found);
        }
    }
}

/// The key of an infographic as pixels: a drawing's rendition, or the uploaded picture itself. `None` if there is no such
/// drawing.
pub async fn poster_pixels(media: &Arc<Media>, poster: &str) -> Result<Option<String>, MediaError> {
    if is_drawing(poster) { media.raster(poster, PIXELS, Format::Png).await } else { Ok(Some(poster.to_owned())) }
}

/// The key of a file with all of these infographics as pixels: the cached file, or a new one.
pub async fn infographics_file(media: &Arc<Media>, books: &[VisualBook]) -> Result<String, InfographicsError> {
    let mut hash = Sha256::new();
    for book in books {
        hash.update(book.pictures.infographic.as_deref().unwrap_or_default().as_bytes());
        hash.update(b"\n");
    }
    let key = format!("infographics/newest-{}-{}.zip", books.len(), hex::encode(&hash.finalize()[..12]));
    if media.exists(&key).await? {
        return Ok(key);
    }
    // Pictures are compressed already.
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for book in books {
        let Some(poster) = &book.pictures.infographic else { continue };
        let pixels = match poster_pixels(media, poster).await {
            // A drawing that can't be rendered is added as it is, so that the others can be downloaded.
            Err(MediaError::Picture(_)) => None,
            pixels => pixels?,
        };
        let key = pixels.unwrap_or_else(|| poster.clone());
        let ending = key.rsplit_once('.').map_or("svg", |(_, ending)| ending);
        let Some(bytes) = media.bytes(&key).await? else { continue };
        zip.start_file(format!("{}-infographic.{ending}", book.card.subid), options)?;
        zip.write_all(&bytes).map_err(ZipError::from)?;
    }
    media.put_under(&key, zip.finish()?.into_inner()).await?;
    Ok(key)
}
