import { call } from '@/api/client';
import type { EventName } from '@/api/types';

/** Counts an event for the product's statistics; outlives the page. A failure loses a count, nothing else. */
export function sendEvent(name: EventName): void {
  call('POST /api/events', { body: { name }, keepalive: true }).catch(() => undefined);
}
