// Toasts: short messages about what was just done, in a polite live region. Errors that need a decision are alerts.
import { useSyncExternalStore } from 'react';

/** A toast's action button, for example 'Undo'. */
interface Action {
  label: string;
  run: () => void;
  /** Called when the toast is removed without the action having been run. */
  pass?: () => void;
}

interface Toast {
  id: number;
  text: string;
  action: Action | null;
}

const LIFE = 6000;
/** How long a toast with an action stays, in milliseconds. */
const LIFE_WITH_ACTION = 12_000;
let toasts: readonly Toast[] = [];
let next = 1;
const timers = new Map<number, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();

function set(now: readonly Toast[]): void {
  toasts = now;
  for (const listener of listeners) listener();
}

/** Stops a toast's timer; `startTimer` starts it again from zero. */
function stopTimer(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
}

export function dropToast(id: number): void {
  stopTimer(id);
  set(toasts.filter((toast) => toast.id !== id));
}

function startTimer({ id, action }: Toast): void {
  stopTimer(id);
  timers.set(
    id,
    setTimeout(
      () => {
        dropToast(id);
        action?.pass?.();
      },
      action ? LIFE_WITH_ACTION : LIFE,
    ),
  );
}

/** Shows a toast for six seconds, twelve with an action; the timer is stopped during hover and focus. Returns its id. */
export function toast(text: string, action: Action | null = null): number {
  const one = { id: next++, text, action };
  const pushedOut = toasts.slice(0, -2);
  set([...toasts.slice(-2), one]);
  for (const { id, action } of pushedOut) {
    stopTimer(id);
    action?.pass?.();
  }
  startTimer(one);
  return one.id;
}

/** Runs a toast's action and removes it. */
function runAction({ id, action }: Toast): void {
  dropToast(id);
  action?.run();
}

const isField = (target: EventTarget | null) => target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

/** Ctrl-Z runs the latest toast's action, whose button is far away in the tab order. In a text field it stays the field's undo. */
function onKeyDown(event: KeyboardEvent): void {
  const latest = toasts.findLast(({ action }) => action);
  // More than one toaster may listen.
  if (
    !latest ||
    event.defaultPrevented ||
    !(event.ctrlKey || event.metaKey) ||
    event.shiftKey ||
    event.altKey ||
    event.key.toLowerCase() !== 'z' ||
    isField(event.target)
  )
    return;
  event.preventDefault();
  runAction(latest);
}

// Once, for all toasters.
document.addEventListener('keydown', onKeyDown);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The page has one. A dialog in which things are done that can be undone has one too: what is below it can't be pressed. */
export function Toaster() {
  const now = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => toasts,
  );
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
              onClick={() => runAction(one)}
              onPointerEnter={() => stopTimer(one.id)}
              onPointerLeave={() => startTimer(one)}
              onFocus={() => stopTimer(one.id)}
              onBlur={() => startTimer(one)}
            >
              {one.action.label}
            </button>
          ) : null}
        </div>
      ))}
    </div>
  );
}
