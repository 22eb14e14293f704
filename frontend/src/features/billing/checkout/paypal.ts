// PayPal's buttons, from PayPal's own script (billing.paypal-payments): types for the part of its API that the checkout uses.
import { loadScript } from '@/lib/loadScript';

export interface PayPalApproval {
  orderID?: string | null;
  subscriptionID?: string | null;
}

interface ButtonsOptions {
  createOrder?: () => Promise<string>;
  createSubscription?: () => Promise<string>;
  onApprove: (approval: PayPalApproval) => Promise<void>;
  onError: (error: unknown) => void;
  style?: Record<string, string | number | boolean>;
}

export interface PayPal {
  Buttons: (options: ButtonsOptions) => { render: (into: HTMLElement) => Promise<void>; close: () => Promise<void> };
}

type PayPalWindow = Partial<Record<'paypalOnce' | 'paypalSubscription', PayPal>>;

/** The script's URL: orders are captured at once, subscriptions use the vault (billing.paypal-payments). */
export function payPalScript(clientId: string, subscription: boolean): string {
  const query = new URLSearchParams({
    'client-id': clientId,
    currency: 'USD',
    components: 'buttons',
    ...(subscription ? { intent: 'subscription', vault: 'true' } : { intent: 'capture' }),
  });
  return `https://www.paypal.com/sdk/js?${query.toString()}`;
}

/** Loads PayPal's script, under a separate global name for each of the two intents; rejects when it can't be reached. */
export async function loadPayPal(clientId: string, subscription: boolean): Promise<PayPal> {
  const namespace = subscription ? 'paypalSubscription' : 'paypalOnce';
  await loadScript(payPalScript(clientId, subscription), { namespace });
  const paypal = (window as unknown as PayPalWindow)[namespace];
  if (!paypal) throw new Error("PayPal's script has defined nothing.");
  return paypal;
}
