// Deletions that can be undone: the row is hidden at once, and the server is called when the toast with Undo is gone, or when the
// page is left.
import { useSyncExternalStore } from 'react';
import { messageOf } from '@/api/errors';
import { toast } from '@/ui/toast';

interface Deletion {
  /** 'goal 7'. */
  key: string;
  /** 'The goal was deleted.' */
  text: string;
  /** Calls the server, with a request that outlives the page. */
  run: () => Promise<unknown>;
  /** Called after the server has deleted it. Its refetches are awaited, so that the row does not reappear. */
  done: () => unknown;
}

let pending: ReadonlyMap<string, Deletion> = new Map();
const listeners = new Set<() => void>();

function set(key: string, deletion: Deletion | null): void {
  const next = new Map(pending);
  if (deletion) next.set(key, deletion);
  else next.delete(key);
  pending = next;
  for (const listener of listeners) listener();
}

/** The keys of deletions that were sent to the server. */
const sent = new Set<string>();

async function run(deletion: Deletion): Promise<void> {
  if (sent.has(deletion.key)) return;
  sent.add(deletion.key);
  try {
    await deletion.run();
    await deletion.done();
  } catch (error) {
    toast(`It was not deleted. ${messageOf(error)}`);
  } finally {
    sent.delete(deletion.key);
    set(deletion.key, null);
  }
}

/** Hides a row and offers Undo; without that the server deletes it once the toast is gone. */
export function deleteWithUndo(deletion: Deletion): void {
  set(deletion.key, deletion);
  toast(deletion.text, { label: 'Undo', run: () => set(deletion.key, null), pass: () => void run(deletion) });
}

// After leaving the page the editor can't undo any more.
window.addEventListener('pagehide', () => {
  for (const deletion of pending.values()) void run(deletion);
});

/** The keys of rows that are about to be deleted. */
export const usePendingDeletions = (): ReadonlyMap<string, unknown> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => pending,
  );
