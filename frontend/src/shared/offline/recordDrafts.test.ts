import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { accountQuery } from '@/shared/session/account';
import { DRAFTS_KEPT, DRAFTS_LENGTH, DRAFT_DAYS, DRAFT_LENGTH, recordDrafts, removeRecordDrafts } from '@/shared/offline/recordDrafts';
import type { DraftStore } from '@/ui/records/autosave';
import { sampleUser } from '@test/samples';

const DAY = 86_400_000;

function signIn(id: number) {
  session.start('token');
  queryClient.setQueryData(accountQuery().queryKey, sampleUser({ id }));
}

function endSession() {
  session.end('ended');
  queryClient.clear();
}

/** As the page does that logs out. */
function logOut(id: number) {
  removeRecordDrafts(id);
  session.end('left');
  queryClient.clear();
}

function open(record = 'books/4'): DraftStore {
  const store = recordDrafts(record);
  if (!store) throw new Error('Nobody is signed in.');
  return store;
}

const write = (store: DraftStore, title: string, key = store.newKey()) =>
  store.write({ key, at: Date.now(), version: 3, from: { title: 'Emma' }, to: { title } });

const titles = (store: DraftStore) => store.list().map(({ to }) => to['title']);

beforeEach(() => {
  vi.useFakeTimers();
  signIn(7);
  return () => {
    session.end('left');
    vi.useRealTimers();
  };
});

describe('drafts of the back office', () => {
  it('are of one record, latest first, with the version from which the typing began', () => {
    const store = open();
    write(store, 'Emma!');
    vi.advanceTimersByTime(1);
    write(store, 'Emma?');
    expect(titles(open())).toEqual(['Emma?', 'Emma!']);
    expect(open().list()[0]).toMatchObject({ version: 3, from: { title: 'Emma' }, to: { title: 'Emma?' } });
    expect(titles(open('books/41'))).toEqual([]);
  });

  it('belong to one editor, also after the session has ended (admin.draft-owner)', () => {
    const store = open();
    write(store, 'Emma!');
    endSession();
    expect(recordDrafts('books/4')).toBeNull();
    // The form that is still open stores what was typed last.
    expect(write(store, 'Emma?')).toBe(true);
    signIn(8);
    expect(titles(open())).toEqual([]);
    logOut(8);
    signIn(7);
    expect(titles(open())).toHaveLength(2);
  });

  it('are gone after a logout, and a form that was open stores nothing more (admin.draft-owner)', () => {
    const store = open();
    write(store, 'Emma!');
    logOut(7);
    expect(write(store, 'Emma?')).toBe(false);
    signIn(7);
    expect(write(store, 'Emma?')).toBe(false);
    expect(titles(open())).toEqual([]);
    expect(write(open(), 'Emma.')).toBe(true);
  });

  it('are removed after their last day (admin.draft-limits)', () => {
    write(open(), 'Emma!');
    vi.setSystemTime(Date.now() + DRAFT_DAYS * DAY);
    expect(titles(open())).toEqual(['Emma!']);
    vi.setSystemTime(Date.now() + 1);
    expect(titles(open())).toEqual([]);
    expect(Object.keys(localStorage).filter((key) => key.startsWith('record-draft:'))).toEqual([]);
  });

  it('are limited in number and length, the oldest go (admin.draft-limits)', () => {
    const store = open();
    for (let n = 0; n <= DRAFTS_KEPT; n++) {
      write(store, `Emma ${n}`);
      vi.advanceTimersByTime(1);
    }
    expect(titles(open())).toHaveLength(DRAFTS_KEPT);
    expect(titles(open())).not.toContain('Emma 0');
    expect(write(store, 'x'.repeat(DRAFT_LENGTH))).toBe(false);
    const long = 'x'.repeat(DRAFTS_LENGTH / 4 - 1000);
    for (let n = 0; n < 4; n++) {
      expect(write(store, long)).toBe(true);
      vi.advanceTimersByTime(1);
    }
    // A fifth of this length would exceed the limit, so only short ones are beside the four.
    expect(titles(open()).filter((title) => title === long)).toHaveLength(4);
    expect(write(open(), long)).toBe(true);
    expect(titles(open()).filter((title) => title === long)).toHaveLength(4);
  });

  it('that cannot be read are removed', () => {
    const store = open();
    const [broken, odd] = [store.newKey(), store.newKey()];
    localStorage.setItem(broken, '{');
    localStorage.setItem(odd, JSON.stringify({ at: Date.now(), version: 3, from: {}, to: { title: { of: 'an object' } } }));
    expect(open().list()).toEqual([]);
    expect([localStorage.getItem(broken), localStorage.getItem(odd)]).toEqual([null, null]);
  });

  it('are not stored where storage is full', () => {
    const store = open();
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('Full', 'QuotaExceededError');
    });
    expect(write(store, 'Emma!')).toBe(false);
    full.mockRestore();
  });
});
