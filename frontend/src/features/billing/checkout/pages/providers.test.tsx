// The payment providers' forms in the checkout. Their scripts are replaced by mocks of the API that the page uses.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import type { Quote } from '@/shared/payment/checkout';
import { Component, loader, shouldRevalidate } from '@/features/billing/checkout/pages/CheckoutPage';
import type { PayPalApproval } from '@/features/billing/checkout/paypal';
import { loadScript } from '@/lib/loadScript';
import { sampleCharge, sampleQuote, sampleSettings } from '@test/checkout';
import { fill, openPages, press } from '@test/identity';
import { failure, on, server } from '@test/server';

vi.mock('@/lib/loadScript', () => ({ loadScript: vi.fn() }));

const loaded = vi.mocked(loadScript);
const open = (address: string) => openPages([{ path: '/payment/:planId', Component, loader, shouldRevalidate }], address);

function sell(settings: Parameters<typeof sampleSettings>[0], more: Partial<Quote> = {}) {
  server.use(
    on('GET /api/charge/settings', () => sampleSettings({ sandbox: false, provider: 'stripe', publicKey: 'pk_1', ...settings })),
    on('POST /api/charge/price', ({ body }) => {
      const { planId, addInfographics = 0 } = body as { planId: string; addInfographics?: number };
      return sampleQuote(planId, { addInfographics, ...more });
    }),
  );
}

beforeEach(() => session.end('left'));
afterEach(() => {
  delete window.Stripe;
  vi.clearAllMocks();
});

describe('Stripe', () => {
  function stripe() {
    const listeners = new Map<string, (press?: { resolve: () => void; reject: () => void }) => void>();
    const element = (kind: string) => ({
      mount: () => listeners.get(`${kind} ready`)?.(),
      destroy: vi.fn(),
      on: (event: string, listener: () => void) => void listeners.set(`${kind} ${event}`, listener),
    });
    const elements = { create: vi.fn(element), update: vi.fn(), submit: vi.fn(() => Promise.resolve({})) };
    const fake = {
      elements: vi.fn(() => elements),
      createConfirmationToken: vi.fn((): Promise<object> => Promise.resolve({ confirmationToken: { id: 'ctoken_1' } })),
      handleNextAction: vi.fn(() => Promise.resolve({})),
    };
    const key = vi.fn(() => fake);
    loaded.mockImplementation(() => {
      window.Stripe = key as unknown as NonNullable<typeof window.Stripe>;
      return Promise.resolve();
    });
    return { fake, elements, key, listeners };
  }

  it('takes wallets first, then the card, for the sum that is due today', async () => {
    sell({});
    const { fake, elements, key } = stripe();
    open('/payment/lifetime');
    await waitFor(() => expect(elements.create.mock.calls.map(([kind]) => kind)).toEqual(['expressCheckout', 'payment']));
    expect(loaded.mock.calls[0]?.[0]).toMatch(/^https:\/\/js\.stripe\.com\//);
    expect(key).toHaveBeenCalledWith('pk_1');
    expect(fake.elements).toHaveBeenCalledWith(expect.objectContaining({ mode: 'payment', amount: 14_900, currency: 'usd' }));
    expect(screen.queryByText(/Sandbox/)).toBeNull();
    await userEvent.click(screen.getByRole('radio', { name: /^20 infographics/ }));
    await waitFor(() => expect(elements.update).toHaveBeenLastCalledWith(expect.objectContaining({ amount: 15_999 })));
  });

  it('stores the card for the end of a trial', async () => {
    sell({});
    const { fake } = stripe();
    open('/payment/yearly');
    await waitFor(() => expect(fake.elements).toHaveBeenCalledWith(expect.objectContaining({ mode: 'setup' })));
  });

  it('sends the confirmation token, and follows the bank’s authentication', async () => {
    sell({});
    const { fake } = stripe();
    const sent: unknown[] = [];
    server.use(
      on('POST /api/charge/process/{planId}', ({ body }) => {
        sent.push(body);
        return sampleCharge('lifetime', { status: 'requires_action', requiresAction: true, clientSecret: 'pi_1_secret_2' });
      }),
      on('POST /api/charge/confirm', () => sampleCharge('lifetime', { chargeId: 'c-1' })),
    );
    open('/payment/lifetime');
    await fill({ Email: 'ada@example.com' });
    await press('Pay $149.00');
    expect(await screen.findByRole('heading', { level: 1, name: 'One more step' })).toBeVisible();
    expect(sent).toEqual([expect.objectContaining({ token: 'ctoken_1', email: 'ada@example.com' })]);
    expect(fake.handleNextAction).toHaveBeenCalledExactlyOnceWith({ clientSecret: 'pi_1_secret_2' });
  });

  it('shows the provider’s words when the form has no token', async () => {
    sell({});
    const { fake } = stripe();
    fake.createConfirmationToken.mockResolvedValue({ error: { type: 'card_error', message: 'Your card number is incomplete.' } });
    open('/payment/lifetime');
    await fill({ Email: 'ada@example.com' });
    await press('Pay $149.00');
    expect(await screen.findByRole('alert')).toHaveTextContent('Your card number is incomplete.');
  });

  it('is paid from a wallet', async () => {
    sell({});
    const { listeners } = stripe();
    const sent: unknown[] = [];
    server.use(
      on('POST /api/charge/process/{planId}', ({ body }) => {
        sent.push(body);
        return sampleCharge('lifetime', { chargeId: 'c-1' });
      }),
    );
    open('/payment/lifetime');
    await fill({ Email: 'ada@example.com' });
    const wallet = { resolve: vi.fn(), reject: vi.fn() };
    act(() => listeners.get('expressCheckout click')?.(wallet));
    expect(wallet.resolve).toHaveBeenCalledOnce();
    act(() => listeners.get('expressCheckout confirm')?.());
    await screen.findByRole('heading', { level: 1, name: 'One more step' });
    expect(sent).toHaveLength(1);
  });

  it('opens no wallet before a guest has given an address', async () => {
    sell({});
    const { listeners } = stripe();
    open('/payment/lifetime');
    await screen.findByLabelText('Email');
    await waitFor(() => expect(listeners.has('expressCheckout click')).toBe(true));
    const wallet = { resolve: vi.fn(), reject: vi.fn() };
    act(() => listeners.get('expressCheckout click')?.(wallet));
    expect(wallet.reject).toHaveBeenCalledOnce();
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Please input an email address/);
  });

  it('says when its script can’t be loaded, and tries again', async () => {
    sell({});
    loaded.mockRejectedValueOnce(new Error('blocked'));
    open('/payment/lifetime');
    expect(await screen.findByText(/payment form could not be loaded/)).toBeVisible();
    const { elements } = stripe();
    await press('Try again');
    await waitFor(() => expect(elements.create).toHaveBeenCalled());
  });
});

describe('PayPal', () => {
  interface Options {
    createOrder?: () => Promise<string>;
    createSubscription?: () => Promise<string>;
    onApprove: (approval: PayPalApproval) => Promise<void>;
    onError: (error: unknown) => void;
  }

  /** Mocks PayPal's buttons; `options` are those of the last render. */
  function paypal(): { options: Options | null } {
    const seen: { options: Options | null } = { options: null };
    loaded.mockImplementation((_url, data) => {
      const buttons = {
        Buttons: (options: Options) => {
          seen.options = options;
          return { render: () => Promise.resolve(), close: () => Promise.resolve() };
        },
      };
      Object.assign(window, { [data?.['namespace'] ?? '']: buttons });
      return Promise.resolve();
    });
    return seen;
  }

  /** Approves on PayPal's page, as the payer would. */
  async function approve(seen: { options: Options | null }, of: (id: string) => PayPalApproval) {
    await waitFor(() => expect(seen.options).not.toBeNull());
    await act(async () => {
      const id = await (seen.options?.createOrder ?? seen.options?.createSubscription)?.();
      await seen.options?.onApprove(of(id ?? ''));
    });
  }

  it('captures an order: made with the key of the page, completed with its id', async () => {
    sell({ provider: 'sandbox', paypalClientId: 'client-1' });
    const seen = paypal();
    const calls: { body: unknown; key: string | null }[] = [];
    const note = (body: unknown, request: Request) => calls.push({ body, key: request.headers.get('Idempotency-Key') });
    server.use(
      on('POST /api/paypal/order', ({ body, request }) => {
        note(body, request);
        return { orderId: 'O-1', subscriptionId: null, approveUrl: 'https://www.paypal.com/approve' };
      }),
      on('POST /api/paypal', ({ body, request }) => {
        note(body, request);
        return sampleCharge('lifetime', { chargeId: 'c-1' });
      }),
    );
    open('/payment/lifetime');
    await fill({ Email: 'ada@example.com' });
    await userEvent.click(screen.getByRole('radio', { name: 'PayPal' }));
    await approve(seen, (orderID) => ({ orderID }));
    expect(await screen.findByRole('heading', { level: 1, name: 'One more step' })).toBeVisible();
    expect(loaded.mock.calls[0]?.[0]).toMatch(/^https:\/\/www\.paypal\.com\/sdk\/js\?.*intent=capture/);
    const order = { planId: 'lifetime', email: 'ada@example.com', dueNow: 14_900, quantity: 1, gift: false };
    expect(calls.map(({ body }) => body)).toEqual([order, { ...order, orderId: 'O-1' }]);
    expect(calls[0]?.key).toBe(calls[1]?.key);
  });

  it('approves a subscription with the vault', async () => {
    sell({ provider: null, publicKey: null, paypalClientId: 'client-1' });
    const seen = paypal();
    const completed: unknown[] = [];
    server.use(
      on('POST /api/paypal/order', () => ({ orderId: null, subscriptionId: 'I-1', approveUrl: 'https://www.paypal.com/approve' })),
      on('POST /api/paypal', ({ body }) => {
        completed.push(body);
        return sampleCharge('yearly', { chargeId: 'c-1' });
      }),
    );
    open('/payment/yearly');
    await fill({ Email: 'ada@example.com' });
    expect(screen.queryByRole('button', { name: /free trial/ })).toBeNull();
    await approve(seen, (subscriptionID) => ({ subscriptionID }));
    await screen.findByRole('heading', { level: 1, name: 'One more step' });
    expect(loaded.mock.calls[0]?.[0]).toMatch(/intent=subscription&vault=true/);
    expect(completed).toEqual([expect.objectContaining({ subscriptionId: 'I-1' })]);
  });

  it('asks a guest for an address first', async () => {
    sell({ provider: null, paypalClientId: 'client-1' });
    const seen = paypal();
    open('/payment/lifetime');
    await waitFor(() => expect(seen.options).not.toBeNull());
    await act(async () => {
      await expect(seen.options?.createOrder?.()).rejects.toThrow();
      seen.options?.onError(new Error('stopped'));
    });
    expect(await screen.findByRole('alert')).toHaveTextContent('Please input an email address. We will send your payment receipt to that email.');
  });

  it.each([
    ['when PayPal fails', 'Error processing Paypal payment. Please try again.'],
    ['when the server does not know the outcome', 'There was an error processing your PayPal payment. Please try again later.'],
    ['when the payment is refused', 'PayPal has declined the payment.'],
  ])('shows its text %s', async (when, text) => {
    sell({ provider: null, paypalClientId: 'client-1' });
    const seen = paypal();
    server.use(
      on('POST /api/paypal/order', () => ({ orderId: 'O-1', subscriptionId: null, approveUrl: 'https://www.paypal.com/approve' })),
      on('POST /api/paypal', () => (when.includes('refused') ? failure(402, 'card_declined', text) : failure(503, 'unavailable', 'Not now.'))),
    );
    open('/payment/lifetime');
    await fill({ Email: 'ada@example.com' });
    if (when.includes('PayPal fails')) {
      await waitFor(() => expect(seen.options).not.toBeNull());
      act(() => seen.options?.onError(new Error('closed')));
    } else await approve(seen, (orderID) => ({ orderID }));
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
  });
});
