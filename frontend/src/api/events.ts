import { call } from '@/api/client';
import type { EventName } from '@/api/types';

/** Sends an analytics event that outlives the page. A failure only loses one count, so it is ignored. */
export function sendEvent(name: EventName): void {
  call('POST /api/events', { body: { name }, keepalive: true }).catch(() => undefined);
}
