// Display names for states and kinds of financial records.

export const PROVIDERS: Readonly<Record<string, string>> = { stripe: 'Stripe', paypal: 'PayPal', sandbox: 'Sandbox' };
export const providerName = (provider: string): string => PROVIDERS[provider] ?? provider;

/** 'reward_accrued' → 'Reward accrued' */
export function nameOf(kind: string): string {
  const words = kind.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The reasons for a refund, by the server's names. */
export const REFUND_REASONS = [
  { value: 'requested_by_customer', label: 'Requested by the customer' },
  { value: 'duplicate', label: 'Paid twice' },
  { value: 'fraudulent', label: 'Fraudulent' },
  { value: 'other', label: 'Other' },
] as const;

/** The reason for a refund, with its note; empty when there is neither. */
export function refundReason(reason: string | null, note: string | null): string {
  if (reason === null) return '';
  const label = REFUND_REASONS.find(({ value }) => value === reason)?.label ?? reason;
  return note === null ? label : `${label}: ${note}`;
}

/** The duration of the plan that a code gives. */
export const monthsText = (months: number | null): string =>
  months === null ? 'for life' : months === 12 ? 'a year' : months === 1 ? 'a month' : `${months} months`;
