import { sendEvent } from '@/api/events';

/** Session-storage key that marks this browser session as counted. */
const KEY = 'visit';

/** Counts a visit once per browser session, for the funnel from visit to sign-up (admin.visit-count). Sends no other data. */
export function countVisit(): void {
  try {
    if (!navigator.onLine || sessionStorage.getItem(KEY) !== null) return;
    sessionStorage.setItem(KEY, 'counted');
  } catch {
    return; // Without storage every page load would count.
  }
  sendEvent('visit');
}
