// The member's own lists as their pages show them.
import { nextMoment } from '@/shared/positions/places';
import { LIST_BOOKS_MAX, hasBook, isListShown, shownBooks, withBooks } from '@/shared/study/lists/list';
import type { ListBook, ReadingList, Sharing } from '@/shared/study/lists/list';
import { studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';
import { toast } from '@/ui/toast';

/** To whom a list is shown, in words. */
export const SHARING: Record<Sharing, string> = { private: 'Private', link: 'By link', public: 'Public' };

export const sharingText = ({ sharing, isTakenDown }: ReadingList): string => (isTakenDown ? `${SHARING[sharing]}, taken down` : SHARING[sharing]);

/** Puts a book back on a list from which it was taken, where it stood. A list that was deleted meanwhile is not brought back by it. */
export async function putBack(id: number, book: ListBook): Promise<void> {
  const list = studyStore.snapshot().lists.get(id)?.state;
  if (!list || !isListShown(list)) return;
  if (!hasBook(list, book.bookId) && shownBooks(list).length >= LIST_BOOKS_MAX) {
    toast('A list has up to 200 books.');
    return;
  }
  await studyStore.putList(withBooks(list, [{ ...book, at: nextMoment() }]));
  await syncStudy();
}
