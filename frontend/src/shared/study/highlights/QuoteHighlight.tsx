import type { Book } from '@/api/types';
import { nextMoment } from '@/shared/positions/places';
import { anchorOf } from '@/shared/study/anchors';
import { charsIn } from '@/shared/study/chars';
import { newHighlight, sourceOf } from '@/shared/study/highlights/makeHighlight';
import { useTextSync } from '@/shared/study/highlights/useTextSync';
import { restored } from '@/shared/study/records';
import { saveHighlights } from '@/shared/study/saveHighlights';
import { lastColor } from '@/shared/study/studyFlags';
import { highlightsOf, useStudy } from '@/shared/study/studyStore';
import { Button } from '@/ui/Button';
import { toast } from '@/ui/toast';

interface Props {
  book: Book;
  /** The whole quote. */
  quote: string;
  member: number;
}

/** Keeps a quote of the author as a highlight, or deletes it (study.highlight-sources). */
export default function QuoteHighlight({ book, quote, member }: Props) {
  useTextSync({ book, sections: [] }, member);
  const kept = useStudy((now) =>
    now.member === member ? highlightsOf(now, { bookId: book.id }).find(({ state }) => state.part === 'quote' && state.anchor?.exact === quote) : undefined,
  );
  const keep = () => {
    const anchor = anchorOf(quote, null, 0, charsIn(quote));
    if (!anchor) return;
    const at = nextMoment();
    const highlight = newHighlight(sourceOf({ book, sections: [] }), { part: 'quote', anchor, heard: null, place: null, color: lastColor(), at });
    void saveHighlights([highlight]);
    toast('Highlighted.', { label: 'Undo', run: () => void saveHighlights([], [highlight]) });
  };
  const remove = () => {
    if (!kept) return;
    const { state } = kept;
    void saveHighlights([], [state]);
    toast('Highlight deleted.', { label: 'Undo', run: () => void saveHighlights([restored(state, nextMoment())]) });
  };
  return (
    <Button kind="quiet" aria-pressed={kept !== undefined} onClick={kept ? remove : keep}>
      {kept ? 'Highlighted' : 'Highlight'}
    </Button>
  );
}
