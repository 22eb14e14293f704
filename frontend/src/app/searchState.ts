// Whether the search stands open. One for the whole app: the header's button, the keys and the dialog share it.
let open = false;
const listeners = new Set<() => void>();

export const searchState = {
  isOpen: () => open,
  set: (next: boolean) => {
    if (open === next) return;
    open = next;
    for (const listener of listeners) listener();
  },
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};
