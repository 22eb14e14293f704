// Unsaved input of a book's form, for the next time it is opened in this tab.
import { ownDraftName, readDraft, removeDraft, storeDraft } from '@/shared/offline/drafts';
import type { Values } from '@/ui/records/fields';

const nameOf = (book: string) => ownDraftName(`admin-book-${book}`);

/** Milliseconds without typing before the draft is stored. */
export const DRAFT_AFTER = 800;

interface BookDraft {
  values: Values;
  /** The version of the book that the draft was based on. */
  version: number | null;
}

export function readBookDraft(book: string): BookDraft | null {
  const stored = readDraft(nameOf(book))['form'];
  if (stored === undefined) return null;
  try {
    return JSON.parse(stored) as BookDraft;
  } catch {
    return null;
  }
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Stores the draft, debounced; null removes it. */
export function storeBookDraft(book: string, draft: BookDraft | null): void {
  clearTimeout(timer);
  const name = nameOf(book);
  if (draft === null) {
    removeDraft(name);
    return;
  }
  timer = setTimeout(() => {
    // After a logout nothing of the editor's input is stored.
    if (nameOf(book) === name) storeDraft(name, { form: JSON.stringify(draft) });
  }, DRAFT_AFTER);
}
