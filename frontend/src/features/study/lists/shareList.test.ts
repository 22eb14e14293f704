import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import type { ResultOf } from '@/api/types';
import { shareList } from '@/features/study/lists/shareList';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import { studyStore } from '@/shared/study/studyStore';
import { on, server } from '@test/server';
import { sampleReadingList } from '@test/study';

const ADA = 7;
const LIST = sampleReadingList({ id: 6 });

// Nothing is unsent.
vi.mock('@/shared/study/studySync', () => ({ syncStudy: () => Promise.resolve() }));

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  session.start('token');
  copiesOwner.set(ADA);
  await studyStore.removeMember(ADA);
  await studyStore.load(ADA);
  await studyStore.receive(ADA, { lists: [LIST], cursor: 1, isEnd: true });
});
afterEach(() => {
  vi.unstubAllGlobals();
  session.end('left');
});

/** Answers that the list is shared, after something else has happened. */
const serve = (meanwhile: () => Promise<void>) =>
  server.use(
    on('PUT /api/study/lists/{id}/sharing', async () => {
      await meanwhile();
      return { list: { ...LIST, sharing: 'link', slug: 'X7', version: 2 } } as unknown as ResultOf<'PUT /api/study/lists/{id}/sharing'>;
    }),
  );

it('a shared list is stored as the server has it now', async () => {
  serve(() => Promise.resolve());
  await shareList(LIST, { sharing: 'link' });
  expect(studyStore.snapshot().lists.get(6)?.state).toMatchObject({ sharing: 'link', slug: 'X7' });
});

it('a list that is shared while the session ends is not stored: the records were removed', async () => {
  serve(async () => {
    session.end('left');
    await studyStore.removeMember(ADA);
  });
  await shareList(LIST, { sharing: 'link' });
  session.start('token');
  copiesOwner.set(ADA);
  await studyStore.load(ADA);
  expect(studyStore.snapshot().lists.size).toBe(0);
});
