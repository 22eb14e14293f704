import { useEffect, useRef } from 'react';

/** A page that shows its next state begins at its heading, as a new page does. Not the first one: the browser does that. */
export function useStepFocus(step: string): void {
  const last = useRef(step);
  useEffect(() => {
    if (last.current === step) return;
    last.current = step;
    window.scrollTo({ top: 0 });
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, [step]);
}
