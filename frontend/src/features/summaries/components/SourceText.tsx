import { useEffect, useRef, useState } from 'react';
import { paragraphAt, segmentsOf, trimmed, wordsOf } from '@/features/summaries/passages';
import type { Idea, Paragraph } from '@/features/summaries/queries';
import { Button } from '@/ui/Button';
import { IconButton } from '@/ui/IconButton';

interface Props {
  paragraphs: readonly Paragraph[];
  idea: Idea;
  lang: string | undefined;
  /** The index of the highlighted passage; null: none, and the first passage is scrolled into view. */
  shown: number | null;
  onShow: (passage: number) => void;
}

/** How many paragraphs before and after a passage are rendered. A source may have tens of thousands. */
const AROUND = 40;

/** The source's text with the idea's passages marked; the highlighted one is scrolled into view. */
export function SourceText({ paragraphs, idea, lang, shown, onShow }: Props) {
  const { passages } = idea;
  const at = paragraphAt(paragraphs, passages[shown ?? 0]?.start ?? 0);
  const around = () => ({ from: Math.max(0, at - AROUND), to: Math.min(paragraphs.length, at + AROUND + 1) });
  const [range, setRange] = useState(around);
  if (at < range.from || at >= range.to) setRange(around());

  const root = useRef<HTMLDivElement>(null);
  const moved = useRef(false);
  const target = `${idea.id} ${shown ?? 0}`;
  useEffect(() => {
    const passage = target.split(' ')[1] ?? '0';
    const mark = root.current?.querySelector(`[data-passage='${passage}']`);
    const scroller = root.current?.closest<HTMLElement>('.summary-source, dialog');
    const calm = !moved.current || window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    moved.current = true;
    if (!mark || !scroller) return;
    const down = mark.getBoundingClientRect().top - scroller.getBoundingClientRect().top - scroller.clientHeight * 0.3;
    scroller.scrollTo({ top: scroller.scrollTop + down, behavior: calm ? 'instant' : 'smooth' });
  }, [target]);

  const lit = shown === null ? undefined : passages[shown];
  return (
    <div className="source-text" ref={root}>
      <div className="source-text__bar">
        <p className="source-text__place tabular">
          {passages.length === 0
            ? 'No passage'
            : shown === null
              ? `${passages.length === 1 ? '1 passage' : `${passages.length} passages`} of this idea`
              : `Passage ${shown + 1} of ${passages.length}`}
        </p>
        <p className="visually-hidden" role="status">
          {lit ? `Passage ${(shown ?? 0) + 1} of ${passages.length}: ${wordsOf(paragraphs, lit)}` : ''}
        </p>
        {passages.length > 1 ? (
          <>
            <IconButton icon="chevronUp" label="Previous passage" disabled={shown === null || shown === 0} onClick={() => onShow((shown ?? 1) - 1)} />
            <IconButton
              icon="chevronDown"
              label="Next passage"
              disabled={shown === passages.length - 1}
              onClick={() => onShow(shown === null ? 0 : shown + 1)}
            />
          </>
        ) : null}
      </div>
      {range.from > 0 ? (
        <Button kind="quiet" onClick={() => setRange({ ...range, from: Math.max(0, range.from - 2 * AROUND) })}>
          Show the text before
        </Button>
      ) : null}
      <div className="source-text__words" lang={lang} dir="auto">
        {paragraphs.slice(range.from, range.to).map((paragraph) => {
          const words = segmentsOf(trimmed(paragraph), passages).map(({ text, passage }, i) =>
            passage === null ? (
              text
            ) : (
              <mark key={i} className={passage === shown ? 'passage passage--shown' : 'passage'} data-passage={passage}>
                {text}
              </mark>
            ),
          );
          return (
            <p key={paragraph.start} className={paragraph.heading ? 'source-text__heading' : undefined}>
              {words}
            </p>
          );
        })}
      </div>
      {range.to < paragraphs.length ? (
        <Button kind="quiet" onClick={() => setRange({ ...range, to: Math.min(paragraphs.length, range.to + 2 * AROUND) })}>
          Show the text after
        </Button>
      ) : null}
    </div>
  );
}
