import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { ResultOf } from '@/api/types';
import * as HighlightsPage from '@/features/study/highlights/pages/HighlightsPage';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import type { Highlight } from '@/shared/study/records';
import { shownHighlights, studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';
import { Toaster } from '@/ui/toast';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';
import { sampleCard, sampleChanges, sampleHighlight } from '@test/study';

const ADA = 7;
const MEDITATIONS = { bookId: 13, subid: 'meditations', title: 'Meditations', author: 'Marcus Aurelius' };
const words = (exact: string): Partial<Highlight> => ({ anchor: { section: 2, start: 0, end: exact.length, exact, prefix: '', suffix: '' }, place: null });
const tagged = (...tags: string[]): Partial<Highlight> => ({ tags: tags.map((tag) => ({ tag, on: true, at: 1 })) });

/** What the server has at first. */
let onServer: Highlight[];
/** Answers each change that is sent. */
let answer: (id: number, body: Highlight) => unknown;
let isDown: boolean;

type SentHighlights = ResultOf<'GET /api/study/changes'>['highlights'];
const changes = () => sampleChanges({ highlights: onServer as unknown as SentHighlights, version: onServer.length });

function open(path = '/highlights') {
  const router = createMemoryRouter(
    [
      { path: '/highlights', ...HighlightsPage },
      { path: '*', Component: () => null },
    ],
    { initialEntries: [path] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toaster />
    </QueryClientProvider>,
  );
  return { router, at: () => router.state.location.pathname + router.state.location.search };
}

const THREE = () => [
  sampleHighlight({ id: 1, version: 1, ...words('I went to the woods'), ...tagged('nature'), createdAt: Date.UTC(2026, 0, 3, 12) }),
  sampleHighlight({ id: 2, version: 2, ...MEDITATIONS, ...words('Waste no more time'), note: { value: 'Today', at: 2 }, createdAt: Date.UTC(2026, 2, 14, 12) }),
  sampleHighlight({ id: 3, version: 3, ...words('Simplify, simplify'), createdAt: Date.UTC(2026, 1, 1, 12) }),
];

const quotes = () => [...document.querySelectorAll('blockquote.highlight-entry__words')].map(({ textContent }) => textContent);
const count = () => screen.findByText(/^\d+ highlights?$/);
const entry = (text: string) => {
  const found = screen.getByText(text).closest('li');
  if (!found) throw new Error(`'${text}' is in no list.`);
  return within(found);
};

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  session.start('token');
  copiesOwner.set(ADA);
  onServer = [];
  isDown = false;
  let version = 100;
  answer = (id, body) => {
    version += 1;
    return { highlight: { ...sampleHighlight(), ...studyStore.snapshot().highlights.get(id)?.state, ...body, id, version, editedAt: 0 } };
  };
  server.use(
    on('GET /api/user/account', () => ({ user: sampleUser({ id: ADA }) })),
    on('GET /api/study/changes', () => (isDown ? failure(503, 'unavailable', 'Busy.') : changes())),
    on('PUT /api/study/highlights/{id}', ({ request, body }) => {
      const id = Number(request.url.split('/').at(-1));
      return (isDown ? failure(503, 'unavailable', 'Busy.') : answer(id, body as Highlight)) as ResultOf<'PUT /api/study/highlights/{id}'>;
    }),
  );
  await studyStore.removeMember(ADA);
});
afterEach(async () => {
  // What a test has left to send must not reach the server of the next one.
  await syncStudy();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  session.end('left');
});

describe('the page of the highlights (study.highlights-page)', () => {
  it('lists them by source, the source with the latest first', async () => {
    onServer = THREE();
    open();
    expect(await screen.findByText('3 highlights')).toBeVisible();
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(['Meditations', 'Walden']);
    expect(quotes()).toEqual(['Waste no more time', 'Simplify, simplify', 'I went to the woods']);
    const latest = entry('Waste no more time');
    expect(latest.getByText('Today')).toBeVisible();
    expect(latest.getByText('March 14, 2026')).toBeVisible();
    expect(latest.getByRole('link', { name: 'Key idea 3' })).toHaveAttribute('href', expect.stringMatching(/^\/books\/meditations\?section=3#highlight-\d+$/));
    expect(screen.getByRole('link', { name: 'Meditations' })).toHaveAttribute('href', '/books/meditations');
    expect(document.title).toMatch(/^Highlights/);
  });

  it('shows that it loads until the first read is done', async () => {
    let release = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.use(
      on('GET /api/study/changes', async () => {
        await waiting;
        return changes();
      }),
    );
    open();
    expect(await screen.findByText('Loading your highlights')).toBeInTheDocument();
    release();
    expect(await screen.findByRole('heading', { name: 'No highlights yet' })).toBeVisible();
    expect(screen.queryByText('Loading your highlights')).toBeNull();
  });

  it('says how to begin when there are none', async () => {
    open();
    expect(await screen.findByRole('heading', { name: 'No highlights yet' })).toBeVisible();
    expect(screen.getByText('Select a few words while you read, and they are kept here.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Find a summary' })).toHaveAttribute('href', '/books');
    expect(screen.queryByRole('searchbox')).toBeNull();
  });

  it('keeps search and filters in the URL, and says how many it finds', async () => {
    onServer = THREE();
    const { at } = open();
    await userEvent.type(await screen.findByRole('searchbox', { name: 'Search your highlights' }), 'simplify');
    await waitFor(() => expect(at()).toBe('/highlights?q=simplify'));
    expect(await screen.findByText('1 highlight')).toHaveAttribute('role', 'status');
    await userEvent.click(screen.getByRole('button', { name: 'Clear the search' }));
    await waitFor(() => expect(at()).toBe('/highlights'));
    expect(screen.getByRole('searchbox')).toHaveFocus();
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Book' }), 'Walden (2)');
    await waitFor(() => expect(at()).toBe('/highlights?book=walden'));
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Tag' }), 'nature (1)');
    await waitFor(() => expect(at()).toBe('/highlights?book=walden&tag=nature'));
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Color' }), 'Honey');
    await waitFor(() => expect(at()).toBe('/highlights?book=walden&tag=nature&color=honey'));
    await waitFor(() => expect(quotes()).toEqual(['I went to the woods']));
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'With a note');
    expect(await screen.findByRole('heading', { name: 'No highlight matches.' })).toBeVisible();
    expect(await screen.findByText('0 highlights')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Clear the filters' }));
    await waitFor(() => expect(at()).toBe('/highlights'));
    await waitFor(() => expect(quotes()).toHaveLength(3));
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  });

  it('begins with the filters of the URL, also with those that match nothing', async () => {
    onServer = THREE();
    open('/highlights?q=woods&tag=unknown');
    expect(await screen.findByRole('heading', { name: 'No highlight matches.' })).toBeVisible();
    expect(screen.getByRole('searchbox')).toHaveValue('woods');
    expect(screen.getByRole('combobox', { name: 'Tag' })).toHaveValue('unknown');
  });

  it('filters by a tag that is pressed', async () => {
    onServer = THREE();
    const { at } = open();
    await userEvent.click(await screen.findByRole('link', { name: 'nature' }));
    await waitFor(() => expect(at()).toBe('/highlights?tag=nature'));
    await waitFor(() => expect(quotes()).toEqual(['I went to the woods']));
  });

  it('tells which were edited or are gone, and links to those that are there', async () => {
    onServer = [
      sampleHighlight({ id: 1, version: 1, place: { state: 'changed', section: 1, start: 0, end: 5, text: 'wood' } }),
      sampleHighlight({ id: 2, version: 2, ...words('The obstacle'), place: { state: 'gone', section: null, start: null, end: null, text: null } }),
      sampleHighlight({ id: 3, version: 3, ...words('Lost'), bookId: null, subid: null, title: 'Emma', author: 'Jane Austen' }),
    ];
    open();
    await count();
    expect(entry('woods').getByText('Text was edited')).toBeVisible();
    expect(entry('woods').getByRole('link')).toHaveAttribute('href', expect.stringMatching(/^\/books\/walden\?section=2#highlight-\d+$/));
    expect(entry('The obstacle').getByText('No longer in the summary')).toBeVisible();
    expect(entry('The obstacle').queryByRole('link')).toBeNull();
    expect(screen.getByRole('heading', { name: 'Emma' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Emma' })).toBeNull();
  });

  it('names a sentence of a recording that has no words yet', async () => {
    await studyStore.load(ADA);
    await studyStore.putHighlight(sampleHighlight({ version: null, anchor: null, heard: { audio: 4_000 }, place: null }));
    open();
    expect(await screen.findByText('A sentence of the recording')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^(?:Copy|Share)/ })).toBeNull();
  });

  it('leads to the cards that are due, if there are some', async () => {
    await studyStore.load(ADA);
    server.use(on('PUT /api/study/cards/{id}', () => failure(503, 'unavailable', 'Busy.')));
    const cards = [sampleCard({ id: 1 }), sampleCard({ id: 2 })];
    await studyStore.receive(ADA, { cards, highlights: THREE(), cursor: 3, isEnd: true });
    open();
    expect(await screen.findByRole('link', { name: 'Review 2 cards' })).toHaveAttribute('href', '/review');
    await act(() => studyStore.removeCard(1));
    expect(screen.getByRole('link', { name: 'Review 1 card' })).toBeVisible();
    await act(() => studyStore.removeCard(2));
    expect(screen.queryByRole('link', { name: /^Review/ })).toBeNull();
    expect(await count()).toHaveTextContent('3 highlights');
  });

  it('shows 100 at first, and more at a press', async () => {
    onServer = Array.from({ length: 120 }, (_, i) => sampleHighlight({ id: i + 1, version: i + 1, ...words(`Passage ${i + 1}`), createdAt: 1_000 + i }));
    open();
    expect(await screen.findByText('120 highlights')).toBeVisible();
    expect(quotes()).toHaveLength(100);
    expect(screen.getByText('20 remain')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
    expect(quotes()).toHaveLength(120);
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
    // The link of the first that came.
    expect(entry('Passage 20').getByRole('link', { name: 'Key idea 3' })).toHaveFocus();
  });

  it('prints all', async () => {
    onServer = Array.from({ length: 120 }, (_, i) => sampleHighlight({ id: i + 1, version: i + 1, ...words(`Passage ${i + 1}`) }));
    open();
    await screen.findByText('120 highlights');
    fireEvent(window, new Event('beforeprint'));
    expect(quotes()).toHaveLength(120);
  });

  it('copies the words', async () => {
    const user = userEvent.setup();
    onServer = THREE();
    open();
    await user.click(await screen.findByRole('button', { name: 'Copy “Simplify, simplify”' }));
    expect(await navigator.clipboard.readText()).toBe('Simplify, simplify');
    expect(await screen.findByText('Copied.')).toBeVisible();
  });

  it('shares one as a picture, whose dialog is closed again', async () => {
    server.use(on('GET /api/study/highlights/{id}/picture', () => new Response(new Blob(['png'], { type: 'image/png' }))));
    onServer = THREE();
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Share “Waste no more time” as a picture' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Share as a picture' }));
    expect(await dialog.findByRole('img', { name: '“Waste no more time” From Meditations by Marcus Aurelius.' })).toBeVisible();
    await userEvent.click(dialog.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(quotes()).toHaveLength(3);
  });

  it('deletes with an Undo; the next one takes the focus, and what comes back', async () => {
    onServer = THREE();
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Delete “Simplify, simplify”' }));
    expect(quotes()).toEqual(['Waste no more time', 'I went to the woods']);
    expect(screen.getByText('2 highlights')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Delete “I went to the woods”' })).toHaveFocus();
    expect(screen.getByText('Highlight deleted.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(quotes()).toEqual(['Waste no more time', 'Simplify, simplify', 'I went to the woods']));
    expect(screen.getByRole('button', { name: 'Edit “Simplify, simplify”' })).toHaveFocus();
  });

  it('gives the focus to the title after the last is deleted', async () => {
    onServer = THREE().slice(0, 1);
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Delete “I went to the woods”' }));
    expect(await screen.findByRole('heading', { name: 'No highlights yet' })).toBeVisible();
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  });

  it('opens the sheet, whose change may take the highlight out of the list', async () => {
    onServer = THREE();
    open('/highlights?tag=nature');
    await userEvent.click(await screen.findByRole('button', { name: 'Edit “I went to the woods”' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Highlight' }));
    await userEvent.click(sheet.getByRole('button', { name: 'Remove the tag nature' }));
    expect(await screen.findByRole('heading', { name: 'No highlight matches.' })).toBeVisible();
    await userEvent.type(sheet.getByRole('textbox', { name: 'Note' }), 'Why?');
    await userEvent.click(sheet.getByRole('button', { name: 'Done' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
    expect(shownHighlights(studyStore.snapshot()).find(({ id }) => id === 1)?.state.note.value).toBe('Why?');
  });

  it('deletes from the sheet; the next one takes the focus', async () => {
    onServer = THREE();
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Edit “Waste no more time”' }));
    await userEvent.click(within(await screen.findByRole('dialog', { name: 'Highlight' })).getByRole('button', { name: 'Delete' }));
    expect(quotes()).toEqual(['Simplify, simplify', 'I went to the woods']);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('button', { name: 'Edit “Simplify, simplify”' })).toHaveFocus();
  });
});

describe('the highlights on this device (study.offline-highlights)', () => {
  it('are shown, changed and found without the server, and say that they were not sent', async () => {
    onServer = THREE();
    const first = open();
    await screen.findByText('3 highlights');
    isDown = true;
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await studyStore.putHighlight(sampleHighlight({ id: 4, version: null, ...words('Made offline'), createdAt: Date.UTC(2026, 5, 1) }));
    expect(await screen.findByText('4 highlights')).toBeVisible();
    expect(entry('Made offline').getByText('Not sent yet')).toBeVisible();
    expect(entry('Simplify, simplify').queryByText('Not sent yet')).toBeNull();
    await userEvent.type(screen.getByRole('searchbox'), 'made');
    await waitFor(() => expect(first.at()).toBe('/highlights?q=made'));
    // The address is known before it is rendered.
    await waitFor(() => expect(quotes()).toEqual(['Made offline']));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('say so while a change is not sent for long', async () => {
    isDown = true;
    await studyStore.load(ADA);
    await studyStore.putHighlight(sampleHighlight({ version: null }));
    open();
    expect(await screen.findByText('Not sent yet')).toBeVisible();
  });

  it('tell why one could not be saved', async () => {
    answer = () => failure(422, 'invalid', 'The passage is too long.');
    await studyStore.load(ADA);
    await studyStore.putHighlight(sampleHighlight({ version: null }));
    open();
    expect(await screen.findByText('This highlight could not be saved: The passage is too long.')).toBeVisible();
    expect(screen.queryByText('Not sent yet')).toBeNull();
  });

  it('could not be read at first: says so, and reads again', async () => {
    isDown = true;
    open();
    expect(await screen.findByRole('heading', { name: 'There was an error processing your request.' })).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'No highlights yet' })).toBeNull();
    isDown = false;
    onServer = THREE();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('3 highlights')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  });

  it('could not be read at first: what is on the device is below the error', async () => {
    isDown = true;
    await studyStore.load(ADA);
    await studyStore.putHighlight(sampleHighlight({ version: null }));
    open();
    expect(await screen.findByRole('alert')).toHaveTextContent('There was an error processing your request.');
    expect(quotes()).toEqual(['woods']);
  });

  it('were never read, and the device is offline: says that the page is not on this device', async () => {
    isDown = true;
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    open();
    expect(await screen.findByRole('heading', { name: 'Not on this device' })).toBeVisible();
  });
});
