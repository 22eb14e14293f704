import { useEffect, useState } from 'react';
import type { User } from '@/api/types';
import { PaletteDialog } from '@/features/admin/components/PaletteDialog';

/** The keys that lead from anywhere in the back office: Ctrl-K opens the palette, before the site's own search does. */
export function CommandPalette({ role }: { role: User['role'] }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return;
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      setOpen(true);
    };
    // In the capture phase: the site's search listens too, and leaves an event that was handled.
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, []);
  return open ? <PaletteDialog role={role} onClose={() => setOpen(false)} /> : null;
}
