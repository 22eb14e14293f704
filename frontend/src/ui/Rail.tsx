import { useCallback, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { IconButton } from '@/ui/IconButton';

/** The share of the visible width that one press on an arrow scrolls. */
const STEP = 0.85;

/** A horizontally scrolling row, with arrows where there is more. Its only child is the scrolling list. */
export function Rail({ label, children }: { label: string; children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState({ before: false, after: false });
  const row = () => root.current?.querySelector<HTMLElement>('.book-shelf') ?? null;

  const look = useCallback(() => {
    const list = row();
    if (!list) return;
    const before = list.scrollLeft > 2;
    const after = list.scrollLeft + list.clientWidth < list.scrollWidth - 2;
    setMore((was) => (was.before === before && was.after === after ? was : { before, after }));
  }, []);

  useEffect(() => {
    const list = row();
    const frame = requestAnimationFrame(look);
    list?.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      cancelAnimationFrame(frame);
      list?.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [look]);

  const scroll = (direction: 1 | -1) => {
    const list = row();
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    list?.scrollBy({ left: direction * list.clientWidth * STEP, behavior: calm ? 'instant' : 'smooth' });
  };

  return (
    <div className="rail" ref={root}>
      {children}
      {more.before || more.after ? (
        <div className="rail__arrows">
          <IconButton icon="chevronLeft" label={`Scroll back in ${label}`} aria-disabled={!more.before} onClick={() => scroll(-1)} />
          <IconButton icon="chevronRight" label={`Scroll on in ${label}`} aria-disabled={!more.after} onClick={() => scroll(1)} />
        </div>
      ) : null}
    </div>
  );
}
