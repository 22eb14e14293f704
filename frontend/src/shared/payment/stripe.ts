// Stripe's form, from Stripe's own script (billing.card-payments): types for the part of its API that the checkout uses.
import { ApiError } from '@/api/errors';
import type { Quote } from '@/shared/payment/checkout';
import { INVALID_CARD } from '@/shared/payment/sandboxCard';
import { loadScript } from '@/lib/loadScript';

/** Stripe requires that its script is loaded from its own host, in the current version. */
export const STRIPE_SCRIPT = 'https://js.stripe.com/clover/stripe.js';

interface StripeError {
  type: string;
  message?: string;
}

/** A press on a wallet's button: its sheet opens only when this is resolved. */
export interface WalletPress {
  resolve: () => void;
  reject: () => void;
}

export interface StripeElement {
  mount: (into: HTMLElement) => void;
  destroy: () => void;
  on: ((event: 'ready', listener: (details: { availablePaymentMethods?: object | null }) => void) => void) &
    ((event: 'confirm', listener: () => void) => void) &
    ((event: 'click', listener: (press: WalletPress) => void) => void) &
    ((event: 'loaderror', listener: () => void) => void);
}

export interface ElementsOptions {
  mode: 'payment' | 'subscription' | 'setup';
  currency: 'usd';
  /** Cents; undefined for a setup. */
  amount?: number;
  /** Stores the card for renewals. */
  setupFutureUsage?: 'off_session';
  paymentMethodTypes?: string[];
  appearance?: { theme: 'stripe' | 'night'; variables: Record<string, string> };
}

export interface StripeElements {
  create: (kind: 'payment' | 'expressCheckout', options?: object) => StripeElement;
  update: (options: Partial<ElementsOptions>) => void;
  submit: () => Promise<{ error?: StripeError }>;
}

export interface Stripe {
  elements: (options: ElementsOptions) => StripeElements;
  createConfirmationToken: (options: { elements: StripeElements; params?: object }) => Promise<{ confirmationToken?: { id: string }; error?: StripeError }>;
  handleNextAction: (options: { clientSecret: string }) => Promise<{ error?: StripeError }>;
}

declare global {
  interface Window {
    Stripe?: (publicKey: string) => Stripe;
  }
}

/** Loads Stripe's script; rejects when it can't be reached. */
export async function loadStripe(publicKey: string): Promise<Stripe> {
  await loadScript(STRIPE_SCRIPT);
  if (!window.Stripe) throw new Error("Stripe's script has defined nothing.");
  return window.Stripe(publicKey);
}

/** The form's options for a quote: charge an amount today, or store a card for later. */
export function elementsOptions(quote: Pick<Quote, 'dueNow' | 'renewal'>): ElementsOptions {
  if (quote.dueNow === 0) return { mode: 'setup', currency: 'usd', paymentMethodTypes: ['card'] };
  return {
    mode: 'payment',
    currency: 'usd',
    amount: quote.dueNow,
    paymentMethodTypes: ['card'],
    ...(quote.renewal && { setupFutureUsage: 'off_session' }),
  };
}

/** An error to show for Stripe's: with Stripe's message if it is meant for the payer. */
const failureOf = (error: StripeError): ApiError => new ApiError({ status: 402, code: 'card_declined', message: error.message ?? INVALID_CARD });

/** The id of the payment method typed into the form; throws with Stripe's message. */
export async function stripeToken(stripe: Stripe, elements: StripeElements, returnUrl: string): Promise<string> {
  const submitted = await elements.submit();
  if (submitted.error) throw failureOf(submitted.error);
  const { confirmationToken, error } = await stripe.createConfirmationToken({ elements, params: { return_url: returnUrl } });
  if (error) throw failureOf(error);
  if (!confirmationToken) throw failureOf({ type: 'api_error' });
  return confirmationToken.id;
}
