// Whether the search dialog is open: state shared by the header's button, the keyboard shortcuts and the dialog.
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
