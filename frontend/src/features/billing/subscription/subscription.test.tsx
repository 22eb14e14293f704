import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { MemberPlan, TimelineEntry } from '@/shared/payment/billing';
import { Subscription } from '@/features/billing/subscription/Subscription';
import { Toaster } from '@/ui/toast';
import { canceledPlan, day, freePlan, sampleBilling, sampleEntry, yearlyPlan } from '@test/membership';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

const SETTINGS = {
  provider: 'sandbox',
  publicKey: null,
  sandbox: true,
  paypalClientId: null,
  plans: [
    { id: 'monthly', name: 'Monthly', kind: 'monthly', price: 999, renewalMonths: 1, trialDays: 3, minQuantity: 1, maxQuantity: 1 },
    { id: 'yearly', name: 'Yearly', kind: 'yearly', price: 5999, renewalMonths: 12, trialDays: 3, minQuantity: 1, maxQuantity: 1 },
    { id: 'lifetime', name: 'Lifetime', kind: 'lifetime', price: 14_900, renewalMonths: null, trialDays: 0, minQuantity: 1, maxQuantity: 1 },
  ],
} as const;

/** Renders the subscription section of the account page against a server with this plan. */
function open(plan: MemberPlan, timeline: TimelineEntry[] = []) {
  server.use(
    on('GET /api/user/allowance', () => ({ allowance: null, opened: [] })),
    on('GET /api/user/billing', () => sampleBilling(plan, timeline)),
    on('GET /api/charge/settings', () => ({ ...SETTINGS, plans: [...SETTINGS.plans] })),
  );
  const router = createMemoryRouter(
    [
      { path: '/account', element: <Subscription user={sampleUser()} /> },
      { path: '*', element: <p>elsewhere</p> },
    ],
    { initialEntries: ['/account'] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toaster />
    </QueryClientProvider>,
  );
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const said = (text: string | RegExp) => screen.findByText(text, { selector: '.toast' });

beforeEach(() => session.start('token'));

describe('the plan', () => {
  it.each<[string, MemberPlan, string, string[]]>([
    [
      'trial',
      yearlyPlan({ state: 'trial', endPaidDate: day(2999, 3, 14) }),
      'Trial',
      ['Free until March 14, 2999', 'First charge: $59.99 on March 14, 2999. Cancel before then, and nothing is charged.'],
    ],
    ['active', yearlyPlan(), 'Active', ['Until March 14, 2999', 'Next charge: $59.99 on March 14, 2999.']],
    [
      'past due',
      yearlyPlan({ state: 'past_due', graceEndsAt: day(2999, 3, 21) }),
      'Payment failed',
      ['We could not charge $59.99.', 'Your plan stays active until March 21, 2999. Change your payment method, and your plan continues as before.'],
    ],
    ['canceled', canceledPlan(), 'Cancelled', ['Until March 14, 2999', 'It does not renew. You will not be charged again.']],
    [
      'paused',
      yearlyPlan({ state: 'paused', pausedUntil: day(2999, 5, 14), nextCharge: { at: day(2999, 5, 14), amount: 5999 }, canResume: true }),
      'Paused',
      ['Until May 14, 2999', 'Nothing is charged until then. It resumes with $59.99 on May 14, 2999.', 'You can keep reading until March 14, 2999.'],
    ],
    ['lifetime', freePlan({ state: 'lifetime', planName: 'Lifetime', paidDate: 1 }), 'Active', ['It does not expire.', 'You will not be charged again.']],
    [
      'code',
      freePlan({ state: 'code', planName: 'Gift', endPaidDate: day(2999, 3, 14) }),
      'Active',
      ['Until March 14, 2999', 'It does not renew. You will not be charged again.'],
    ],
  ])('%s: says its state, its end and its next charge', async (_, plan, mark, lines) => {
    open(plan);
    expect(await screen.findByText(mark, { selector: '.badge' })).toBeVisible();
    expect(screen.getByText(plan.planName ?? '', { selector: '.account__plan' })).toBeVisible();
    for (const line of lines) expect(screen.getByText(line)).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Upgrade Now' })).toBeNull();
  });

  it('that ended is the free plan, and says when it ended', async () => {
    open(freePlan({ state: 'ended', planName: 'Monthly', endPaidDate: day(2020, 3, 14) }));
    expect(await screen.findByText('Free Plan')).toBeVisible();
    expect(screen.getByText(/^Monthly ended on March 14, 2020\./)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Upgrade Now' })).toHaveAttribute('href', '/try');
  });

  it('leads to the cancellation and to the redemption of codes', async () => {
    open(yearlyPlan());
    expect(await screen.findByRole('link', { name: /^Cancel subscription/ })).toHaveAttribute('href', '/cancel');
    expect(screen.getByRole('link', { name: /^Redeem a code/ })).toHaveAttribute('href', '/stacksocial');
  });

  it('that does not renew has no link to the cancellation', async () => {
    open(canceledPlan());
    await screen.findByText('Cancelled');
    expect(screen.queryByRole('link', { name: /^Cancel subscription/ })).toBeNull();
  });

  it('is resumed with one press', async () => {
    open(canceledPlan());
    const button = await screen.findByRole('button', { name: 'Turn renewal back on' });
    server.use(
      on('POST /api/charge/resume', () => ({ plan: yearlyPlan() })),
      on('GET /api/user/billing', () => sampleBilling()),
    );
    await userEvent.click(button);
    expect(await screen.findByText('Active', { selector: '.badge' })).toBeVisible();
    expect(await said('Your plan continues. Next charge: $59.99 on March 14, 2999')).toBeVisible();
  });

  it('that can’t be resumed says why, and stays as it is', async () => {
    open(canceledPlan());
    server.use(on('POST /api/charge/resume', () => failure(503, 'busy', 'The payment provider is out of reach. Please try again.')));
    await press('Turn renewal back on');
    expect(await screen.findByRole('alert')).toHaveTextContent('The payment provider is out of reach.');
    expect(screen.getByText('Cancelled')).toBeVisible();
  });

  it('is paused for the months that were chosen, and says before until when', async () => {
    let sent: unknown;
    open(yearlyPlan());
    await press('Pause your plan');
    await userEvent.click(screen.getByRole('radio', { name: '2 months' }));
    expect(
      screen.getByText(
        /^You have paid until March 14, 2999 and can keep reading until then\. After that, nothing is charged and the books wait until May 14, 2999\./,
      ),
    ).toBeVisible();
    const paused = yearlyPlan({ state: 'paused', pausedUntil: day(2999, 5, 14), canPause: false, canResume: true });
    server.use(
      on('POST /api/charge/pause', ({ body }) => {
        sent = body;
        return { plan: paused };
      }),
      on('GET /api/user/billing', () => sampleBilling(paused)),
    );
    await press('Pause for 2 months');
    expect(await said('Your plan is paused until May 14, 2999.')).toBeVisible();
    expect(sent).toEqual({ months: 2 });
    expect(screen.getByRole('button', { name: 'Resume now' })).toBeVisible();
  });
});

describe('the payment method', () => {
  it('is named, and changed by another card', async () => {
    let sent: unknown;
    open(yearlyPlan());
    expect(await screen.findByText('Visa ending in 4242, until 12/2999')).toBeVisible();
    await press('Change your payment method');
    const dialog = within(screen.getByRole('dialog', { name: 'Change payment method' }));
    expect(await dialog.findByText(/^Nothing is charged now\. We will use it for the next charge, \$59\.99 on March 14, 2999\./)).toBeVisible();
    expect(dialog.getByText(/Payments on this site are simulated/)).toBeVisible();
    await userEvent.click(dialog.getByRole('button', { name: /^Succeeds/ }));
    const changed = yearlyPlan({ method: { brand: 'mastercard', last4: '4444', expires: '01/2999' } });
    server.use(
      on('POST /api/charge/method', ({ body }) => {
        sent = body;
        return { plan: changed, requiresAction: false, clientSecret: null, checkout: null };
      }),
      on('GET /api/user/billing', () => sampleBilling(changed)),
    );
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await said('Your payment method was changed.')).toBeVisible();
    expect(sent).toEqual({ token: 'pm_card_visa' });
    expect(screen.getByText('Mastercard ending in 4444, until 01/2999')).toBeVisible();
  });

  it('repairs a plan whose payment failed, from its card; a refusal is said in the provider’s words', async () => {
    open(yearlyPlan({ state: 'past_due', graceEndsAt: day(2999, 3, 21) }));
    await press('Change payment method');
    const dialog = within(screen.getByRole('dialog', { name: 'Change payment method' }));
    expect(await dialog.findByText('We will try $59.99 again with it right away.')).toBeVisible();
    await userEvent.click(dialog.getByRole('button', { name: /^Is declined/ }));
    server.use(on('POST /api/charge/method', () => failure(402, 'card_declined', 'Your card was declined.')));
    await userEvent.click(dialog.getByRole('button', { name: 'Save and pay' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Your card was declined.');
    expect(dialog.getByLabelText('Card number')).toHaveValue('4000 0000 0000 0002');
  });
});

describe('another plan', () => {
  it('shows what it costs before it is switched to, and is charged once', async () => {
    const keys: (string | null)[] = [];
    let sent: unknown;
    open(yearlyPlan());
    server.use(
      on('POST /api/charge/switch/preview', () => ({
        switch: { startsAt: day(2998, 6, 1), chargedNow: 9100, creditLeft: 5800, nextCharge: 0, nextChargeAt: 0, fromPlanName: 'Yearly' },
        token: 'as-shown',
      })),
      on('POST /api/charge/switch', ({ request, body }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        sent = body;
        return { plan: freePlan({ state: 'lifetime', planName: 'Lifetime' }), requiresAction: false, clientSecret: null, checkout: null };
      }),
    );
    await press('Switch your plan');
    const dialog = within(screen.getByRole('dialog', { name: 'Switch your plan' }));
    expect(await dialog.findByText('$9.99 a month')).toBeVisible();
    expect(dialog.queryByText('$59.99 a year')).toBeNull();
    await userEvent.click(dialog.getByRole('button', { name: 'Choose Lifetime' }));
    expect(await dialog.findByText('$58.00')).toBeVisible();
    expect(dialog.getByText('None')).toBeVisible();
    server.use(on('GET /api/user/billing', () => sampleBilling(freePlan({ state: 'lifetime', planName: 'Lifetime' }))));
    await userEvent.click(dialog.getByRole('button', { name: 'Switch and pay $91.00' }));
    expect(await said('Your plan is now Lifetime.')).toBeVisible();
    expect(sent).toEqual({ planId: 'lifetime', token: 'as-shown' });
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });

  it('says why it can’t be switched to, and leads back to the others', async () => {
    open(yearlyPlan());
    server.use(on('POST /api/charge/switch/preview', () => failure(409, 'already_subscribed', 'This plan runs already.')));
    await press('Switch your plan');
    await press('Choose Monthly');
    expect(await screen.findByRole('alert')).toHaveTextContent('This plan runs already.');
    expect(screen.queryByRole('button', { name: /^Switch and pay|^Switch$/ })).toBeNull();
    await press('Back');
    expect(screen.getByRole('button', { name: 'Choose Lifetime' })).toBeVisible();
  });
});

describe('the payments', () => {
  it('are empty of a member who never paid', async () => {
    open(freePlan());
    expect(await screen.findByText('Nothing has been charged, and nothing is due.')).toBeVisible();
  });

  it('say what, when, how much and why, with the receipts', async () => {
    open(yearlyPlan(), [
      sampleEntry({
        id: 'due',
        at: day(2999, 3, 14),
        future: true,
        title: 'Yearly renews',
        why: 'For the year to March 14, 3000.',
        receiptUrl: null,
        receiptPdfUrl: null,
      }),
      sampleEntry({ id: 'back', amount: -2000, title: 'Refund', why: 'A part of your payment, given back.', receiptUrl: null, receiptPdfUrl: null }),
      sampleEntry(),
    ]);
    const rows = (await screen.findAllByRole('listitem')).filter((item) => item.classList.contains('timeline__entry'));
    expect(rows[0]).toHaveTextContent('Yearly renews$59.99March 14, 2999UpcomingFor the year to March 14, 3000.');
    expect(rows[1]).toHaveTextContent('Refund−$20.00');
    expect(screen.getByRole('link', { name: 'Receipt of March 14, 2998, opens in a new tab' })).toHaveAttribute('href', '/api/charge/receipt/1?proof=x');
    expect(screen.getByRole('link', { name: 'Receipt of March 14, 2998 as a PDF' })).toHaveAttribute('href', '/api/charge/receipt/1/pdf?proof=x');
    expect(screen.queryByRole('button', { name: /^Request a refund/ })).toBeNull();
  });

  it('lead from bought infographics to the gallery', async () => {
    open(yearlyPlan(), [sampleEntry({ id: 'sheets', title: '20 infographics', planName: '20 infographics' }), sampleEntry()]);
    expect(await screen.findByRole('link', { name: 'Your infographics' })).toHaveAttribute('href', '/infographics');
    expect(screen.getAllByRole('link', { name: 'Your infographics' })).toHaveLength(1);
  });

  it('can be asked back within the days that are for it, with a reason', async () => {
    let sent: unknown;
    open(yearlyPlan(), [sampleEntry({ refundableUntil: day(2999, 3, 28) }), sampleEntry({ id: 'old', at: 1, refundableUntil: 2 })]);
    expect(await screen.findAllByRole('button', { name: /^Request a refund/ })).toHaveLength(1);
    await press(/^Request a refund of \$59\.99/);
    const dialog = within(screen.getByRole('dialog', { name: 'Request a refund' }));
    await userEvent.click(await dialog.findByRole('button', { name: 'Send request' }));
    expect(dialog.getByLabelText(/^Why would you like/)).toHaveAccessibleDescription('Please tell us briefly why.');
    server.use(
      on('POST /api/charge/refund-request', ({ body }) => {
        sent = body;
        return {};
      }),
    );
    await userEvent.type(dialog.getByLabelText(/^Why would you like/), ' Bought by mistake. ');
    await userEvent.click(dialog.getByRole('button', { name: 'Send request' }));
    expect(await said('We have your request and will reply by email.')).toBeVisible();
    expect(sent).toEqual({ receipt: 'charge-1', reason: 'Bought by mistake.' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('shows the latest first, and all on a press', async () => {
    open(
      yearlyPlan(),
      Array.from({ length: 12 }, (_, i) => sampleEntry({ id: String(i), at: day(2990, 12, 28 - i) })),
    );
    expect(await screen.findAllByText('The first year, after your trial.')).toHaveLength(8);
    await press('Show all 12');
    expect(screen.getAllByText('The first year, after your trial.')).toHaveLength(12);
  });

  it('that can’t be loaded say so, and are tried again', async () => {
    open(yearlyPlan());
    server.use(on('GET /api/user/billing', () => failure(503, 'busy', 'Too busy right now.')));
    expect((await screen.findAllByText('Too busy right now.'))[0]).toBeVisible();
    server.use(on('GET /api/user/billing', () => sampleBilling()));
    await userEvent.click((await screen.findAllByRole('button', { name: 'Try again' }))[0] as HTMLElement);
    expect(await screen.findByText('Active', { selector: '.badge' })).toBeVisible();
  });
});
