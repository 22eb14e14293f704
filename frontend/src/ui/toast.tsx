// Short news about what was just done, read out politely. Not for failures that need a decision: those are alerts.
import { useEffect, useSyncExternalStore } from 'react';

/** One thing that can be done about the news: 'Undo'. */
interface Action {
  label: string;
  run: () => void;
}

interface Toast {
  id: number;
  text: string;
  action: Action | null;
}

const LIFE = 6000;
/** What asks for a press gives time to find it. */
const LIFE_WITH_ACTION = 12_000;
let toasts: readonly Toast[] = [];
let next = 1;
const timers = new Map<number, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();

function set(now: readonly Toast[]): void {
  toasts = now;
  for (const listener of listeners) listener();
}

/** The line stays until `rest`. */
function hold(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
}

/** The line goes: it is done with, or no longer true. */
export function dropToast(id: number): void {
  hold(id);
  set(toasts.filter((toast) => toast.id !== id));
}

/** From now on the line has its time. */
function rest({ id, action }: Toast): void {
  hold(id);
  timers.set(
    id,
    setTimeout(() => dropToast(id), action ? LIFE_WITH_ACTION : LIFE),
  );
}

/** Shows a line for six seconds, for twelve with something to press; while a pointer or the focus is there it stays. Answers its id. */
export function toast(text: string, action: Action | null = null): number {
  const one = { id: next++, text, action };
  set([...toasts.slice(-2), one]);
  rest(one);
  return one.id;
}

/** Does what a line offers; the line is done with then. */
function act({ id, action }: Toast): void {
  dropToast(id);
  action?.run();
}

const isField = (target: EventTarget | null) => target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

/** The keys for undoing press the latest button, which stands far from where the keyboard is; in a field they are the field's. */
function onKeyDown(event: KeyboardEvent): void {
  const latest = toasts.findLast(({ action }) => action);
  if (!latest || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'z' || isField(event.target)) return;
  event.preventDefault();
  act(latest);
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
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {now.map((one) => (
        <div key={one.id} className="toast">
          {one.text}
          {one.action ? (
            <button
              type="button"
              className="toast__action"
              aria-keyshortcuts="Control+Z"
              onClick={() => act(one)}
              onPointerEnter={() => hold(one.id)}
              onPointerLeave={() => rest(one)}
              onFocus={() => hold(one.id)}
              onBlur={() => rest(one)}
            >
              {one.action.label}
            </button>
          ) : null}
        </div>
      ))}
    </div>
  );
}
