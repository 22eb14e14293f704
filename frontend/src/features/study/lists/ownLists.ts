// The member's own lists as their pages show them.
import { nextMoment } from '@/shared/positions/places';
import { withBooks } from '@/shared/study/lists/list';
import type { ListBook, ReadingList, Sharing } from '@/shared/study/lists/list';
import { studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';

/** To whom a list is shown, in words. */
export const SHARING: Record<Sharing, string> = { private: 'Private', link: 'By link', public: 'Public' };

export const sharingText = ({ sharing, isTakenDown }: ReadingList): string => (isTakenDown ? `${SHARING[sharing]}, taken down` : SHARING[sharing]);

/** Puts a book back on a list from which it was taken, where it stood. */
export async function putBack(id: number, book: ListBook): Promise<void> {
  const now = studyStore.snapshot().lists.get(id);
  if (!now) return;
  await studyStore.putList(withBooks(now.state, [{ ...book, at: nextMoment() }]));
  await syncStudy();
}
