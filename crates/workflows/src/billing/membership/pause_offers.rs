//! Offers a pause by mail, once, to a member who pays and has opened no summary for two months (the billing contract of a
//! member).

use billing::{Billing, BillingCommands, BillingQueries, PlanStanding, is_pause_due};
use identity::IdentityQueries;
use jobs::{JobDefinition, JobKind, LongJob, Outcome, PayloadError};
use kernel::{DAY, Limit, PayerId, StoreError};
use mail::Mail;
use reading_progress::ProgressQueries;

use crate::tx::{Transactions, Tx};

/// The daily job that offers pauses.
#[derive(Clone, Debug)]
pub struct OfferPauses(
    /// Runs the transactions of the job.
    pub Transactions,
);

impl JobDefinition for OfferPauses {
    const KIND: JobKind = JobKind::long("offer_pauses").every(DAY);
    type Payload = ();

    fn decode(&self, _: &[u8]) -> Result<(), PayloadError> {
        Ok(())
    }
}

impl LongJob for OfferPauses {
    async fn run_long(&self, (): &()) -> Outcome {
        match self.offer_all().await {
            Ok(()) => Outcome::Done,
            Err(error) => Outcome::Failed { reason: error.to_string(), is_permanent: false },
        }
    }
}

impl OfferPauses {
    /// Goes through all payers, each in a transaction of their own.
    async fn offer_all(&self) -> Result<(), StoreError> {
        let (mut after, limit) = (None, Limit::clamped(Limit::MAX));
        loop {
            let payers: Vec<PayerId> = self.0.read(move |tx| tx.pg.payers_after(after, limit)).await?;
            let Some(last) = payers.last() else { return Ok(()) };
            after = Some(*last);
            for payer in payers {
                if self.0.read(move |tx| is_due(tx, payer)).await? {
                    self.0.write(move |tx| offer(tx, payer)).await?;
                }
            }
        }
    }
}

fn is_due<A>(tx: &mut Tx<'_, '_, A>, payer: PayerId) -> Result<bool, StoreError> {
    let now = tx.now();
    let Some(member) = tx.pg.member_of_payer(payer)? else { return Ok(false) };
    let standing = PlanStanding::of(&tx.pg.member_plan(member)?, now);
    if !standing.can_pause() {
        return Ok(false);
    }
    let (opened, offered) = (tx.pg.last_opened_at(member)?, tx.pg.pause_offered_at(member)?);
    Ok(is_pause_due(&standing, opened, offered, now))
}

/// Mails the member, unless another node has.
fn offer(tx: &mut Tx<'_, '_>, payer: PayerId) -> Result<(), StoreError> {
    tx.pg.lock_payers(&[payer])?;
    let (now, is_due) = (tx.now(), is_due(tx, payer)?);
    let Some(member) = tx.pg.member_of_payer(payer)?.filter(|_| is_due) else { return Ok(()) };
    let standing = PlanStanding::of(&tx.pg.member_plan(member)?, now);
    let (Some(user), Some((at, amount)), Some(subscription)) =
        (tx.pg.user(member)?, standing.next_charge, standing.subscription)
    else {
        return Ok(());
    };
    tx.pg.note_pause_offer(member, now)?;
    let mail = Mail::PauseOffer {
        first_name: user.first_name,
        plan: subscription.plan_name,
        amount: amount.cents(),
        at: at.millis(),
        link: tx.settings.link("/account"),
        timezone: user.timezone,
    };
    tx.queue_mail(&user.email, &mail)
}
