//! Redeeming codes, and sending the seats of a team (`billing.code-single-use`).

use billing::{Billing, BillingQueries, Code, CodeError, CodeKind, Gift, StoredCode};
use identity::{IdentityError, IdentityQueries};
use kernel::{Email, StoreError, UserId};
use mail::Mail;

use crate::billing::membership::renewal_jobs::queue_deferral;
use crate::{billing::given_gift::GivenGift, tx::Tx};

/// Why a code was not redeemed, or not sent.
#[derive(Debug, thiserror::Error)]
pub enum RedeemError {
    /// The code is not valid.
    #[error(transparent)]
    Code(#[from] CodeError),
    /// The account can't be created, or too many codes were tried.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Redeems a code for a member. The next charge of a running plan is postponed by the code's period.
pub fn redeem_code(tx: &mut Tx<'_, '_>, member: UserId, code: &Code) -> Result<StoredCode, RedeemError> {
    let now = tx.now();
    let redeemed = tx.pg.redeem_code(code, member, now)?;
    queue_deferral(tx, member)?;
    Ok(redeemed)
}

/// A redeemable gift, looked up by its code; `None` if the code is unknown, no longer valid, or not a gift's.
pub fn find_gift<A>(tx: &mut Tx<'_, '_, A>, code: &Code) -> Result<Option<(StoredCode, Gift)>, StoreError> {
    let found = tx.pg.find_code(code)?.filter(|found| found.obstacle().is_none());
    Ok(found.zip(tx.pg.find_gift(code)?))
}

/// The gifts that a member has given.
pub fn gifts_given_by<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<Vec<(StoredCode, GivenGift)>, StoreError> {
    let gifts = tx.pg.gifts_given_by(member)?;
    Ok(gifts.into_iter().map(|(code, gift)| (code.clone(), GivenGift::new(&code, gift))).collect())
}

/// The seats that a member has bought.
pub fn seats_of<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<Vec<StoredCode>, StoreError> {
    let codes = tx.pg.codes_bought_by(member)?;
    Ok(codes.into_iter().filter(|one| one.terms.kind == CodeKind::Bulk).collect())
}

/// Mails a seat's code. While it is unused, it can be sent again, also to another person.
pub fn send_seat(tx: &mut Tx<'_, '_>, member: UserId, code: &Code, to: &Email) -> Result<(), RedeemError> {
    tx.pg.send_code(code, member, to)?;
    let sender = tx.pg.user(member)?.map(|user| user.first_name).unwrap_or_default();
    let link = tx.settings.link(&format!("/subscriptioncode/{code}"));
    tx.queue_mail(to, &Mail::Seat { sender, code: code.to_string(), link })?;
    Ok(())
}
