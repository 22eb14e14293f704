import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { currentPlayer, useListening } from '@/shared/listening/listening';
import { chapterAt, timeLeft } from '@/features/reading-progress/listening/model';
import { formatClock } from '@/lib/format';

/** Seconds per press of an arrow key. */
const ARROW = 5;
/** Seconds per press of PageUp or PageDown. */
const PAGE = 60;

const moves: Record<string, number> = { ArrowLeft: -ARROW, ArrowDown: -ARROW, ArrowRight: ARROW, ArrowUp: ARROW, PageUp: PAGE, PageDown: -PAGE };

/** The seek bar: the current time, marks where sections begin, and seeking by press or drag. */
export function Scrubber({ times = 'beside' }: { times?: 'beside' | 'below' }) {
  const at = useListening((now) => Math.floor(now?.at ?? 0));
  const seconds = useListening((now) => now?.seconds ?? 0);
  const chapters = useListening((now) => now?.chapters);
  const rate = useListening((now) => now?.rate ?? 1);
  const ready = useListening((now) => now?.stage === 'ready');
  // During a drag the bar shows the pointer's time; the seek happens at its end.
  const [drag, setDrag] = useState<number | null>(null);
  const shown = drag ?? at;
  const whole = Math.max(1, Math.floor(seconds));
  const share = seconds > 0 ? Math.min(1, shown / seconds) : 0;
  const left = timeLeft({ at: shown, seconds, rate });
  const section = chapters?.[chapterAt(chapters, shown)]?.title;

  const commit = () => {
    if (drag === null) return;
    currentPlayer()?.seek(drag);
    setDrag(null);
  };
  const onKey = (event: KeyboardEvent) => {
    const by = moves[event.key];
    if (by !== undefined) currentPlayer()?.skip(by);
    else if (event.key === 'Home') currentPlayer()?.seek(0);
    else if (event.key === 'End') currentPlayer()?.seek(Math.max(0, seconds - ARROW));
    else return;
    event.preventDefault();
  };

  return (
    <div className={`scrubber scrubber--${times}`}>
      <span className="scrubber__time tabular">{formatClock(shown)}</span>
      <div className="scrubber__line" style={{ '--share': share } as React.CSSProperties}>
        <span className="scrubber__track" aria-hidden="true">
          {chapters?.map((chapter) =>
            chapter.at !== null && chapter.at > 0 && seconds > 0 ? (
              <span key={chapter.section} className="scrubber__mark" style={{ left: `${(chapter.at / seconds) * 100}%` }} />
            ) : null,
          )}
        </span>
        <input
          className="scrubber__input"
          type="range"
          aria-label="Position"
          aria-valuetext={`${formatClock(shown)} of ${formatClock(seconds)}${section ? `, ${section}` : ''}`}
          min={0}
          max={whole}
          step={1}
          value={Math.min(shown, whole)}
          disabled={!ready}
          onChange={(event) => setDrag(Number(event.target.value))}
          onPointerUp={commit}
          onPointerCancel={() => setDrag(null)}
          onBlur={commit}
          onKeyDown={onKey}
        />
      </div>
      <span className="scrubber__time scrubber__time--left tabular">
        <span aria-hidden="true">{`−${formatClock(left)}`}</span>
        <span className="visually-hidden">{`${formatClock(left)} left${rate === 1 ? '' : ` at ${rate}×`}`}</span>
      </span>
    </div>
  );
}
