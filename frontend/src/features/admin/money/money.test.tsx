import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallName } from '@/api/types';
import { codesOf } from '@/features/admin/money/CodeImportPage';
import { couponOf, couponState, discountText, valuesOf } from '@/features/admin/money/couponFields';
import { saveFile } from '@/lib/saveFile';
import { signInAs } from '@test/admin';
import { openApp } from '@test/app';
import { sampleCode, sampleCoupon, sampleOrder, sampleOrderRow, samplePlans, sampleYearly } from '@test/money';
import { failure, on, server } from '@test/server';

vi.mock('@/lib/saveFile', () => ({ saveFile: vi.fn() }));

let app: ReturnType<typeof openApp> | null = null;
const type = userEvent.setup();
beforeEach(() => signInAs('admin'));
afterEach(() => app?.close());

const open = (address: string) => {
  app = openApp(address);
  return app;
};
const rowsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .slice(1)
    .map(({ textContent }) => textContent);

describe.each([
  ['/admin/orders', 'GET /api/admin/orders', { orders: [], next: null, count: 0, countCapped: false }, 'No orders yet'],
  ['/admin/orders?state=failed', 'GET /api/admin/orders', { orders: [], next: null, count: 0, countCapped: false }, 'No orders match'],
  ['/admin/failed-renewals', 'GET /api/admin/failed-renewals', { renewals: [], next: null }, 'Every renewal went through'],
  ['/admin/disputes', 'GET /api/admin/disputes', { disputes: [], next: null }, 'No disputes yet'],
  ['/admin/coupons', 'GET /api/admin/coupons', { coupons: [], next: null }, 'No coupons yet'],
  ['/admin/codes', 'GET /api/admin/codes', { codes: [], next: null, count: 0, countCapped: false }, 'No codes yet'],
  ['/admin/payouts', 'GET /api/admin/payouts', { payouts: [], next: null }, 'Nobody has earned anything yet'],
  ['/admin/teams', 'GET /api/admin/teams', { teams: [], next: null }, 'No teams yet'],
  ['/admin/ledger', 'GET /api/admin/ledger', { entries: [], next: null, count: 0, countCapped: false }, 'No entries yet'],
] as const)('%s', (address, name, empty, text) => {
  beforeEach(() => server.use(on('GET /api/admin/ledger/accounts', () => ({ accounts: [] }))));

  it('says what will stand there while there is nothing', async () => {
    server.use(on(name as CallName, () => empty as never));
    open(address);
    expect(await screen.findByRole('heading', { name: text })).toBeVisible();
  });

  it('shows why it could not be loaded', async () => {
    server.use(on(name as CallName, () => failure(500, 'internal', 'It broke.')));
    open(address);
    expect(await screen.findByRole('alert')).toHaveTextContent('It broke.');
  });
});

describe('orders', () => {
  it('are filtered by the URL, and given as a file', async () => {
    const asked: string[] = [];
    server.use(
      on('GET /api/admin/orders', ({ request }) => {
        asked.push(new URL(request.url).search);
        return {
          orders: [sampleOrderRow(42, { member: null, email: 'guest@example.com', planName: 'Teams', quantity: 25, amount: 74_975, coupon: '=2+3' })],
          next: null,
          count: 1,
          countCapped: false,
        };
      }),
      on('POST /api/admin/orders/export', ({ request }) => {
        asked.push(new URL(request.url).search);
        return new Response('Order', { headers: { 'Content-Disposition': 'attachment; filename="orders.csv"' } });
      }),
    );
    open('/admin/orders?q=guest&state=paid&provider=cash&from=2026-03-01&to=x');
    const table = await screen.findByRole('table', { name: 'Orders' });
    expect(rowsOf(table)[0]).toContain('Teams × 25guest@example.com guest$749.75');
    expect(asked).toEqual(['?from=2026-03-01&q=guest&state=paid']);
    await type.click(screen.getByRole('button', { name: 'CSV: Orders of this list' }));
    await waitFor(() => expect(saveFile).toHaveBeenLastCalledWith(expect.any(Blob), 'orders.csv'));
    expect(asked).toEqual(['?from=2026-03-01&q=guest&state=paid', '?from=2026-03-01&q=guest&state=paid']);
  });

  it('are refunded in part: more than is left is refused here, and one press is one refund', async () => {
    const sent: { body: unknown; key: string | null }[] = [];
    server.use(
      on('GET /api/admin/orders/{id}', () => ({ order: sampleOrder() })),
      on('POST /api/admin/charges/{id}/refund', ({ request, body }) => {
        sent.push({ body, key: request.headers.get('Idempotency-Key') });
        return sent.length === 1 ? failure(503, 'provider_down', 'The provider does not answer.') : { charged: 5999, refunded: 2000, pending: false };
      }),
    );
    open('/admin/orders/41');
    await type.click(await screen.findByRole('button', { name: /^Refund the charge/ }));
    const dialog = screen.getByRole('dialog', { name: 'Refund' });
    const amount = within(dialog).getByLabelText('Amount');
    expect(amount).toHaveValue('49.99');
    await type.clear(amount);
    await type.type(amount, '50');
    await type.click(within(dialog).getByRole('button', { name: 'Refund $50.00' }));
    expect(within(dialog).getByRole('alert')).toHaveTextContent('Please specify an amount between $0.01 and $49.99.');
    expect(sent).toEqual([]);
    await type.clear(amount);
    await type.type(amount, '10');
    await type.click(within(dialog).getByRole('button', { name: 'Refund $10.00' }));
    expect(within(dialog).getByRole('alert')).toHaveTextContent('Please specify Reason.');
    expect(sent).toEqual([]);
    await type.selectOptions(within(dialog).getByLabelText('Reason'), 'Paid twice');
    await type.type(within(dialog).getByLabelText('Note'), ' by phone ');
    await type.click(within(dialog).getByRole('button', { name: 'Refund $10.00' }));
    await within(dialog).findByText('The provider does not answer.');
    await type.click(within(dialog).getByRole('button', { name: 'Refund $10.00' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const body = { amount: 1000, reason: 'duplicate', note: 'by phone' };
    expect(sent.map((one) => one.body)).toEqual([body, body]);
    expect(sent[0]?.key).toBe(sent[1]?.key);
    expect(screen.getByText('$20.00 of $59.99 was refunded.')).toBeInTheDocument();
  });

  it('say what became of them: refunded in part, or another price', async () => {
    const orders = [sampleOrderRow(2, { state: 'partly_refunded', refunded: 1000 }), sampleOrderRow(1, { state: 'price_changed' })];
    server.use(on('GET /api/admin/orders', () => ({ orders, next: null, count: 2, countCapped: false })));
    open('/admin/orders');
    const table = within(await screen.findByRole('table', { name: 'Orders' }));
    expect(table.getByText('Partly refunded')).toBeVisible();
    expect(table.getByText('Price changed')).toBeVisible();
  });

  it('of another number are not there', async () => {
    server.use(on('GET /api/admin/orders/{id}', () => failure(404, 'not_found', 'Not found.')));
    open('/admin/orders/9');
    expect(await screen.findByText('There is no order with this number.')).toBeVisible();
  });
});

describe('a coupon', () => {
  const now = Date.UTC(2026, 2, 14);

  it('counts up to its last day, and moments of which the day was not changed stay', () => {
    const coupon = sampleCoupon({ startsAt: Date.UTC(2026, 2, 1, 9, 30), endsAt: Date.UTC(2026, 3, 1) });
    const values = valuesOf(coupon);
    expect(values).toMatchObject({ startsAt: '2026-03-01', endsAt: '2026-03-31' });
    expect(couponOf(values, coupon)).toMatchObject({ startsAt: coupon.startsAt, endsAt: coupon.endsAt });
    expect(couponOf({ ...values, startsAt: '2026-03-02', endsAt: '' }, coupon)).toMatchObject({ startsAt: Date.UTC(2026, 2, 2), endsAt: null });
  });

  it('is active, not yet, over or used up', () => {
    expect(couponState(sampleCoupon(), now)).toBe('active');
    expect(couponState(sampleCoupon({ startsAt: now + 1 }), now)).toBe('scheduled');
    expect(couponState(sampleCoupon({ endsAt: now }), now)).toBe('over');
    expect(couponState(sampleCoupon({ maxUses: 3, uses: 3 }), now)).toBe('used_up');
  });

  it('is added: the first thing that is missing is named', async () => {
    const bodies: unknown[] = [];
    server.use(
      on('POST /api/admin/coupons', ({ body }) => {
        bodies.push(body);
        return { coupon: sampleCoupon({ code: 'MAY' }) };
      }),
    );
    open('/admin/coupon-add');
    await type.click(await screen.findByRole('button', { name: 'Add coupon' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Please specify Code.');
    await type.type(screen.getByLabelText('Code*'), 'may');
    await type.type(screen.getByLabelText('Percent off*'), 'x');
    await type.click(screen.getByRole('button', { name: 'Add coupon' }));
    expect(screen.getByRole('alert')).toHaveTextContent('Please make sure Percent off is greater or equal to 0.');
    await type.clear(screen.getByLabelText('Percent off*'));
    await type.type(screen.getByLabelText('Percent off*'), '15');
    await type.click(screen.getByRole('button', { name: 'Add coupon' }));
    expect(await screen.findByText(/Coupon MAY was added\./)).toBeVisible();
    expect(bodies).toMatchObject([{ code: 'MAY', percent: 15, amount: null, everyCharge: false, plans: [], campaign: null, endsAt: null, maxUses: null }]);
  });

  it('takes an amount off every charge of some plans', () => {
    const coupon = sampleCoupon({ percent: null, amount: 1_000, everyCharge: true, plans: ['yearly'], campaign: 'Fall' });
    expect(couponOf(valuesOf(coupon), coupon)).toMatchObject({ percent: null, amount: 1_000, everyCharge: true, plans: ['yearly'], campaign: 'Fall' });
    expect(discountText(coupon)).toBe('$10.00 off every charge');
    expect(discountText(sampleCoupon())).toBe('40%');
    expect(() => couponOf({ ...valuesOf(coupon), amount: 'ten' }, coupon)).toThrow('Please specify an amount like 10.00.');
  });

  it('that nobody used is deleted, and comes back with Undo', async () => {
    const deleted: string[] = [];
    server.use(
      on('GET /api/admin/coupons', () => ({ coupons: [sampleCoupon(), sampleCoupon({ code: 'USED', uses: 1 })], next: null })),
      on('DELETE /api/admin/coupons/{code}', ({ request }) => {
        deleted.push(request.url);
        return {};
      }),
    );
    open('/admin/coupons');
    await type.click(await screen.findByRole('button', { name: 'Delete SPRING' }));
    expect(screen.queryByRole('link', { name: 'SPRING' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Delete USED' })).toBeNull();
    await type.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('link', { name: 'SPRING' })).toBeVisible();
    expect(deleted).toEqual([]);
  });
});

describe('codes', () => {
  it('are made in a batch and shown', async () => {
    const bodies: unknown[] = [];
    server.use(
      on('GET /api/admin/plans', () => ({ plans: samplePlans() })),
      on('POST /api/admin/codes', ({ body }) => {
        bodies.push(body);
        return { codes: [sampleCode(1), sampleCode(2)] };
      }),
    );
    open('/admin/code-add');
    // A code can't give a gift plan.
    expect(
      within(await screen.findByLabelText('Plan*'))
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Choose…', 'Yearly']);
    await type.selectOptions(screen.getByLabelText('Plan*'), 'yearly');
    const many = screen.getByLabelText('How many*');
    await type.clear(many);
    await type.type(many, '2000');
    await type.click(screen.getByRole('button', { name: 'Create codes' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Please specify a number between 1 and 1000.');
    await type.clear(many);
    await type.type(many, '2');
    await type.click(screen.getByRole('button', { name: 'Create codes' }));
    expect(await screen.findByText('2 codes were made.')).toBeVisible();
    expect(screen.getByText(/RST01\s+ABCDE-FGHJK-LMNPQ-RST02/)).toBeVisible();
    expect(bodies).toEqual([{ planId: 'yearly', months: 12, count: 2, note: null }]);
  });

  it('of a lifetime plan have no months, made or imported', async () => {
    const bodies: unknown[] = [];
    const lifetime = { id: 'lifetime', name: 'Lifetime', kind: 'lifetime' as const, price: 14_900, place: 3, archived: false, subscribers: 0, version: 1 };
    server.use(
      on('GET /api/admin/plans', () => ({ plans: [...samplePlans(), lifetime] })),
      on('POST /api/admin/codes', ({ body }) => {
        bodies.push(body);
        return { codes: [sampleCode(1)] };
      }),
      on('POST /api/admin/codes/import', ({ body }) => {
        bodies.push(body);
        return { imported: 1, lines: [{ line: 1, code: 'GOOD', result: 'imported' as const, error: null }] };
      }),
    );
    open('/admin/code-add');
    expect(await screen.findByLabelText('Months*')).toHaveValue('12');
    await type.selectOptions(screen.getByLabelText('Plan*'), 'lifetime');
    expect(screen.queryByLabelText('Months*')).toBeNull();
    await type.click(screen.getByRole('button', { name: 'Create codes' }));
    expect(await screen.findByText('1 code was made.')).toBeVisible();
    app?.close();
    open('/admin/code-import');
    await type.selectOptions(await screen.findByLabelText('Plan*'), 'lifetime');
    expect(screen.queryByLabelText('Months*')).toBeNull();
    await type.upload(screen.getByLabelText('File*'), new File(['GOOD'], 'codes.csv', { type: 'text/csv' }));
    await type.click(screen.getByRole('button', { name: 'Check the file' }));
    await screen.findByRole('table', { name: 'Line by line' });
    expect(bodies).toEqual([
      { planId: 'lifetime', months: null, count: 1, note: null },
      { planId: 'lifetime', months: null, codes: ['GOOD'], dryRun: true },
    ]);
  });

  it('need months where the plan is not for life', async () => {
    server.use(on('GET /api/admin/plans', () => ({ plans: samplePlans() })));
    open('/admin/code-add');
    await type.selectOptions(await screen.findByLabelText('Plan*'), 'yearly');
    await type.clear(screen.getByLabelText('Months*'));
    await type.click(screen.getByRole('button', { name: 'Create codes' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Please make sure Months is greater or equal to 0.');
  });

  it('are revoked after a question', async () => {
    let revoked = 0;
    server.use(
      on('GET /api/admin/codes', () => ({ codes: [sampleCode(1, revoked > 0 ? { revokedAt: 1 } : {})], next: null, count: 1, countCapped: false })),
      on('POST /api/admin/codes/{id}/revoke', () => {
        revoked += 1;
        return { code: sampleCode(1, { revokedAt: 1 }) };
      }),
    );
    open('/admin/codes');
    await type.click(await screen.findByRole('button', { name: /^Revoke ABCDE/ }));
    await type.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Revoke the code' }));
    expect(await screen.findByText('Revoked')).toBeVisible();
    expect(revoked).toBe(1);
  });

  it('are read from a file with or without a header', () => {
    expect(codesOf('Order;Redemption code\n1;AB\n2; CD \n3;\n')).toEqual(['AB', 'CD']);
    expect(codesOf('AB\nCD')).toEqual(['AB', 'CD']);
    expect(codesOf('')).toEqual([]);
  });

  it('are imported once the report of each line was seen', async () => {
    const bodies: { dryRun?: boolean; codes?: string[] }[] = [];
    server.use(
      on('GET /api/admin/plans', () => ({ plans: samplePlans() })),
      on('POST /api/admin/codes/import', ({ body }) => {
        bodies.push(body as (typeof bodies)[number]);
        return {
          imported: 1,
          lines: [
            { line: 1, code: 'GOOD', result: 'imported' as const, error: null },
            { line: 2, code: 'BAD', result: 'invalid' as const, error: 'Too short.' },
          ],
        };
      }),
    );
    open('/admin/code-import');
    await type.selectOptions(await screen.findByLabelText('Plan*'), 'yearly');
    await type.click(screen.getByRole('button', { name: 'Check the file' }));
    expect(screen.getByRole('alert')).toHaveTextContent('Please specify File.');
    await type.upload(screen.getByLabelText('File*'), new File(['code\nGOOD\nBAD'], 'codes.csv', { type: 'text/csv' }));
    await type.click(screen.getByRole('button', { name: 'Check the file' }));
    const report = await screen.findByRole('table', { name: 'Line by line' });
    expect(rowsOf(report)).toEqual(['1GOODCan be imported', '2BADNot a codeToo short.']);
    await type.click(screen.getByRole('button', { name: 'Import 1 code' }));
    expect(await screen.findByText('1 code was imported.')).toBeVisible();
    expect(bodies).toEqual([
      { planId: 'yearly', months: 12, codes: ['GOOD', 'BAD'], dryRun: true },
      { planId: 'yearly', months: 12, codes: ['GOOD', 'BAD'], dryRun: false },
    ]);
  });
});

describe('a payout', () => {
  const payout = { userId: 7, email: 'grace@example.com', kind: 'affiliate' as const, pending: 0, payable: 2500, paid: 0, lastPaidAt: null, purchases: 2 };

  it('is noted as paid with the sum that was shown', async () => {
    const sent: unknown[] = [];
    server.use(
      on('GET /api/admin/payouts', () => ({ payouts: [payout], next: null })),
      on('POST /api/admin/payouts/{userId}/paid', ({ body }) => {
        sent.push(body);
        return { payout: { ...payout, payable: 0, paid: 2500 }, history: [] };
      }),
    );
    open('/admin/payouts');
    await type.click(await screen.findByRole('button', { name: 'Mark as paid: grace@example.com' }));
    const dialog = screen.getByRole('dialog', { name: 'Mark as paid' });
    await type.type(within(dialog).getByLabelText('Note'), ' transfer 12 ');
    await type.click(within(dialog).getByRole('button', { name: 'Mark $25.00 as paid' }));
    expect(await screen.findByText('$25.00 to grace@example.com is marked as paid.')).toBeInTheDocument();
    expect(sent).toEqual([{ amount: 2500, paid: 0, note: 'transfer 12' }]);
  });

  it('stands in the history of its member, the latest first', async () => {
    server.use(
      on('GET /api/admin/payouts/{userId}', () => ({
        payout: { ...payout, payable: 0, paid: 3000 },
        history: [
          { id: 1, at: Date.UTC(2026, 0, 5), amount: 1000 },
          { id: 2, at: Date.UTC(2026, 1, 5), amount: 2000 },
        ],
      })),
    );
    open('/admin/payouts/7');
    expect(await screen.findByRole('heading', { name: 'Payouts to grace@example.com' })).toBeVisible();
    const rows = within(screen.getByRole('table', { name: 'History' }))
      .getAllByRole('row')
      .slice(1);
    expect(rows.map((row) => within(row).getAllByRole('cell').at(-1)?.textContent)).toEqual(['$20.00', '$10.00']);
    expect(screen.queryByRole('button', { name: /as paid/ })).toBeNull();
  });
});

describe('a plan', () => {
  it('gets a price for new purchases, with its version', async () => {
    const bodies: unknown[] = [];
    server.use(
      on('GET /api/admin/plans', () => ({ plans: samplePlans() })),
      on('PUT /api/admin/plans/{id}', ({ body }) => {
        bodies.push(body);
        return { plan: { ...sampleYearly(), price: 6499, version: 4 } };
      }),
    );
    open('/admin/plan-edit/yearly');
    expect(await screen.findByText('12 members renew this plan and keep the price they agreed to.')).toBeVisible();
    const price = screen.getByLabelText('Price*');
    await type.clear(price);
    await type.type(price, 'many');
    await type.keyboard('{Control>}s{/Control}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Please specify a price like 59.99.');
    await type.clear(price);
    await type.type(price, '64.99');
    await type.keyboard('{Control>}s{/Control}');
    expect(await screen.findByText('Plan was updated. New purchases cost $64.99.')).toBeVisible();
    expect(bodies).toEqual([{ name: 'Yearly', price: 6499, archived: false, version: 3 }]);
  });

  it('is archived: it is sold no longer', async () => {
    const bodies: unknown[] = [];
    const yearly = sampleYearly();
    server.use(
      on('GET /api/admin/plans', () => ({ plans: samplePlans() })),
      on('PUT /api/admin/plans/{id}', ({ body }) => {
        bodies.push(body);
        return { plan: { ...yearly, archived: true, version: 4 } };
      }),
    );
    open('/admin/plan-edit/yearly');
    await type.click(await screen.findByRole('checkbox', { name: 'Archived' }));
    await type.keyboard('{Control>}s{/Control}');
    expect(await screen.findByText('Plan was updated. It is archived.')).toBeVisible();
    expect(bodies).toEqual([{ name: 'Yearly', price: 5999, archived: true, version: 3 }]);
  });

  it('that is no plan for oneself has no switch', async () => {
    server.use(on('GET /api/admin/plans', () => ({ plans: samplePlans() })));
    open('/admin/plan-edit/gift');
    expect(await screen.findByLabelText('Price*')).toBeVisible();
    expect(screen.queryByRole('checkbox', { name: 'Archived' })).toBeNull();
  });

  it('is added, with its price in cents', async () => {
    const bodies: unknown[] = [];
    const yearly = sampleYearly();
    server.use(
      on('POST /api/admin/plans', ({ body }) => {
        bodies.push(body);
        return { plan: { ...yearly, id: 'student', name: 'Student' } };
      }),
    );
    open('/admin/plan-add');
    await type.type(await screen.findByLabelText('Name*'), 'Student');
    await type.type(screen.getByLabelText('Price*'), '29.99');
    await type.selectOptions(screen.getByLabelText('Kind*'), 'yearly');
    await type.type(screen.getByLabelText('ID*'), 'student');
    await type.click(screen.getByRole('button', { name: 'Add plan' }));
    expect(await screen.findByText(/Plan Student was added and is on sale\./)).toBeVisible();
    expect(bodies).toEqual([{ name: 'Student', price: 2999, kind: 'yearly', id: 'student' }]);
  });
});

describe('the ledger', () => {
  const row = {
    id: 5,
    at: 0,
    recordedAt: 0,
    kind: 'charged',
    member: null,
    email: null,
    purchase: 'p',
    planName: 'Yearly',
    amount: 5999,
    fee: 204,
    reason: null,
    note: null,
    reference: null,
    entries: [
      { account: 'revenue', amount: -5999 },
      { account: 'provider_cash', amount: 5999 },
    ],
  };

  it('names a guest by the address, a deleted account as such, and why a refund was given', async () => {
    const refund = { ...row, id: 6, kind: 'refunded', email: 'guest@example.com', reason: 'duplicate' as const, note: 'By phone.' };
    server.use(
      on('GET /api/admin/ledger', () => ({ entries: [refund, row], next: null, count: 2, countCapped: false })),
      on('GET /api/admin/ledger/accounts', () => ({ accounts: [] })),
    );
    open('/admin/ledger');
    const rows = rowsOf(await screen.findByRole('table', { name: 'Ledger' }));
    expect(rows[0]).toContain('Refunded Yearly · Paid twice: By phone.guest@example.com guest');
    expect(rows[1]).toContain('Deleted account');
  });

  it('shows debits before credits, and what its check found', async () => {
    let wrong: { id: number; error: string }[] = [];
    server.use(
      on('GET /api/admin/ledger', () => ({ entries: [row], next: null, count: 1, countCapped: false })),
      on('GET /api/admin/ledger/accounts', () => ({ accounts: [{ account: 'provider_cash', balance: 5999 }] })),
      on('POST /api/admin/ledger/check', () => ({ transactions: 1, wrong, tookMs: 3 })),
    );
    open('/admin/ledger?kind=charged');
    expect(rowsOf(await screen.findByRole('table', { name: 'Ledger' }))[0]).toContain('Provider cash 59.99Revenue −59.99');
    await type.click(screen.getByRole('button', { name: 'Check the ledger' }));
    expect(await screen.findByText('1 movement checked: the ledger, the plans and the payment providers agree.')).toBeVisible();
    wrong = [{ id: 5, error: 'adds up to 1' }];
    await type.click(screen.getByRole('button', { name: 'Check the ledger' }));
    expect(await screen.findByText('1 fault: adds up to 1')).toBeVisible();
  });
});
