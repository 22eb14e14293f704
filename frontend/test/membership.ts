// Responses of the membership's calls, for the tests of its screens.
import type { ResultOf } from '@/api/types';

type Billing = ResultOf<'GET /api/user/billing'>;
type Plan = Billing['plan'];
type Entry = Billing['timeline'][number];

/** Noon, so that the day is the same in every zone near. */
export const day = (year: number, month: number, date: number): number => Date.UTC(year, month - 1, date, 12);

export const freePlan = (more: Partial<Plan> = {}): Plan => ({
  planId: null,
  planName: null,
  state: 'free',
  paidDate: null,
  endPaidDate: null,
  renewalPrice: null,
  nextCharge: null,
  pausedUntil: null,
  graceEndsAt: null,
  method: null,
  provider: null,
  canCancel: false,
  canResume: false,
  canPause: false,
  canChangeMethod: false,
  switchTo: [],
  ...more,
});

/** A yearly plan that renews on March 14, 2999. */
export const yearlyPlan = (more: Partial<Plan> = {}): Plan =>
  freePlan({
    planId: 'yearly',
    planName: 'Yearly',
    state: 'active',
    paidDate: day(2998, 3, 14),
    endPaidDate: day(2999, 3, 14),
    renewalPrice: 5999,
    nextCharge: { at: day(2999, 3, 14), amount: 5999 },
    method: { brand: 'visa', last4: '4242', expires: '12/2999' },
    provider: 'sandbox',
    canCancel: true,
    canPause: true,
    canChangeMethod: true,
    switchTo: ['monthly', 'lifetime'],
    ...more,
  });

export const canceledPlan = (more: Partial<Plan> = {}): Plan =>
  yearlyPlan({ state: 'canceled', nextCharge: null, canCancel: false, canPause: false, canResume: true, switchTo: [], ...more });

export const sampleEntry = (more: Partial<Entry> = {}): Entry => ({
  id: 'charge-1',
  at: day(2998, 3, 14),
  kind: 'charge',
  title: 'Yearly',
  why: 'The first year, after your trial.',
  amount: 5999,
  planName: 'Yearly',
  receiptUrl: '/api/charge/receipt/1?proof=x',
  receiptPdfUrl: '/api/charge/receipt/1/pdf?proof=x',
  refundableUntil: null,
  future: false,
  ...more,
});

export const sampleBilling = (plan: Plan = yearlyPlan(), timeline: Entry[] = []): Billing => ({ plan, timeline, refundDays: 14 });
