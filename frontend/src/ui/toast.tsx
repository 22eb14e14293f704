// Short news about what was just done, read out politely. Not for failures that need a decision: those are alerts.
import { useSyncExternalStore } from 'react';

interface Toast {
  id: number;
  text: string;
}

const LIFE = 6000;
let toasts: readonly Toast[] = [];
let next = 1;
const listeners = new Set<() => void>();

function set(now: readonly Toast[]): void {
  toasts = now;
  for (const listener of listeners) listener();
}

/** Shows a line for six seconds. */
export function toast(text: string): void {
  const id = next++;
  set([...toasts.slice(-2), { id, text }]);
  setTimeout(() => set(toasts.filter((t) => t.id !== id)), LIFE);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Toaster() {
  const now = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => toasts,
  );
  return (
    <div className="toasts" role="status" aria-live="polite">
      {now.map((t) => (
        <div key={t.id} className="toast">
          {t.text}
        </div>
      ))}
    </div>
  );
}
