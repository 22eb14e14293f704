import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import { shownBooks } from '@/shared/study/lists/list';
import type { ReadingList } from '@/shared/study/lists/list';
import {
  changeListNote,
  createList,
  listNameError,
  listNoteError,
  moveOnList,
  putOnList,
  removeList,
  renameList,
  restoreList,
  takeOffList,
} from '@/shared/study/lists/listChanges';
import { shownLists } from '@/shared/study/lists/shownLists';
import { studyStore } from '@/shared/study/studyStore';

const ADA = 7;
const WALDEN = { id: 12, subid: 'walden', title: 'Walden', author: 'Henry David Thoreau', image: null, hue: 150 };
const MEDITATIONS = { id: 13, subid: 'meditations', title: 'Meditations', author: 'Marcus Aurelius', image: null, hue: 20 };

// Nothing is sent: no request is needed.
vi.mock('@/shared/study/studySync', () => ({ syncStudy: () => Promise.resolve() }));

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  session.start('token');
  copiesOwner.set(ADA);
  await studyStore.removeMember(ADA);
  await studyStore.load(ADA);
});
afterEach(() => {
  vi.unstubAllGlobals();
  session.end('left');
});

function stored(id: number): ReadingList {
  const record = studyStore.snapshot().lists.get(id);
  if (!record) throw new Error('There is no such list.');
  return record.state;
}
const titlesOf = (id: number) => shownBooks(stored(id)).map(({ title }) => title);

describe('changes of a list (study.own-lists)', () => {
  it('are made to what is on this device', async () => {
    const { id } = await createList(' Simple \n living ', WALDEN);
    expect([stored(id).name.value, stored(id).note.at, titlesOf(id)]).toEqual(['Simple living', 0, ['Walden']]);
    await putOnList(stored(id), MEDITATIONS);
    await moveOnList(stored(id), MEDITATIONS.id, 0);
    expect(titlesOf(id)).toEqual(['Meditations', 'Walden']);
    await takeOffList(stored(id), WALDEN.id);
    await renameList(stored(id), ' Calm ');
    await changeListNote(stored(id), ' For May.\nAnd June. ');
    expect(stored(id)).toMatchObject({ name: { value: 'Calm' }, note: { value: 'For May.\nAnd June.' } });
    expect(titlesOf(id)).toEqual(['Meditations']);
  });

  it('keep what changed meanwhile, when they start from an older state', async () => {
    const list = await createList('Calm');
    await putOnList(list, WALDEN);
    await putOnList(list, MEDITATIONS);
    await renameList(list, 'Still');
    expect([stored(list.id).name.value, titlesOf(list.id)]).toEqual(['Still', ['Walden', 'Meditations']]);
  });

  it.each([
    ['  ', 'Please name the list.'],
    ['é'.repeat(100), null],
    [`${'🌲'.repeat(100)} `, null],
    ['é'.repeat(101), 'Please keep the name to 100 characters.'],
  ])('refuse the name %j: %s', (name, error) => expect(listNameError(name)).toBe(error));

  it('refuse a note of more than 2,000 characters', () => {
    expect([listNoteError(''), listNoteError('🌲'.repeat(2_000)), listNoteError('a'.repeat(2_001))]).toEqual([
      null,
      null,
      'Please keep the note to 2,000 characters.',
    ]);
  });
});

describe('the lists of a member', () => {
  it('are shown by name, without those that are deleted until these are brought back', async () => {
    const names = () => shownLists(studyStore.snapshot()).map(({ state }) => state.name.value);
    const { id } = await createList('work');
    for (const name of ['Élan', 'Calm']) await createList(name);
    expect(names()).toEqual(['Calm', 'Élan', 'work']);
    const last = stored(id);
    await removeList(last);
    expect(names()).toEqual(['Calm', 'Élan']);
    await restoreList(last);
    expect(names()).toEqual(['Calm', 'Élan', 'work']);
  });
});
