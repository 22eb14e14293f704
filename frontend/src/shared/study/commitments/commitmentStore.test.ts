import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import type { Commitment } from '@/shared/study/commitments/commitment';
import type * as Store from '@/shared/study/studyStore';
import { hasCommitments } from '@/shared/study/commitments/commitmentFlags';
import { hasStored, hasUnsent } from '@/shared/study/studyFlags';
import { sampleCommitment, sampleHighlight } from '@test/study';

const ADA = 7;

type Tab = typeof Store;

/** A tab of this browser: its own memory, the browser's storage. */
async function openTab(): Promise<Tab> {
  vi.resetModules();
  const tab = await import('@/shared/study/studyStore');
  await tab.studyStore.load(ADA);
  return tab;
}

const made = (more: Partial<Commitment> = {}) => sampleCommitment({ version: null, ...more });
const known = (tab: Tab, id = 5) => tab.studyStore.snapshot().commitments.get(id);

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  session.start('token');
  copiesOwner.set(ADA);
});
afterEach(() => {
  session.end('left');
  vi.unstubAllGlobals();
});

describe('a commitment on this device', () => {
  it('is there at once and on the next page, and waits to be sent', async () => {
    const tab = await openTab();
    const stored = tab.studyStore.putCommitment(made());
    expect(known(tab)?.state).toEqual(made());
    await stored;
    expect([hasCommitments(), hasUnsent()]).toEqual([true, true]);
    const next = await openTab();
    expect(known(next)).toMatchObject({ unsent: 1, rev: 1, state: made() });
    expect((await next.studyStore.unsent(ADA)).commitments).toHaveLength(1);
  });

  it('is merged with what is stored', async () => {
    const tab = await openTab();
    await tab.studyStore.putCommitment(made({ answeredDay: 3, text: { value: 'Own half.', at: 5 } }));
    await tab.studyStore.putCommitment(made({ outcome: { value: 'done', at: 6 }, text: { value: 'Own less.', at: 4 } }));
    expect(known(tab)?.state).toMatchObject({ text: { value: 'Own half.' }, outcome: { value: 'done' }, answeredDay: 3 });
  });

  it('is deleted, and brought back by a later change', async () => {
    const tab = await openTab();
    await tab.studyStore.putCommitment(made());
    await tab.studyStore.removeCommitment(5);
    expect(hasCommitments()).toBe(false);
    expect(known(tab)?.state.deletedAt).toBeGreaterThan(1);
    await tab.studyStore.putCommitment(made({ text: { value: 'Own less.', at: Date.now() + 5 } }));
    expect(hasCommitments()).toBe(true);
  });

  it('is removed by a logout, with what is known of it', async () => {
    const tab = await openTab();
    await tab.studyStore.putCommitment(made());
    await tab.studyStore.receive(ADA, { commitments: [sampleCommitment({ id: 6, version: 3 })], cursor: 3, isEnd: true });
    expect(await tab.studyStore.unsentCount(ADA)).toBe(1);
    await tab.studyStore.removeMember(ADA);
    expect([hasCommitments(), hasStored(), hasUnsent()]).toEqual([false, false, false]);
    expect((await openTab()).studyStore.snapshot().commitments.size).toBe(0);
  });

  it('that the server has is removed with the session, one that it lacks is not', async () => {
    const tab = await openTab();
    await tab.studyStore.putCommitment(made());
    await tab.studyStore.receive(ADA, { commitments: [sampleCommitment({ id: 6, version: 3 })], cursor: 3, isEnd: true });
    await tab.studyStore.removeSent();
    expect([...(await openTab()).studyStore.snapshot().commitments.keys()]).toEqual([5]);
  });
});

describe('a device with the database of an earlier release', () => {
  it('keeps its records, and reads the changes from their beginning', async () => {
    const db = await openDB('pith-study', 1, {
      upgrade(db) {
        for (const store of ['highlights', 'cards']) db.createObjectStore(store, { keyPath: ['member', 'id'] }).createIndex('unsent', 'unsent');
        db.createObjectStore('answers', { keyPath: ['member', 'id'] });
        db.createObjectStore('meta', { keyPath: 'member' });
      },
    });
    const highlight = sampleHighlight({ version: 3 });
    await db.put('highlights', { member: ADA, id: 7, state: highlight, rev: 1, sentRev: 1, refused: null, noteSentAt: null, overtaken: null });
    await db.put('meta', { member: ADA, cursor: 9, pulledAt: 1 });
    db.close();
    const tab = await openTab();
    expect(tab.studyStore.snapshot().highlights.get(7)?.state).toEqual(highlight);
    expect(await tab.studyStore.cursor(ADA)).toBe(0);
    await tab.studyStore.putCommitment(made());
    expect(known(await openTab())?.state).toEqual(made());
  });

  it('gives way to the upgrade of another tab', async () => {
    await openTab();
    const later = await openDB('pith-study', 4);
    expect(later.version).toBe(4);
    later.close();
  });
});

describe('without a database', () => {
  it('a commitment waits in the storage for the next page', async () => {
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new DOMException('No.', 'SecurityError');
      },
    });
    const tab = await openTab();
    await tab.studyStore.putCommitment(made());
    expect(localStorage.getItem('unsentStudy')).toContain('Own less.');
    vi.stubGlobal('indexedDB', new IDBFactory());
    const next = await openTab();
    expect(known(next)?.state).toEqual(made());
    expect(localStorage.getItem('unsentStudy')).toBeNull();
  });
});
