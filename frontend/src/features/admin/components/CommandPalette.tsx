import { useEffect, useState } from 'react';
import type { User } from '@/api/types';
import { PaletteDialog } from '@/features/admin/components/PaletteDialog';
import { Icon } from '@/ui/Icon';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The command palette, opened by Ctrl-K anywhere in the back office, or by its button in the toolbar. */
export function CommandPalette({ role }: { role: User['role'] }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return;
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      setOpen(true);
    };
    // In the capture phase: before the focused element handles the key.
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, []);
  return (
    <>
      <button type="button" className="office__palette" aria-label="Go to" aria-keyshortcuts="Control+K" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="search" />
        <span className="office__palette-text">Go to</span>
        <kbd className="office__palette-key" aria-hidden="true">
          {isApple ? '⌘ K' : 'Ctrl K'}
        </kbd>
      </button>
      {open ? <PaletteDialog role={role} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
