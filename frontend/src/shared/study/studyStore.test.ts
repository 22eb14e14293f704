import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { act, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { COPIES_KEPT_DAYS, copiesOwner } from '@/shared/offline/copiesOwner';
import { COLORS } from '@/shared/study/colors';
import { HIGHLIGHTED, STORED_FLAG, UNSENT_FLAG, areHighlightsOff, rememberHighlightsOff } from '@/shared/study/studyFlags';
import { mergeHighlights } from '@/shared/study/merge';
import { isShown, restored, tagsOf, withTag } from '@/shared/study/records';
import type { Highlight } from '@/shared/study/records';
import type * as Store from '@/shared/study/studyStore';
import { DELETED_KEPT, studyStore as own, useStudy } from '@/shared/study/studyStore';
import { randomOf } from '@test/random';
import { sampleCard, sampleHighlight } from '@test/study';

const ADA = 7;
const BEN = 8;

type Tab = typeof Store;

/** A tab of this browser: its own memory, the browser's storage. */
async function openTab(member = ADA): Promise<Tab> {
  vi.resetModules();
  const tab = await import('@/shared/study/studyStore');
  await tab.studyStore.load(member);
  return tab;
}

const made = (more: Partial<Highlight> = {}) => sampleHighlight({ version: null, place: null, ...more });
const note = (value: string, at: number) => ({ note: { value, at } });

const record = (tab: Tab, id = 7) => tab.studyStore.snapshot().highlights.get(id);
const state = (tab: Tab, id = 7) => record(tab, id)?.state;
const idsOf = (tab: Tab) => tab.shownHighlights(tab.studyStore.snapshot()).map(({ id }) => id);
const pull = (tab: Tab, highlights: Highlight[], cursor: number, member = ADA) =>
  tab.studyStore.receive(member, { highlights, cards: [], cursor, isEnd: true });

/** Stands in for the browser's channel: the tabs of one test. */
const tabs = new Set<TestChannel>();
class TestChannel extends EventTarget {
  constructor() {
    super();
    tabs.add(this);
  }

  postMessage(data: unknown): void {
    for (const tab of tabs) if (tab !== this) queueMicrotask(() => tab.dispatchEvent(new MessageEvent('message', { data })));
  }
}

beforeEach(() => {
  tabs.clear();
  vi.stubGlobal('BroadcastChannel', TestChannel);
  vi.stubGlobal('indexedDB', new IDBFactory());
  session.start('token');
  copiesOwner.set(ADA);
});
afterEach(() => {
  session.end('left');
  vi.unstubAllGlobals();
});

describe('a highlight', () => {
  it('is there at once, and on the next page', async () => {
    const tab = await openTab();
    const stored = tab.studyStore.putHighlight(made());
    expect(idsOf(tab)).toEqual([7]);
    await stored;
    const next = await openTab();
    expect(state(next)).toEqual(made());
    expect(tab.studyStore.snapshot().isLoaded).toBe(true);
  });

  it('needs a loaded member', async () => {
    await expect(own.putHighlight(made())).rejects.toThrow('No member');
  });

  it('is merged with what is stored', async () => {
    const tab = await openTab();
    await tab.studyStore.putHighlight(made({ color: { value: 'rose', at: 5 } }));
    await tab.studyStore.putHighlight(made({ color: { value: 'leaf', at: 4 }, ...note('Yes.', 4) }));
    expect(state(tab)).toMatchObject({ color: { value: 'rose' }, note: { value: 'Yes.' } });
  });

  it('shows all of several quick changes, at any time', async () => {
    const tab = await openTab();
    const seen: string[] = [];
    tab.studyStore.subscribe(() => seen.push(state(tab)?.note.value ?? ''));
    const all = ['a', 'ab', 'abc', 'abcd'].map((text, at) => tab.studyStore.putHighlight(made(note(text, at + 1))));
    await Promise.all(all);
    expect(seen.filter((text, at) => text.length < (seen[at - 1] ?? '').length)).toEqual([]);
    expect(record(tab)).toMatchObject({ rev: 4, state: { note: { value: 'abcd' } } });
  });

  it('shows the second of two quick changes at once', async () => {
    const tab = await openTab();
    const first = tab.studyStore.putHighlight(made(note('a', 1)));
    const second = tab.studyStore.putHighlight(made(note('ab', 2)));
    expect(state(tab)?.note.value).toBe('ab');
    await Promise.all([first, second]);
  });

  it('is deleted, and brought back by a later change', async () => {
    const tab = await openTab();
    await tab.studyStore.putHighlight(made());
    await tab.studyStore.removeHighlight(7);
    expect(idsOf(tab)).toEqual([]);
    const deleted = state(tab);
    if (!deleted) throw new Error('It is gone.');
    expect(deleted.deletedAt).toBeGreaterThan(1);
    await tab.studyStore.putHighlight(restored(deleted, Date.now() + 5));
    expect(idsOf(tab)).toEqual([7]);
  });

  it('is deleted even if it was changed by a clock that is ahead', async () => {
    const tab = await openTab();
    await tab.studyStore.putHighlight(made({ color: { value: 'sky', at: Date.now() + 60_000 } }));
    await tab.studyStore.removeHighlight(7);
    expect(idsOf(tab)).toEqual([]);
  });

  it('that is not there is not deleted', async () => {
    const tab = await openTab();
    await tab.studyStore.removeHighlight(99);
    expect(tab.studyStore.snapshot().highlights.size).toBe(0);
  });

  it('is listed with its book, the latest first', async () => {
    const tab = await openTab();
    await tab.studyStore.putHighlight(made({ id: 1, createdAt: 10 }));
    await tab.studyStore.putHighlight(made({ id: 2, createdAt: 20 }));
    await tab.studyStore.putHighlight(made({ id: 3, createdAt: 30, bookId: null, summaryId: 5 }));
    expect(idsOf(tab)).toEqual([3, 2, 1]);
    const now = tab.studyStore.snapshot();
    expect(tab.highlightsOf(now, { bookId: 12 }).map(({ id }) => id)).toEqual([2, 1]);
    expect(tab.highlightsOf(now, { summaryId: 5 }).map(({ id }) => id)).toEqual([3]);
  });

  it('makes its book known to the reader until it is deleted', async () => {
    const tab = await openTab();
    await tab.studyStore.putHighlight(made());
    expect(localStorage.getItem(HIGHLIGHTED)).toBe('[12]');
    await tab.studyStore.removeHighlight(7);
    expect(localStorage.getItem(HIGHLIGHTED)).toBeNull();
  });

  it('renders what shows it', async () => {
    await own.load(ADA);
    const { result } = renderHook(() => useStudy(({ highlights }) => highlights.get(7)?.state.note.value));
    expect(result.current).toBeUndefined();
    await act(() => own.putHighlight(made(note('Yes.', 2))));
    expect(result.current).toBe('Yes.');
    await act(() => own.removeMember(ADA));
  });
});

describe('an answer of a page that is being closed', () => {
  it('is there for the next page, once', async () => {
    const tab = await openTab();
    const adding = tab.studyStore.addAnswer({ id: 1, cardId: 9, rating: 3, at: 5 });
    expect(localStorage.getItem('unsentStudy')).toContain('"cardId":9');
    await adding;
    expect(localStorage.getItem('unsentStudy')).toBeNull();
    localStorage.setItem('unsentStudy', JSON.stringify({ highlights: [], cards: [], answers: [{ id: 2, cardId: 9, rating: 1, at: 6, member: ADA }] }));
    const next = await openTab();
    expect([...next.studyStore.snapshot().answers.keys()].sort()).toEqual([1, 2]);
    expect(localStorage.getItem('unsentStudy')).toBeNull();
  });
});

describe('answers that are left for the next page', () => {
  it('stay when another one is stored, and go when their member logs out', async () => {
    const tab = await openTab();
    const left = (id: number, member: number) => ({ id, cardId: 9, rating: 1, at: 6, member });
    localStorage.setItem('unsentStudy', JSON.stringify({ highlights: [], cards: [], answers: [left(2, ADA), left(3, BEN)] }));
    await tab.studyStore.addAnswer({ id: 1, cardId: 9, rating: 3, at: 5 });
    const ids = () => (JSON.parse(localStorage.getItem('unsentStudy') ?? '{}') as { answers?: { id: number }[] }).answers?.map(({ id }) => id);
    expect(ids()).toEqual([2, 3]);
    await tab.studyStore.removeMember(ADA);
    expect(ids()).toEqual([3]);
  });
});

describe('a record that the server has refused', () => {
  it('and never had is dropped when it is deleted, and comes back with an undo', async () => {
    const tab = await openTab();
    const other = await openTab();
    await tab.studyStore.putHighlight(made());
    await tab.studyStore.putCard(sampleCard({ version: null }));
    await tab.studyStore.refused('highlights', ADA, 7, 1, 'Please open this summary first.');
    await tab.studyStore.refused('cards', ADA, 9, 1, 'Please upgrade.');
    await waitFor(() => expect(other.studyStore.snapshot().cards.get(9)?.refused).toBe('Please upgrade.'));
    const removing = tab.studyStore.removeHighlight(7);
    expect(record(tab)).toBeUndefined();
    await removing;
    await tab.studyStore.removeCard(9);
    expect(await tab.studyStore.unsentCount(ADA)).toBe(0);
    for (const one of [tab, other, await openTab()]) {
      await waitFor(() => expect([one.studyStore.snapshot().highlights.size, one.studyStore.snapshot().cards.size]).toEqual([0, 0]));
    }
    await tab.studyStore.putHighlight(made());
    expect(record(tab)).toMatchObject({ rev: 1, unsent: 1, refused: null });
  });

  it('is sent as deleted when the server has it', async () => {
    const tab = await openTab();
    await pull(tab, [sampleHighlight({ version: 3 })], 3);
    await tab.studyStore.putHighlight(sampleHighlight({ version: 3, ...note('Long.', 9) }));
    await tab.studyStore.refused('highlights', ADA, 7, 1, 'Please keep your note to 5,000 characters.');
    await tab.studyStore.removeHighlight(7);
    expect((await tab.studyStore.unsent(ADA)).highlights).toHaveLength(1);
    expect(idsOf(tab)).toEqual([]);
  });
});

describe('what is stored', () => {
  it.each<[string, (tab: Tab) => Promise<unknown>]>([
    ['a change', (tab) => tab.studyStore.putHighlight(made())],
    ['an answer', (tab) => tab.studyStore.addAnswer({ id: 1, cardId: 9, rating: 3, at: 5 })],
    ['a part of the change feed', (tab) => pull(tab, [sampleHighlight()], 5)],
  ])('by %s is known to a logout', async (_, store) => {
    const tab = await openTab();
    await tab.studyStore.removeSent();
    expect(localStorage.getItem(STORED_FLAG)).toBeNull();
    await store(tab);
    expect(localStorage.getItem(STORED_FLAG)).toBe('1');
  });
});

describe('what is unsent', () => {
  it('is what the server does not have in its latest form', async () => {
    const tab = await openTab();
    await tab.studyStore.putHighlight(made());
    await tab.studyStore.putCard(sampleCard({ version: null }));
    await tab.studyStore.addAnswer({ id: 1, cardId: 9, rating: 3, at: 5 });
    const unsent = await tab.studyStore.unsent(ADA);
    expect([unsent.highlights.length, unsent.cards.length, unsent.answers.length]).toEqual([1, 1, 1]);
    expect(localStorage.getItem(UNSENT_FLAG)).toBe('1');

    await tab.studyStore.sent('highlights', ADA, 1, made({ version: 5 }));
    await tab.studyStore.sent('cards', ADA, 1, sampleCard({ version: 6 }));
    await tab.studyStore.answersSent(ADA, [1]);
    expect(await tab.studyStore.unsentCount(ADA)).toBe(0);
    expect(await tab.studyStore.unsent(ADA)).toEqual({ highlights: [], cards: [], commitments: [], lists: [], answers: [] });
    expect(localStorage.getItem(UNSENT_FLAG)).toBeNull();
    expect(state(tab)?.version).toBe(5);
    expect(tab.studyStore.snapshot().answers.size).toBe(0);
  });

  it('stays unsent when it was changed while it was being sent', async () => {
    const tab = await openTab();
    await tab.studyStore.putHighlight(made());
    await tab.studyStore.putHighlight(made(note('Later.', 9)));
    await tab.studyStore.sent('highlights', ADA, 1, made({ version: 5, color: { value: 'sky', at: 3 } }));
    expect(state(tab)).toMatchObject({ note: { value: 'Later.' }, color: { value: 'sky' }, version: 5 });
    expect((await tab.studyStore.unsent(ADA)).highlights).toMatchObject([{ rev: 2, sentRev: 1 }]);
  });

  it('becomes the server’s state when it was not changed meanwhile', async () => {
    const tab = await openTab();
    await tab.studyStore.putHighlight(made({ createdAt: 9 }));
    // The server has put the moments right.
    await tab.studyStore.sent('highlights', ADA, 1, made({ createdAt: 5, color: { value: 'honey', at: 5 }, version: 5 }));
    expect(state(tab)).toMatchObject({ createdAt: 5, color: { at: 5 } });
  });

  it('keeps a later state of the server that was faster', async () => {
    const tab = await openTab();
    await tab.studyStore.putHighlight(made());
    await pull(tab, [made({ ...note('From the phone.', 4), version: 6 })], 6);
    await tab.studyStore.sent('highlights', ADA, 1, made({ version: 5 }));
    expect(state(tab)).toMatchObject({ note: { value: 'From the phone.' }, version: 6 });
    expect(await tab.studyStore.unsentCount(ADA)).toBe(0);
  });

  it('is not sent again after a refusal until it changes, and says why', async () => {
    const tab = await openTab();
    await tab.studyStore.putHighlight(made());
    await tab.studyStore.refused('highlights', ADA, 7, 1, 'Please use at most 20 tags.');
    expect(record(tab)?.refused).toBe('Please use at most 20 tags.');
    expect((await tab.studyStore.unsent(ADA)).highlights).toEqual([]);
    expect([await tab.studyStore.unsentCount(ADA), localStorage.getItem(UNSENT_FLAG)]).toEqual([1, null]);
    await tab.studyStore.putHighlight(made(note('Again.', 9)));
    expect(record(tab)?.refused).toBeNull();
    expect((await tab.studyStore.unsent(ADA)).highlights).toHaveLength(1);
    // A refusal of what was changed meanwhile says nothing of the change.
    await tab.studyStore.refused('highlights', ADA, 7, 1, 'Late.');
    expect(record(tab)?.refused).toBeNull();
  });

  it('is not brought back by an answer that comes after a logout', async () => {
    const tab = await openTab();
    await tab.studyStore.putHighlight(made());
    await tab.studyStore.removeMember(ADA);
    await tab.studyStore.sent('highlights', ADA, 1, made({ version: 5 }));
    const next = await openTab();
    expect(next.studyStore.snapshot().highlights.size).toBe(0);
  });
});

describe('the change feed', () => {
  it('brings records and moves the cursor on', async () => {
    const tab = await openTab();
    expect(await tab.studyStore.cursor(ADA)).toBe(0);
    await tab.studyStore.receive(ADA, { highlights: [sampleHighlight({ version: 3 })], cards: [sampleCard({ version: 4 })], cursor: 4, isEnd: false });
    expect(tab.studyStore.snapshot().meta).toEqual({ member: ADA, cursor: 4, pulledAt: null });
    await pull(tab, [], 4);
    expect(tab.studyStore.snapshot().meta?.pulledAt).not.toBeNull();
    await pull(tab, [], 3);
    expect(await (await openTab()).studyStore.cursor(ADA)).toBe(4);
    expect([idsOf(tab), [...tab.studyStore.snapshot().cards.keys()]]).toEqual([[7], [9]]);
    expect(await tab.studyStore.unsentCount(ADA)).toBe(0);
  });

  it('replaces what was sent, and is merged with what was not', async () => {
    const tab = await openTab();
    await pull(tab, [sampleHighlight({ version: 3, ...note('Old.', 2) })], 3);
    await pull(tab, [sampleHighlight({ version: 4, ...note('', 2) })], 4);
    expect(state(tab)?.note.value).toBe('');
    await tab.studyStore.putHighlight(sampleHighlight({ version: 4, color: { value: 'leaf', at: 8 } }));
    await pull(tab, [sampleHighlight({ version: 5, ...note('New.', 6) })], 5);
    expect(state(tab)).toMatchObject({ color: { value: 'leaf' }, note: { value: 'New.' }, version: 5 });
    expect(await tab.studyStore.unsentCount(ADA)).toBe(1);
  });

  it('brings nothing that is older than what is here', async () => {
    const tab = await openTab();
    await pull(tab, [sampleHighlight({ version: 4, ...note('New.', 6) })], 4);
    await pull(tab, [sampleHighlight({ version: 3 })], 4);
    expect(state(tab)).toMatchObject({ version: 4, note: { value: 'New.' } });
  });

  it('brings no deleted record that this device never had', async () => {
    const tab = await openTab();
    await pull(tab, [sampleHighlight({ version: 3, deletedAt: 5 })], 3);
    expect(tab.studyStore.snapshot().highlights.size).toBe(0);
  });
});

describe('a part of the change feed', () => {
  it('that was read from a later cursor than the one stored is not taken', async () => {
    const tab = await openTab();
    await pull(tab, [sampleHighlight({ id: 1, version: 3 })], 3);
    await tab.studyStore.removeSent();
    const part = { highlights: [sampleHighlight({ id: 2, version: 5 })], cards: [], cursor: 5, isEnd: true };
    expect(await tab.studyStore.receive(ADA, { ...part, from: 3 })).toBe(false);
    expect([await tab.studyStore.cursor(ADA), idsOf(tab), tab.studyStore.snapshot().meta]).toEqual([0, [], null]);
    expect(await tab.studyStore.receive(ADA, { ...part, from: 0 })).toBe(true);
    expect([await tab.studyStore.cursor(ADA), idsOf(tab)]).toEqual([5, [2]]);
  });
});

describe('a note', () => {
  it('that another device has overtaken is offered back', async () => {
    const tab = await openTab();
    await pull(tab, [sampleHighlight({ version: 1 })], 1);
    await tab.studyStore.putHighlight(sampleHighlight(note('Mine.', 5)));
    await tab.studyStore.sent('highlights', ADA, 1, sampleHighlight({ version: 3, ...note('From the phone.', 6) }));
    expect(record(tab)).toMatchObject({ overtaken: 'Mine.', state: { note: { value: 'From the phone.' } } });
    expect(record(await openTab())?.overtaken).toBe('Mine.');
    await tab.studyStore.settleNote(7);
    expect(record(tab)?.overtaken).toBeNull();
    expect(await tab.studyStore.unsentCount(ADA)).toBe(0);
  });

  it('is offered back too when the change feed brings the other one', async () => {
    const tab = await openTab();
    await pull(tab, [sampleHighlight({ version: 1 })], 1);
    await tab.studyStore.putHighlight(sampleHighlight(note('Mine.', 5)));
    await pull(tab, [sampleHighlight({ version: 2, ...note('From the phone.', 6) })], 2);
    expect(record(tab)?.overtaken).toBe('Mine.');
  });

  it('that was sent and changed elsewhere later is not', async () => {
    const tab = await openTab();
    await tab.studyStore.putHighlight(made(note('Mine.', 5)));
    await tab.studyStore.sent('highlights', ADA, 1, made({ version: 1, ...note('Mine.', 4) }));
    await pull(tab, [made({ version: 2, ...note('From the phone.', 9) })], 2);
    await tab.studyStore.putHighlight(made({ version: 2, color: { value: 'sky', at: 20 } }));
    await pull(tab, [made({ version: 3, ...note('Once more.', 12) })], 3);
    expect(record(tab)?.overtaken).toBeNull();
  });
});

describe('two tabs', () => {
  it('show what the other one changes', async () => {
    const one = await openTab();
    const other = await openTab();
    await one.studyStore.putHighlight(made());
    await waitFor(() => expect(idsOf(other)).toEqual([7]));
    await other.studyStore.removeHighlight(7);
    await waitFor(() => expect(idsOf(one)).toEqual([]));
  });

  it('lose nothing of what both change at once', async () => {
    const one = await openTab();
    const other = await openTab();
    await one.studyStore.putHighlight(made());
    await waitFor(() => expect(idsOf(other)).toEqual([7]));
    await Promise.all([one.studyStore.putHighlight(made({ color: { value: 'rose', at: 5 } })), other.studyStore.putHighlight(made(note('Yes.', 5)))]);
    for (const tab of [one, other]) {
      await waitFor(() => expect(record(tab)).toMatchObject({ rev: 3, state: { color: { value: 'rose' }, note: { value: 'Yes.' } } }));
    }
  });
});

describe('the end of a session', () => {
  it('in another tab leaves nothing on the screen and in the storage', async () => {
    const one = await openTab();
    const other = await openTab();
    await pull(one, [sampleHighlight({ id: 1 })], 5);
    await waitFor(() => expect(idsOf(other)).toEqual([1]));
    session.end('left');
    copiesOwner.clear();
    await one.studyStore.removeMember(ADA);
    await waitFor(() => expect(idsOf(other)).toEqual([]));
    expect(localStorage.getItem(HIGHLIGHTED)).toBeNull();
  });

  it('removes what was sent, of everybody, and keeps what was not', async () => {
    const tab = await openTab();
    await pull(tab, [sampleHighlight({ id: 1 })], 5);
    await tab.studyStore.putHighlight(made({ id: 2 }));
    await tab.studyStore.addAnswer({ id: 1, cardId: 9, rating: 3, at: 5 });
    await pull(tab, [sampleHighlight({ id: 3 })], 5, BEN);
    await tab.studyStore.removeSent();
    expect(idsOf(tab)).toEqual([2]);
    const next = await openTab();
    expect(idsOf(next)).toEqual([2]);
    expect([await next.studyStore.cursor(ADA), await next.studyStore.cursor(BEN), await next.studyStore.unsentCount(ADA)]).toEqual([0, 0, 2]);
    copiesOwner.set(BEN);
    expect((await openTab(BEN)).studyStore.snapshot().highlights.size).toBe(0);
  });

  it('by a logout removes everything of the member, and nothing of others', async () => {
    const tab = await openTab();
    await tab.studyStore.putHighlight(made());
    await tab.studyStore.putCard(sampleCard());
    await tab.studyStore.addAnswer({ id: 1, cardId: 9, rating: 3, at: 5 });
    await pull(tab, [sampleHighlight({ id: 3 })], 5, BEN);
    await tab.studyStore.removeMember(ADA);
    expect(tab.studyStore.snapshot()).toMatchObject({ member: null, isLoaded: false });
    expect(Object.keys(localStorage).filter((key) => [HIGHLIGHTED, STORED_FLAG, UNSENT_FLAG, 'unsentStudy'].includes(key))).toEqual([]);
    expect(await tab.studyStore.unsentCount(ADA)).toBe(0);
    copiesOwner.set(BEN);
    expect(idsOf(await openTab(BEN))).toEqual([3]);
  });

  it('leaves the flag while another member has something to send', async () => {
    const tab = await openTab();
    await tab.studyStore.putHighlight(made());
    copiesOwner.set(BEN);
    await tab.studyStore.load(BEN);
    expect(idsOf(tab)).toEqual([]);
    await tab.studyStore.putHighlight(made({ id: 8 }));
    await tab.studyStore.removeMember(BEN);
    expect(localStorage.getItem(UNSENT_FLAG)).toBe('1');
    expect((await tab.studyStore.unsent(ADA)).highlights).toHaveLength(1);
  });
});

describe('a member who claims the device', () => {
  it('keeps what was just read, and what another member’s session has left is removed', async () => {
    copiesOwner.clear();
    const tab = await openTab();
    rememberHighlightsOff(true);
    await pull(tab, [sampleHighlight({ id: 1 })], 5);
    await pull(tab, [sampleHighlight({ id: 3 })], 5, BEN);
    await tab.studyStore.removeSent(ADA);
    expect([idsOf(tab), tab.studyStore.snapshot().meta?.cursor, localStorage.getItem(STORED_FLAG)]).toEqual([[1], 5, '1']);
    expect([await tab.studyStore.cursor(ADA), await tab.studyStore.cursor(BEN)]).toEqual([5, 0]);
    expect(areHighlightsOff()).toBe(false);
    copiesOwner.set(BEN);
    expect(idsOf(await openTab(BEN))).toEqual([]);
  });

  it('keeps their preferences when the device has nothing of another member', async () => {
    copiesOwner.clear();
    const tab = await openTab();
    rememberHighlightsOff(true);
    await pull(tab, [sampleHighlight()], 5);
    await tab.studyStore.removeSent(ADA);
    expect(areHighlightsOff()).toBe(true);
  });

  it('sees what was hidden until then', async () => {
    await pull(await openTab(), [sampleHighlight()], 5);
    copiesOwner.clear();
    const tab = await openTab();
    expect(idsOf(tab)).toEqual([]);
    await tab.studyStore.removeSent(ADA);
    expect(idsOf(tab)).toEqual([7]);
  });

  it('sees nothing of a member whose records were shown', async () => {
    const tab = await openTab();
    await pull(tab, [sampleHighlight()], 5);
    await tab.studyStore.removeSent(BEN);
    expect([idsOf(tab), localStorage.getItem(STORED_FLAG)]).toEqual([[], null]);
  });
});

describe('records on this device', () => {
  it('are not shown to another member, nor after 30 days without the server', async () => {
    const tab = await openTab();
    await pull(tab, [sampleHighlight()], 5);
    copiesOwner.set(BEN);
    expect(idsOf(await openTab(ADA))).toEqual([]);
    localStorage.setItem('pith-copies', JSON.stringify({ member: ADA, contact: Date.now() - (COPIES_KEPT_DAYS + 1) * 86_400_000 }));
    expect(idsOf(await openTab(ADA))).toEqual([]);
    copiesOwner.set(ADA);
    expect(idsOf(await openTab(ADA))).toEqual([7]);
  });

  it('that were deleted and sent are removed after 30 days', async () => {
    const tab = await openTab();
    const old = Date.now() - DELETED_KEPT - 1;
    await pull(
      tab,
      [1, 2, 3].map((id) => sampleHighlight({ id, version: id })),
      3,
    );
    await pull(tab, [sampleHighlight({ id: 1, version: 4, deletedAt: old }), sampleHighlight({ id: 2, version: 5, deletedAt: old + 60_000 })], 5);
    await tab.studyStore.putHighlight(made({ id: 4, deletedAt: old }));
    const next = await openTab();
    expect([...next.studyStore.snapshot().highlights.keys()].sort()).toEqual([2, 3, 4]);
  });
});

describe('without a database', () => {
  it('last as long as the page, and what is unsent until it was sent', async () => {
    vi.stubGlobal('indexedDB', undefined);
    const tab = await openTab();
    await pull(tab, [sampleHighlight({ id: 1 })], 5);
    await tab.studyStore.putHighlight(made({ id: 2 }));
    await tab.studyStore.addAnswer({ id: 1, cardId: 9, rating: 3, at: 5 });
    expect(idsOf(tab).sort()).toEqual([1, 2]);

    const next = await openTab();
    expect(idsOf(next)).toEqual([2]);
    expect(await next.studyStore.unsentCount(ADA)).toBe(2);
    await next.studyStore.sent('highlights', ADA, 1, made({ id: 2, version: 6 }));
    await next.studyStore.answersSent(ADA, [1]);
    expect(localStorage.getItem('unsentStudy')).toBeNull();
  });

  it('are taken over by a page that has one', async () => {
    vi.stubGlobal('indexedDB', undefined);
    const tab = await openTab();
    await tab.studyStore.putHighlight(made(note('Yes.', 5)));
    vi.stubGlobal('indexedDB', new IDBFactory());
    const next = await openTab();
    expect(state(next)?.note.value).toBe('Yes.');
    expect([localStorage.getItem('unsentStudy'), await next.studyStore.unsentCount(ADA)]).toEqual([null, 1]);
    expect(state(await openTab())?.note.value).toBe('Yes.');
  });

  it('are read from a storage that anything has written to', async () => {
    for (const left of ['{', '7', 'null', '{"highlights":[{"member":7}],"cards":[null],"answers":5}']) {
      localStorage.setItem('unsentStudy', left);
      expect(idsOf(await openTab())).toEqual([]);
    }
  });

  it('lose nothing when the database fails in the middle', async () => {
    const tab = await openTab();
    await pull(tab, [sampleHighlight({ id: 1 })], 5);
    const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('The disk is full.', 'QuotaExceededError');
    });
    await tab.studyStore.putHighlight(made({ id: 2 }));
    expect(idsOf(tab).sort()).toEqual([1, 2]);
    await tab.studyStore.removeHighlight(1);
    expect(idsOf(tab)).toEqual([2]);
    full.mockRestore();
    expect(idsOf(await openTab())).toEqual([2]);
  });

  it('is opened again after the browser has closed it', async () => {
    const tab = await openTab();
    await tab.studyStore.putHighlight(made());
    const begin = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(() => {
      throw new DOMException('The connection was closed.', 'InvalidStateError');
    });
    await tab.studyStore.putHighlight(made(note('Yes.', 5)));
    begin.mockRestore();
    expect(state(await openTab())?.note.value).toBe('Yes.');
  });
});

/** A server as the design of the feature describes it: it merges, and numbers its changes. */
class Server {
  private version = 0;
  private readonly known = new Map<number, Highlight>();

  put(sent: Highlight): Highlight {
    this.version += 1;
    const before = this.known.get(sent.id);
    const merged = { ...(before ? mergeHighlights(before, sent) : sent), version: this.version };
    this.known.set(sent.id, merged);
    return merged;
  }

  after(cursor: number): Highlight[] {
    return [...this.known.values()].filter(({ version }) => (version ?? 0) > cursor).sort((a, b) => (a.version ?? 0) - (b.version ?? 0));
  }

  shown(): Highlight[] {
    return this.after(0).filter(isShown);
  }
}

describe('two devices', () => {
  const summaryOf = (all: readonly Highlight[]) =>
    all.map((one) => ({ id: one.id, color: one.color, note: one.note, tags: tagsOf(one) })).sort((a, b) => a.id - b.id);

  it('and the server agree in the end, whatever was changed and sent in which order', async () => {
    for (let seed = 0; seed < 25; seed += 1) {
      const random = randomOf(seed);
      const server = new Server();
      /** Everything that was ever said. */
      const said = new Map<number, Highlight>();
      let clock = 1;
      const devices: Tab[] = [];
      for (let count = 0; count < 2; count += 1) {
        // Another browser: another database, and no channel to the first.
        vi.stubGlobal('indexedDB', new IDBFactory());
        tabs.clear();
        devices.push(await openTab());
      }

      const changeSomething = async ({ studyStore }: Tab) => {
        clock += random.int(0, 1);
        const id = random.int(1, 4);
        const known = studyStore.snapshot().highlights.get(id)?.state ?? made({ id, createdAt: clock });
        const at = clock;
        const next = random.pick<() => Highlight>([
          () => ({ ...known, color: { value: random.pick(COLORS), at } }),
          () => ({ ...known, note: { value: random.pick(['', 'a', 'b']), at } }),
          () => withTag(known, random.pick(['x', 'X', 'y']), random.chance(0.6), at),
          () => ({ ...known, deletedAt: at }),
        ])();
        const before = said.get(id);
        said.set(id, before ? mergeHighlights(before, next) : next);
        await studyStore.putHighlight(next);
      };

      const sync = async (tab: Tab, isQuiet: boolean) => {
        const { studyStore } = tab;
        for (const { rev, state: sent } of random.shuffled((await studyStore.unsent(ADA)).highlights)) {
          const merged = server.put(sent);
          if (!isQuiet && random.chance(0.3)) await changeSomething(tab);
          // The answer may be lost: then the same is sent again.
          if (isQuiet || random.chance(0.8)) await studyStore.sent('highlights', ADA, rev, merged);
        }
        for (;;) {
          const all = server.after(await studyStore.cursor(ADA));
          const part = all.slice(0, 2);
          if (!isQuiet && random.chance(0.3)) await changeSomething(tab);
          await studyStore.receive(ADA, { highlights: part, cards: [], cursor: part.at(-1)?.version ?? 0, isEnd: part.length === all.length });
          if (part.length === all.length) break;
        }
      };

      for (let step = 0; step < 14; step += 1) {
        const device = random.pick(devices);
        if (random.chance(0.6)) await changeSomething(device);
        else await sync(device, false);
      }
      for (const device of [...devices, ...devices]) await sync(device, true);

      expect(summaryOf(server.shown()), `case ${seed}`).toEqual(summaryOf([...said.values()].filter(isShown)));
      for (const { studyStore, shownHighlights } of devices) {
        const shown = shownHighlights(studyStore.snapshot()).map((one) => one.state);
        expect(summaryOf(shown), `case ${seed}`).toEqual(summaryOf(server.shown()));
        expect(await studyStore.unsentCount(ADA), `case ${seed}`).toBe(0);
      }
    }
  });
});
