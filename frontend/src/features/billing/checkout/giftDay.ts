// The day on which a gift is mailed, by the giver's own calendar (billing.gift-delivery).
import { text } from '@/ui/useForm';

/** How many days ahead a gift can be delivered: a year. The server checks it. */
export const GIFT_DAYS_AHEAD = 366;

/** The day that many days from now, as '2026-12-24'. */
export function localDay(ahead: number, now = new Date()): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + ahead);
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`;
}

/** What the order says of the day; nothing when it is left blank. */
export function deliveryOf(form: FormData): { deliverOn?: string; timezone?: string } {
  const deliverOn = text(form, 'deliverOn').trim();
  return deliverOn === '' ? {} : { deliverOn, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone };
}
