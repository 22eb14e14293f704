import { useRef, useState } from 'react';
import type { ReadingList } from '@/shared/study/lists/list';
import { sendListAgain } from '@/shared/study/lists/listChanges';
import type { StudyRecord } from '@/shared/study/studyStorage';
import { studyStore } from '@/shared/study/studyStore';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';

/** Says why the server refuses the changes of a list, and sends them once more: what was in their way may be gone. */
export function Refusal({ record: { id, refused, state } }: { record: StudyRecord<ReadingList> }) {
  /** The reason of the last refusal while the list is sent once more. */
  const [last, setLast] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const reason = last ?? refused;
  if (reason === null) return null;
  const retry = async () => {
    setLast(reason);
    await sendListAgain(state);
    // The button is gone once the list is not refused.
    const isRefused = typeof studyStore.snapshot().lists.get(id)?.refused === 'string';
    if (!isRefused && document.activeElement === button.current) document.querySelector<HTMLElement>('h1[tabindex]')?.focus();
    setLast(null);
  };
  return (
    <div className="list-entry__refused">
      <Icon name="warning" />
      <p>This list could not be saved: {reason}</p>
      <Button ref={button} kind="quiet" busy={last !== null} aria-label={`Try again to save ${state.name.value}`} onClick={() => void retry()}>
        Try again
      </Button>
    </div>
  );
}
