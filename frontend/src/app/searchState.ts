// Whether the search is open: one state for the header's button, the keys and the dialog.
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
