import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { paragraphAt, shownSegments, wordsOf } from '@/features/summaries/passages';
import type { Idea, Paragraph, Summary } from '@/features/summaries/queries';
import { Highlights } from '@/shared/study/highlights/Highlights';
import { scrollToMark } from '@/shared/study/highlights/scrollToMark';
import { Button } from '@/ui/Button';
import { IconButton } from '@/ui/IconButton';

interface Props {
  summary: Summary;
  paragraphs: readonly Paragraph[];
  idea: Idea;
  lang: string | undefined;
  /** The index of the highlighted passage; null: none, and the first passage is scrolled into view. */
  shown: number | null;
  onShow: (passage: number) => void;
  /** The reading member's id. */
  member: number | null;
  /** The member's highlight to turn to; null once it has the focus. */
  highlight: number | null;
  onHighlightShown: () => void;
}

/** How many paragraphs before and after a passage are rendered. A source may have tens of thousands. */
const AROUND = 40;

/** The source's text with the idea's passages marked; the highlighted one is scrolled into view. Members highlight in it. */
export function SourceText({ summary, paragraphs, idea, lang, shown, onShow, member, highlight, onHighlightShown }: Props) {
  const { passages } = idea;
  const [range, setRange] = useState({ from: 0, to: 0 });
  const [reached, setReached] = useState<string | null>(null);
  const showParagraph = (at: number) => {
    if (at < range.from || at >= range.to) setRange({ from: Math.max(0, at - AROUND), to: Math.min(paragraphs.length, at + AROUND + 1) });
  };
  const target = `${idea.id} ${shown ?? 0}`;
  if (reached !== target) {
    setReached(target);
    showParagraph(paragraphAt(paragraphs, passages[shown ?? 0]?.start ?? 0));
  }

  const root = useRef<HTMLDivElement>(null);
  const moved = useRef(false);
  const scrollToPassage = useEffectEvent(() => {
    const calm = !moved.current || window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    moved.current = true;
    const mark = root.current?.querySelector(`[data-passage='${shown ?? 0}']`);
    // The highlight that is turned to has the place.
    if (mark && highlight === null) scrollToMark(mark, calm ? 'instant' : 'smooth');
  });
  useEffect(() => scrollToPassage(), [target]);

  const lit = shown === null ? undefined : passages[shown];
  return (
    <>
      <div className="source-text" ref={root}>
        <div className="source-text__bar">
          <p className="source-text__place tabular" tabIndex={-1}>
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
        {/* Mounted again for each idea: React does not know of the highlights that are drawn in it. */}
        <div key={idea.id} className="source-text__words" lang={lang} dir="auto">
          {paragraphs.slice(range.from, range.to).map((paragraph) => {
            const words = shownSegments(paragraph, passages).map(({ text, passage }, i) =>
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
      {member === null ? null : (
        <Highlights
          key={`highlights of ${idea.id}`}
          {...{ root, member }}
          text={{ summary, source: paragraphs }}
          index={0}
          extent={range}
          shown={highlight}
          onShown={onHighlightShown}
          onTurn={() => undefined}
          onReach={showParagraph}
        />
      )}
    </>
  );
}
