// Answers about money that no test can bring about: the figures of some years, a renewal that fails after its period, and
// a dispute, which the payer's bank begins. Everything else is bought (see business.ts).
import type { Page } from '@playwright/test';

const DAY = 86_400_000;
const iso = (at: number) => new Date(at).toISOString().slice(0, 10);
const member = { id: 2, email: 'grace@example.com' };

const stats = (search: URLSearchParams) => {
  const from = Date.parse(search.get('from') ?? '');
  const count = Math.round((Date.parse(search.get('to') ?? '') - from) / DAY) + 1;
  const day = (place: number) => ({
    day: iso(from + place * DAY),
    signups: 20 + ((place * 7) % 11),
    completions: 60 + ((place * 5) % 17),
    visits: 400,
    subscriptions: 4,
    ended: 1,
    members: 9000 + place,
    paying: 1100 + place,
    trials: 40,
    mrr: 560_000 + place * 900,
    revenue: 20_000,
    refunds: 500,
  });
  const days = Array.from({ length: count }, (_, place) => day(place));
  return {
    from: iso(from),
    to: search.get('to'),
    now: { members: 9614, paying: 1218, trials: 44, mrr: 636_000 },
    days,
    before: days.map((_, place) => day(place - count)),
    churn: { ended: 38, paying: 1190, before: { ended: 44, paying: 1120 } },
    funnel: { visits: 13_240, signups: 812, paid: 143, before: { visits: 11_980, signups: 790, paid: 121 } },
    revenueByPlan: [
      { planId: 'yearly', planName: 'Yearly', amount: 359_900, before: 299_900 },
      { planId: 'monthly', planName: 'Monthly', amount: 52_900, before: 40_000 },
    ],
    revenueDays: days.map((one, place) => ({ day: one.day, amounts: { yearly: 5999 * (place % 3), monthly: 999 } })),
    cohorts: [
      { month: '2026-01', joined: 90, paid: [90, 81, 74] },
      { month: '2026-02', joined: 99, paid: [99, 88] },
    ],
    topBooks: [{ id: 1, subid: 'walden', title: 'Walden', opened: 420, completed: 190, before: 380 }],
  };
};

const now = Date.UTC(2026, 2, 14, 12);

const ANSWERS: Readonly<Record<string, (search: URLSearchParams) => unknown>> = {
  '/api/admin/stats': stats,
  '/api/admin/stats/books/1': () => ({
    id: 1,
    title: 'Walden',
    readers: 412,
    completed: 171,
    sections: [
      { place: 0, title: 'Economy', reached: 412 },
      { place: 1, title: 'Solitude', reached: 225 },
    ],
  }),
  '/api/admin/failed-renewals': () => ({
    renewals: [
      {
        id: 1,
        member,
        planName: 'Monthly',
        amount: 999,
        failedAt: now,
        attempts: 2,
        graceEndsAt: now + 7 * DAY,
        error: 'Your card was declined.',
        provider: 'stripe',
      },
    ],
    next: null,
  }),
  '/api/admin/disputes': () => ({
    disputes: [{ id: 1, at: now, member, planName: 'Yearly', amount: 5999, fee: 1500, state: 'open', provider: 'stripe', order: 41 }],
    next: null,
  }),
};

/** Puts these answers in the place of the server's. */
export async function serveBusiness(page: Page): Promise<void> {
  await page.route('**/api/admin/**', async (route) => {
    const url = new URL(route.request().url());
    const answer = route.request().method() === 'GET' ? ANSWERS[decodeURIComponent(url.pathname)] : undefined;
    if (answer) await route.fulfill({ json: { status: 'ok', result: answer(url.searchParams) } });
    else await route.fallback();
  });
}
