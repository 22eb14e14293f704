// What the server answers about plans and sums, for the tests of the checkout.
import type { CheckoutSettings, Plan, Quote } from '@/shared/payment/checkout';
import type { ResultOf } from '@/api/types';

/** 2026-11-22, 12:00 UTC. */
export const TODAY = Date.UTC(2026, 10, 22, 12);
const DAY = 24 * 3_600_000;

const plan = (id: string, name: string, kind: Plan['kind'], price: number, more: Partial<Plan> = {}): Plan => ({
  id,
  name,
  kind,
  price,
  renewalMonths: null,
  trialDays: 0,
  minQuantity: 1,
  maxQuantity: 1,
  ...more,
});

export const samplePlans = (): Plan[] => [
  plan('monthly', 'Monthly', 'monthly', 999, { renewalMonths: 1, trialDays: 3 }),
  plan('yearly', 'Yearly', 'yearly', 5999, { renewalMonths: 12, trialDays: 3 }),
  plan('lifetime', 'Lifetime', 'lifetime', 14_900),
  plan('gift', 'Gift', 'gift', 4499),
  plan('bulk', 'Teams', 'bulk', 2999, { minQuantity: 20, maxQuantity: 200 }),
  plan('infographics-20', '20 infographics', 'once', 1099),
  plan('infographics-50', '50 infographics', 'once', 2999),
  plan('quiz', 'Intelligence quiz', 'once', 299),
  plan('personality-quiz', 'Personality quiz', 'once', 299),
  plan('book', 'Book summary', 'once', 499),
];

export const sampleSettings = (more: Partial<CheckoutSettings> = {}): CheckoutSettings => ({
  provider: 'sandbox',
  publicKey: null,
  sandbox: true,
  paypalClientId: null,
  plans: samplePlans(),
  ...more,
});

/** The quote of a cart, as the server computes it: a trial for a subscription. */
export function sampleQuote(planId: string, more: Partial<Quote> = {}): Quote {
  const of = samplePlans().find(({ id }) => id === (planId.startsWith('book-') ? 'book' : planId));
  if (!of) throw new Error(`There is no plan ${planId}.`);
  const { quantity = of.minQuantity, addInfographics = 0, percent_off = null } = more;
  const beforeDiscount = of.price * quantity + (addInfographics === 20 ? 1099 : addInfographics === 50 ? 2999 : 0);
  const discount = Math.floor((beforeDiscount * (percent_off ?? 0)) / 100);
  const firstCharge = beforeDiscount - discount;
  const trialEndsAt = of.trialDays > 0 && firstCharge > 0 ? TODAY + 3 * DAY : null;
  return {
    price: of.price,
    bookTitle: planId.startsWith('book-') ? 'Walden' : null,
    course: null,
    paypalPlan: null,
    planId,
    planName: of.name,
    kind: of.kind,
    quantity,
    addInfographics,
    infographicsToday: 26,
    beforeDiscount,
    percent_off,
    everyCharge: false,
    discount,
    firstCharge,
    firstChargeAt: trialEndsAt ?? TODAY,
    dueNow: trialEndsAt === null ? firstCharge : 0,
    trialEndsAt,
    renewal: of.renewalMonths === null || firstCharge === 0 ? null : { price: of.price, months: of.renewalMonths },
    needsPaymentMethod: firstCharge > 0,
    switch: null,
    ...more,
  };
}

export const sampleCharge = (planId: string, more: Partial<ResultOf<'POST /api/charge/confirm'>> = {}): ResultOf<'POST /api/charge/confirm'> => {
  const { planName, dueNow, trialEndsAt, firstCharge } = sampleQuote(planId);
  return {
    status: 'paid',
    chargeId: null,
    checkout: 'reference-1',
    landingPageVariant: null,
    infographicsUrl: null,
    buffer: null,
    error: null,
    notLoggedIn: false,
    requiresAction: false,
    clientSecret: null,
    planId,
    planName,
    amount: dueNow,
    receiptUrl: null,
    trialEndsAt,
    gift: null,
    nextCharge: trialEndsAt === null ? null : { at: trialEndsAt, amount: firstCharge },
    ...more,
  };
};
