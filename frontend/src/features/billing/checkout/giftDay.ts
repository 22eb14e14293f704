// The day on which a gift is mailed, in the giver's time zone (billing.gift-delivery).
import { text } from '@/ui/useForm';

/** How many days ahead a gift can be delivered: a year. The server validates it. */
export const GIFT_DAYS_AHEAD = 366;

/** The local date `ahead` days from now, as '2026-12-24'. */
export function localDay(ahead: number, now = new Date()): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + ahead);
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`;
}

/** The delivery fields of the order; empty when no day was chosen. */
export function deliveryOf(form: FormData): { deliverOn?: string; timezone?: string } {
  const deliverOn = text(form, 'deliverOn').trim();
  return deliverOn === '' ? {} : { deliverOn, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone };
}
