import { sendEvent } from '@/api/events';

/** Where it is kept that this browser session was counted. */
const KEY = 'visit';

/** Counts a visit, once for each browser session: for the way from a visit to a sign-up (admin.visit-count). Nothing else is sent with it. */
export function countVisit(): void {
  try {
    if (!navigator.onLine || sessionStorage.getItem(KEY) !== null) return;
    sessionStorage.setItem(KEY, 'counted');
  } catch {
    return; // Without storage each page would count.
  }
  sendEvent('visit');
}
