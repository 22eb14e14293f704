// What the states and kinds of the money's records are called.

export const PROVIDERS: Readonly<Record<string, string>> = { stripe: 'Stripe', paypal: 'PayPal', sandbox: 'Sandbox' };
export const providerName = (provider: string): string => PROVIDERS[provider] ?? provider;

/** 'reward_accrued' → 'Reward accrued' */
export function nameOf(kind: string): string {
  const words = kind.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Why money is given back, as the server names it. */
export const REFUND_REASONS = [
  { value: 'requested_by_customer', label: 'Requested by the customer' },
  { value: 'duplicate', label: 'Paid twice' },
  { value: 'fraudulent', label: 'Fraudulent' },
  { value: 'other', label: 'Other' },
] as const;

/** Why a refund was given, with its note; empty where nothing is said. */
export function refundReason(reason: string | null, note: string | null): string {
  if (reason === null) return '';
  const label = REFUND_REASONS.find(({ value }) => value === reason)?.label ?? reason;
  return note === null ? label : `${label}: ${note}`;
}

/** How long a code gives a plan. */
export const monthsText = (months: number | null): string =>
  months === null ? 'for life' : months === 12 ? 'a year' : months === 1 ? 'a month' : `${months} months`;
