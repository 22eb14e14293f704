import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { accountQuery } from '@/shared/session/account';
import { removeDrafts } from '@/shared/offline/drafts';
import { DRAFT_AFTER, readBookDraft, storeBookDraft } from '@/features/admin/books/bookDraft';
import { sampleUser } from '@test/samples';

const draft = { values: { title: 'Emma!' }, version: 3 };

function signIn(id: number) {
  session.start('token');
  queryClient.setQueryData(accountQuery().queryKey, sampleUser({ id }));
}

function signOut() {
  session.end('left');
  queryClient.clear();
}

beforeEach(() => {
  vi.useFakeTimers();
  signIn(7);
  return () => {
    signOut();
    sessionStorage.clear();
    vi.useRealTimers();
  };
});

describe('the draft of a book', () => {
  it('is stored a moment after the last change, for the editor who typed it alone', () => {
    storeBookDraft('4', draft);
    expect(readBookDraft('4')).toBeNull();
    vi.advanceTimersByTime(DRAFT_AFTER);
    expect(readBookDraft('4')).toEqual(draft);
    signOut();
    expect(readBookDraft('4')).toBeNull();
    signIn(8);
    expect(readBookDraft('4')).toBeNull();
    signOut();
    signIn(7);
    expect(readBookDraft('4')).toEqual(draft);
  });

  it('is gone after a logout, also when it was about to be stored', () => {
    storeBookDraft('4', draft);
    signOut();
    removeDrafts();
    vi.advanceTimersByTime(DRAFT_AFTER);
    expect(Object.keys(sessionStorage).filter((key) => key.startsWith('draft:'))).toEqual([]);
  });
});
