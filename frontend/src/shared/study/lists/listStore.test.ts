import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import { hasStored, hasUnsent } from '@/shared/study/studyFlags';
import type { ReadingList } from '@/shared/study/lists/list';
import { isListShown, shownBooks } from '@/shared/study/lists/list';
import type * as Store from '@/shared/study/studyStore';
import { recordsOf, sampleCommitment, sampleHighlight, sampleReadingList, sampleListBook } from '@test/study';

const ADA = 7;

type Tab = typeof Store;

/** A tab of this browser: its own memory, the browser's storage. */
async function openTab(): Promise<Tab> {
  vi.resetModules();
  const tab = await import('@/shared/study/studyStore');
  await tab.studyStore.load(ADA);
  return tab;
}

const made = (more: Partial<ReadingList> = {}) => sampleReadingList({ version: null, ...more });
const known = (tab: Tab, id = 6) => tab.studyStore.snapshot().lists.get(id);

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  session.start('token');
  copiesOwner.set(ADA);
});
afterEach(() => {
  session.end('left');
  vi.unstubAllGlobals();
});

describe('a list on this device', () => {
  it('is there at once and on the next page, and waits to be sent', async () => {
    const tab = await openTab();
    const stored = tab.studyStore.putList(made());
    expect(known(tab)?.state).toEqual(made());
    await stored;
    expect(hasUnsent()).toBe(true);
    const next = await openTab();
    expect(known(next)).toMatchObject({ unsent: 1, rev: 1, state: made() });
    expect((await next.studyStore.unsent(ADA)).lists).toHaveLength(1);
  });

  it('is merged with what is stored', async () => {
    const tab = await openTab();
    await tab.studyStore.putList(made({ books: [sampleListBook({ bookId: 1, at: 5 })], note: { value: 'For May.', at: 5 } }));
    await tab.studyStore.putList(made({ books: [sampleListBook({ bookId: 2, rank: 'Zz', at: 6 })], name: { value: 'Less', at: 6 } }));
    expect(known(tab)?.state).toMatchObject({ name: { value: 'Less' }, note: { value: 'For May.' } });
    expect(shownBooks(known(tab)?.state ?? made()).map(({ bookId }) => bookId)).toEqual([2, 1]);
  });

  it('is deleted, and brought back by a book that is put on it later', async () => {
    const tab = await openTab();
    await tab.studyStore.putList(made());
    await tab.studyStore.removeList(6);
    expect(isListShown(known(tab)?.state ?? made())).toBe(false);
    await tab.studyStore.putList(made({ books: [sampleListBook({ bookId: 2, at: Date.now() + 5 })] }));
    expect(isListShown(known(tab)?.state ?? made())).toBe(true);
  });

  it('keeps no note that another device has overtaken: only highlights do', async () => {
    const tab = await openTab();
    await tab.studyStore.putList(made({ note: { value: 'Mine.', at: 5 } }));
    await tab.studyStore.sent('lists', ADA, 1, sampleReadingList({ version: 3, note: { value: 'From the phone.', at: 6 } }));
    expect(known(tab)).toMatchObject({ overtaken: null, state: { note: { value: 'From the phone.' }, version: 3 } });
    expect(await tab.studyStore.unsentCount(ADA)).toBe(0);
  });

  it('is removed by a logout, with what is known of it', async () => {
    const tab = await openTab();
    await tab.studyStore.putList(made());
    await tab.studyStore.receive(ADA, { lists: [sampleReadingList({ id: 7, version: 3 })], cursor: 3, isEnd: true });
    expect(await tab.studyStore.unsentCount(ADA)).toBe(1);
    await tab.studyStore.removeMember(ADA);
    expect([hasStored(), hasUnsent()]).toEqual([false, false]);
    expect((await openTab()).studyStore.snapshot().lists.size).toBe(0);
  });

  it('that the server has is removed with the session, one that it lacks is not', async () => {
    const tab = await openTab();
    await tab.studyStore.putList(made());
    await tab.studyStore.receive(ADA, { lists: [sampleReadingList({ id: 7, version: 3 })], cursor: 3, isEnd: true });
    await tab.studyStore.removeSent();
    expect([...(await openTab()).studyStore.snapshot().lists.keys()]).toEqual([6]);
  });
});

describe('a device with the database of the release before', () => {
  it('keeps its records, sent and unsent, and reads the changes from their beginning', async () => {
    const db = await openDB('pith-study', 2, {
      upgrade(db) {
        for (const store of ['highlights', 'cards', 'commitments']) {
          db.createObjectStore(store, { keyPath: ['member', 'id'] }).createIndex('unsent', 'unsent');
        }
        db.createObjectStore('answers', { keyPath: ['member', 'id'] });
        db.createObjectStore('meta', { keyPath: 'member' });
      },
    });
    await db.put('highlights', recordsOf([sampleHighlight({ version: 3 })]).get(7));
    await db.put('commitments', { ...recordsOf([sampleCommitment({ version: null })]).get(5), rev: 1, unsent: 1 });
    await db.put('meta', { member: ADA, cursor: 9, pulledAt: 1 });
    db.close();
    const tab = await openTab();
    expect(tab.studyStore.snapshot().highlights.get(7)?.state).toEqual(sampleHighlight({ version: 3 }));
    expect((await tab.studyStore.unsent(ADA)).commitments).toHaveLength(1);
    expect(await tab.studyStore.cursor(ADA)).toBe(0);
    await tab.studyStore.putList(made());
    expect(known(await openTab())?.state).toEqual(made());
  });
});

describe('without a database', () => {
  it('a list waits in the storage for the next page', async () => {
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new DOMException('No.', 'SecurityError');
      },
    });
    const tab = await openTab();
    await tab.studyStore.putList(made());
    expect(localStorage.getItem('unsentStudy')).toContain('Simple living');
    vi.stubGlobal('indexedDB', new IDBFactory());
    const next = await openTab();
    expect(known(next)?.state).toEqual(made());
    expect(localStorage.getItem('unsentStudy')).toBeNull();
  });
});
