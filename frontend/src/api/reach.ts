// Whether the server can be reached, by the outcome of the last request: a device may be online without a route to the server.
import { useSyncExternalStore } from 'react';

let answers = true;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** Called by the API client after each request. `answered`: there was a response of any status. */
export const reportReach = (answered: boolean): void => {
  if (answered === answers) return;
  answers = answered;
  for (const listener of listeners) listener();
};

/** Whether the server can be reached; re-renders when that changes. */
export const useServerAnswers = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => answers,
    () => true,
  );
