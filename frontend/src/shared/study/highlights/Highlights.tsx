import { Suspense, lazy, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { isPlainKey } from '@/lib/plainKey';
import { textIn } from '@/shared/study/highlights/highlightedText';
import type { HighlightedText } from '@/shared/study/highlights/highlightedText';
import { HIGHLIGHTED, areHighlightsOff, isHighlighted } from '@/shared/study/studyFlags';

const HighlightLayer = lazy(() => import(/* webpackChunkName: "highlights" */ '@/shared/study/highlights/HighlightLayer'));
const SectionHighlights = lazy(() => import(/* webpackChunkName: "highlights" */ '@/shared/study/highlights/SectionHighlights'));

interface TextProps {
  text: HighlightedText;
  member: number;
  onTurn: (index: number) => void;
}

/** The indexes of the first paragraph, and of the one after the last. */
export interface ParagraphRange {
  from: number;
  to: number;
}

export interface HighlightsProps extends TextProps {
  /** The reader, which shows the text. */
  root: RefObject<HTMLElement | null>;
  /** The section that is shown. */
  index: number;
  /** The paragraphs of a source that are on the page. */
  extent?: ParagraphRange;
  /** Shows a paragraph of a source that is not on the page. */
  onReach?: (paragraph: number) => void;
  /** The highlight to turn to; null once it has the focus. */
  shown: number | null;
  onShown: () => void;
}

/** Whether the text may have highlights. Of an own summary this is not known before they are read. */
function mayHaveHighlights(text: HighlightedText): boolean {
  if (areHighlightsOff()) return false;
  return 'summary' in text || text.book.highlights !== null || isHighlighted(text.book.id);
}

/** The highlight that the URL names; null when it names none. `source`: one of an own summary's source. */
export function highlightInAddress(source = false): number | null {
  const [, name, id] = /^#(highlight|source-highlight)-(\d{1,16})$/.exec(window.location.hash) ?? [];
  return (name === (source ? 'source-highlight' : 'highlight') && Number(id)) || null;
}

/** A member's highlights in the reader. Loaded when there are some, at the first selection, and at the key `h` (study.reader-highlights). */
export function Highlights(props: HighlightsProps) {
  const { root, text } = props;
  const [isWanted, setIsWanted] = useState(() => mayHaveHighlights(text));
  const isLoaded = useRef(false);
  const isPressed = useRef(false);
  // From the player, or on another device.
  const addedElsewhere = useEffectEvent(() => setIsWanted((now) => now || mayHaveHighlights(text)));
  useEffect(() => {
    if (areHighlightsOff()) return;
    const select = () => {
      const selection = window.getSelection();
      const shown = textIn(root.current);
      if (shown && selection?.isCollapsed === false && selection.getRangeAt(0).intersectsNode(shown)) setIsWanted(true);
    };
    const press = (event: KeyboardEvent) => {
      if (isLoaded.current || !isPlainKey(event, 'h', false, root.current?.closest('dialog'))) return;
      isPressed.current = true;
      setIsWanted(true);
    };
    const add = () => addedElsewhere();
    if (!isWanted) document.addEventListener('selectionchange', select);
    document.addEventListener('keydown', press);
    window.addEventListener(HIGHLIGHTED, add);
    return () => {
      window.removeEventListener(HIGHLIGHTED, add);
      document.removeEventListener('selectionchange', select);
      document.removeEventListener('keydown', press);
    };
  }, [isWanted, root]);
  const onLoad = () => {
    const wasPressed = isPressed.current;
    isLoaded.current = true;
    isPressed.current = false;
    return wasPressed;
  };
  return isWanted ? (
    <Suspense fallback={null}>
      <HighlightLayer {...props} onLoad={onLoad} />
    </Suspense>
  ) : null;
}

/** The highlights of the text, for its table of contents. */
export function HighlightsInContents(props: TextProps & { onShow: (id: number) => void }) {
  return mayHaveHighlights(props.text) ? (
    <Suspense fallback={null}>
      <SectionHighlights {...props} />
    </Suspense>
  ) : null;
}
