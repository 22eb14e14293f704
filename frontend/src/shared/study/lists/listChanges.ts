// Changes of lists that are stored on this device and sent at once.
import { nextMoment } from '@/shared/positions/places';
import { charsIn } from '@/shared/study/chars';
import { LIST_NAME_MAX, LIST_NOTE_MAX, newList, renamed, withNote, withoutBook } from '@/shared/study/lists/list';
import type { ReadingList } from '@/shared/study/lists/list';
import { moved, withBook } from '@/shared/study/lists/order';
import type { BookToAdd } from '@/shared/study/lists/order';
import { studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';

async function save(list: ReadingList): Promise<void> {
  await studyStore.putList(list);
  await syncStudy();
}

/** A name as one line, as the server keeps it. */
export const nameOf = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** Why a name can't be kept; null when it can. */
export function listNameError(text: string): string | null {
  const name = nameOf(text);
  if (name === '') return 'Please name the list.';
  return charsIn(name) > LIST_NAME_MAX ? 'Please keep the name to 100 characters.' : null;
}

/** Why a note can't be kept; null when it can. */
export const listNoteError = (text: string): string | null => (charsIn(text.trim()) > LIST_NOTE_MAX ? 'Please keep the note to 2,000 characters.' : null);

/** Stores a new list, with a book or without; resolves when it is on this device. */
export async function createList(name: string, book?: BookToAdd): Promise<ReadingList> {
  const at = nextMoment();
  const empty = newList(nameOf(name), at);
  const list = book ? withBook(empty, book, at) : empty;
  await studyStore.putList(list);
  void syncStudy();
  return list;
}

/** Sends a list once more that the server has refused: the reason may be gone. */
export const sendListAgain = (list: ReadingList): Promise<void> => save(list);

export const renameList = (list: ReadingList, name: string): Promise<void> => save(renamed(list, nameOf(name), nextMoment()));

export const changeListNote = (list: ReadingList, note: string): Promise<void> => save(withNote(list, note.trim(), nextMoment()));

export const putOnList = (list: ReadingList, book: BookToAdd): Promise<void> => save(withBook(list, book, nextMoment()));

export const takeOffList = (list: ReadingList, bookId: number): Promise<void> => save(withoutBook(list, bookId, nextMoment()));

export const moveOnList = (list: ReadingList, bookId: number, toIndex: number): Promise<void> => save(moved(list, bookId, toIndex, nextMoment()));

export async function removeList({ id }: ReadingList): Promise<void> {
  await studyStore.removeList(id);
  await syncStudy();
}

/** Brings a deleted list back: it is changed now, to what it was. */
export const restoreList = (list: ReadingList): Promise<void> => save({ ...list, name: { ...list.name, at: nextMoment() } });
