// 'Highlight what you just heard': kept on this device at once; the server finds the sentence (study.heard-sentence).
import type { Track } from '@/shared/listening/listening';
import { nextMoment } from '@/shared/positions/places';
import { newHighlight } from '@/shared/study/highlights/makeHighlight';
import { saveHighlights } from '@/shared/study/saveHighlights';
import { lastColor } from '@/shared/study/studyFlags';
import { studyStore } from '@/shared/study/studyStore';
import { toast } from '@/ui/toast';

/** Keeps the sentence that was just spoken at this second of a book's recording. */
export async function keepHeard({ member, bookId, subid, title, author, hue }: Track, seconds: number): Promise<void> {
  if (member === null || bookId === null) return;
  await studyStore.load(member);
  const source = { bookId, subid, summaryId: null, title, author, hue };
  const heard = { audio: Math.round(seconds * 1000) };
  const highlight = newHighlight(source, { part: 'text', anchor: null, heard, place: null, color: lastColor(), at: nextMoment() });
  const saved = saveHighlights([highlight]);
  toast(navigator.onLine ? 'Kept. It will be in your highlights.' : 'Kept on this device. It will be sent when you are back online.', {
    label: 'Undo',
    run: () => {
      const kept = studyStore.snapshot().highlights.get(highlight.id)?.state ?? highlight;
      void saveHighlights([], [kept]);
    },
  });
  await saved;
}
