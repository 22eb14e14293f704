// Responses about money and the site, for the tests of the back office's screens.
import type { ResultOf } from '@/api/types';

const at = Date.UTC(2026, 2, 14, 12);

export type SampleOrder = ResultOf<'GET /api/admin/orders/{id}'>['order'];
type OrderRow = ResultOf<'GET /api/admin/orders'>['orders'][number];

export const sampleOrderRow = (id: number, more: Partial<OrderRow> = {}): OrderRow => ({
  id,
  at,
  member: { id: 7, email: 'grace@example.com' },
  email: null,
  planId: 'yearly',
  planName: 'Yearly',
  amount: 5999,
  refunded: 0,
  state: 'paid',
  provider: 'stripe',
  coupon: null,
  quantity: 1,
  ...more,
});

export const sampleOrder = (more: Partial<SampleOrder> = {}): SampleOrder => ({
  ...sampleOrderRow(41),
  fee: 204,
  renewal: { price: 5999, months: 12 },
  trialEndsAt: null,
  providerId: 'sub_1',
  referral: null,
  charges: [{ id: 'stripe:pi_1:charged', at, amount: 5999, refunded: 1000, refundable: 4999 }],
  history: [{ id: 'a', at, kind: 'charge', title: 'Yearly', why: 'The first charge.', amount: 5999 }],
  ...more,
});

export const sampleCoupon = (more: Partial<ResultOf<'GET /api/admin/coupons/{code}'>['coupon']> = {}) => ({
  code: 'SPRING',
  percent: 40,
  amount: null,
  everyCharge: false,
  plans: [],
  campaign: null,
  startsAt: Date.UTC(2026, 2, 1),
  endsAt: Date.UTC(2026, 3, 1),
  maxUses: null,
  uses: 0,
  ...more,
});

export const sampleCode = (id: number, more: Partial<ResultOf<'GET /api/admin/codes'>['codes'][number]> = {}) => ({
  id,
  code: `ABCDE-FGHJK-LMNPQ-RST0${id}`,
  kind: 'admin' as const,
  planName: 'Yearly',
  months: 12,
  createdAt: at,
  redeemedBy: null,
  redeemedAt: null,
  revokedAt: null,
  ...more,
});

type Plan = ResultOf<'GET /api/admin/plans'>['plans'][number];

export const sampleYearly = (): Plan => ({ id: 'yearly', name: 'Yearly', kind: 'yearly', price: 5999, place: 1, subscribers: 12, archived: false, version: 3 });

export const samplePlans = (): Plan[] => [
  sampleYearly(),
  { id: 'gift', name: 'Gift', kind: 'gift', price: 4499, place: 3, subscribers: 0, archived: false, version: 1 },
];

type Stats = ResultOf<'GET /api/admin/stats'>;

export const sampleDay = (day: string, more: Partial<Stats['days'][number]> = {}): Stats['days'][number] => ({
  day,
  signups: 4,
  completions: 9,
  visits: 100,
  subscriptions: 1,
  ended: 0,
  members: 500,
  paying: 50,
  trials: 3,
  mrr: 25_000,
  revenue: 5999,
  refunds: 0,
  ...more,
});

export const sampleStats = (more: Partial<Stats> = {}): Stats => ({
  from: '2026-03-12',
  to: '2026-03-14',
  countedAt: Date.parse('2026-03-14T15:30:00Z'),
  madeUp: false,
  days: [sampleDay('2026-03-12'), sampleDay('2026-03-13', { signups: 6, revenue: 999 }), sampleDay('2026-03-14', { signups: 2, mrr: 28_000, refunds: 500 })],
  before: [sampleDay('2026-03-09', { signups: 1 }), sampleDay('2026-03-10', { signups: 2 }), sampleDay('2026-03-11', { signups: 3 })],
  churn: { ended: 2, paying: 50, before: { ended: 5, paying: 50 } },
  funnel: { visits: 300, signups: 12, paid: 3, before: { visits: 280, signups: 6, paid: 3 } },
  revenueByPlan: [
    { planId: 'monthly', planName: 'Monthly', amount: 999, before: 0 },
    { planId: 'yearly', planName: 'Yearly', amount: 11_998, before: 5999 },
  ],
  revenueDays: [
    { day: '2026-03-12', amounts: { yearly: 5999 } },
    { day: '2026-03-13', amounts: { monthly: 999 } },
    { day: '2026-03-14', amounts: { yearly: 5999 } },
  ],
  cohorts: [
    { month: '2026-02', size: 20, paid: [20, 15] },
    { month: '2026-03', size: 8, paid: [8] },
  ],
  topBooks: [{ id: 4, subid: 'emma', title: 'Emma', opened: 40, completed: 10, before: 20 }],
  ...more,
});
