// Deletions that can be undone: a summary is hidden at once, and deleted on the server only when its toast is gone, because the
// server can't restore it. When the page is closed, waiting deletions are sent.
import { useSyncExternalStore } from 'react';
import { call } from '@/api/client';
import { isNotFound, messageOf } from '@/api/errors';
import { invalidateSummaries } from '@/features/summaries/queries';
import type { Summary } from '@/features/summaries/queries';
import { toast } from '@/ui/toast';

type Entry = Pick<Summary, 'id' | 'title'>;

/** The ids of hidden summaries. Replaced by a new set at each change. */
let hidden: ReadonlySet<number> = new Set();
/** Deletions that were not sent to the server yet. */
const waiting = new Map<number, Entry>();
const listeners = new Set<() => void>();

function hide(id: number, now: boolean): void {
  hidden = new Set(now ? [...hidden, id] : [...hidden].filter((one) => one !== id));
  for (const listener of listeners) listener();
}

async function send({ id, title }: Entry, keepalive = false): Promise<void> {
  if (!waiting.delete(id)) return;
  if (waiting.size === 0) window.removeEventListener('pagehide', sendAll);
  try {
    await call('DELETE /api/ai/summaries/{id}', { path: { id: String(id) }, keepalive });
  } catch (error) {
    // Already deleted elsewhere.
    if (!isNotFound(error)) toast(`“${title}” could not be deleted. ${messageOf(error)}`);
  }
  await invalidateSummaries();
  hide(id, false);
}

function sendAll(): void {
  for (const entry of waiting.values()) void send(entry, true);
}

/** Deletes a summary. `onUndone` is called when the member presses Undo. */
export function deleteSummary(entry: Entry, onUndone: () => void = () => undefined): void {
  const { id, title } = entry;
  if (waiting.has(id)) return;
  if (waiting.size === 0) window.addEventListener('pagehide', sendAll);
  waiting.set(id, entry);
  hide(id, true);
  toast(`“${title}” was deleted.`, {
    label: 'Undo',
    run: () => {
      if (!waiting.delete(id)) return;
      hide(id, false);
      onUndone();
    },
    pass: () => void send(entry),
  });
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The ids of deleted summaries, including those whose deletion can still be undone. */
export const useHiddenSummaries = (): ReadonlySet<number> => useSyncExternalStore(subscribe, () => hidden);
