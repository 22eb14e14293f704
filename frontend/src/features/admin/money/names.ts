// What the states and kinds of the money's records are called.

export const PROVIDERS: Readonly<Record<string, string>> = { stripe: 'Stripe', paypal: 'PayPal', sandbox: 'Sandbox' };
export const providerName = (provider: string): string => PROVIDERS[provider] ?? provider;

/** 'reward_accrued' → 'Reward accrued' */
export function nameOf(kind: string): string {
  const words = kind.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How long a code gives a plan. */
export const monthsText = (months: number | null): string => (months === null ? 'for life' : months === 12 ? 'a year' : months === 1 ? 'a month' : `${months} months`);
