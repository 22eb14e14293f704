//! The cart: what is bought and what it costs (`billing.server-prices`).
//!
//! Only [`Cart::quote`] computes an amount. The price, coupon and checkout endpoints all use it, so the amount shown is
//! the amount charged.

use kernel::{Money, Timestamp};

use crate::{
    CouponTerms, Plan, PlanKind, TRIAL_DAYS,
    model::{BOOK, BOOK_PREFIX},
    trial_end,
};

/// Infographics bought together with a plan or a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddOn {
    #[default]
    None,
    /// The newest 20 infographics.
    Infographics20,
    /// The newest 50 infographics.
    Infographics50,
}

impl AddOn {
    pub const ALL: [Self; 3] = [Self::None, Self::Infographics20, Self::Infographics50];

    /// The number of infographics: `addInfographics` on the wire.
    pub const fn count(self) -> u32 {
        match self {
            Self::None => 0,
            Self::Infographics20 => 20,
            Self::Infographics50 => 50,
        }
    }

    /// The add-on with that many infographics.
    ///
    /// # Errors
    /// [`CartError::UnknownAddOn`] unless `count` is 0, 20 or 50.
    pub fn of_count(count: u32) -> Result<Self, CartError> {
        Self::ALL.into_iter().find(|one| one.count() == count).ok_or(CartError::UnknownAddOn)
    }

    /// The id of the plan that prices the add-on with `count` infographics; `None` if there is no such add-on, or for 0.
    pub fn plan_id_of_count(count: u32) -> Option<&'static str> {
        Self::of_count(count).ok().and_then(Self::plan_id)
    }

    /// The id of the plan that prices this add-on; `None` for no add-on.
    pub const fn plan_id(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Infographics20 => Some("infographics-20"),
            Self::Infographics50 => Some("infographics-50"),
        }
    }
}

/// Why a cart is invalid. The messages are shown to members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CartError {
    /// No plan has the id (`billing.unknown-plan`).
    #[error("Invalid plan id")]
    InvalidPlan,
    /// The quantity is below the minimum, given here (`billing.seat-quantity`).
    #[error("Please choose a quantity >= {0}")]
    TooFew(u32),
    /// The quantity is above the maximum, given here.
    #[error("Please choose a quantity <= {0}")]
    TooMany(u32),
    /// `addInfographics` is not 0, 20 or 50.
    #[error("Please choose 20 or 50 infographics, or none.")]
    UnknownAddOn,
    /// The amount overflows when counted in cents.
    #[error("This purchase is too large.")]
    TooLarge,
}

/// What the client asks to buy.
#[derive(Clone, Copy, Debug)]
pub struct CartRequest<'a> {
    /// The plan id as in the URL.
    pub plan_id: &'a str,
    /// `None` means the minimum quantity of the plan.
    pub quantity: Option<u32>,
    /// The wire field `addInfographics`: 0, 20 or 50.
    pub infographics: u32,
}

/// A validated cart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cart {
    plan: Plan,
    quantity: u32,
    add_on: AddOn,
    add_on_price: Money,
}

/// The price of a cart and its due dates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// Price times quantity plus the add-on.
    pub before_discount: Money,
    /// The amount that the coupon takes off.
    pub discount: Money,
    /// The amount of the first charge; never negative.
    pub first_charge: Money,
    /// When the first charge is due: now, or at the end of the trial.
    pub first_charge_at: Timestamp,
    /// The end of the trial; `None` without a trial.
    pub trial_ends_at: Option<Timestamp>,
    /// Price and interval of later charges; `None` if the plan does not renew.
    pub renewal: Option<RenewalTerms>,
}

impl Quote {
    /// Whether a card or PayPal is needed: not when the total is zero. Such a subscription does not renew.
    pub const fn needs_payment_method(&self) -> bool {
        self.first_charge.cents() > 0
    }

    /// The amount charged at purchase: zero with a trial.
    pub const fn due_now(&self) -> Money {
        if self.trial_ends_at.is_some() { Money::from_cents(0) } else { self.first_charge }
    }

    /// Checks an order against this quote (`billing.server-prices`).
    ///
    /// # Errors
    /// [`OrderRefusal::PriceChanged`] if the client showed another amount due now; [`OrderRefusal::NoPaymentMethod`] if
    /// something is charged and no payment method is given.
    pub fn check_order(&self, shown: Option<Money>, has_payment_method: bool) -> Result<(), OrderRefusal> {
        if shown.is_some_and(|shown| shown != self.due_now()) {
            Err(OrderRefusal::PriceChanged)
        } else if self.needs_payment_method() && !has_payment_method {
            Err(OrderRefusal::NoPaymentMethod)
        } else {
            Ok(())
        }
    }
}

/// Why an order is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderRefusal {
    #[error("another sum was shown")]
    PriceChanged,
    #[error("nothing can be charged")]
    NoPaymentMethod,
}

/// What a subscription costs after its first charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RenewalTerms {
    pub price: Money,
    /// The number of calendar months that one renewal pays for.
    pub months: u32,
}

impl Cart {
    /// Validates what the client asks for. `monthly_ids` are the provider's price ids accepted for the monthly plan.
    pub fn read(plans: &[Plan], request: &CartRequest<'_>, monthly_ids: &[String]) -> Result<Self, CartError> {
        let plan = find_plan(plans, request.plan_id, monthly_ids).ok_or(CartError::InvalidPlan)?;
        let (fewest, most) = plan.kind.quantity();
        let quantity = request.quantity.unwrap_or(fewest);
        if quantity < fewest {
            return Err(CartError::TooFew(fewest));
        }
        if quantity > most {
            return Err(CartError::TooMany(most));
        }
        let add_on = AddOn::of_count(request.infographics)?;
        let price_of = |id: &str| plans.iter().find(|plan| plan.id == id).map(|plan| plan.price);
        let add_on_price = match add_on.plan_id() {
            None => Money::from_cents(0),
            Some(id) => price_of(id).ok_or(CartError::UnknownAddOn)?,
        };
        Ok(Self { plan, quantity, add_on, add_on_price })
    }

    /// The plan bought. A single book has the plan id `book-{subid}`.
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The slug of the book; `None` if the cart is not a single book.
    pub fn book(&self) -> Option<&str> {
        self.plan.id.strip_prefix(BOOK_PREFIX)
    }

    pub const fn quantity(&self) -> u32 {
        self.quantity
    }

    pub const fn add_on(&self) -> AddOn {
        self.add_on
    }

    /// The price and its due dates: (price × quantity + add-on) less what the coupon takes off that total, a percentage
    /// rounded half up to a cent. A coupon for every charge reduces the price × quantity of each renewal too. `may_try`: the
    /// person has had no trial yet. Where the first charge or a renewal would be zero, nothing renews and there is no trial.
    pub fn quote(&self, coupon: Option<CouponTerms>, may_try: bool, now: Timestamp) -> Result<Quote, CartError> {
        let price = self.plan.price.cents().checked_mul(i64::from(self.quantity)).ok_or(CartError::TooLarge)?;
        let total = price.checked_add(self.add_on_price.cents()).ok_or(CartError::TooLarge)?;
        let before_discount = Money::from_cents(total.max(0));
        let reduced = |terms: Option<CouponTerms>, sum: Money| match terms {
            None => Ok(sum),
            Some(terms) => terms.discount.taken_off(sum).ok_or(CartError::TooLarge),
        };
        let first_charge = reduced(coupon, before_discount)?;
        let renewal_price = reduced(coupon.filter(|terms| terms.every_charge), Money::from_cents(price.max(0)))?;
        let renews = first_charge.cents() > 0 && renewal_price.cents() > 0;
        let months = self.plan.kind.renewal_months().filter(|_| renews);
        let is_tried = may_try && self.plan.kind.trial_days() == TRIAL_DAYS && renews;
        let trial_ends_at = is_tried.then(|| trial_end(now));
        Ok(Quote {
            before_discount,
            discount: Money::from_cents(before_discount.cents() - first_charge.cents()),
            first_charge,
            first_charge_at: trial_ends_at.unwrap_or(now),
            trial_ends_at,
            renewal: months.map(|months| RenewalTerms { price: renewal_price, months }),
        })
    }
}

/// Finds the plan on sale for an id from a URL: an exact match, a single book (`book-{subid}`), or the monthly plan for one of
/// `monthly_ids` (`billing.legacy-plan-names`). `None` if no plan matches.
fn find_plan(plans: &[Plan], id: &str, monthly_ids: &[String]) -> Option<Plan> {
    let on_sale = || plans.iter().filter(|plan| !plan.archived);
    let of_id = |id: &str| on_sale().find(|plan| plan.id == id).cloned();
    if id == BOOK || id == BOOK_PREFIX {
        return None;
    }
    if let Some(plan) = of_id(id) {
        return Some(plan);
    }
    if id.starts_with(BOOK_PREFIX) {
        return of_id(BOOK).map(|plan| Plan { id: id.to_owned(), ..plan });
    }
    let is_monthly = monthly_ids.iter().any(|monthly| monthly == id);
    on_sale().find(|plan| is_monthly && plan.kind == PlanKind::Monthly).cloned()
}

#[cfg(test)]
mod tests {
    use kernel::DAY;
    use proptest::prelude::*;

    use super::*;
    use crate::{BULK_MAX, BULK_MIN, Discount, Percent, STARTING_PLANS};

    const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);

    fn plans() -> Vec<Plan> {
        STARTING_PLANS.iter().map(Plan::from).collect()
    }

    /// The terms of a coupon for the first charge; `None` for 0.
    fn off(percent: u32) -> Option<CouponTerms> {
        let percent = Percent::new(percent).ok()?;
        Some(CouponTerms { discount: Discount::Percent(percent), every_charge: false })
    }

    fn ask(plan_id: &str) -> CartRequest<'_> {
        CartRequest { plan_id, quantity: None, infographics: 0 }
    }

    fn read(request: &CartRequest<'_>) -> Result<Cart, CartError> {
        Cart::read(&plans(), request, &["prod_123".to_owned()])
    }

    fn cents(cart: &Cart, coupon: Option<u32>) -> i64 {
        cart.quote(coupon.and_then(off), false, NOW).unwrap().first_charge.cents()
    }

    #[test]
    fn only_the_id_of_a_plan_a_book_and_a_configured_price_id_sell_something() {
        for (id, plan) in [
            ("monthly", "monthly"),
            ("yearly", "yearly"),
            ("lifetime", "lifetime"),
            ("quiz", "quiz"),
            ("infographics-20", "infographics-20"),
            ("prod_123", "monthly"),
            ("book-x", "book-x"),
        ] {
            assert_eq!(read(&ask(id)).unwrap().plan().id, plan, "{id}");
        }
        let unknown =
            ["", " ", "book", "book-", "nope", "prod_124", "price_1HxYz", "old-yearly", "yearly ", "LIFETIME"];
        for id in unknown {
            assert_eq!(read(&ask(id)), Err(CartError::InvalidPlan), "{id:?}");
        }
        assert_eq!(Cart::read(&[], &ask("lifetime"), &[]), Err(CartError::InvalidPlan));
    }

    #[test]
    fn a_book_has_the_price_of_books_and_its_own_id() {
        let cart = read(&ask("book-atomic-habits")).unwrap();
        assert_eq!((cart.plan().id.as_str(), cart.book()), ("book-atomic-habits", Some("atomic-habits")));
        assert_eq!((cart.plan().price.cents(), cart.plan().kind), (499, PlanKind::Once));
        assert_eq!(read(&ask("yearly")).unwrap().book(), None);
    }

    #[test]
    fn a_bulk_purchase_has_20_to_200_seats_and_everything_else_is_one() {
        for (plan_id, quantity, result) in [
            ("bulk", None, Ok(BULK_MIN)),
            ("bulk", Some(BULK_MIN), Ok(BULK_MIN)),
            ("bulk", Some(BULK_MAX), Ok(BULK_MAX)),
            ("bulk", Some(BULK_MIN - 1), Err(CartError::TooFew(BULK_MIN))),
            ("bulk", Some(0), Err(CartError::TooFew(BULK_MIN))),
            ("bulk", Some(BULK_MAX + 1), Err(CartError::TooMany(BULK_MAX))),
            ("yearly", None, Ok(1)),
            ("yearly", Some(2), Err(CartError::TooMany(1))),
            ("gift", Some(0), Err(CartError::TooFew(1))),
        ] {
            let request = CartRequest { quantity, ..ask(plan_id) };
            assert_eq!(read(&request).map(|cart| cart.quantity()), result, "{plan_id} {quantity:?}");
        }
        assert_eq!(CartError::TooFew(BULK_MIN).to_string(), "Please choose a quantity >= 20");
        assert_eq!(CartError::InvalidPlan.to_string(), "Invalid plan id");
    }

    #[test]
    fn add_ons_and_coupons_make_the_documented_sums() {
        for (plan_id, infographics, coupon, sum) in [
            ("monthly", 0, None, 999),
            ("monthly", 20, None, 999 + 1_099),
            ("monthly", 50, None, 999 + 2_999),
            ("monthly", 50, Some(40), 2_399),
            ("monthly", 0, Some(1), 989),
            ("monthly", 0, Some(50), 500),
            ("yearly", 0, Some(100), 0),
            ("bulk", 0, Some(10), 2_999 * 20 * 9 / 10),
            ("book-x", 20, Some(25), 1_199),
        ] {
            let cart = read(&CartRequest { infographics, ..ask(plan_id) }).unwrap();
            assert_eq!(cents(&cart, coupon), sum, "{plan_id} {infographics} {coupon:?}");
            assert_eq!(cart.add_on().count(), infographics);
        }
        for infographics in [1, 19, 21, 70] {
            assert_eq!(read(&CartRequest { infographics, ..ask("monthly") }), Err(CartError::UnknownAddOn));
        }
    }

    #[test]
    fn a_trial_moves_the_first_charge_by_three_days_and_a_coupon_lowers_it_only() {
        let cart = read(&CartRequest { infographics: 20, ..ask("yearly") }).unwrap();
        let half = off(50);
        let quote = cart.quote(half, true, NOW).unwrap();
        assert_eq!((quote.first_charge.cents(), quote.first_charge_at), (3_549, NOW.plus(3 * DAY)));
        assert_eq!((quote.trial_ends_at, quote.due_now().cents()), (Some(NOW.plus(3 * DAY)), 0));
        assert_eq!(quote.renewal, Some(RenewalTerms { price: Money::from_cents(5_999), months: 12 }));
        let quote = cart.quote(half, false, NOW).unwrap();
        assert_eq!((quote.first_charge_at, quote.trial_ends_at, quote.due_now().cents()), (NOW, None, 3_549));
        assert_eq!((quote.before_discount.cents(), quote.discount.cents()), (7_098, 3_549));
        for plan_id in ["lifetime", "gift", "quiz", "book-x"] {
            let quote = read(&ask(plan_id)).unwrap().quote(None, true, NOW).unwrap();
            assert_eq!((quote.trial_ends_at, quote.renewal), (None, None), "{plan_id}");
        }
    }

    #[test]
    fn what_costs_nothing_needs_no_card_is_not_tried_and_does_not_renew() {
        let quote = read(&ask("monthly")).unwrap().quote(off(100), true, NOW).unwrap();
        assert!(!quote.needs_payment_method());
        assert_eq!((quote.first_charge.cents(), quote.trial_ends_at, quote.renewal), (0, None, None));
        assert!(read(&ask("monthly")).unwrap().quote(off(99), true, NOW).unwrap().needs_payment_method());
    }

    #[test]
    fn a_coupon_for_every_charge_lowers_the_renewals_without_the_add_on() {
        let cart = read(&CartRequest { infographics: 20, ..ask("yearly") }).unwrap();
        let always = |discount| Some(CouponTerms { discount, every_charge: true });
        let sums = |coupon| {
            let quote = cart.quote(coupon, true, NOW).unwrap();
            (quote.first_charge.cents(), quote.renewal.map(|terms| terms.price.cents()), quote.trial_ends_at.is_some())
        };
        assert_eq!(sums(always(Discount::Percent(Percent::new(50).unwrap()))), (3_549, Some(3_000), true));
        let amount = |cents| Discount::Amount(Money::from_cents(cents));
        assert_eq!(sums(always(amount(1_000))), (6_098, Some(4_999), true));
        let once = CouponTerms { discount: amount(1_000), every_charge: false };
        assert_eq!(sums(Some(once)), (6_098, Some(5_999), true));
        assert_eq!(sums(always(amount(5_999))), (1_099, None, false), "a renewal that costs nothing is none");
        assert_eq!(sums(always(amount(9_999))), (0, None, false));
    }

    #[test]
    fn an_archived_plan_is_not_sold() {
        let mut plans = plans();
        plans[0].archived = true;
        assert_eq!(Cart::read(&plans, &ask("monthly"), &[]), Err(CartError::InvalidPlan));
        assert_eq!(Cart::read(&plans, &ask("prod_123"), &["prod_123".to_owned()]), Err(CartError::InvalidPlan));
        plans.push(Plan { id: "monthly-2".to_owned(), archived: false, ..plans[0].clone() });
        let legacy = Cart::read(&plans, &ask("prod_123"), &["prod_123".to_owned()]).unwrap();
        assert_eq!(legacy.plan().id, "monthly-2");
    }

    #[test]
    fn an_order_fits_the_sum_that_was_shown_and_has_what_is_charged() {
        let order = |percent, may_try, shown: Option<i64>, has_method| {
            let quote = read(&ask("monthly")).unwrap().quote(off(percent), may_try, NOW).unwrap();
            quote.check_order(shown.map(Money::from_cents), has_method)
        };
        let (changed, no_method) = (Err(OrderRefusal::PriceChanged), Err(OrderRefusal::NoPaymentMethod));
        assert_eq!((order(0, false, Some(999), true), order(0, false, None, true)), (Ok(()), Ok(())));
        assert_eq!((order(0, false, Some(998), true), order(0, false, Some(998), false)), (changed, changed));
        assert_eq!(order(0, false, Some(999), false), no_method);
        assert_eq!((order(0, true, Some(0), true), order(0, true, Some(999), true)), (Ok(()), changed), "a trial");
        assert_eq!(order(0, true, Some(0), false), no_method, "a trial needs a card too");
        assert_eq!((order(100, false, Some(0), false), order(100, false, Some(999), false)), (Ok(()), changed));
    }

    /// (price × quantity + add-on) less the percentage, computed independently of `quote` with `i128` division.
    fn expected(price: i64, quantity: u32, add_on: i64, percent: u32) -> Option<i64> {
        let total = i128::from(price) * i128::from(quantity) + i128::from(add_on);
        i64::try_from(total).ok()?;
        let (whole, rest) = (total * i128::from(100 - percent) / 100, total * i128::from(100 - percent) % 100);
        i64::try_from(whole + i128::from(rest >= 50)).ok()
    }

    proptest! {
        #[test]
        fn any_price_gives_exact_cents_or_an_error(
            price in prop_oneof![0..20_000_i64, 0..=i64::MAX, Just(i64::MAX / 200), Just(i64::MAX / 200 + 1)],
            add_on in prop_oneof![0..10_000_i64, 0..=i64::MAX],
            quantity in BULK_MIN..=BULK_MAX,
            percent in 0..=100_u32,
            may_try: bool,
        ) {
            let mut plans = plans();
            for plan in &mut plans {
                match plan.id.as_str() {
                    "bulk" => plan.price = Money::from_cents(price),
                    "infographics-20" => plan.price = Money::from_cents(add_on),
                    _ => {}
                }
            }
            let request = CartRequest { plan_id: "bulk", quantity: Some(quantity), infographics: 20 };
            let cart = Cart::read(&plans, &request, &[]).unwrap();
            let quote = cart.quote(off(percent), may_try, NOW);
            match expected(price, quantity, add_on, percent) {
                None => prop_assert_eq!(quote, Err(CartError::TooLarge)),
                Some(sum) => {
                    let quote = quote.unwrap();
                    prop_assert_eq!(quote.first_charge.cents(), sum);
                    prop_assert!(sum >= 0 && quote.discount.cents() >= 0);
                    prop_assert_eq!(quote.before_discount.cents() - quote.discount.cents(), sum);
                    prop_assert_eq!(quote.needs_payment_method(), sum > 0);
                    prop_assert_eq!(&quote, &cart.quote(off(percent), may_try, NOW).unwrap());
                }
            }
        }
    }
}
