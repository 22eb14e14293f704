// What is charged when, in words. The amounts come from the server.
import type { Quote } from '@/shared/payment/checkout';
import { infographicsToday } from '@/shared/payment/infographics';
import { formatDay, formatMoney } from '@/lib/format';

/** Prefix of the plan ids for single books (billing.plan-table). */
const BOOK = 'book-';

/** 'each month', 'each year', 'every 3 months' */
export const everyPeriod = (months: number): string => (months === 1 ? 'each month' : months === 12 ? 'each year' : `every ${months} months`);

/** Whether a plan id is that of a single book. */
export const isBook = (planId: string): boolean => planId.startsWith(BOOK);

/** The slug of a single book's plan. */
export const subidOf = (planId: string): string => planId.slice(BOOK.length);

/** The title of the purchase. */
export const titleOf = ({ planId, planName, bookTitle }: Pick<Quote, 'planId' | 'planName' | 'bookTitle'>): string =>
  isBook(planId) && bookTitle !== null ? bookTitle : planName;

/** Whether a plan switch takes effect only at the end of the current period. */
export const isSwitchedLater = ({ switch: change }: Quote): boolean => change !== null && change.startsAt === change.nextChargeAt;

/** Sentences that say what is charged today, what is charged next and when, and what after that. */
export function chargeTerms(quote: Quote): string[] {
  const { renewal, switch: change } = quote;
  const later = renewal && `${formatMoney(renewal.price)} ${everyPeriod(renewal.months)}`;
  if (change) {
    return [
      isSwitchedLater(quote)
        ? `You have ${change.fromPlanName} until ${formatDay(change.startsAt)}. ${quote.planName} begins on that day.`
        : `You switch from ${change.fromPlanName} today. What is left of it is credited.`,
      change.chargedNow > 0 ? `${formatMoney(change.chargedNow)} is charged today.` : 'Nothing is charged today.',
      ...(change.creditLeft > 0 ? [`${formatMoney(change.creditLeft)} is left over and will reduce later charges.`] : []),
      `The next charge is ${formatMoney(change.nextCharge)} on ${formatDay(change.nextChargeAt)}.`,
    ];
  }
  if (quote.trialEndsAt !== null) {
    return [
      'Nothing is charged today.',
      `Your first charge is ${formatMoney(quote.firstCharge)} on ${formatDay(quote.firstChargeAt)}, when your free trial ends.`,
      ...(later ? [`After that ${later}, until you turn renewal off. We email you 24 hours before the first charge.`] : []),
    ];
  }
  if (quote.firstCharge === 0) return ['Nothing is charged, and nothing renews.'];
  return [
    later
      ? `${formatMoney(quote.dueNow)} is charged today, then ${later}, until you turn renewal off.`
      : `${formatMoney(quote.dueNow)} is charged once, today. Nothing renews.`,
  ];
}

/** The label of the pay button. `trialDays`: the length of the plan's trial. */
export function payLabel(quote: Quote, trialDays: number): string {
  if (quote.switch) return quote.switch.chargedNow > 0 ? `Switch and pay ${formatMoney(quote.switch.chargedNow)}` : `Switch to ${quote.planName}`;
  if (quote.trialEndsAt !== null) return `Start ${trialDays}-day free trial`;
  return quote.dueNow > 0 ? `Pay ${formatMoney(quote.dueNow)}` : 'Complete the order';
}

/** A one-line description of the purchase. */
export function planNote({ kind, planId, infographicsToday: count }: Quote): string {
  if (isBook(planId)) return 'The summary as a print-ready PDF. Yours for good.';
  if (kind === 'monthly' || kind === 'yearly') return 'Every summary, to read and to listen to. Turn renewal off at any time.';
  if (kind === 'lifetime') return 'Every summary, to read and to listen to, paid once.';
  if (kind === 'gift') return 'One year of every summary, as a code that does not expire.';
  if (kind === 'bulk') return 'One year of every summary for each seat. The codes come by email.';
  if (planId.startsWith('infographics')) return `Whole books on one sheet, yours for good. ${infographicsToday(count)}`;
  return 'Your full results, paid once.';
}

/** The unit of a price, by the plan's kind; other plans are paid once. */
export const PER: Partial<Record<string, string>> = { monthly: 'a month', yearly: 'a year', bulk: 'a seat' };

/** The next charge in a few words, shown beside the pay button. */
export function nextCharge(quote: Quote): string {
  const sentences = chargeTerms(quote);
  return sentences.find((sentence) => /first charge is|next charge is/.test(sentence)) ?? sentences.at(-1) ?? '';
}
