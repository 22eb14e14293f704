//! Receipts: what a payer was charged, for what, and what was refunded.
//!
//! A receipt is opened in a new tab of the browser, which sends no access token: its URL contains its own proof, and is given
//! only to the payer.

use billing::{
    AddOn, BillingQueries, Checkout, Coupon, Movement, MovementKind, Plan, PlanKind,
    gateway::{ChargeId, CheckoutReference, GatewayProvider, Lookup, PaymentMethod},
};
use identity::IdentityQueries;
use jiff::tz::TimeZone;
use kernel::{Email, Money, PayerId, StoreError, Timestamp};
use sha2::{Digest, Sha256};

use crate::{
    billing::{
        given_gift::{GivenGift, gift_of},
        payments::PaymentFlows,
    },
    calendar::moment,
    sealed_link::{open_link, seal_link},
    tx::Tx,
};

/// The purpose for which the URLs of receipts are sealed.
const PURPOSE: &[u8] = b"receipt";
/// The characters of a receipt's number: none looks like another.
const LETTERS: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/// A line of a receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptLine {
    pub text: String,
    /// An explanation; may be empty.
    pub note: String,
    /// Negative for deductions.
    pub amount: Money,
}

impl ReceiptLine {
    fn new(text: impl Into<String>, note: impl Into<String>, cents: i64) -> Self {
        Self { text: text.into(), note: note.into(), amount: Money::from_cents(cents) }
    }
}

/// The content of a receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    pub number: String,
    pub site: String,
    /// The site's absolute URL.
    pub url: String,
    /// Number, day, payer and method, each with its label.
    pub facts: Vec<(&'static str, String)>,
    /// What was bought, and deductions: they add up to the total.
    pub lines: Vec<ReceiptLine>,
    /// What was charged.
    pub total: Money,
    /// Refunds and disputes since.
    pub after: Vec<ReceiptLine>,
    /// Sentences at the end.
    pub notes: Vec<String>,
}

/// The last part of the URL of a charge's receipt; `None` if it has none.
pub fn receipt_link<A>(tx: &Tx<'_, '_, A>, charge: &Movement) -> Option<String> {
    has_receipt(charge).then(|| seal_link(tx.seal, PURPOSE, &charge.key, tx.env))
}

/// Whether a movement has a receipt: only if money was charged.
fn has_receipt(movement: &Movement) -> bool {
    movement.kind == MovementKind::Charged && movement.amount.cents() > 0
}

/// The number of a charge's receipt, derived from the charge, so it never changes.
pub fn receipt_number(charge: &str) -> String {
    let hash = Sha256::digest(charge.as_bytes());
    let letters: Vec<u8> = hash.iter().take(12).map(|byte| LETTERS[usize::from(*byte) % LETTERS.len()]).collect();
    let groups: Vec<String> = letters.chunks(4).map(|group| String::from_utf8_lossy(group).into_owned()).collect();
    format!("R-{}", groups.join("-"))
}

/// A charge with its rows, read before the provider is asked for the payment method.
#[derive(Clone, Debug)]
struct ReceiptRows {
    charge: Movement,
    /// Refunds and disputes of the charge, in order.
    taken_back: Vec<Movement>,
    checkout: Option<Checkout>,
    /// What each item of the first charge cost before the coupon; empty if prices have changed since.
    priced: Vec<ReceiptLine>,
    coupon: Option<Coupon>,
    is_first: bool,
    gift: Option<GivenGift>,
    payer: Option<(String, Email)>,
    zone: String,
    site: String,
    url: String,
}

impl PaymentFlows {
    /// The receipt that a URL names; `None` if the link is invalid or expired.
    pub async fn receipt(&self, link: &str) -> Result<Option<Receipt>, StoreError> {
        let key: Option<String> = open_link(self.transactions.seal(), PURPOSE, link, self.env.now());
        let Some(key) = key else { return Ok(None) };
        let Some(rows) = self.transactions.read(move |tx| read_rows(tx, &key)).await? else { return Ok(None) };
        let method = self.method_of(rows.checkout.as_ref()).await;
        Ok(Some(rows.receipt(method.as_ref())))
    }

    /// The payment method of a one-time purchase. For a subscription it is unknown: its card may have been changed.
    async fn method_of(&self, checkout: Option<&Checkout>) -> Option<PaymentMethod> {
        let checkout = checkout.filter(|one| one.order.renewal.is_none())?;
        let id = ChargeId::new(checkout.provider_id.as_deref()?);
        let found = self.gateway(checkout.order.provider)?.find_charge(Lookup::Id(&id)).await;
        found
            .inspect_err(|error| tracing::warn!(%error, "a payment provider could not say with what a charge was paid"))
            .ok()??
            .method
    }
}

fn read_rows<A>(tx: &mut Tx<'_, '_, A>, key: &str) -> Result<Option<ReceiptRows>, StoreError> {
    let Some((payer, charge)) = tx.pg.find_movement(key)?.filter(|(_, charge)| has_receipt(charge)) else {
        return Ok(None);
    };
    let all = tx.pg.movements_of_payer(payer)?;
    let undoes = |one: &&Movement| one.reference.as_deref() == Some(key);
    let taken_back = all.iter().filter(undoes).filter(|one| one.amount.cents() > 0).cloned().collect();
    let mut earlier = all.iter().take_while(|one| one.key != key);
    let is_first = !earlier.any(|one| one.purchase == charge.purchase && one.kind == MovementKind::Charged);
    let checkout = tx.pg.find_checkout(&CheckoutReference::new(charge.purchase.as_str()))?;
    let coupon = match checkout.as_ref().filter(|_| is_first).and_then(|one| one.order.coupon.as_ref()) {
        Some(code) => tx.pg.find_coupon(code)?.map(|(coupon, _)| coupon),
        None => None,
    };
    let priced = match &checkout {
        Some(checkout) if is_first => priced_lines(tx, checkout, &charge)?,
        _ => Vec::new(),
    };
    let gift = match &checkout {
        Some(checkout) if is_first => gift_of(tx, checkout)?,
        _ => None,
    };
    let (payer, zone) = payer_of(tx, payer)?;
    let (site, url) = (tx.settings.site_name.clone(), tx.settings.public_url.clone());
    Ok(Some(ReceiptRows { charge, taken_back, checkout, priced, coupon, is_first, gift, payer, zone, site, url }))
}

/// The payer as the receipt names them, and their time zone.
fn payer_of<A>(tx: &mut Tx<'_, '_, A>, payer: PayerId) -> Result<(Option<(String, Email)>, String), StoreError> {
    if let Some(member) = tx.pg.member_of_payer(payer)?
        && let Some(user) = tx.pg.user(member)?
    {
        return Ok((Some((format!("{} {}", user.first_name, user.last_name), user.email)), user.timezone));
    }
    Ok((tx.pg.guest_email_of(payer)?.map(|email| (String::new(), email)), "UTC".to_owned()))
}

/// What each item costs by today's prices.
fn priced_lines<A>(
    tx: &mut Tx<'_, '_, A>,
    checkout: &Checkout,
    charge: &Movement,
) -> Result<Vec<ReceiptLine>, StoreError> {
    let (order, plans) = (&checkout.order, tx.pg.plans()?);
    let price_of = |id: &str| plans.iter().find(|plan| plan.id == id);
    let Some(plan) = price_of(Plan::priced_by(&order.plan_id)) else { return Ok(Vec::new()) };
    let quantity = i64::from(order.quantity);
    let note = if plan.kind == PlanKind::Bulk { format!("{quantity} at {}", plan.price) } else { String::new() };
    let mut lines = vec![ReceiptLine::new(&order.plan_name, note, plan.price.cents() * quantity)];
    if charge.infographics > 0 {
        let Some(add_on) = AddOn::plan_id_of_count(charge.infographics).and_then(price_of) else {
            return Ok(Vec::new());
        };
        lines.push(ReceiptLine::new(&add_on.name, "", add_on.price.cents()));
    }
    Ok(lines)
}

impl ReceiptRows {
    fn receipt(&self, method: Option<&PaymentMethod>) -> Receipt {
        let number = receipt_number(&self.charge.key);
        let mut facts = vec![("Receipt", number.clone()), ("Charged on", self.day(self.charge.at))];
        if let Some((name, email)) = &self.payer {
            let by = if name.is_empty() { email.as_str().to_owned() } else { format!("{name}, {}", email.as_str()) };
            facts.push(("Paid by", by));
        }
        facts.push(("Paid with", self.method_text(method)));
        facts.extend(self.gift.iter().flat_map(|given| self.gift_facts(given)));
        let taken_back = |one: &Movement| {
            let (what, sign) = match one.kind {
                MovementKind::DisputeWon => ("Returned by your bank", 1),
                MovementKind::Disputed => ("Taken back by your bank", -1),
                _ => ("Refunded", -1),
            };
            ReceiptLine::new(format!("{what} on {}", self.day(one.at)), "", sign * one.amount.cents())
        };
        let mut notes = vec!["All amounts are in US dollars. No tax was charged.".to_owned()];
        if let Some(provider) = self.checkout.as_ref().map(|one| one.order.provider)
            && provider == GatewayProvider::Sandbox
        {
            notes.push("Payments on this site are simulated: no money was taken.".to_owned());
        }
        Receipt {
            number,
            site: self.site.clone(),
            url: self.url.clone(),
            facts,
            lines: self.lines(),
            total: self.charge.amount,
            after: self.taken_back.iter().map(taken_back).collect(),
            notes,
        }
    }

    /// The facts about a gift: recipient and date, or its code if that goes to the giver.
    fn gift_facts(&self, given: &GivenGift) -> Vec<(&'static str, String)> {
        let recipient = given.recipient_text();
        let mut facts = if recipient.is_empty() { Vec::new() } else { vec![("Gift for", recipient)] };
        facts.push(match &given.code {
            Some(code) => ("Gift code", code.to_string()),
            None if given.gift.delivered_at.is_some() => ("Emailed on", self.day(given.at())),
            None => ("Will be emailed on", self.day(given.at())),
        });
        facts
    }

    /// Items and deductions, which add up to what was charged.
    fn lines(&self) -> Vec<ReceiptLine> {
        let total = self.charge.amount.cents();
        let period = self.charge.period.map(|period| match period.ends_at {
            Some(end) => format!("{} to {}", self.day(period.starts_at), self.day(end)),
            None => "For life".to_owned(),
        });
        let mut lines = self.priced.clone();
        if let (Some(first), Some(period)) = (lines.first_mut(), &period) {
            first.note.clone_from(period);
        }
        let before: i64 = lines.iter().map(|line| line.amount.cents()).sum();
        if before > total
            && let Some(coupon) = &self.coupon
        {
            let text = format!("Coupon {}", coupon.code.as_str());
            lines.push(ReceiptLine::new(text, coupon.terms.discount.to_string(), total - before));
            return lines;
        }
        if !lines.is_empty() && before == total {
            return lines;
        }
        // A later charge, or one whose prices have changed since: one line.
        let name = &self.charge.plan_name;
        let price = self.charge.renewal.map_or(total, |terms| terms.price.cents());
        if !self.is_first && price > total {
            let credit = ReceiptLine::new("Credit from your earlier plan", "", total - price);
            return vec![ReceiptLine::new(name, period.unwrap_or_default(), price), credit];
        }
        vec![ReceiptLine::new(name, period.unwrap_or_default(), total)]
    }

    fn method_text(&self, method: Option<&PaymentMethod>) -> String {
        match (method, self.checkout.as_ref().map(|one| one.order.provider)) {
            (_, Some(GatewayProvider::PayPal)) => "PayPal".to_owned(),
            (Some(PaymentMethod { brand, last4: Some(last4), .. }), _) => {
                let mut letters = brand.chars();
                let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
                format!("{first}{} ending in {last4}", letters.as_str())
            }
            _ => "Card".to_owned(),
        }
    }

    /// Formats a day in the payer's time zone: `June 15, 2026`.
    fn day(&self, at: Timestamp) -> String {
        let zone = TimeZone::get(&self.zone).unwrap_or(TimeZone::UTC);
        moment(at).to_zoned(zone).strftime("%B %-d, %Y").to_string()
    }
}

#[cfg(test)]
mod tests {
    use billing::{Code, CouponCode, Discount, Gift, Percent, PurchaseKey, RenewalTerms};
    use kernel::Period;

    use super::*;

    const AT: Timestamp = Timestamp::from_millis(1_781_524_800_000);

    fn rows(cents: i64) -> ReceiptRows {
        let charge = Movement {
            plan_name: "Yearly".to_owned(),
            amount: Money::from_cents(cents),
            period: Some(Period { starts_at: AT, ends_at: Some(AT.plus_months(12)) }),
            renewal: Some(RenewalTerms { price: Money::from_cents(5_999), months: 12 }),
            ..Movement::new(MovementKind::Charged, "stripe:pi_1:charged", &PurchaseKey::new("p"), AT)
        };
        ReceiptRows {
            charge,
            taken_back: Vec::new(),
            checkout: None,
            priced: Vec::new(),
            coupon: None,
            is_first: true,
            gift: None,
            payer: Some(("Ada Reader".to_owned(), Email::parse("ada@example.com").unwrap())),
            zone: "Pacific/Kiritimati".to_owned(),
            site: "Pith".to_owned(),
            url: "https://pith.example".to_owned(),
        }
    }

    fn said(rows: &ReceiptRows) -> Vec<(String, i64)> {
        let receipt = rows.receipt(None);
        let sum: i64 = receipt.lines.iter().map(|line| line.amount.cents()).sum();
        assert_eq!(sum, receipt.total.cents(), "the lines add up to the total");
        receipt.lines.into_iter().map(|line| (line.text, line.amount.cents())).collect()
    }

    fn line(text: &str, cents: i64) -> (String, i64) {
        (text.to_owned(), cents)
    }

    #[test]
    fn a_number_is_the_charges_own_and_always_the_same() {
        let number = receipt_number("stripe:pi_1:charged");
        assert_eq!(number, receipt_number("stripe:pi_1:charged"));
        assert_ne!(number, receipt_number("stripe:pi_2:charged"));
        assert_eq!(number.len(), "R-XXXX-XXXX-XXXX".len());
    }

    #[test]
    fn a_gift_is_said_with_its_recipient_and_day_or_with_its_code() {
        let gift = Gift {
            sender_name: "Ada".to_owned(),
            recipient_name: "Grace".to_owned(),
            recipient: Some(Email::parse("grace@example.com").unwrap()),
            message: String::new(),
            deliver_at: AT.plus(10 * kernel::DAY),
            delivered_at: None,
        };
        let code = Some(Code::parse("ABCDEFGHJKLMNPQRSTUV").unwrap());
        let facts = |code, gift| {
            let rows = ReceiptRows { gift: Some(GivenGift { code, gift }), ..rows(4_499) };
            rows.receipt(None).facts.split_off(4)
        };
        let text = |name: &'static str, text: &str| (name, text.to_owned());
        let to = text("Gift for", "Grace (grace@example.com)");
        assert_eq!(facts(None, gift.clone()), [to.clone(), text("Will be emailed on", "June 26, 2026")]);
        let delivered = Gift { delivered_at: Some(AT), ..gift.clone() };
        assert_eq!(facts(None, delivered), [to, text("Emailed on", "June 16, 2026")]);
        let own = Gift { recipient_name: String::new(), recipient: None, ..gift };
        assert_eq!(facts(code, own), [text("Gift code", "ABCDE-FGHJK-LMNPQ-RSTUV")]);
    }

    #[test]
    fn lines_add_up_to_the_total_with_add_on_coupon_and_credit() {
        assert_eq!(said(&rows(5_999)), [line("Yearly", 5_999)]);
        let priced = vec![ReceiptLine::new("Yearly", "", 5_999), ReceiptLine::new("20 infographics", "", 1_099)];
        let (code, forty) = (CouponCode::parse("SPRING").unwrap(), Discount::Percent(Percent::new(40).unwrap()));
        let coupon = Coupon::new(code, forty, Period { starts_at: AT, ends_at: None });
        let with_coupon = ReceiptRows { priced: priced.clone(), coupon: Some(coupon), ..rows(4_259) };
        let wanted = [line("Yearly", 5_999), line("20 infographics", 1_099), line("Coupon SPRING", -2_839)];
        assert_eq!(said(&with_coupon), wanted);
        // Prices that were edited later do not appear on earlier charges.
        assert_eq!(said(&ReceiptRows { priced, ..rows(4_259) }), [line("Yearly", 4_259)]);
        let switched = ReceiptRows { is_first: false, ..rows(5_000) };
        assert_eq!(said(&switched), [line("Yearly", 5_999), line("Credit from your earlier plan", -999)]);
    }

    #[test]
    fn days_are_the_payers_and_what_went_back_is_named() {
        let back = Movement {
            amount: Money::from_cents(1_000),
            ..Movement::new(MovementKind::Refunded, "back", &PurchaseKey::new("p"), AT)
        };
        let receipt = ReceiptRows { taken_back: vec![back], ..rows(5_999) }.receipt(None);
        assert!(receipt.facts.contains(&("Charged on", "June 16, 2026".to_owned())));
        assert!(receipt.facts.contains(&("Paid by", "Ada Reader, ada@example.com".to_owned())));
        assert_eq!(receipt.after, [ReceiptLine::new("Refunded on June 16, 2026", "", -1_000)]);
        let method = PaymentMethod {
            brand: "visa".to_owned(),
            last4: Some("4242".to_owned()),
            expires: None,
            fingerprint: None,
        };
        let receipt = rows(5_999).receipt(Some(&method));
        assert!(receipt.facts.contains(&("Paid with", "Visa ending in 4242".to_owned())));
    }
}
