import { useRef, useState } from 'react';
import { call } from '@/api/client';
import { ApiError, messageOf } from '@/api/errors';
import { deleteRecord } from '@/features/admin/components/deletions';
import { dismissalOf } from '@/features/admin/content/ideaLinks/forms';
import { LISTS, pairName } from '@/features/admin/content/ideaLinks/queries';
import type { Proposal } from '@/features/admin/content/ideaLinks/queries';
import { readAgain } from '@/features/admin/paged';
import { Button } from '@/ui/Button';
import { toast } from '@/ui/toast';

interface Props {
  proposal: Proposal;
  /** Removes the row. */
  onRemove: () => void;
}

/** Keeps a pair from being proposed again. The focus goes to the same button of the next row, because this one is removed. */
export function DismissButton({ proposal, onRemove }: Props) {
  const [busy, setBusy] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const removeRow = () => {
    passFocus(button.current);
    onRemove();
  };
  const dismiss = async () => {
    setBusy(true);
    try {
      const { link } = await call('POST /api/admin/idea-links', { body: dismissalOf(proposal) });
      removeRow();
      void readAgain('idea-links');
      toast(`“${pairName(proposal)}” will not be proposed again.`, { label: 'Undo', run: () => void undo(link.id) });
    } catch (error) {
      toast(`The pair was not dismissed. ${messageOf(error)}`);
      // Another editor has linked the two, or changed a heading: the pair is proposed no longer.
      if (error instanceof ApiError && error.field !== null) removeRow();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button ref={button} kind="quiet" busy={busy} data-dismiss aria-label={`Not related: ${pairName(proposal)}`} onClick={() => void dismiss()}>
      Not related
    </Button>
  );
}

async function undo(id: number): Promise<void> {
  try {
    await deleteRecord('idea link', id);
  } catch (error) {
    toast(`It was not undone. ${messageOf(error)}`);
  }
  await readAgain(...LISTS);
}

/** Moves the focus from a row's button to that of the next row, else of the row before, else to the page's heading. */
function passFocus(button: HTMLElement | null): void {
  // Unless the editor has moved it elsewhere meanwhile.
  if (button === null || document.activeElement !== button) return;
  const buttons = [...document.querySelectorAll<HTMLElement>('[data-dismiss]')];
  const at = buttons.indexOf(button);
  const target = buttons[at + 1] ?? buttons[at - 1] ?? document.querySelector<HTMLElement>('h1[tabindex]');
  target?.focus();
}
