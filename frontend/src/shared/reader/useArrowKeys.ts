import { useEffect, useEffectEvent } from 'react';
import { arrowKeyStep } from '@/lib/arrowKeys';

/** Turns sections with the arrow keys: `onStep` gets 1 for forward, -1 for back. */
export function useArrowKeys(onStep: (step: -1 | 1) => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const step = arrowKeyStep(event);
    if (step === null) return;
    event.preventDefault();
    onStep(step);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
