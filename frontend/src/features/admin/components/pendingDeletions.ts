// Deletions that can be undone: what is deleted disappears at once, and the server is told when the toast with Undo has gone, or
// when the page is left.
import { useSyncExternalStore } from 'react';
import { messageOf } from '@/api/errors';
import { toast } from '@/ui/toast';

interface Deletion {
  /** 'goal 7'. */
  key: string;
  /** 'The goal was deleted.' */
  text: string;
  /** Asks the server, by a request that outlives the page. */
  run: () => Promise<unknown>;
  /** After the server has deleted it: what is read again is awaited, so that it does not show once more. */
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

/** The keys of what the server was asked to delete. */
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

/** Hides what is deleted and offers to undo; without that the server deletes it once the toast has gone. */
export function deleteWithUndo(deletion: Deletion): void {
  set(deletion.key, deletion);
  toast(deletion.text, { label: 'Undo', run: () => set(deletion.key, null), pass: () => void run(deletion) });
}

// Who leaves the page can't undo any more.
window.addEventListener('pagehide', () => {
  for (const deletion of pending.values()) void run(deletion);
});

/** The keys of what is about to be deleted. */
export const usePendingDeletions = (): ReadonlyMap<string, unknown> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => pending,
  );
