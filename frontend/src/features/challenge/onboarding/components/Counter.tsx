import { useEffect, useEffectEvent, useState } from 'react';
import { useMediaQuery } from '@/lib/useMediaQuery';
import { useStepHeading } from '@/lib/useStepHeading';
import { Button } from '@/ui/Button';

/** Milliseconds per percent of the counter (challenge.onboarding-progress). */
export const PERCENT_TIME = 20;

const PHASES = ['Reading what you chose', 'Weighing the summaries', 'Setting five aside for you'] as const;

interface Props {
  /** Starts fetching the books, when the counter starts. */
  onStart: () => void;
  onEnd: () => void;
}

/** The last step: a counter from 0 to 100 percent, which a press skips. With reduced motion the number does not run; the time is the same. */
export function Counter({ onStart, onEnd }: Props) {
  const [percent, setPercent] = useState(0);
  const still = useMediaQuery('(prefers-reduced-motion: reduce)');
  const heading = useStepHeading();
  const start = useEffectEvent(onStart);
  const end = useEffectEvent(onEnd);

  useEffect(() => {
    start();
    // By the clock, so that it is right after the tab was suspended.
    const since = Date.now();
    const timer = setInterval(() => {
      const now = Math.min(100, Math.floor((Date.now() - since) / PERCENT_TIME));
      setPercent(now);
      if (now < 100) return;
      clearInterval(timer);
      end();
    }, PERCENT_TIME);
    return () => clearInterval(timer);
  }, []);

  const phase = PHASES[Math.min(PHASES.length - 1, Math.floor((percent / 100) * PHASES.length))];
  return (
    <div className="onboarding__step counter">
      <h1 className="counter__title" ref={heading} tabIndex={-1}>
        Personalizing your list
      </h1>
      <div
        className="counter__dial"
        role="progressbar"
        aria-label="Personalizing"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={still ? undefined : percent}
      >
        <svg className="counter__ring" viewBox="0 0 120 120" aria-hidden="true" focusable="false">
          <circle className="counter__track" cx="60" cy="60" r="54" pathLength="100" />
          <circle className="counter__done" cx="60" cy="60" r="54" pathLength="100" strokeDasharray="100" strokeDashoffset={still ? 0 : 100 - percent} />
        </svg>
        {still ? null : <span className="counter__figure tabular" aria-hidden="true">{`${percent}%`}</span>}
      </div>
      <p className="counter__phase" aria-hidden="true">
        {still ? 'One moment' : phase}
      </p>
      <Button kind="quiet" onClick={onEnd}>
        Skip
      </Button>
    </div>
  );
}
