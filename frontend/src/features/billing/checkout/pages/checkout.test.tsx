import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import type { Quote } from '@/shared/payment/checkout';
import { storeReferralId } from '@/shared/referral/referralId';
import { GIFT_DAYS_AHEAD, localDay } from '@/features/billing/checkout/giftDay';
import { Component, loader, shouldRevalidate } from '@/features/billing/checkout/pages/CheckoutPage';
import { saveFile } from '@/lib/saveFile';
import { ROUTES } from '@/paths';
import { TODAY, sampleCharge, sampleQuote, sampleSettings } from '@test/checkout';
import { fill, openPages, press } from '@test/identity';
import { yearlyPlan } from '@test/membership';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

vi.mock('@/lib/saveFile', () => ({ saveFile: vi.fn() }));

const EMAIL_REQUIRED = 'Please input an email address. We will send your payment receipt to that email.';
const INVALID_CARD = 'There was an error processing your request. Please make sure your card number is valid.';

interface Asked {
  planId: string;
  quantity?: number;
  addInfographics?: number;
  coupon?: string;
}

/** Mocks the server's prices; returns the quote requests. */
function sell(more: Partial<Quote> = {}, settings = sampleSettings()): Asked[] {
  const asked: Asked[] = [];
  const quoteOf = ({ planId, quantity, addInfographics }: Asked, percent_off: number | null) =>
    sampleQuote(planId, { ...(quantity !== undefined && { quantity }), ...(addInfographics !== undefined && { addInfographics }), percent_off, ...more });
  server.use(
    on('GET /api/charge/settings', () => settings),
    on('POST /api/charge/price', ({ body }) => {
      asked.push(body as Asked);
      return quoteOf(body as Asked, null);
    }),
    on('POST /api/charge/coupon', ({ body }) => {
      asked.push(body as Asked);
      return (body as Asked).coupon === 'SAVE40' ? quoteOf(body as Asked, 40) : failure(422, 'validation', 'There is no such coupon.', { field: 'coupon' });
    }),
  );
  return asked;
}

interface Sent {
  key: string | null;
  body: Record<string, unknown>;
}

/** Mocks the server's responses to the pay button, in turn; the last one repeats. Returns the requests. */
function charge(...answers: (() => Response | ReturnType<typeof sampleCharge>)[]): Sent[] {
  const sent: Sent[] = [];
  server.use(
    on('POST /api/charge/process/{planId}', ({ request, body }) => {
      sent.push({ key: request.headers.get('Idempotency-Key'), body: body as Record<string, unknown> });
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      return answer ? answer() : failure(500, 'internal', 'No answer.');
    }),
  );
  return sent;
}

const open = (address: string) => openPages([{ path: ROUTES.payment.path, Component, loader, shouldRevalidate }], address);

function signIn() {
  session.start('t');
  server.use(on('GET /api/user/account', () => ({ user: sampleUser() })));
}

const typeCard = async (number: string) => fill({ 'Card number': number, Expires: '1230', 'Security code': '123' });
const summary = async () => screen.findByRole('complementary', { name: 'Summary' });

beforeEach(() => session.end('left'));

describe('the cart', () => {
  it('shows the sum, the date of the first charge and what follows, and is marked as a sandbox', async () => {
    sell();
    open('/payment/yearly');
    const aside = await summary();
    expect(within(aside).getByText('Your first charge is $59.99 on November 25, 2026, when your free trial ends.', { selector: 'li' })).toBeVisible();
    expect(within(aside).getByText('After that $59.99 each year, until you turn renewal off. We email you 24 hours before the first charge.')).toBeVisible();
    expect(within(aside).getByRole('button', { name: 'Start 3-day free trial' })).toBeVisible();
    expect(screen.getByText(/simulated: no money moves/)).toBeVisible();
  });

  it('has the other plans beside it, which keep what else the address says (billing.plan-choice)', async () => {
    sell();
    const { at } = open('/payment/yearly?redirect=%2Fbooks%2Fwalden');
    const plans = within(await screen.findByRole('navigation', { name: 'Plans' }));
    expect(plans.getAllByRole('link', { current: true }).map(({ textContent }) => textContent)).toEqual(['Yearly$59.99 a year']);
    await userEvent.click(plans.getByRole('link', { name: /Monthly/ }));
    expect(at()).toBe('/payment/monthly?redirect=%2Fbooks%2Fwalden');
    await waitFor(() => expect(screen.getByRole('link', { current: true })).toHaveTextContent('Monthly$9.99 a month'));
  });

  it('asks for the sum of each choice of infographics, and keeps the choice in the address', async () => {
    const asked = sell();
    const { at } = open('/payment/lifetime');
    await userEvent.click(await screen.findByRole('radio', { name: /^50 infographics/ }));
    expect(await screen.findByRole('button', { name: 'Pay $178.99' })).toBeVisible();
    expect(asked.at(-1)).toEqual({ planId: 'lifetime', addInfographics: 50 });
    expect(at()).toBe('/payment/lifetime?infographics=50');
  });

  const TODAY_THERE_ARE = 'There are 26 today. You get the newest ones today and later ones until you have them all.';
  it.each([
    ['yearly', 'Your plan lets you download all of them while it runs. What you add here stays yours when the plan ends.'],
    ['lifetime', 'Lifetime lets you download all of them for good: no need to add any.'],
    ['gift', null],
  ])('says how many infographics can be added to %s, and what that adds', async (planId, ofThePlan) => {
    sell();
    open(`/payment/${planId}`);
    const choices = await screen.findByRole('group', { name: 'Add infographics' });
    expect(choices).toHaveTextContent(`paid once. ${TODAY_THERE_ARE}`);
    if (ofThePlan === null) expect(choices).not.toHaveTextContent(/plan|Lifetime/);
    else expect(within(choices).getByText(ofThePlan)).toBeVisible();
  });

  it('says how many infographics there are when they are bought alone', async () => {
    sell();
    open('/payment/infographics-50');
    expect(await screen.findByText(`Whole books on one sheet, yours for good. ${TODAY_THERE_ARE}`)).toBeVisible();
    expect(screen.queryByRole('group', { name: 'Add infographics' })).toBeNull();
  });

  it('applies a coupon, with its banner, and removes it', async () => {
    const asked = sell();
    open('/payment/lifetime?infographics=20');
    await press('Add a coupon');
    await fill({ Coupon: ' SAVE40 ' });
    await press('Apply');
    expect(await screen.findByText(/takes 40% off the first charge: you save \$63\.99\./)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Pay $96.00' })).toBeVisible();
    expect(asked.at(-1)).toEqual({ planId: 'lifetime', addInfographics: 20, coupon: 'SAVE40' });
    await press('Remove the coupon');
    expect(await screen.findByRole('button', { name: 'Pay $159.99' })).toBeVisible();
  });

  it('shows why a coupon does not count, at its field, and keeps the price', async () => {
    sell();
    open('/payment/lifetime?coupon=NONE');
    const field = await screen.findByLabelText('Coupon');
    await waitFor(() => expect(field).toHaveAccessibleDescription('There is no such coupon.'));
    expect(screen.getByRole('button', { name: 'Pay $149.00' })).toBeVisible();
  });

  it('sells seats from 20 on', async () => {
    const asked = sell();
    const sent = charge(() => sampleCharge('bulk'));
    open('/payment/bulk');
    const seats = await screen.findByLabelText('Seats');
    expect(seats).toHaveValue('20');
    await userEvent.clear(seats);
    await userEvent.type(seats, '19');
    await fill({ Email: 'ada@example.com' });
    expect(seats).toHaveAccessibleDescription(/Please choose a quantity >= 20/);
    await press('Pay $599.80');
    expect(await screen.findByRole('alert')).toHaveTextContent('Please choose a quantity >= 20');
    expect(sent).toEqual([]);
    await userEvent.clear(seats);
    await userEvent.type(seats, '25');
    expect(await screen.findByRole('button', { name: 'Pay $749.75' })).toBeVisible();
    expect(asked.at(-1)).toEqual({ planId: 'bulk', quantity: 25, email: 'ada@example.com' });
  });

  it('tells what a switch of plan costs before it is made, and makes it', async () => {
    signIn();
    const change = { startsAt: 0, chargedNow: 5410, creditLeft: 0, nextCharge: 5999, nextChargeAt: Date.UTC(2027, 10, 22, 12), fromPlanName: 'Monthly' };
    sell({ switch: change, trialEndsAt: null, firstCharge: 5410, dueNow: 5410 });
    const sent: unknown[] = [];
    let now = 5500;
    server.use(
      on('POST /api/charge/switch/preview', () => ({ switch: { ...change, chargedNow: now }, token: 'preview-1' })),
      on('POST /api/charge/switch', ({ body, request }) => {
        sent.push(body, request.headers.get('Idempotency-Key'));
        return { plan: yearlyPlan(), requiresAction: false, clientSecret: null, checkout: null };
      }),
    );
    open('/payment/yearly?redirect=/books/walden');
    expect(await screen.findByText('You switch from Monthly today. What is left of it is credited.')).toBeVisible();
    expect(screen.getByText('−$5.89')).toBeVisible();
    // A price other than the displayed one is not charged.
    await press('Switch and pay $54.10');
    expect(await screen.findByText('The price has changed. Please check it before you pay.')).toBeVisible();
    expect(await screen.findByText('Nothing has been charged. Due today: $54.10.')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(sent).toEqual([]);
    now = 5410;
    await press('Switch and pay $54.10');
    expect(await screen.findByRole('heading', { level: 1, name: 'Your plan is now Yearly' })).toHaveFocus();
    expect(sent).toEqual([{ planId: 'yearly', token: 'preview-1' }, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });

  it('counts nothing in a trial that goes on with another plan: one sum is due, and it is what is charged', async () => {
    signIn();
    const end = Date.UTC(2998, 10, 25, 12);
    const change = { startsAt: 0, chargedNow: 0, creditLeft: 0, nextCharge: 5999, nextChargeAt: end, fromPlanName: 'Monthly' };
    sell({ switch: change, trialEndsAt: null, firstCharge: 5999, firstChargeAt: end, dueNow: 0 });
    open('/payment/yearly');
    await screen.findByRole('button', { name: 'Switch to Yearly' });
    const rows = [...document.querySelectorAll('.totals__row')].map(({ textContent }) => textContent);
    expect(rows).toEqual(['Yearly$59.99', 'First chargeon November 25, 2998$59.99', 'Due today$0.00']);
  });

  it('asks for no card when nothing is to be paid', async () => {
    sell({ dueNow: 0, firstCharge: 0, needsPaymentMethod: false, trialEndsAt: null, renewal: null });
    const sent = charge(() => sampleCharge('yearly'));
    open('/payment/yearly');
    await fill({ Email: 'ada@example.com' });
    expect(screen.queryByLabelText('Card number')).toBeNull();
    await press('Complete the order');
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).not.toHaveProperty('token');
  });
});

describe('what can’t be bought', () => {
  it('leads a visitor to the login when the price needs a member', async () => {
    sell();
    server.use(on('POST /api/charge/price', () => failure(401, 'unauthenticated', 'Please log in.')));
    const { at } = open('/payment/yearly');
    await waitFor(() => expect(at()).toBe('/login?redirect=%2Fpayment%2Fyearly'));
  });

  it('says that the plan does not exist', async () => {
    sell();
    server.use(on('POST /api/charge/price', () => failure(404, 'unknown_plan', 'Invalid plan id')));
    open('/payment/book');
    expect(await screen.findByRole('heading', { level: 1, name: 'Invalid plan id' })).toBeVisible();
  });

  it('says so where the address names no plan', async () => {
    const asked = sell();
    server.use(
      on('POST /api/charge/price', ({ body }) => {
        asked.push(body as Asked);
        return failure(404, 'unknown_plan', 'Invalid plan id');
      }),
    );
    open('/payment');
    expect(await screen.findByRole('heading', { level: 1, name: 'Invalid plan id' })).toBeVisible();
    expect(asked[0]?.planId).toBe('');
  });

  it('says that a plan of PayPal’s is not switched here', async () => {
    signIn();
    sell();
    server.use(on('POST /api/charge/price', () => failure(409, 'switch_unavailable', 'Your plan is paid by PayPal.')));
    open('/payment/yearly');
    expect(await screen.findByRole('heading', { level: 1, name: 'Another plan is running' })).toBeVisible();
    expect(screen.getByText('Your plan is paid by PayPal.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Your account' })).toHaveAttribute('href', '/account');
  });

  it('says that the plan runs already', async () => {
    signIn();
    sell();
    server.use(on('POST /api/charge/price', () => failure(409, 'already_subscribed', 'Your yearly plan is running.')));
    open('/payment/yearly?redirect=/books/walden');
    expect(await screen.findByText('Your yearly plan is running.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go back to where you were' })).toHaveAttribute('href', '/books/walden');
  });
});

describe('paying', () => {
  it('requires an address of a guest', async () => {
    sell();
    const sent = charge(() => sampleCharge('monthly'));
    open('/payment/monthly');
    await typeCard('4242424242424242');
    await press('Start 3-day free trial');
    expect(await screen.findByRole('alert')).toHaveTextContent(EMAIL_REQUIRED);
    expect(screen.getByLabelText('Email')).toHaveFocus();
    expect(sent).toEqual([]);
  });

  it('refuses a card number that the sandbox does not know', async () => {
    sell();
    open('/payment/monthly');
    await fill({ Email: 'ada@example.com' });
    await typeCard('4111111111111111');
    await press('Start 3-day free trial');
    expect(await screen.findByRole('alert')).toHaveTextContent(INVALID_CARD);
    expect(screen.getByLabelText('Card number')).toHaveAccessibleDescription(INVALID_CARD);
  });

  it('sends what was shown, with a key, and shows a guest the way to an account', async () => {
    storeReferralId('friend');
    sell();
    const sent = charge(() => sampleCharge('monthly', { chargeId: 'c-1' }));
    const { at } = open('/payment/monthly?infographics=20&coupon=SAVE40&redirect=%2Fbooks%2Fwalden%3Fsection%3D4');
    await fill({ Email: 'ada@example.com' });
    await typeCard('4242 4242 4242 4242');
    await press('Start 3-day free trial');
    expect(await screen.findByRole('heading', { level: 1, name: 'One more step' })).toHaveFocus();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(sent[0]?.body).toEqual({
      planId: 'monthly',
      addInfographics: 20,
      couponCode: 'SAVE40',
      email: 'ada@example.com',
      dueNow: 0,
      quantity: 1,
      gift: false,
      rId: 'friend',
      token: 'pm_card_visa',
      paymentMethod: 'card',
    });
    expect(sessionStorage.getItem('chargeId')).toBe('c-1');
    expect(screen.getByRole('link', { name: 'Sign up' })).toHaveAttribute('href', '/signup?redirect=%2Fbooks%2Fwalden%3Fsection%3D4');
    expect(screen.getByText('$9.99 on November 25, 2026')).toBeVisible();
    expect(at()).toBe('/payment/monthly?checkout=reference-1&redirect=%2Fbooks%2Fwalden%3Fsection%3D4');
  });

  it('leads a member back to where they were', async () => {
    signIn();
    sell();
    charge(() => sampleCharge('yearly'));
    open('/payment/yearly?redirect=/books/walden');
    expect(await screen.findByText('Your receipt goes to ada@example.com.')).toBeVisible();
    await press('Succeeds 4242 4242 4242 4242');
    await press('Start 3-day free trial');
    expect(await screen.findByRole('heading', { level: 1, name: 'Your free trial has started' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go back to where you were' })).toHaveAttribute('href', '/books/walden');
  });

  it('shows the provider’s sentence when the card is declined, and tries again with a new key', async () => {
    sell();
    const sent = charge(
      () => failure(402, 'card_declined', 'Your card was declined.'),
      () => sampleCharge('lifetime', { chargeId: 'c-1' }),
    );
    open('/payment/lifetime');
    await fill({ Email: 'ada@example.com' });
    await typeCard('4000000000000002');
    await press('Pay $149.00');
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Your card was declined\.$/);
    await press('Succeeds 4242 4242 4242 4242');
    await press('Pay $149.00');
    expect(await screen.findByRole('heading', { level: 1, name: 'One more step' })).toBeVisible();
    expect(sent.map(({ body }) => body['token'])).toEqual(['pm_card_chargeDeclined', 'pm_card_visa']);
    expect(sent[0]?.key).not.toBe(sent[1]?.key);
  });

  it('sends the same payment with the same key again when its outcome is not known, whatever was typed since', async () => {
    sell();
    const sent = charge(
      () => failure(503, 'unavailable', 'The payment provider can’t be reached.'),
      () => sampleCharge('lifetime', { chargeId: 'c-1' }),
    );
    open('/payment/lifetime');
    await fill({ Email: 'ada@example.com' });
    await typeCard('4242424242424242');
    await press('Pay $149.00');
    expect(await screen.findByRole('alert')).toHaveTextContent(/can’t be reached\..*You will not be charged twice/);
    await userEvent.type(screen.getByLabelText('Email'), '.org');
    await press('Finish the payment');
    await screen.findByRole('heading', { level: 1, name: 'One more step' });
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
  });

  it('finishes a payment that a reload interrupted, without the card', async () => {
    sell();
    const sent = charge(
      () => failure(503, 'unavailable', 'Not now.'),
      () => sampleCharge('lifetime'),
    );
    open('/payment/lifetime');
    await fill({ Email: 'ada@example.com' });
    await typeCard('4242424242424242');
    await press('Pay $149.00');
    await screen.findByRole('alert');
    document.body.replaceChildren();
    open('/payment/lifetime');
    expect(await screen.findByRole('alert')).toHaveTextContent(/Your last payment here was interrupted/);
    await press('Finish the payment');
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual(sent[0]);
  });

  it('shows the sum without a trial when the address has had one, and charges nothing before that', async () => {
    sell();
    server.use(
      on('POST /api/charge/price', ({ body }) =>
        sampleQuote('monthly', (body as { email?: string }).email === 'ada@example.com' ? { trialEndsAt: null, dueNow: 999 } : {}),
      ),
    );
    const sent = charge(
      () => failure(409, 'price_changed', 'The price has changed. Please check it before you pay.'),
      () => sampleCharge('monthly', { chargeId: 'c-1' }),
    );
    open('/payment/monthly');
    await typeCard('4242424242424242');
    await fill({ Email: 'ada@example.com' });
    // Enter submits the form before the field loses the focus.
    fireEvent.submit((await screen.findByLabelText<HTMLInputElement>('Email')).form ?? document.body);
    expect(await screen.findByText('Nothing has been charged. Due today: $9.99.')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    await press('Pay $9.99');
    await screen.findByRole('heading', { level: 1, name: 'One more step' });
    expect(sent.map(({ body }) => body['dueNow'])).toEqual([0, 999]);
  });

  it('shows the new price with its reason as the next step when the card has had its trial', async () => {
    signIn();
    const used = { trialEndsAt: null, dueNow: 5999 };
    let hasHadTrial = false;
    sell();
    server.use(on('POST /api/charge/price', () => sampleQuote('yearly', hasHadTrial ? used : {})));
    const sent = charge(
      () => {
        hasHadTrial = true;
        return failure(409, 'price_changed', 'This card has already been used for a free trial. Please check the price before you pay.');
      },
      () => sampleCharge('yearly', { trialEndsAt: null }),
    );
    open('/payment/yearly');
    await press('Succeeds 4242 4242 4242 4242');
    await press('Start 3-day free trial');
    expect(await screen.findByText(/^This card has already been used for a free trial\./)).toBeVisible();
    expect(await screen.findByText('Nothing has been charged. Due today: $59.99.')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    await press('Pay $59.99');
    expect(await screen.findByRole('heading', { level: 1, name: 'All summaries are yours' })).toBeVisible();
    expect(sent.map(({ body }) => body['dueNow'])).toEqual([0, 5999]);
    expect(sent[0]?.key).not.toBe(sent[1]?.key);
  });

  it.each([
    ['Complete authentication', true, 'One more step'],
    ['Fail authentication', false, null],
  ])('asks for authentication in the sandbox: %s', async (name, succeeds, heading) => {
    sell();
    charge(() => sampleCharge('lifetime', { status: 'requires_action', requiresAction: true, clientSecret: 'secret' }));
    const answers: unknown[] = [];
    server.use(
      on('POST /api/charge/sandbox/authenticate', ({ body }) => {
        answers.push(body);
        return {};
      }),
      on('POST /api/charge/confirm', ({ body }) => {
        answers.push(body);
        return succeeds ? sampleCharge('lifetime', { chargeId: 'c-1' }) : failure(402, 'card_declined', 'Your bank did not confirm the payment.');
      }),
    );
    open('/payment/lifetime');
    await fill({ Email: 'ada@example.com' });
    await typeCard('4000002760003184');
    await press('Pay $149.00');
    const dialog = await screen.findByRole('dialog', { name: /Sandbox/ });
    await userEvent.click(within(dialog).getByRole('button', { name }));
    if (heading === null) expect(await screen.findByRole('alert')).toHaveTextContent('Your bank did not confirm the payment.');
    else expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeVisible();
    expect(answers).toEqual([{ clientSecret: 'secret', succeeds }, { checkout: 'reference-1' }]);
  });

  it('saves a book as summary.pdf, and sends no more than a book needs', async () => {
    sell();
    const sent = charge(() => new HttpResponse('%PDF', { headers: { 'Content-Type': 'application/pdf' } }));
    open('/payment/book-walden');
    expect(await screen.findByRole('heading', { level: 2, name: 'Walden' })).toBeVisible();
    await fill({ Email: 'ada@example.com' });
    await typeCard('4242424242424242');
    await press('Pay $4.99');
    expect(await screen.findByRole('heading', { level: 1, name: 'Your PDF is saved' })).toBeVisible();
    expect(vi.mocked(saveFile)).toHaveBeenCalledExactlyOnceWith(expect.any(Blob), 'summary.pdf');
    expect(sent[0]?.body).toEqual({ planId: 'book-walden', email: 'ada@example.com', dueNow: 499, token: 'pm_card_visa', paymentMethod: 'card' });
  });

  it('sells a gift with its words, the recipient left blank', async () => {
    sell();
    const sent = charge(() => sampleCharge('gift'));
    open('/payment/gift?gift=true');
    expect(await screen.findByRole('heading', { level: 1, name: 'Gift card' })).toBeVisible();
    await fill({ 'Your name': 'Ada', Message: 'For you', Email: 'ada@example.com' });
    await typeCard('4242424242424242');
    await press('Pay $44.99');
    expect(await screen.findByText('Thanks for purchasing a gift. Your gift details have been emailed to you.')).toBeVisible();
    expect(sent[0]?.body).toMatchObject({ gift: true, senderName: 'Ada', recipientName: '', recipientEmail: '', recipientMsg: 'For you', quantity: 1 });
  });
});

describe('a gift for a later day', () => {
  const gift = { recipientName: 'Grace', recipientEmail: 'grace@example.com', code: null, deliverAt: TODAY + 10 * 24 * 3_600_000, deliveredAt: null };

  it('is sent with the day and the giver’s time zone, and says to whom it goes and when', async () => {
    sell();
    const sent = charge(() => sampleCharge('gift', { gift }));
    open('/payment/gift?gift=true');
    await fill({ 'Recipient’s email': 'grace@example.com', Email: 'ada@example.com' });
    const day = localDay(10);
    fireEvent.change(screen.getByLabelText('Deliver on'), { target: { value: day } });
    expect(screen.getByLabelText('Deliver on')).toHaveAttribute('max', localDay(GIFT_DAYS_AHEAD));
    await typeCard('4242424242424242');
    await press('Pay $44.99');
    expect(await screen.findByText('We will email it to Grace (grace@example.com) on December 2, 2026.')).toBeVisible();
    expect(sent[0]?.body).toMatchObject({ deliverOn: day, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  });

  it('shows at its field why a day can’t be', async () => {
    sell();
    charge(() => failure(422, 'validation_failed', 'Please choose a day between today and a year from now.', { field: 'deliverOn' }));
    open('/payment/gift?gift=true');
    await fill({ Email: 'ada@example.com' });
    await typeCard('4242424242424242');
    await press('Pay $44.99');
    await waitFor(() => expect(screen.getByLabelText('Deliver on')).toHaveAccessibleDescription(/^Please choose a day between today/));
  });

  it('says when it was mailed, and shows the code that went to the giver', async () => {
    signIn();
    server.use(on('GET /api/charge/checkout/{reference}', () => sampleCharge('gift', { gift: { ...gift, deliveredAt: TODAY } })));
    open('/payment/gift?checkout=reference-1');
    expect(await screen.findByText('Emailed to Grace (grace@example.com) on November 22, 2026.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'See your gifts' })).toHaveAttribute('href', '/teams');
    document.body.replaceChildren();
    const own = { ...gift, recipientName: '', recipientEmail: null, code: 'ABCDE-FGHJK-LMNPQ-RSTUV', deliveredAt: TODAY };
    server.use(on('GET /api/charge/checkout/{reference}', () => sampleCharge('gift', { gift: own })));
    open('/payment/gift?checkout=reference-2');
    expect(await screen.findByText('ABCDE-FGHJK-LMNPQ-RSTUV')).toBeVisible();
    expect(screen.getByText('We sent the code to you.')).toBeVisible();
  });
});

describe('after the purchase', () => {
  it.each([
    ['quiz', 'See your results', '/quiz-results'],
    ['personality-quiz', 'See your results', '/personality-quiz-results'],
    ['infographics-20', 'Download the infographics', '/api/infographics/download'],
    ['bulk', 'See your seats', '/teams'],
    ['lifetime', 'Browse book summaries', '/books'],
  ])('%s leads on: %s', async (planId, name, href) => {
    signIn();
    server.use(
      on('GET /api/charge/checkout/{reference}', () =>
        sampleCharge(planId, { infographicsUrl: planId === 'infographics-20' ? '/api/infographics/download' : null }),
      ),
    );
    open(`/payment/${planId}?checkout=reference-1`);
    expect(await screen.findByRole('link', { name })).toHaveAttribute('href', href);
  });

  it('shows a checkout of a mail’s link that waits for the bank, and finishes it', async () => {
    sell();
    server.use(
      on('GET /api/charge/checkout/{reference}', ({ request }) => {
        expect(new URL(request.url).searchParams.get('chargeId')).toBe('c-9');
        return sampleCharge('lifetime', { status: 'requires_action', requiresAction: true, clientSecret: 'secret' });
      }),
      on('POST /api/charge/sandbox/authenticate', () => ({})),
      on('POST /api/charge/confirm', () => sampleCharge('lifetime', { chargeId: 'c-9' })),
    );
    open('/payment/lifetime?checkout=reference-1&chargeId=c-9');
    await press('Continue to authentication');
    await press('Complete authentication');
    expect(await screen.findByRole('heading', { level: 1, name: 'One more step' })).toBeVisible();
    expect(sessionStorage.getItem('chargeId')).toBe('c-9');
  });

  it('shows a declined one, and the way to another try', async () => {
    sell();
    server.use(on('GET /api/charge/checkout/{reference}', () => sampleCharge('lifetime', { status: 'declined', error: 'Your card was declined.' })));
    open('/payment/lifetime?checkout=reference-1&chargeId=c-9');
    expect(await screen.findByRole('alert')).toHaveTextContent('Your card was declined.');
    expect(screen.getByRole('link', { name: 'Try again' })).toHaveAttribute('href', '/payment/lifetime');
  });

  it('says that a payment is being confirmed', async () => {
    server.use(on('GET /api/charge/checkout/{reference}', () => sampleCharge('lifetime', { status: 'pending' })));
    open('/payment/lifetime?checkout=reference-1&chargeId=c-9');
    expect(await screen.findByRole('heading', { level: 1, name: 'Your payment is being confirmed' })).toBeVisible();
  });
});
