import { useId, useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import type { Turn } from '@/shared/reader/useSections';

interface Props {
  turn: Turn;
  title: string;
  /** '3/9' */
  place: string;
  bookTitle: string;
  /** The first section has no h1: the book's introduction above it has one. */
  first: boolean;
  children: ReactNode;
}

/** A section with its heading. After a turn to it, focuses and scrolls to its beginning. */
export function SectionView({ turn, title, place, bookTitle, first, children }: Props) {
  const placeId = useId();
  const root = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (turn === 'opened') return;
    if (turn === 'turned') heading.current?.focus({ preventScroll: true });
    root.current?.scrollIntoView({ block: 'start', behavior: 'instant' });
    // Once per section: each turn remounts it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return (
    // While a section of a full text is on a visible page, reading time counts (shared/readingTime).
    <section ref={root} data-reading="" className={turn === 'opened' ? 'reader__section' : 'reader__section reader__section--turned'}>
      <div className="reader__column">
        <div className="reader__eyebrow">
          {first ? <p className="reader__book">{bookTitle}</p> : <h1 className="reader__book">{bookTitle}</h1>}
          <p className="reader__place tabular" id={placeId}>
            {place}
          </p>
        </div>
        <h2 className="reader__title" ref={heading} tabIndex={-1} aria-describedby={placeId}>
          {title}
        </h2>
        {children}
      </div>
    </section>
  );
}
