import { useCallback, useEffect, useRef, useState } from 'react';
import type { PointerEvent } from 'react';
import type { BookCard } from '@/api/types';
import { TRANSITION, nextSlide } from '@/features/catalogue/visuals/carousel';
import type { Visual } from '@/features/catalogue/visuals/queries';
import { arrowKeyStep } from '@/lib/arrowKeys';
import { isAtEdge, swipeStep } from '@/lib/swipe';
import { paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { IconButton } from '@/ui/IconButton';
import { ProgressBar } from '@/ui/ProgressBar';

interface Props {
  book: BookCard;
  visuals: readonly Visual[];
  /** Called when a picture can't be loaded: its presigned URL may have expired. */
  onStale: () => void;
}

/** The direction of a transition, and the slide that fades out. */
interface SlideChange {
  index: number;
  before: number | null;
}

/** Key ideas one at a time, with buttons, dots, arrow keys and swipes. Input is ignored during the 300 ms of a transition. */
export function Carousel({ book, visuals, onStale }: Props) {
  const [{ index, before }, setShown] = useState<SlideChange>({ index: 0, before: null });
  const moving = useRef(false);
  const timer = useRef(0);
  const from = useRef<{ x: number; y: number } | null>(null);
  const asked = useRef(false);
  const stage = useRef<HTMLDivElement>(null);
  const last = visuals.length - 1;

  const go = useCallback(
    (next: number) => {
      const target = nextSlide(index, next, last, moving.current);
      if (target === index) return;
      moving.current = true;
      setShown({ index: target, before: index });
      // If the controls are below the fold, the beginning of the next idea would be out of view.
      if ((stage.current?.getBoundingClientRect().top ?? 0) < 0) stage.current?.scrollIntoView({ block: 'start', behavior: 'instant' });
      timer.current = window.setTimeout(() => {
        moving.current = false;
        setShown((shown) => ({ ...shown, before: null }));
      }, TRANSITION);
    },
    [index, last],
  );

  useEffect(() => () => window.clearTimeout(timer.current), []);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = arrowKeyStep(event);
      if (step === null) return;
      go(index + step);
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [go, index]);

  // Preloads the neighboring pictures.
  useEffect(() => {
    for (const near of [index + 1, index - 1]) {
      const image = visuals[near]?.image;
      if (image) new Image().src = image;
    }
  }, [index, visuals]);

  const visual = visuals[index];
  if (!visual) return null;

  const onPointerUp = (event: PointerEvent) => {
    if (!from.current) return;
    const way = swipeStep(event.clientX - from.current.x, event.clientY - from.current.y);
    from.current = null;
    if (way !== 0) go(index + way);
  };

  return (
    <section className="carousel" aria-roledescription="carousel" aria-label={`Key ideas of ${book.title}`}>
      <div
        className="carousel__stage"
        ref={stage}
        onPointerDown={(event) => {
          from.current = event.pointerType === 'mouse' || isAtEdge(event.clientX, window.innerWidth) ? null : { x: event.clientX, y: event.clientY };
        }}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          from.current = null;
        }}
      >
        <div className="carousel__frame">
          {before === null ? null : <img className="carousel__picture" src={visuals[before]?.image} alt="" width="600" height="600" />}
          <img
            key={visual.id}
            className={before === null ? 'carousel__picture' : 'carousel__picture carousel__picture--arriving'}
            src={visual.image}
            alt=""
            width="600"
            height="600"
            draggable={false}
            onError={() => {
              if (asked.current) return;
              asked.current = true;
              onStale();
            }}
          />
        </div>
        <div key={`text-${visual.id}`} className={before === null ? 'carousel__text' : 'carousel__text carousel__text--arriving'}>
          <p className="carousel__number tabular" aria-hidden="true">
            {index + 1}
          </p>
          <h2 className="carousel__title">{visual.title}</h2>
          <p className="carousel__body">{visual.body}</p>
          {index === last ? (
            <LinkButton className="carousel__read" to={paths.book(book.subid)}>
              Read the summary
            </LinkButton>
          ) : null}
        </div>
      </div>
      <div className="carousel__controls">
        <ProgressBar label="Key ideas seen" value={index + 1} max={visuals.length} text={`${index + 1} of ${visuals.length}`} />
        <p className="carousel__counter tabular" aria-hidden="true">{`${index + 1} of ${visuals.length}`}</p>
        <IconButton icon="arrowLeft" label="Previous" className="carousel__turn" aria-disabled={index === 0 || undefined} onClick={() => go(index - 1)} />
        <ol className="carousel__dots">
          {visuals.map(({ id, title }, i) => (
            <li key={id} className="carousel__dot-place">
              <button
                type="button"
                className="carousel__dot"
                aria-label={`Key idea ${i + 1}: ${title}`}
                aria-current={i === index ? 'true' : undefined}
                onClick={() => go(i)}
              />
            </li>
          ))}
        </ol>
        <IconButton
          icon="arrowRight"
          label="Next"
          className="carousel__turn carousel__turn--next"
          aria-disabled={index === last || undefined}
          onClick={() => go(index + 1)}
        />
        <p className="visually-hidden" role="status">{`${index + 1} of ${visuals.length}: ${visual.title}`}</p>
      </div>
    </section>
  );
}
