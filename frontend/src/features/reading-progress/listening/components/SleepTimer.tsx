import { useState } from 'react';
import { currentPlayer, useListening } from '@/shared/listening/listening';
import { SLEEP_MINUTES, sleepLeft } from '@/features/reading-progress/listening/model';
import { formatClock, plural } from '@/lib/format';
import { Dialog } from '@/ui/Dialog';
import { Icon } from '@/ui/Icon';

/** The sleep timer's button, with the remaining time, and its dialog. */
export function SleepTimer() {
  const [open, setOpen] = useState(false);
  const left = useListening((now) => (now?.sleep ? Math.ceil((sleepLeft(now) ?? 0) / 1000) : null));
  const ends = useListening((now) => now?.sleep?.kind === 'section');
  return (
    <>
      <button
        type="button"
        className={`sleep-button${left === null ? '' : ' sleep-button--set'}`}
        aria-label={left === null ? 'Sleep timer' : `Sleep timer: ${ends ? 'end of the section' : `${formatClock(left)} left`}`}
        title="Sleep timer"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="sleep" />
        {left === null ? null : <span className="tabular">{formatClock(left)}</span>}
      </button>
      <SleepSheet open={open} onClose={() => setOpen(false)} />
    </>
  );
}

function SleepSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const sleep = useListening((now) => now?.sleep ?? null);
  const hasSections = useListening((now) => now?.chapters.some((chapter) => chapter.at !== null) ?? false);
  const choose = (choice: { minutes: number } | 'section' | null) => {
    currentPlayer()?.setSleep(choice);
    onClose();
  };
  return (
    <Dialog open={open} onClose={onClose} title="Sleep timer" className="player-panel sleep-sheet">
      <p className="sleep-sheet__lead">The voice fades out and stops. Your place is kept.</p>
      <ul className="sleep-sheet__choices">
        {SLEEP_MINUTES.map((minutes) => (
          <li key={minutes}>
            <button
              type="button"
              className="sleep-sheet__choice"
              aria-pressed={sleep?.kind === 'minutes' && sleep.minutes === minutes}
              onClick={() => choose({ minutes })}
            >
              {plural(minutes, 'minute')}
            </button>
          </li>
        ))}
        {hasSections ? (
          <li className="sleep-sheet__wide">
            <button type="button" className="sleep-sheet__choice" aria-pressed={sleep?.kind === 'section'} onClick={() => choose('section')}>
              End of this section
            </button>
          </li>
        ) : null}
        {sleep ? (
          <li className="sleep-sheet__wide">
            <button type="button" className="sleep-sheet__choice sleep-sheet__choice--off" onClick={() => choose(null)}>
              Turn off
            </button>
          </li>
        ) : null}
      </ul>
    </Dialog>
  );
}
