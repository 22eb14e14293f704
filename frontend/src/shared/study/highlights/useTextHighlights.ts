import { useMemo } from 'react';
import { countedSource } from '@/shared/study/countedSource';
import type { HighlightedText } from '@/shared/study/highlights/highlightedText';
import { partOf } from '@/shared/study/highlights/makeHighlight';
import { drawnPlace } from '@/shared/study/records';
import type { DrawnPlace, Highlight } from '@/shared/study/records';
import type { StudyRecord } from '@/shared/study/studyStorage';
import { textOfHtml } from '@/shared/study/sectionText';
import { highlightsOf, useStudy } from '@/shared/study/studyStore';

/** A highlight and where it is in the text; null: its words are gone. */
export interface PlacedHighlight {
  record: StudyRecord<Highlight>;
  place: DrawnPlace | null;
}

export interface TextHighlights {
  /** The texts of the sections. */
  texts: readonly string[];
  /** The member's highlights of the text, in its order, those that are gone last. */
  placed: readonly PlacedHighlight[];
}

const order = ({ place }: PlacedHighlight): [number, number] => (place ? [place.section, place.start] : [Number.POSITIVE_INFINITY, 0]);

function inOrder(one: PlacedHighlight, other: PlacedHighlight): number {
  const [[section, start], [otherSection, otherStart]] = [order(one), order(other)];
  if (section === otherSection) return start - otherStart;
  return section < otherSection ? -1 : 1;
}

function textsOf(text: HighlightedText): string[] {
  if ('book' in text) return text.sections.map(({ html }) => textOfHtml(html));
  return 'source' in text ? [countedSource(text.source).text] : text.ideas.map((idea) => idea.text);
}

const partsOf = (text: HighlightedText) => ('book' in text ? text.sections : 'source' in text ? text.source : text.ideas);

/** The member's highlights of a text, and where they are in it. */
export function useTextHighlights(text: HighlightedText, member: number): TextHighlights {
  const parts = partsOf(text);
  // The text is a new object in each render; its parts are not.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const texts = useMemo(() => textsOf(text), [parts]);
  const bookId = 'book' in text ? text.book.id : null;
  const summaryId = 'summary' in text ? text.summary.id : null;
  const part = partOf(text);
  const now = useStudy((snapshot) => snapshot);
  const placed = useMemo(() => {
    if (now.member !== member) return [];
    const source = bookId === null ? { summaryId: summaryId ?? 0 } : { bookId };
    const records = highlightsOf(now, source).filter(({ state }) => state.part === part);
    return records.map((record) => ({ record, place: drawnPlace(record.state, texts) })).sort(inOrder);
  }, [now, member, bookId, summaryId, part, texts]);
  return { texts, placed };
}
