import { call } from '@/api/client';
import type { Calls } from '@/api/types';

/** Counts something for the product's own statistics; outlives the page. A failure loses a count, nothing else. */
export function sendEvent(name: Calls['POST /api/events']['body']['name']): void {
  call('POST /api/events', { body: { name }, keepalive: true }).catch(() => undefined);
}
