import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { Book, ResultOf } from '@/api/types';
import { splitSections } from '@/lib/sections';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import QuoteHighlight from '@/shared/study/highlights/QuoteHighlight';
import { Highlights, HighlightsInContents } from '@/shared/study/highlights/Highlights';
import { sectionTextOf, rangeOf } from '@/shared/study/sectionText';
import { shownHighlights, studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';
import type { Highlight } from '@/shared/study/records';
import type { PopularPassage } from '@/shared/study/highlights/usePopularPassages';
import type { StudySettings } from '@/shared/study/settings';
import { areHighlightsOff } from '@/shared/study/studyFlags';
import { Toaster } from '@/ui/toast';
import { sampleBook, sampleUser } from '@test/samples';
import { idOfHighlight } from '@/shared/study/ids';
import { on, server } from '@test/server';
import { sampleCard, sampleChanges, sampleHighlight, sampleStudySettings } from '@test/study';

const ADA = 7;
const BODY =
  '<h3>Economy</h3><p>I went to the woods because I wished to live deliberately.</p><h3>Sounds</h3><p>I love a broad margin to my life. I sat in my sunny doorway. I grew in those seasons.</p>';
const SECTIONS = splitSections(BODY);
const BOOK = { ...sampleBook(12), highlights: null } as unknown as Book;

let settings: StudySettings;
let passages: PopularPassage[];
/** The bodies that were sent, in order. */
let sent: Highlight[];

function Reader({ book = BOOK, index: first = 0, hasContents = false }: { book?: Book; index?: number; hasContents?: boolean }) {
  const root = useRef<HTMLDivElement>(null);
  const [turned, setTurned] = useState<number | null>(null);
  const [shown, setShown] = useState<number | null>(null);
  const index = turned ?? first;
  const of = { text: { book, sections: SECTIONS }, member: ADA, onTurn: setTurned };
  return (
    <QueryClientProvider client={queryClient}>
      <div ref={root}>
        <div key={index} className="reader__text" dangerouslySetInnerHTML={{ __html: SECTIONS[index]?.html ?? '' }} />
      </div>
      <Highlights {...of} root={root} index={index} shown={shown} onShown={() => setShown(null)} />
      {hasContents ? <HighlightsInContents {...of} onShow={setShown} /> : null}
      <Toaster />
    </QueryClientProvider>
  );
}

const text = (): HTMLElement => document.querySelector<HTMLElement>('.reader__text') ?? document.body;
const marks = () => [...document.querySelectorAll<HTMLElement>('mark.highlight')].map(({ textContent }) => textContent);
const kept = () => shownHighlights(studyStore.snapshot());

/** Selects words of the shown section, as by a mouse that is let go. */
function select(words: string): void {
  const { text: all, pieces } = sectionTextOf(text());
  const at = all.indexOf(words);
  const range = rangeOf(pieces, at, at + words.length);
  if (!range) throw new Error(`'${words}' is not in the text.`);
  act(() => {
    document.dispatchEvent(new PointerEvent('pointerdown', { pointerType: 'mouse' }));
    window.getSelection()?.removeAllRanges();
    window.getSelection()?.addRange(range);
    document.dispatchEvent(new Event('selectionchange'));
    document.dispatchEvent(new PointerEvent('pointerup', { pointerType: 'mouse' }));
  });
}

/** What the toast with this text offers. */
const undo = async (text: string) =>
  within((await screen.findByText(text)).closest<HTMLElement>('.toast') ?? document.body).findByRole('button', { name: 'Undo' });

const bar = () => screen.findByRole('toolbar', { name: 'Highlight the selected text' });
const stored = (more: Partial<Highlight> = {}) => sampleHighlight({ version: null, ...more });

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  // jsdom has no layout.
  Range.prototype.getClientRects = () => [{ left: 10, top: 200, right: 110, bottom: 220, width: 100, height: 20 }] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect = () => ({ bottom: 220 }) as DOMRect;
  Element.prototype.scrollIntoView = () => undefined;
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  queryClient.clear();
  settings = sampleStudySettings();
  passages = [];
  session.start('token');
  copiesOwner.set(ADA);
  sent = [];
  let version = 0;
  server.use(
    on('GET /api/user/account', () => ({ user: sampleUser({ id: ADA }) })),
    on('PUT /api/study/highlights/{id}', ({ request, body }) => {
      version += 1;
      const id = Number(request.url.split('/').at(-1));
      const place = studyStore.snapshot().highlights.get(id)?.state.place ?? null;
      const highlight = { ...sampleHighlight(), ...(body as Highlight), id, place, version, editedAt: 0 };
      sent.push(highlight);
      return { highlight } as unknown as ResultOf<'PUT /api/study/highlights/{id}'>;
    }),
    on('GET /api/study/settings', () => ({ settings })),
    on('GET /api/study/popular/{book}', () => ({ passages })),
    on('GET /api/study/changes', () => sampleChanges()),
  );
  await studyStore.removeMember(ADA);
  await studyStore.load(ADA);
});
afterEach(async () => {
  // What a test has left to send must not reach the server of the next one.
  await syncStudy();
  window.getSelection()?.removeAllRanges();
  session.end('left');
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('highlights in the reader (study.reader-highlights)', () => {
  it('are drawn in their section, and opened by a press', async () => {
    await studyStore.putHighlight(stored({ note: { value: 'Why?', at: 2 } }));
    const view = render(<Reader />);
    await waitFor(() => expect(marks()).toEqual(['woods']));
    view.rerender(<Reader index={1} />);
    await waitFor(() => expect(marks()).toEqual([]));
    view.rerender(<Reader />);
    await waitFor(() => expect(marks()).toEqual(['woods']));
    await userEvent.click(screen.getByText('woods'));
    const sheet = await screen.findByRole('dialog', { name: 'Highlight' });
    expect(within(sheet).getByText('woods')).toBeVisible();
    expect(within(sheet).getByLabelText('Note')).toHaveValue('Why?');
    expect(within(sheet).getByRole('radio', { name: 'Honey' })).toBeChecked();
  });

  it('are added in the color that is pressed, sent, and undone', async () => {
    render(<Reader />);
    select('wished to live');
    await userEvent.click(within(await bar()).getByRole('button', { name: 'Leaf' }));
    await waitFor(() => expect(marks()).toEqual(['wished to live']));
    expect(window.getSelection()?.isCollapsed).not.toBe(false);
    await waitFor(() => expect(sent.map(({ color, anchor }) => [color.value, anchor?.exact])).toEqual([['leaf', 'wished to live']]));
    expect(sent[0]?.anchor).toMatchObject({ section: 0, prefix: 'I went to the woods because I ', suffix: ' deliberately.' });
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(marks()).toEqual([]));
    expect(text().innerHTML).toBe(SECTIONS[0]?.html);
  });

  it('are added by the keys 1 to 4, and by h in the last color', async () => {
    render(<Reader />);
    select('woods');
    await bar();
    await userEvent.keyboard('3');
    await waitFor(() => expect(kept().map(({ state }) => state.color.value)).toEqual(['sky']));
    select('deliberately');
    await bar();
    await userEvent.keyboard('h');
    await waitFor(() => expect(kept().map(({ state }) => state.color.value)).toEqual(['sky', 'sky']));
  });

  it('that overlap one of the same color are joined with it, notes and tags too', async () => {
    await studyStore.putHighlight(stored({ note: { value: 'Why?', at: 2 }, tags: [{ tag: 'nature', on: true, at: 2 }] }));
    render(<Reader />);
    await waitFor(() => expect(marks()).toEqual(['woods']));
    select('the woods because');
    await userEvent.click(within(await bar()).getByRole('button', { name: 'Honey' }));
    await waitFor(() => expect(marks()).toEqual(['the woods because']));
    await waitFor(() => expect(kept()).toHaveLength(1));
    expect(kept()[0]?.state).toMatchObject({ note: { value: 'Why?' }, tags: [{ tag: 'nature', on: true }] });
  });

  it('are not joined with one that has a review card, until it is taken out of the review', async () => {
    await studyStore.putHighlight(stored());
    const card = sampleCard({ id: idOfHighlight(7), kind: 'highlight', highlightId: 7 });
    await studyStore.receive(ADA, { highlights: [], cards: [card], cursor: 0, isEnd: false });
    render(<Reader />);
    await waitFor(() => expect(marks()).toEqual(['woods']));
    select('the woods because');
    await userEvent.click(within(await bar()).getByRole('button', { name: 'Honey' }));
    await waitFor(() => expect(kept()).toHaveLength(2));
    await act(() => studyStore.removeCard(card.id));
    select('to the woods');
    await userEvent.click(within(await bar()).getByRole('button', { name: 'Honey' }));
    await waitFor(() => expect(kept().map(({ state }) => state.anchor?.exact)).toEqual(['to the woods because']));
  });

  it('are not joined with one whose note would make theirs too long', async () => {
    const note = { value: 'n'.repeat(4_999), at: 2 };
    const anchor = { section: 0, start: 20, end: 27, exact: 'because', prefix: 'I went to the woods ', suffix: ' I wished to live deliberately.' };
    const place = { state: 'same' as const, section: 0, start: 20, end: 27, text: null };
    await studyStore.putHighlight(stored({ id: 7, note }));
    await studyStore.putHighlight(stored({ id: 8, note, anchor, place }));
    render(<Reader />);
    await waitFor(() => expect(marks()).toEqual(['woods', 'because']));
    select('the woods because');
    await userEvent.click(within(await bar()).getByRole('button', { name: 'Honey' }));
    await waitFor(() => expect(kept()).toHaveLength(2));
    await waitFor(() => expect(sent.map(({ note: { value } }) => value.length)).not.toEqual([]));
    expect(sent.every(({ note: { value } }) => value.length <= 5_000)).toBe(true);
    expect(
      kept()
        .map(({ state }) => state.anchor?.exact)
        .sort(),
    ).toEqual(['because', 'the woods because']);
  });

  it('get a note, a color and tags in their sheet', async () => {
    render(<Reader />);
    select('woods');
    await userEvent.click(within(await bar()).getByRole('button', { name: 'Note' }));
    const sheet = await screen.findByRole('dialog', { name: 'Highlight' });
    await waitFor(() => expect(within(sheet).getByLabelText('Note')).toHaveFocus());
    await userEvent.keyboard('To live.');
    await userEvent.click(within(sheet).getByRole('radio', { name: 'Rose' }));
    await userEvent.type(within(sheet).getByLabelText('Add a tag'), '#Nature{Enter}');
    expect(await within(sheet).findByText('Nature')).toBeVisible();
    await userEvent.click(within(sheet).getByRole('button', { name: 'Remove the tag Nature' }));
    await userEvent.click(within(sheet).getByRole('button', { name: 'Done' }));
    const whole = { note: { value: 'To live.' }, color: { value: 'rose' }, tags: [{ tag: 'Nature', on: false }] };
    await waitFor(() => expect(sent.at(-1)).toMatchObject(whole));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('are deleted, and brought back with what they had', async () => {
    await studyStore.putHighlight(stored({ note: { value: 'Why?', at: 2 } }));
    render(<Reader />);
    await waitFor(() => expect(marks()).toEqual(['woods']));
    await userEvent.click(screen.getByText('woods'));
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(marks()).toEqual([]));
    await userEvent.click(await undo('Highlight deleted.'));
    await waitFor(() => expect(marks()).toEqual(['woods']));
    expect(kept()[0]?.state.note.value).toBe('Why?');
  });

  it('say when they are too long, and copy all the same', async () => {
    const long = 'word '.repeat(500).trim();
    const view = render(<Reader />);
    text().innerHTML = `<p>${long}</p>`;
    select(long);
    expect(within(await bar()).getByText('Please select at most 2,000 characters.')).toBeVisible();
    expect(within(await bar()).queryByRole('button', { name: 'Honey' })).toBeNull();
    expect(within(await bar()).getByRole('button', { name: 'Copy' })).toBeVisible();
    view.unmount();
  });

  it('whose words were edited say so', async () => {
    const place = { state: 'changed' as const, section: 0, start: 14, end: 19, text: 'woods' };
    const anchor = { section: 0, start: 14, end: 20, exact: 'forest', prefix: 'I went to the ', suffix: ' because' };
    await studyStore.putHighlight(stored({ place, anchor }));
    render(<Reader />);
    await waitFor(() => expect(marks()).toEqual(['woods']));
    expect(document.querySelector('mark')).toHaveClass('highlight--changed');
    await userEvent.click(screen.getByText('woods'));
    expect(await screen.findByText(/The text was edited since/)).toBeVisible();
    expect(screen.getByText('forest')).toBeVisible();
  });

  it('that could not be saved say why', async () => {
    await studyStore.putHighlight(stored());
    await studyStore.refused('highlights', ADA, 7, 1, 'Please open this summary first.');
    render(<Reader />);
    await waitFor(() => expect(marks()).toEqual(['woods']));
    await userEvent.click(screen.getByText('woods'));
    expect(await screen.findByText('This highlight could not be saved: Please open this summary first.')).toBeVisible();
  });

  it('are listed in the contents: a press turns to one, and Enter opens it', async () => {
    const place = { state: 'same' as const, section: 1, start: 15, end: 21, text: null };
    const anchor = { section: 1, start: 15, end: 21, exact: 'margin', prefix: 'I love a broad ', suffix: ' to my life. I sat in my sunny d' };
    await studyStore.putHighlight(stored({ id: 8, place, anchor, note: { value: 'Room.', at: 2 } }));
    await studyStore.putHighlight(stored({ id: 9, place: null, anchor: { ...anchor, exact: 'nowhere at all', prefix: '', suffix: '' } }));
    render(
      <MemoryRouter>
        <Reader hasContents />
      </MemoryRouter>,
    );
    const list = await screen.findByRole('region', { name: 'Your highlights' });
    expect(list).toHaveTextContent('Room.');
    expect(list).toHaveTextContent('1 passage that you highlighted is no longer in the text.');
    await userEvent.click(within(list).getByRole('button', { name: /margin/ }));
    await waitFor(() => expect(document.querySelector('mark[data-highlight="8"]')).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    expect(await screen.findByRole('dialog', { name: 'Highlight' })).toBeVisible();
  });

  it('have their notes in the margin where there is room, and a press opens one', async () => {
    vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(1440);
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue({ top: 0, left: 0, right: 1000, width: 700 } as DOMRect);
    await studyStore.putHighlight(stored({ note: { value: 'Why?', at: 2 } }));
    render(<Reader />);
    const notes = await screen.findByRole('complementary', { name: 'Notes' });
    await userEvent.click(within(notes).getByRole('button', { name: 'Your note: Why?' }));
    expect(await screen.findByRole('dialog', { name: 'Highlight' })).toBeVisible();
    await waitFor(() => expect(screen.getByLabelText('Note')).toHaveFocus());
  });

  it('keep a note while it is typed', async () => {
    await studyStore.putHighlight(stored());
    render(<Reader />);
    await waitFor(() => expect(marks()).toEqual(['woods']));
    await userEvent.click(screen.getByText('woods'));
    await userEvent.type(await screen.findByLabelText('Note'), 'Walden');
    await waitFor(() => expect(kept()[0]?.state.note.value).toBe('Walden'));
  });

  it('that are switched off are not shown, also when another device has done it (study.study-switches)', async () => {
    settings = { ...settings, hasHighlights: false };
    await studyStore.putHighlight(stored());
    const view = render(<Reader />);
    await waitFor(() => expect(areHighlightsOff()).toBe(true));
    await waitFor(() => expect(marks()).toEqual([]));
    view.unmount();
    render(<Reader />);
    select('woods');
    await act(() => Promise.resolve());
    expect(screen.queryByRole('toolbar')).toBeNull();
  });
});

describe('popular passages (study.popular-passages)', () => {
  const popular = { section: 0, start: 0, end: 58, members: 12 };

  it('are drawn below the highlights, and listed with their members', async () => {
    passages = [popular];
    await studyStore.putHighlight(stored());
    render(<Reader hasContents />);
    await waitFor(() => expect(document.querySelector('mark.popular')).not.toBeNull());
    expect(marks()).toEqual(['woods']);
    const list = await screen.findByRole('region', { name: 'Popular passages' });
    expect(list).toHaveTextContent('I went to the woods because I wished to live deliberately.Economy · 12 members');
  });

  it('are not asked for when they are switched off', async () => {
    settings = { ...settings, showsPopular: false };
    passages = [popular];
    await studyStore.putHighlight(stored());
    render(<Reader />);
    await waitFor(() => expect(marks()).toEqual(['woods']));
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(document.querySelector('mark.popular')).toBeNull();
  });
});

describe('sentences picked by key (study.key-selection)', () => {
  const spoken = () => screen.getByText((_, element) => element?.getAttribute('role') === 'status' && element.classList.contains('visually-hidden'));
  const picked = () => [...document.querySelectorAll('mark.highlight-cursor')].map(({ textContent }) => textContent).join('');

  it('move with the arrow keys, grow with Shift, and are read out; the first press loads what picks them', async () => {
    render(<Reader index={1} />);
    await userEvent.keyboard('h');
    await waitFor(() => expect(picked()).toBe('I love a broad margin to my life.'));
    expect(spoken()).toHaveTextContent('I love a broad margin to my life.');
    await userEvent.keyboard('{ArrowDown}');
    expect(picked()).toBe('I sat in my sunny doorway.');
    await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}');
    expect(picked()).toBe('I sat in my sunny doorway. I grew in those seasons.');
    await userEvent.keyboard('{Shift>}{ArrowUp}{/Shift}');
    expect(spoken()).toHaveTextContent('I sat in my sunny doorway.');
    await userEvent.keyboard('2');
    await waitFor(() => expect(marks()).toEqual(['I sat in my sunny doorway.']));
    expect(kept()[0]?.state.color.value).toBe('leaf');
    expect(picked()).toBe('');
  });

  it('are kept in the last color by Enter, get a note by n, and end by Escape or another section', async () => {
    const view = render(<Reader />);
    await userEvent.keyboard('h');
    await waitFor(() => expect(picked()).not.toBe(''));
    await userEvent.keyboard('{Escape}');
    expect(picked()).toBe('');
    await userEvent.keyboard('h{Enter}');
    await waitFor(() => expect(marks()).toEqual(['I went to the woods because I wished to live deliberately.']));
    await userEvent.keyboard('h');
    expect(picked()).not.toBe('');
    view.rerender(<Reader index={1} />);
    expect(picked()).toBe('');
    await userEvent.keyboard('hn');
    await waitFor(() => expect(screen.getByLabelText('Note')).toHaveFocus());
  });
});

describe('quotes of the author (study.highlight-sources)', () => {
  it('are kept as a whole, and deleted again', async () => {
    render(
      <QueryClientProvider client={queryClient}>
        <QuoteHighlight book={BOOK} quote="Simplify, simplify." member={ADA} />
      </QueryClientProvider>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Highlight', pressed: false }));
    expect(await screen.findByRole('button', { name: 'Highlighted', pressed: true })).toBeVisible();
    const anchor = { section: null, start: 0, end: 19, exact: 'Simplify, simplify.', prefix: '', suffix: '' };
    await waitFor(() => expect(sent.filter(({ part }) => part === 'quote').map((one) => one.anchor)).toEqual([anchor]));
    await userEvent.click(screen.getByRole('button', { name: 'Highlighted' }));
    expect(await screen.findByRole('button', { name: 'Highlight' })).toBeVisible();
    await waitFor(() => expect(sent.at(-1)?.deletedAt).not.toBeNull());
  });
});
