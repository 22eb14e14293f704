import { useEffect, useEffectEvent } from 'react';
import type { RefObject } from 'react';
import { isAtEdge, swipeStep } from '@/lib/swipe';

/** Elements that handle presses themselves. */
const CONTROLS = 'a, button, input, label, textarea, select, summary, audio, video, [role="button"]';

const hasSelection = () => window.getSelection()?.isCollapsed === false;
const isOnControl = (target: EventTarget | null) => target instanceof Element && target.closest(CONTROLS) !== null;

/**
 * Touch gestures on the text: a tap hides or shows the reader's bar, a swipe turns to the next or previous section. Ignores the
 * mouse, touches while text is selected, and the edges of the screen, where the system's own gestures begin.
 */
export function useTouch(reader: RefObject<HTMLElement | null>, bar: RefObject<HTMLElement | null>, onStep: (step: -1 | 1) => void): void {
  const step = useEffectEvent(onStep);
  useEffect(() => {
    const element = reader.current;
    if (!element) return;
    let from: { x: number; y: number } | null = null;
    const isInText = (target: EventTarget | null) => target instanceof Element && target.closest('.reader__section') !== null;
    const down = (event: PointerEvent) => {
      const begins = event.pointerType === 'touch' && event.isPrimary && isInText(event.target) && !isAtEdge(event.clientX, window.innerWidth);
      from = begins ? { x: event.clientX, y: event.clientY } : null;
    };
    const up = (event: PointerEvent) => {
      if (!from || hasSelection()) return;
      const way = swipeStep(event.clientX - from.x, event.clientY - from.y);
      from = null;
      if (way !== 0) step(way);
    };
    const cancel = () => {
      from = null;
    };
    const tap = (event: MouseEvent) => {
      const isTouch = (event as PointerEvent).pointerType === 'touch';
      if (!isTouch || !isInText(event.target) || isOnControl(event.target) || hasSelection()) return;
      if (!bar.current?.querySelector(':focus-visible')) bar.current?.classList.toggle('reader__bar--hidden');
    };
    element.addEventListener('pointerdown', down);
    element.addEventListener('pointerup', up);
    element.addEventListener('pointercancel', cancel);
    element.addEventListener('click', tap);
    return () => {
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('pointerup', up);
      element.removeEventListener('pointercancel', cancel);
      element.removeEventListener('click', tap);
    };
  }, [reader, bar]);
}
