// Deletions with Undo: the API calls, and the lists that are refetched afterwards.
import { call } from '@/api/client';
import { deleteWithUndo } from '@/features/admin/components/pendingDeletions';
import { readAgain } from '@/features/admin/paged';

interface Kind {
  run: (id: string) => Promise<unknown>;
  lists: readonly string[];
}

const KINDS = {
  author: { run: (id) => call('DELETE /api/admin/authors/{id}', { path: { id }, keepalive: true }), lists: ['authors'] },
  book: { run: (bookId) => call('DELETE /api/admin/books/{bookId}', { path: { bookId }, keepalive: true }), lists: ['books', 'authors', 'tags', 'categories'] },
  category: { run: (id) => call('DELETE /api/admin/categories/{id}', { path: { id }, keepalive: true }), lists: ['categories', 'books', 'collections'] },
  collection: { run: (id) => call('DELETE /api/admin/collections/detail/{id}', { path: { id }, keepalive: true }), lists: ['collections'] },
  goal: { run: (id) => call('DELETE /api/admin/goals/{id}', { path: { id }, keepalive: true }), lists: ['goals', 'books'] },
  'idea link': {
    run: (id) => call('DELETE /api/admin/idea-links/{id}', { path: { id }, keepalive: true }),
    lists: ['idea-links', 'idea-link-proposals'],
  },
  insight: { run: (id) => call('DELETE /api/admin/insight/{id}', { path: { id }, keepalive: true }), lists: ['insights'] },
  podcast: { run: (id) => call('DELETE /api/admin/podcasts/{id}', { path: { id }, keepalive: true }), lists: ['podcasts'] },
  post: { run: (postId) => call('DELETE /api/admin/blog/{postId}', { path: { postId }, keepalive: true }), lists: ['posts'] },
  tag: { run: (id) => call('DELETE /api/admin/tags/{id}', { path: { id }, keepalive: true }), lists: ['tags', 'books'] },
  visual: { run: (id) => call('DELETE /api/admin/visuals/{id}', { path: { id }, keepalive: true }), lists: ['visuals'] },
} as const satisfies Record<string, Kind>;

export type Deletable = keyof typeof KINDS;

export const deletionKey = (kind: Deletable, id: number): string => `${kind} ${id}`;

/** Deletes a record at once. */
export const deleteRecord = (kind: Deletable, id: number): Promise<unknown> => KINDS[kind].run(String(id));

/** Refetches the lists that show records of a kind, or count them. */
export const reloadLists = (kind: Deletable): Promise<unknown> => readAgain(...KINDS[kind].lists);

/** Deletes a row after the undo toast is gone. */
export function remove(kind: Deletable, id: number, name: string): void {
  deleteWithUndo({
    key: deletionKey(kind, id),
    text: `The ${kind} “${name}” was deleted.`,
    run: () => deleteRecord(kind, id),
    done: () => reloadLists(kind),
  });
}
