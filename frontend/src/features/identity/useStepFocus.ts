import { useEffect, useRef } from 'react';

/** Focuses the heading when a page shows its next step. Not on the first step, where the browser does that. */
export function useStepFocus(step: string): void {
  const last = useRef(step);
  useEffect(() => {
    if (last.current === step) return;
    last.current = step;
    window.scrollTo({ top: 0 });
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, [step]);
}
