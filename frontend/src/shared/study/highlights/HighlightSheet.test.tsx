import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import { HighlightSheet } from '@/shared/study/highlights/HighlightSheet';
import type { Highlight } from '@/shared/study/records';
import { studyStore, useStudy } from '@/shared/study/studyStore';
import { sampleHighlight } from '@test/study';

vi.mock('@/shared/study/studySync', () => ({ syncStudy: () => Promise.resolve() }));

const ADA = 7;
/** Longer than the sheet waits before it stores what is typed. */
const SOON = 700;

let version: number;

function Sheet() {
  const [isOpen, setOpen] = useState(true);
  const record = useStudy((now) => now.highlights.get(7));
  return record && isOpen ? (
    <HighlightSheet record={record} isChanged={false} isNoting={false} onClose={() => setOpen(false)} onDelete={() => undefined} />
  ) : null;
}

const field = () => screen.getByLabelText('Note');
const note = () => studyStore.snapshot().highlights.get(7)?.state.note.value;
const wait = () => act(() => new Promise((resolve) => setTimeout(resolve, SOON)));
const done = () => userEvent.click(screen.getByRole('button', { name: 'Done' }));

/** What sync brings from another device. */
async function arrive(more: Partial<Highlight>): Promise<void> {
  version += 1;
  await act(() => studyStore.receive(ADA, { highlights: [sampleHighlight({ version, ...more })], cards: [], cursor: version, isEnd: true }));
}

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  version = 0;
  session.start('token');
  copiesOwner.set(ADA);
  await studyStore.removeMember(ADA);
  await studyStore.load(ADA);
  await arrive({ note: { value: 'Old.', at: 2 } });
});
afterEach(async () => {
  await studyStore.removeMember(ADA);
  session.end('left');
  vi.unstubAllGlobals();
});

describe('the note in the sheet (study.highlight-notes)', () => {
  it('follows another device while nothing is typed, and is not written back', async () => {
    render(<Sheet />);
    expect(field()).toHaveValue('Old.');
    await arrive({ note: { value: 'From the phone.', at: 5 } });
    expect(field()).toHaveValue('From the phone.');
    await userEvent.click(field());
    await userEvent.tab();
    await wait();
    await done();
    expect(note()).toBe('From the phone.');
    expect(await studyStore.unsentCount(ADA)).toBe(0);
  });

  it('follows it also after what was typed has been stored', async () => {
    render(<Sheet />);
    await userEvent.type(field(), ' Mine.');
    await waitFor(() => expect(note()).toBe('Old. Mine.'));
    const at = Date.now() + 60_000;
    await arrive({ note: { value: 'From the phone.', at } });
    expect(field()).toHaveValue('From the phone.');
    await done();
    expect(note()).toBe('From the phone.');
    expect(studyStore.snapshot().highlights.get(7)?.overtaken).toBe('Old. Mine.');
  });

  it('that is being typed is kept, also when the other one has a later moment', async () => {
    render(<Sheet />);
    // One change, so that nothing of it is stored before the other note arrives.
    fireEvent.change(field(), { target: { value: 'Old. Mine.' } });
    await arrive({ note: { value: 'From the phone.', at: Date.now() + 60_000 } });
    expect(field()).toHaveValue('Old. Mine.');
    await done();
    await waitFor(() => expect(note()).toBe('Old. Mine.'));
  });

  it('keeps its last space while it is typed', async () => {
    render(<Sheet />);
    fireEvent.change(field(), { target: { value: 'Old. Two ' } });
    await waitFor(() => expect(note()).toBe('Old. Two'));
    await wait();
    expect(field()).toHaveValue('Old. Two ');
    await userEvent.type(field(), 'words.');
    await done();
    await waitFor(() => expect(note()).toBe('Old. Two words.'));
  });
});

describe('a note that another device has overtaken', () => {
  const overtake = async (own: string, other: string) => {
    await act(() => studyStore.putHighlight(sampleHighlight({ version, note: { value: own, at: 5 } })));
    await arrive({ note: { value: other, at: 6 } });
  };

  it('is added', async () => {
    await overtake('Mine.', 'From the phone.');
    render(<Sheet />);
    await userEvent.click(screen.getByRole('button', { name: 'Add it' }));
    await waitFor(() => expect(note()).toBe('From the phone.\n\nMine.'));
    expect(field()).toHaveValue('From the phone.\n\nMine.');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Add it' })).toBeNull());
  });

  it('is not added beyond the limit: both stay, until there is room', async () => {
    await overtake('Mine.', 'n'.repeat(4_995));
    render(<Sheet />);
    await userEvent.click(screen.getByRole('button', { name: 'Add it' }));
    expect(field()).toHaveAccessibleDescription(/Please keep your note to 5,000 characters\./);
    expect([note()?.length, studyStore.snapshot().highlights.get(7)?.overtaken]).toEqual([4_995, 'Mine.']);
    await userEvent.clear(field());
    expect(screen.queryByText(/Please keep your note/)).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Add it' }));
    await waitFor(() => expect(note()).toBe('Mine.'));
  });
});
