import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import * as YearPage from '@/features/reading-progress/progress/pages/YearPage';
import type { YearOfReading } from '@/features/reading-progress/progress/year';
import { markRendered } from '@/lib/firstRender';
import { saveFile } from '@/lib/saveFile';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';
import { sampleYear } from '@test/year';

vi.mock('@/lib/saveFile', () => ({ saveFile: vi.fn() }));

let years: Record<string, YearOfReading>;
let answer: (year: string) => YearOfReading | Response | Promise<YearOfReading | Response>;
let pictures: string[];
/** Brings the observed elements into view. */
let comeNear: () => void;

const NOTHING = { minutes: 0, summaries: 0, readingDays: 0, bestStreak: 0, highlights: 0, answers: 0, categories: [], books: [] };
const none = () => Array.from({ length: 12 }, (_, i) => ({ month: i + 1, minutes: 0, summaries: 0 }));

function open(address = '/my-progress/2026') {
  const router = createMemoryRouter([{ path: '/my-progress/:year', ...YearPage, ErrorBoundary: () => <p>The error page</p> }], { initialEntries: [address] });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const figures = async () => within(await screen.findByRole('list', { name: 'At a glance' })).getAllByRole('listitem');
const texts = (elements: readonly HTMLElement[]) => elements.map(({ textContent }) => textContent);
/** The table's cells, row by row. */
const table = () =>
  within(screen.getByRole('table', { name: 'Month by month' }))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent));

beforeEach(() => {
  session.start('token');
  years = { '2026': sampleYear() };
  answer = (year) => years[year] ?? failure(404, 'not_found', 'There is no such year.');
  pictures = [];
  const callbacks: (() => void)[] = [];
  comeNear = () => act(() => callbacks.forEach((callback) => callback()));
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        callbacks.push(() => callback([{ isIntersecting: true }]));
      }
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  server.use(
    on('GET /api/user/account', () => ({ user: sampleUser() })),
    on('GET /api/user/years/{year}', ({ request }) => answer(request.url.split('/').at(-1) ?? '')),
    on('GET /api/user/years/{year}/picture', ({ request }) => {
      pictures.push(new URL(request.url).pathname);
      return new Response(new Blob(['png'], { type: 'image/png' }), { headers: { 'Content-Type': 'image/png' } });
    }),
  );
});
afterEach(() => {
  session.end('left');
  vi.unstubAllGlobals();
});

describe('a year of reading (reading-progress.year-of-reading)', () => {
  it('shows its figures, of the present year so far', async () => {
    open();
    await heading('2026 in reading');
    expect(texts(await figures())).toEqual([
      '2 hours 12 minutes reading and listening',
      '3 summaries completed',
      '5 days of reading',
      '4 days in a row, your longest streak',
      '12 highlights',
      '1,400 cards reviewed',
    ]);
    expect(screen.getByText('So far')).toBeVisible();
    expect(document.title).toContain('Your year in reading: 2026');
    expect(screen.getByRole('link', { name: 'My Progress' })).toHaveAttribute('href', '/my-progress');
  });

  it('that is over is not said to be so far, and leaves out what is 0', async () => {
    years = { '2025': sampleYear({ year: 2025, isOver: true, minutes: null, highlights: 0, answers: 0 }) };
    open('/my-progress/2025');
    expect(await figures()).toHaveLength(3);
    expect(screen.queryByText('So far')).toBeNull();
  });

  it('has a bar for each month, of the time or of the summaries, and both in a table', async () => {
    open();
    await figures();
    expect(table().slice(0, 3)).toEqual([
      ['Month', 'Time', 'Summaries'],
      ['January', '1 hour 30 minutes', '2'],
      ['February', '0 minutes', '0'],
    ]);
    expect(table()).toHaveLength(13);
    expect(screen.getByText('1h 30m')).toHaveClass('year-chart__value');
    await userEvent.click(screen.getByRole('radio', { name: 'Summaries' }));
    expect(screen.queryByText('1h 30m')).toBeNull();
  });

  it('without counted time has bars of summaries, and no choice', async () => {
    years['2026'] = sampleYear({ minutes: null, months: sampleYear().months.map((month) => ({ ...month, minutes: 0 })) });
    open();
    await figures();
    expect(table()[1]).toEqual(['January', '2']);
    expect(screen.queryByRole('radio')).toBeNull();
  });

  it('without anything to draw has no bars', async () => {
    years['2026'] = sampleYear({ ...NOTHING, answers: 3, months: none() });
    open();
    expect(texts(await figures())).toEqual(['3 cards reviewed']);
    for (const name of ['Month by month', 'Most read', 'What you read']) expect(screen.queryByRole('heading', { name })).toBeNull();
  });

  it('lists the categories, and the completed summaries by month', async () => {
    open();
    const categories = within(await screen.findByRole('region', { name: 'Most read' }));
    expect(texts(categories.getAllByRole('listitem'))).toEqual(['Philosophy2 summaries', 'Science1 summary']);
    expect(categories.getByRole('link', { name: 'Science' })).toHaveAttribute('href', '/books/?category=science');
    const books = within(screen.getByRole('region', { name: 'What you read' }));
    expect(texts(books.getAllByRole('heading', { level: 3 }))).toEqual(['January 2', 'June 1']);
    expect(books.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Walden by Ada Writer', '/books/book-1'],
      ['Meditations by Ada Writer', '/books/book-2'],
      ['Essays by Ada Writer', '/books/book-3'],
    ]);
  });

  it('leads to the other years; the choice stays while one is loaded', async () => {
    let release = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (release = resolve));
    const known = answer;
    answer = async (year) => {
      if (year === '2025') await waiting;
      return known(year);
    };
    years['2025'] = sampleYear({ year: 2025, isOver: true, summaries: 40 });
    markRendered();
    open();
    await figures();
    const choice = within(screen.getByRole('navigation', { name: 'Years' }));
    expect(choice.getByRole('link', { current: true })).toHaveTextContent('2026');
    await userEvent.click(choice.getByRole('link', { name: '2025' }));
    await heading('2025 in reading');
    expect(screen.getByText('Loading your year')).toBeInTheDocument();
    expect(choice.getByRole('link', { current: true })).toHaveTextContent('2025');
    release();
    expect(await screen.findByText('40')).toBeVisible();
    expect(screen.queryByText('Loading your year')).toBeNull();
  });

  it('has no choice when there is one year only', async () => {
    years['2026'] = sampleYear({ years: [2026] });
    open();
    await figures();
    expect(screen.queryByRole('navigation', { name: 'Years' })).toBeNull();
  });

  it('in which nothing was read yet says how it begins', async () => {
    years['2026'] = sampleYear({ ...NOTHING, months: none() });
    open();
    await screen.findByRole('heading', { name: 'Your 2026 begins with the first summary' });
    expect(screen.getByRole('link', { name: 'Find one to read' })).toHaveAttribute('href', '/books');
    expect(screen.queryByText('So far')).toBeNull();
    expect(screen.queryByRole('heading', { name: 'Your 2026 as a picture' })).toBeNull();
  });

  it('in which nothing was read leads to the present one', async () => {
    years = { '2024': sampleYear({ ...NOTHING, year: 2024, years: [2026, 2024], isOver: true, months: none() }) };
    open('/my-progress/2024');
    await screen.findByRole('heading', { name: 'Nothing was read in 2024' });
    expect(screen.getByRole('link', { name: 'See 2026' })).toHaveAttribute('href', '/my-progress/2026');
  });

  it('that could not be loaded says so, and is loaded again', async () => {
    const known = answer;
    answer = () => failure(422, 'validation_failed', 'Broken.');
    open();
    expect(await screen.findByRole('alert')).toHaveTextContent('Broken.');
    answer = known;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await figures();
  });

  it('that has no page is not found', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    open('/my-progress/1999');
    expect(await screen.findByText('The error page')).toBeVisible();
    log.mockRestore();
  });
});

describe('the picture of a year', () => {
  it('is made when the member comes near it, and is downloaded under its name', async () => {
    open();
    await screen.findByRole('heading', { name: 'Your 2026 as a picture' });
    expect(screen.queryByText('The picture is being made')).toBeNull();
    expect(pictures).toEqual([]);
    comeNear();
    const name = /^2026 in reading: 2 hours 12 minutes reading and listening, 3 summaries completed, .*, 1,400 cards reviewed\.$/;
    expect(await screen.findByRole('img', { name })).toBeVisible();
    expect(pictures).toEqual(['/api/user/years/2026/picture']);
    await userEvent.click(screen.getByRole('button', { name: 'Download' }));
    await waitFor(() => expect(saveFile).toHaveBeenCalledWith(expect.objectContaining({ type: 'image/png' }), '2026-in-reading.png'));
  });
});
