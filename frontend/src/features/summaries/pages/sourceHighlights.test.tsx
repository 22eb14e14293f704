import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { ResultOf } from '@/api/types';
import * as SummaryPage from '@/features/summaries/pages/SummaryPage';
import type { Idea, Paragraph, ShownSummary } from '@/features/summaries/queries';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import type { Highlight } from '@/shared/study/records';
import { rangeOf, sectionTextOf } from '@/shared/study/sectionText';
import { shownHighlights, studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';
import { Toaster } from '@/ui/toast';
import { sampleUser } from '@test/samples';
import { on, server } from '@test/server';
import { sampleChanges, sampleHighlight, sampleStudySettings } from '@test/study';

const ADA = 7;

/** As the server sends it: with the white space of the source, in which the passages are counted. */
const TEXT: Paragraph[] = [
  { start: 0, text: 'Economy', heading: true },
  { start: 9, text: '🌲 Simplify,  simplify. \nOur life is frittered away.', heading: false },
  { start: 65, text: 'Read true books in a true spirit.', heading: false },
];
const SOURCE = 'Economy\n🌲 Simplify, simplify.\nOur life is frittered away.\nRead true books in a true spirit.';
const IDEAS: Idea[] = [
  { id: 0, title: 'Live simply', text: 'Own few things.', supported: true, passages: [{ start: 12, end: 32, text: 'Simplify,  simplify.' }], quotations: [] },
  {
    id: 1,
    title: 'Read well',
    text: 'Books reward patience.',
    supported: true,
    passages: [
      { start: 34, end: 61, text: 'Our life is frittered away.' },
      { start: 65, end: 98, text: 'Read true books in a true spirit.' },
    ],
    quotations: [],
  },
];
let shown: ShownSummary;
/** The bodies that were sent, in order. */
let sent: Highlight[];

/** Where words are in a text, as a place of the server. */
const placeOf = (words: string, text = SOURCE) => {
  const start = Array.from(text.slice(0, text.indexOf(words))).length;
  return { start, end: start + Array.from(words).length };
};
const stored = (words: string, text = SOURCE, more: Partial<Highlight> = {}) => {
  const at = placeOf(words, text);
  const from = { bookId: null, subid: null, summaryId: 5, title: 'On Walden', author: '', part: 'source' as const };
  const anchor = { section: null, ...at, exact: words, prefix: '', suffix: '' };
  return sampleHighlight({ version: null, ...from, anchor, place: { state: 'same', section: 0, ...at, text: null }, ...more });
};

function open(hash = '') {
  window.history.replaceState(null, '', `/ai/5${hash}`);
  const router = createMemoryRouter([{ path: '/ai/:id', ...SummaryPage }], { initialEntries: [`/ai/5${hash}`] });
  return render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toaster />
    </QueryClientProvider>,
  );
}

/** A screen that is wide enough for the source to have its own column. */
const beWide = () =>
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: media.includes('72rem'),
    media,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));

const words = () => document.querySelector<HTMLElement>('.source-text__words') ?? document.body;
const marks = () => [...words().querySelectorAll('mark[data-highlight]')].map(({ textContent }) => textContent);
const picked = (root: string) => [...document.querySelectorAll(`${root} mark.highlight-cursor`)].map(({ textContent }) => textContent).join('');
const kept = () => shownHighlights(studyStore.snapshot()).map(({ state }) => state);
const column = () => screen.findByRole('complementary', { name: 'Source' });
const bar = () => screen.findByRole('toolbar', { name: 'Highlight the selected text' });

/** Selects words of the source, as by a mouse that is let go. */
function select(chosen: string): void {
  const { text, pieces } = sectionTextOf(words());
  const at = placeOf(chosen, text);
  const range = rangeOf(pieces, at.start, at.end);
  if (!range) throw new Error(`'${chosen}' is not on the page.`);
  act(() => {
    document.dispatchEvent(new PointerEvent('pointerdown', { pointerType: 'mouse' }));
    window.getSelection()?.removeAllRanges();
    window.getSelection()?.addRange(range);
    document.dispatchEvent(new Event('selectionchange'));
    document.dispatchEvent(new PointerEvent('pointerup', { pointerType: 'mouse' }));
  });
}

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  // jsdom has no layout.
  Range.prototype.getClientRects = () => [{ left: 10, top: 200, right: 110, bottom: 220, width: 100, height: 20 }] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect = () => ({ bottom: 220 }) as DOMRect;
  session.start('token');
  copiesOwner.set(ADA);
  sent = [];
  shown = {
    summary: {
      id: 5,
      title: 'On Walden',
      source: { kind: 'text', name: 'Text', url: null },
      state: 'done',
      engine: 'built-in',
      fellBack: false,
      language: { code: 'eng', name: 'English' },
      words: 300,
      minutes: 2,
      ideaCount: 2,
      error: null,
      createdAt: 1,
      doneAt: 1,
    },
    ideas: IDEAS,
    text: TEXT,
  };
  let version = 0;
  server.use(
    on('GET /api/user/account', () => ({ user: sampleUser({ id: ADA }) })),
    on('GET /api/ai/summaries/{id}', () => shown),
    on('PUT /api/study/highlights/{id}', ({ request, body }) => {
      version += 1;
      const id = Number(request.url.split('/').at(-1));
      const known = studyStore.snapshot().highlights.get(id)?.state;
      const highlight = { ...sampleHighlight(), ...known, ...(body as Highlight), id, version, editedAt: 0 };
      sent.push(highlight);
      return { highlight } as unknown as ResultOf<'PUT /api/study/highlights/{id}'>;
    }),
    on('GET /api/study/settings', () => ({
      settings: sampleStudySettings(),
    })),
    on('GET /api/study/changes', () => sampleChanges()),
  );
  await studyStore.removeMember(ADA);
  await studyStore.load(ADA);
});
afterEach(async () => {
  // What a test has left to send must not reach the server of the next one.
  await syncStudy();
  window.getSelection()?.removeAllRanges();
  window.history.replaceState(null, '', '/');
  session.end('left');
  vi.unstubAllGlobals();
});

describe('highlights in the source of an own summary (study.highlight-sources)', () => {
  it('are counted in the source as the server has it, drawn, and opened by a press', async () => {
    beWide();
    open();
    await column();
    select('Simplify, simplify.\nOur life');
    await userEvent.click(within(await bar()).getByRole('button', { name: 'Leaf' }));
    await waitFor(() => expect(marks().join('|')).toBe('Simplify, simplify.|\nOur life'));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({ part: 'source', summaryId: 5 });
    expect(sent[0]?.anchor).toEqual({
      section: null,
      ...placeOf('Simplify, simplify.\nOur life'),
      exact: 'Simplify, simplify.\nOur life',
      prefix: 'Economy\n🌲 ',
      suffix: ' is frittered away.\nRead true bo',
    });
    await userEvent.click(screen.getByText('Simplify, simplify.', { selector: 'mark' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Highlight' }));
    expect(sheet.getByRole('radio', { name: 'Leaf' })).toBeChecked();
  });

  it('stay with another idea, whose passages are marked among them', async () => {
    beWide();
    await studyStore.putHighlight(stored('simplify.\nOur life is'));
    open();
    await waitFor(() => expect(marks().join('')).toBe('simplify.\nOur life is'));
    expect(words().querySelectorAll('.passage')).toHaveLength(1);
    await userEvent.keyboard('{ArrowRight}');
    await waitFor(() => expect(words().querySelectorAll('.passage')).toHaveLength(2));
    await waitFor(() => expect(marks().join('')).toBe('simplify.\nOur life is'));
    await userEvent.click(within(await column()).getByRole('button', { name: 'Next passage' }));
    expect(words().querySelector('.passage--shown')).toHaveTextContent('Our life is frittered away.');
    await waitFor(() => expect(marks().join('')).toBe('simplify.\nOur life is'));
  });

  it('are not those of its ideas, whose positions they may have', async () => {
    beWide();
    await studyStore.putHighlight(stored('Economy'));
    open();
    await waitFor(() => expect(marks()).toEqual(['Economy']));
    expect(document.querySelectorAll('.idea__text mark')).toHaveLength(0);
    await act(() => studyStore.putHighlight({ ...stored('Own few', 'Own few things.'), id: 8, part: 'text' }));
    await waitFor(() => expect(document.querySelector('.idea__text mark')).toHaveTextContent('Own few'));
    expect(marks()).toEqual(['Economy']);
  });

  it('are picked by h where the focus is: in the ideas, and in the source', async () => {
    beWide();
    open();
    const source = await column();
    await userEvent.keyboard('h');
    await waitFor(() => expect(picked('.idea__text')).toBe('Own few things.'));
    expect(picked('.source-text')).toBe('');
    await userEvent.keyboard('{Escape}');
    act(() => source.focus());
    await userEvent.keyboard('h');
    await waitFor(() => expect(picked('.source-text')).toBe('Economy'));
    expect(picked('.idea__text')).toBe('');
    await userEvent.keyboard('{ArrowDown}{Shift>}{ArrowDown}{/Shift}{Enter}');
    await waitFor(() =>
      expect(kept().map(({ part, anchor }) => [part, anchor?.exact])).toEqual([['source', '🌲 Simplify, simplify.\nOur life is frittered away.']]),
    );
  });

  it('are made by key in the panel of a narrow screen too, and their sheet opens above it', async () => {
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'See it in the source' }));
    await screen.findByRole('dialog', { name: 'From the source' });
    await userEvent.keyboard('h');
    await waitFor(() => expect(picked('.source-text')).toBe('Economy'));
    await userEvent.keyboard('n');
    const sheet = within(await screen.findByRole('dialog', { name: 'Highlight' }));
    await waitFor(() => expect(sheet.getByLabelText('Note')).toHaveFocus());
    await userEvent.click(sheet.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(kept()).toEqual([]));
    const panel = within(screen.getByRole('dialog', { name: 'From the source' }));
    expect(screen.getByText('Passage 1 of 1')).toHaveFocus();
    // Of two toasters one undoes it.
    expect(panel.getByText('Highlight deleted.')).toBeVisible();
    await userEvent.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(kept().map(({ anchor }) => anchor?.exact)).toEqual(['Economy']));
  });

  it('are opened at their place by their link, also in a part of the source that is not on the page', async () => {
    const long = Array.from({ length: 300 }, (_, i) => ({ start: i * 20, text: `Paragraph  ${i}.`, heading: false }));
    shown = { ...shown, text: long, ideas: [{ ...IDEAS[0], passages: [{ start: 0, end: 10, text: 'Paragraph ' }] } as Idea] };
    await studyStore.putHighlight(stored('Paragraph 200.', long.map((_, i) => `Paragraph ${i}.`).join('\n')));
    open('#source-highlight-7');
    const panel = await screen.findByRole('dialog', { name: 'From the source' });
    await waitFor(() => expect(panel.querySelector('mark[data-highlight="7"]')).toHaveFocus());
    expect(marks()).toEqual(['Paragraph 200.']);
    await userEvent.keyboard('{Enter}');
    expect(await screen.findByRole('dialog', { name: 'Highlight' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Done' }));
    await userEvent.click(within(panel).getByRole('button', { name: 'Show the text after' }));
    expect(marks()).toEqual(['Paragraph 200.']);
  });

  it('are drawn in the text that is shown later', async () => {
    const long = Array.from({ length: 300 }, (_, i) => ({ start: i * 20, text: `Paragraph  ${i}.`, heading: false }));
    shown = { ...shown, text: long, ideas: [{ ...IDEAS[0], passages: [{ start: 0, end: 10, text: 'Paragraph ' }] } as Idea] };
    await studyStore.putHighlight(stored('graph 60.\nPara', long.map((_, i) => `Paragraph ${i}.`).join('\n')));
    beWide();
    open();
    await column();
    expect(marks()).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Show the text after' }));
    await waitFor(() => expect(marks()).toEqual(['graph 60.', 'Para']));
  });

  it('are listed in the contents, apart from those of the ideas, and a press opens the source', async () => {
    await studyStore.putHighlight(stored('true spirit'));
    await studyStore.putHighlight({ ...stored('few', 'Own few things.'), id: 8, part: 'text' });
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Contents' }));
    expect(await screen.findByRole('region', { name: 'Your highlights' })).toHaveTextContent('Your highlightsfewLive simply');
    const list = await screen.findByRole('region', { name: 'Your highlights in the source' });
    await userEvent.click(within(list).getByRole('button', { name: 'true spirit' }));
    await screen.findByRole('dialog', { name: 'From the source' });
    await waitFor(() => expect(document.querySelector('mark[data-highlight="7"]')).toHaveFocus());
  });
});
