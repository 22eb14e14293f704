import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { currentPlayer, useListening } from '@/shared/listening/listening';
import { SpeedChoices } from '@/features/reading-progress/listening/components/SpeedChoices';
import { useLongPress } from '@/features/reading-progress/listening/useLongPress';
import { Dialog } from '@/ui/Dialog';

/**
 * Each press selects the next speed, up to double and then from half (reading-progress.audio-speeds). A long press or a right
 * click lists all speeds; the arrow keys step down and up.
 */
export function SpeedButton() {
  const rate = useListening((now) => now?.rate ?? 1);
  const [open, setOpen] = useState(false);
  const { wasLong, ...press } = useLongPress(() => setOpen(true));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    currentPlayer()?.stepSpeed(event.key === 'ArrowUp' ? 1 : -1);
  };
  return (
    <>
      <button
        type="button"
        className="speed-button tabular"
        aria-label={`Speed ${rate}×`}
        title="Speed (< and >); hold for all speeds"
        aria-keyshortcuts="< > ArrowDown ArrowUp"
        onKeyDown={onKeyDown}
        {...press}
        onClick={(event) => {
          if (!wasLong(event)) currentPlayer()?.cycleSpeed();
        }}
      >
        {`${rate}×`}
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Speed" className="player-panel sleep-sheet">
        <SpeedChoices
          rate={rate}
          onChoose={(chosen) => {
            currentPlayer()?.setSpeed(chosen);
            setOpen(false);
          }}
        />
      </Dialog>
    </>
  );
}
