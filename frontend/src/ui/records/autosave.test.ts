import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AUTOSAVE_AFTER, createAutosave, inputOf, restored, unsavedDrafts } from '@/ui/records/autosave';
import type { Draft, DraftStore, Input } from '@/ui/records/autosave';
import type { FieldDef } from '@/ui/records/fields';

const FIELDS: readonly FieldDef[] = [
  { id: 'title', label: 'Title', type: 'text' },
  { id: 'author', label: 'Author', type: 'text' },
  { id: 'tags', label: 'Tags', type: 'multi-select' },
  { id: 'photo', label: 'Photo', type: 'file' },
  { id: 'secret', label: 'Password', type: 'text', inputType: 'password' },
];
const BASE = { title: 'Emma', author: 'Austen', tags: ['calm'], photo: null, secret: '' };

const typed = (title: string): Input => ({ version: 3, from: { title: 'Emma' }, to: { title } });

function memoryStore(isFull = () => false) {
  const drafts = new Map<string, Draft>();
  let keys = 0;
  const store: DraftStore = {
    newKey: () => `${++keys}`,
    list: () => [...drafts.values()].sort((a, b) => b.at - a.at),
    write: (draft) => !isFull() && drafts.set(draft.key, draft).size > 0,
    remove: (key) => void drafts.delete(key),
  };
  return { store, titles: () => store.list().map(({ to }) => to['title']) };
}

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

describe('what is typed in a form (admin.kept-input)', () => {
  it('is stored a moment later, however long the typing goes on', () => {
    const { store, titles } = memoryStore();
    const autosave = createAutosave(store);
    autosave.update(typed('Emma!'));
    vi.advanceTimersByTime(AUTOSAVE_AFTER / 2);
    autosave.update(typed('Emma!!'));
    expect([titles(), autosave.isKept(), autosave.isStored()]).toEqual([[], false, false]);
    vi.advanceTimersByTime(AUTOSAVE_AFTER / 2);
    expect([titles(), autosave.isKept(), autosave.isStored()]).toEqual([['Emma!!'], true, true]);
  });

  it('is stored at once when the page goes, and removed when it is saved or taken back', () => {
    const { store, titles } = memoryStore();
    const autosave = createAutosave(store);
    autosave.update(typed('Emma!'));
    autosave.flush();
    expect(titles()).toEqual(['Emma!']);
    autosave.update(typed('Emma?'));
    autosave.update(null);
    vi.advanceTimersByTime(AUTOSAVE_AFTER);
    expect([titles(), autosave.isKept()]).toEqual([[], false]);
  });

  it('is not said to be kept when it could not be stored, or was removed by another tab', () => {
    let isFull = true;
    const { store } = memoryStore(() => isFull);
    const autosave = createAutosave(store);
    autosave.update(typed('Emma!'));
    expect(autosave.flush()).toBe(false);
    isFull = false;
    autosave.update(typed('Emma?'));
    expect(autosave.flush()).toBe(true);
    for (const { key } of store.list()) store.remove(key);
    expect(autosave.isStored()).toBe(false);
    expect(createAutosave(null).flush()).toBe(false);
  });

  it('in two tabs of one record is stored apart', () => {
    const { store, titles } = memoryStore();
    const [one, other] = [createAutosave(store), createAutosave(store)];
    one.update(typed('Mine'));
    other.update(typed('Mine too'));
    vi.advanceTimersByTime(AUTOSAVE_AFTER);
    expect(titles()).toEqual(['Mine', 'Mine too']);
  });

  it('takes the place of the draft that was restored', () => {
    const { store, titles } = memoryStore();
    createAutosave(store).update(typed('Earlier'));
    vi.advanceTimersByTime(AUTOSAVE_AFTER);
    const autosave = createAutosave(store);
    autosave.update(typed('Later'));
    autosave.flush();
    const earlier = store.list().find(({ to }) => to['title'] === 'Earlier') as Draft;
    autosave.adopt(earlier, typed('Both'));
    expect(titles()).toEqual(['Both']);
    autosave.update(null);
    expect(titles()).toEqual([]);
  });

  it('has only the changed fields, without files and passwords', () => {
    expect(inputOf(FIELDS, BASE, BASE, 3)).toBeNull();
    const values = { ...BASE, tags: [], photo: new File(['x'], 'x.png'), secret: 'quiet' };
    expect(inputOf(FIELDS, BASE, values, 3)).toEqual({ version: 3, from: { tags: ['calm'] }, to: { tags: [] } });
  });
});

describe('a draft that is restored (admin.draft-restore)', () => {
  const draft: Input = { version: 3, from: { title: 'Emma', tags: ['calm'] }, to: { title: 'Mine', tags: [] } };

  it('brings back its fields, and leaves those that others have changed', () => {
    expect(restored(draft, FIELDS, { ...BASE, author: 'Jane Austen' })).toEqual({
      values: { ...BASE, title: 'Mine', author: 'Jane Austen', tags: [] },
      clashes: [],
    });
  });

  it('clashes where the same field was changed since', () => {
    expect(restored(draft, FIELDS, { ...BASE, title: 'Theirs' }).clashes).toEqual(['title']);
  });

  it('leaves out a field whose type has changed', () => {
    expect(restored({ version: 3, from: { tags: '' }, to: { tags: 'calm', title: 'Mine' } }, FIELDS, BASE).values).toEqual({ ...BASE, title: 'Mine' });
  });

  it('is not offered when the record says the same by now', () => {
    const { store, titles } = memoryStore();
    store.write({ ...draft, key: store.newKey(), at: 1 });
    expect(unsavedDrafts(store, FIELDS, BASE)).toHaveLength(1);
    expect(unsavedDrafts(store, FIELDS, { ...BASE, title: 'Mine', tags: [] })).toEqual([]);
    expect(titles()).toEqual([]);
  });
});
