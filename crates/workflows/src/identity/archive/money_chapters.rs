//! The archive's chapters about money: payments, bought codes, and the earnings of referral links.

use billing::{BillingQueries, MemberPlan, StoredCode, gateway::CheckoutReference, timeline};
use kernel::{Email, Timestamp};
use referral::{LinkKind, ReferralQueries};
use serde_json::json;

use crate::identity::archive::{ArchiveError, Draft, utc};
use crate::{billing::receipts::receipt_number, tx::Tx};

/// The member's timeline of payments and plans.
pub(super) fn payments<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let movements = tx.pg.movements_of(draft.owner.id)?;
    let lines = timeline(&movements, &MemberPlan::of(&movements), draft.now);
    let page = &mut draft.profile;
    page.heading("Payments and plans");
    for line in &lines {
        let amount = if line.amount.cents() > 0 { format!(", {}", line.amount) } else { String::new() };
        page.item(&line.title, &format!("{}{amount}: {}", draft.zone.day(line.at), line.why));
    }
    if lines.is_empty() {
        page.nothing("Nothing was charged.");
    }
    let charge = |id: &str| movements.iter().find(|one| one.key == id && one.amount.cents() > 0);
    let mut entries = Vec::new();
    for line in &lines {
        let charge = charge(&line.id);
        let provider = match charge {
            Some(charge) => tx.pg.find_checkout(&CheckoutReference::new(charge.purchase.as_str()))?,
            None => None,
        };
        entries.push(json!({
            "at": utc(Some(line.at)),
            "kind": line.kind.as_str(),
            "title": line.title,
            "why": line.why,
            "amount": line.amount.decimal(),
            "planName": line.plan_name,
            "receipt": charge.map(|charge| receipt_number(&charge.key)),
            "provider": provider.map(|checkout| checkout.order.provider.as_str()),
            "future": line.is_future,
        }));
    }
    draft.zip.json_list("payments.json", entries)?;
    Ok(())
}

/// The codes that the member has bought: gifts and seats.
pub(super) fn codes<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let codes = tx.pg.codes_bought_by(draft.owner.id)?;
    let gifts = tx.pg.gifts_given_by(draft.owner.id)?;
    let gift_of = |code: &StoredCode| gifts.iter().find(|(one, _)| one.code == code.code).map(|(_, gift)| gift);
    draft.zip.json_list(
        "codes.json",
        codes.iter().map(|one: &StoredCode| {
            json!({
                "code": one.code.to_string(),
                "planName": one.terms.plan_name,
                "sentTo": one.sent_to.as_ref().map(Email::as_str),
                "redeemedAt": utc(one.redeemed.map(|(_, at): (_, Timestamp)| at)),
                "revokedAt": utc(one.revoked_at),
                "gift": gift_of(one).map(|gift| json!({
                    "senderName": gift.sender_name,
                    "recipientName": gift.recipient_name,
                    "recipientEmail": gift.recipient.as_ref().map(Email::as_str),
                    "message": gift.message,
                    "deliverAt": utc(Some(gift.deliver_at)),
                    "deliveredAt": utc(gift.delivered_at),
                })),
            })
        }),
    )?;
    Ok(())
}

/// The member's referral links with their earnings, and the link through which the member came.
pub(super) fn referrals<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let member = draft.owner.id;
    let (links, rewards, payouts) = (tx.pg.links_of(member)?, tx.pg.rewards_of(member)?, tx.pg.payouts_of(member)?);
    let came_by = tx.pg.link_that_brought(member)?;
    let kind = |kind: LinkKind| kind.as_str();
    draft.zip.json(
        "referrals.json",
        &json!({
            "cameBy": came_by.map(|link| link.to_string()),
            "links": links.iter().map(|link| json!({
                "id": link.id.to_string(),
                "kind": kind(link.kind),
                "clicks": link.clicks,
            })).collect::<Vec<_>>(),
            "rewards": rewards.iter().map(|reward| json!({
                "kind": kind(reward.kind),
                "amount": reward.amount.decimal(),
                "earnedAt": utc(Some(reward.earned_at)),
            })).collect::<Vec<_>>(),
            "payouts": payouts.iter().map(|(at, amount)| json!({
                "amount": amount.decimal(),
                "paidAt": utc(Some(*at)),
            })).collect::<Vec<_>>(),
        }),
    )?;
    Ok(())
}
