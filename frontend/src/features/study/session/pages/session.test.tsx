import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { BookCard, RequestOf } from '@/api/types';
import * as SessionPage from '@/features/study/session/pages/SessionPage';
import type { SessionIdea } from '@/features/study/session/queries';
import { listen, listening, publish, setPlayerLoader } from '@/shared/listening/listening';
import type { Player, Track } from '@/shared/listening/listening';
import { syncPlaces } from '@/shared/positions/positionSync';
import { completeIdea, sendCompletedIdeas } from '@/shared/study/completedIdeas';
import { forgetIdeas } from '@/shared/study/unsentIdeas';
import { sampleListening, sampleRecording, sampleTrack } from '@test/listening';
import { sampleBook, sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

const ADA = 7;

const ideaOf = (book: BookCard, section: number, more: Partial<SessionIdea> = {}): SessionIdea => ({
  book,
  section,
  sections: 9,
  title: `Idea ${book.id}.${section}`,
  html: `<p>Text ${book.id}.${section}.</p><h4>Aside</h4>`,
  seconds: 120,
  recording: { from: section * 100, to: section * 100 + 60 },
  isLeftOpen: false,
  ...more,
});

const HAGGLING = sampleBook(1, { title: 'Haggling', author: 'Mira Odell' });
const LISTENING = sampleBook(2, { title: 'Listening', author: 'Jan Brandt' });

const three = () => [ideaOf(HAGGLING, 3, { isLeftOpen: true }), ideaOf(LISTENING, 0, { recording: null }), ideaOf(HAGGLING, 4)];

/** What the server answers. */
let answer: () => { ideas: SessionIdea[]; isNear: boolean } | Response;
let isPaid: boolean;
/** What was asked for, request by request. */
let asked: RequestOf<'POST /api/study/session'>['body'][];
/** The headings that the server has as completed. */
let completed: string[];
let places: { bookId: number; position?: number | null; completed: boolean }[];

/** Whether the end of an idea, by its index, is on the screen. */
let endIsOnScreen: (index: number) => void;

const player = { open: vi.fn(), pause: vi.fn() } as unknown as Player;
HTMLMediaElement.prototype.load = vi.fn();

beforeEach(() => {
  answer = () => ({ ideas: three(), isNear: false });
  [isPaid, asked, completed, places] = [true, [], [], []];
  const watched = new Map<Element, (entries: { isIntersecting: boolean }[]) => void>();
  endIsOnScreen = (index) => {
    const end = document.querySelectorAll('.reader__end')[index] ?? expect.unreachable();
    act(() => watched.get(end)?.([{ isIntersecting: true }]));
  };
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #report: (entries: { isIntersecting: boolean }[]) => void;
      readonly #watched: Element[] = [];
      constructor(report: (entries: { isIntersecting: boolean }[]) => void) {
        this.#report = report;
      }
      observe(element: Element) {
        watched.set(element, this.#report);
        this.#watched.push(element);
        // As browsers do: at first it is below the screen.
        this.#report([{ isIntersecting: false }]);
      }
      disconnect() {
        for (const element of this.#watched) watched.delete(element);
      }
    },
  );
  setPlayerLoader(() => Promise.resolve(player));
  server.use(
    on('GET /api/user/account', () => ({ user: sampleUser({ id: ADA, isPaid }) })),
    on('POST /api/study/session', ({ body }) => {
      asked.push(body as (typeof asked)[number]);
      return answer();
    }),
    on('POST /api/study/completed-ideas', ({ body }) => {
      completed.push(...(body as RequestOf<'POST /api/study/completed-ideas'>['body']).ideas.map(({ idea }) => idea));
      return {};
    }),
    on('PUT /api/user-book-history', ({ body }) => {
      const place = body as (typeof places)[number] & { at: number };
      places.push(place);
      return {
        entry: { bookId: place.bookId, position: 0, completed: false, at: place.at },
        progress: null,
        place: { position: 0, paragraph: null, at: place.at, device: null, furthest: 0, audio: null },
      };
    }),
  );
  session.start('token');
});
afterEach(async () => {
  act(() => publish(null));
  await sendCompletedIdeas();
  await syncPlaces();
  act(() => session.end('left'));
  forgetIdeas(null);
  vi.unstubAllGlobals();
});

function open(address: string) {
  const router = createMemoryRouter(
    [
      { path: '/session', ...SessionPage },
      { path: '*', element: <h1>elsewhere</h1> },
    ],
    { initialEntries: [address] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { router, at: () => router.state.location.pathname + router.state.location.search };
}

const NEGOTIATION = '/session?minutes=12&topic=negotiation';
const press = (name: string, index = 0) => userEvent.click(screen.getAllByRole('button', { name })[index] ?? expect.unreachable());
const heading = (name: string) => screen.findByRole('heading', { level: 2, name });
const idea = (name: string) => screen.getByRole('region', { name });
const progress = () => screen.getByRole('progressbar', { name: 'Session progress' }).getAttribute('aria-valuetext');

describe('the form (study.session-form)', () => {
  it('asks for minutes and a topic, and opens the session with its heading in focus', async () => {
    const { at } = open('/session');
    expect(await screen.findByRole('heading', { level: 1, name: 'Session' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: '30 min' }));
    expect(screen.getByRole('button', { name: '30 min' })).toHaveAttribute('aria-pressed', 'true');
    const minutes = screen.getByRole('textbox', { name: 'Minutes' });
    expect(minutes).toHaveValue('30');
    await userEvent.clear(minutes);
    await userEvent.type(minutes, '12');
    await userEvent.type(screen.getByRole('textbox', { name: 'Topic' }), ' negotiation ');
    await press('Start');
    await waitFor(() => expect(at()).toBe(NEGOTIATION));
    expect(await screen.findByRole('heading', { level: 1, name: 'I have 12 minutes on negotiation' })).toHaveFocus();
    expect(asked).toEqual([{ minutes: 12, topic: 'negotiation' }]);
  });

  it('needs no topic', async () => {
    const { at } = open('/session');
    await screen.findByRole('heading', { level: 1, name: 'Session' });
    await press('Start');
    await waitFor(() => expect(at()).toBe('/session?minutes=15'));
    expect(await screen.findByRole('heading', { level: 1, name: 'I have 15 minutes' })).toBeVisible();
    expect(asked).toEqual([{ minutes: 15 }]);
  });

  it.each(['', '0', '121'])('says how many minutes there may be: not “%s”', async (typed) => {
    const { at } = open('/session');
    const minutes = await screen.findByRole('textbox', { name: 'Minutes' });
    await userEvent.clear(minutes);
    if (typed) await userEvent.type(minutes, typed);
    await press('Start');
    await waitFor(() => expect(minutes).toHaveAccessibleDescription('Choose from 1 to 120 minutes.'));
    expect(minutes).toHaveFocus();
    expect(at()).toBe('/session');
    await press('5 min');
    expect(minutes).not.toHaveAttribute('aria-invalid');
  });

  it('says how long a topic may be', async () => {
    open('/session');
    const topic = await screen.findByRole('textbox', { name: 'Topic' });
    await userEvent.click(topic);
    await userEvent.paste('a'.repeat(101));
    await press('Start');
    await waitFor(() => expect(topic).toHaveAccessibleDescription(/^Please keep the topic to 100 characters\./));
    expect(topic).toHaveValue('a'.repeat(101));
  });

  it('shows what is wrong with a URL', async () => {
    open('/session?minutes=500&topic=sleep');
    const minutes = await screen.findByRole('textbox', { name: 'Minutes' });
    expect(minutes).toHaveAccessibleDescription('Choose from 1 to 120 minutes.');
    expect(screen.getByRole('textbox', { name: 'Topic' })).toHaveValue('sleep');
    await userEvent.type(minutes, '{Backspace}');
    expect(minutes).not.toHaveAttribute('aria-invalid');
    expect(asked).toEqual([]);
  });
});

describe('a session (study.session-page)', () => {
  it('has the ideas of several books, one after another, with where they are from', async () => {
    open(NEGOTIATION);
    await heading('Idea 1.3');
    expect(screen.getByText('About 6 minutes: 3 key ideas from 2 books')).toBeVisible();
    expect(screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent)).toEqual(['Idea 1.3', 'Idea 2.0', 'Idea 1.4']);
    const first = idea('Idea 1.3');
    expect(first).toHaveAttribute('data-reading');
    expect(within(first).getByRole('link', { name: 'Haggling by Mira Odell' })).toHaveAttribute('href', '/books/book-1?section=4');
    expect(within(first).getByText('You stopped here')).toBeVisible();
    expect(within(first).getByText('Text 1.3.')).toBeVisible();
    expect(within(first).getByRole('heading', { level: 3, name: 'Aside' })).toBeVisible();
    expect(within(idea('Idea 2.0')).getByText('Key idea 1 of 9')).toBeVisible();
    expect(within(idea('Idea 2.0')).queryByText('You stopped here')).toBeNull();
    expect(progress()).toBe('Idea 1 of 3');
    await waitFor(() => expect(document.title).toContain('I have 12 minutes on negotiation'));
  });

  it('completes an idea whose end comes on the screen', async () => {
    open(NEGOTIATION);
    await heading('Idea 1.3');
    endIsOnScreen(0);
    expect(within(idea('Idea 1.3')).getByText('Done')).toBeVisible();
    expect(within(idea('Idea 1.3')).getByRole('button', { name: 'Next idea' })).toBeVisible();
    expect(progress()).toBe('Idea 2 of 3');
    await waitFor(() => expect(completed).toEqual(['Idea 1.3']));
    await waitFor(() => expect(places).toMatchObject([{ bookId: 1, position: 3, completed: false }]));
    expect(screen.queryByRole('link', { name: 'Another session' })).toBeNull();
  });

  it('completes an idea by its button, goes on to the next one, and to what was completed', async () => {
    open(NEGOTIATION);
    await heading('Idea 1.3');
    await press('Done, next idea');
    expect(await heading('Idea 2.0')).toHaveFocus();
    await press('Done, next idea');
    expect(await heading('Idea 1.4')).toHaveFocus();
    await press('Finish');
    const end = await heading('You have completed all 3 ideas');
    expect(end).toHaveFocus();
    expect(progress()).toBe('All 3 ideas done');
    await waitFor(() => expect(completed).toEqual(['Idea 1.3', 'Idea 2.0', 'Idea 1.4']));
    const summary = within(idea('You have completed all 3 ideas'));
    expect(summary.getByRole('link', { name: 'Haggling' })).toHaveAttribute('href', '/books/book-1?section=5');
    expect(summary.getByRole('link', { name: 'Listening' })).toHaveAttribute('href', '/books/book-2?section=1');
    expect(summary.getByText('Idea 1.4')).toBeVisible();
    await userEvent.click(summary.getByRole('link', { name: 'Another session' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Session' })).toHaveFocus();
    expect(screen.getByRole('textbox', { name: 'Minutes' })).toHaveValue('12');
    expect(screen.getByRole('textbox', { name: 'Topic' })).toHaveValue('negotiation');
    answer = () => ({ ideas: [ideaOf(LISTENING, 5)], isNear: false });
    await press('Start');
    await heading('Idea 2.5');
    expect(asked).toHaveLength(2);
  });

  it('says how many were completed of those that were not all read', async () => {
    open(NEGOTIATION);
    await heading('Idea 1.3');
    await press('Finish');
    expect(await heading('You have completed 1 of 3 ideas')).toHaveFocus();
    expect(progress()).toBe('Idea 1 of 3');
  });

  it('stays as it is when one comes back, and what was done of it too', async () => {
    const { router } = open(NEGOTIATION);
    await heading('Idea 1.3');
    endIsOnScreen(0);
    await waitFor(() => expect(completed).toHaveLength(1));
    await act(() => router.navigate('/books/book-1'));
    answer = () => ({ ideas: [ideaOf(LISTENING, 5)], isNear: false });
    await queryClient.invalidateQueries({ queryKey: ['member'] });
    await act(() => router.navigate(-1));
    await heading('Idea 1.3');
    expect(progress()).toBe('Idea 2 of 3');
    await act(() => queryClient.invalidateQueries({ queryKey: ['member'] }));
    expect(asked).toHaveLength(1);
  });

  it('is another one after “Start again”, and where a link leads to one that is over', async () => {
    const { router } = open('/session?minutes=5');
    await heading('Idea 1.3');
    answer = () => ({ ideas: [ideaOf(LISTENING, 5)], isNear: false });
    await press('Start again');
    expect(screen.getByRole('heading', { level: 1, name: 'I have 5 minutes' })).toHaveFocus();
    await heading('Idea 2.5');
    await press('Finish');
    await heading('You have completed the idea');
    await act(() => router.navigate('/home'));
    await act(() => router.navigate(-1));
    await heading('You have completed the idea');
    expect(asked).toHaveLength(2);
    await act(() => router.navigate('/home'));
    answer = () => ({ ideas: [ideaOf(LISTENING, 6)], isNear: false });
    await act(() => router.navigate('/session?minutes=5'));
    await heading('Idea 2.6');
    expect(asked).toHaveLength(3);
  });

  it('says that its ideas are only near the topic', async () => {
    answer = () => ({ ideas: three(), isNear: true });
    open('/session?minutes=12&topic=falconry');
    expect(await screen.findByText('No summary is about “falconry”. These ideas are near it.')).toBeVisible();
  });

  it('without ideas leads a member without a plan to the plans, and to the form', async () => {
    isPaid = false;
    answer = () => ({ ideas: [], isNear: false });
    open(NEGOTIATION);
    await heading('No ideas on “negotiation” for you yet');
    expect(screen.getByText('Without a plan, a session has what you may read: free summaries, and those you have opened.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Upgrade' })).toHaveAttribute('href', `/try?redirect=${encodeURIComponent(NEGOTIATION)}`);
    await userEvent.click(screen.getByRole('link', { name: 'Choose another topic' }));
    expect(await screen.findByRole('textbox', { name: 'Topic' })).toHaveValue('negotiation');
  });

  it('without ideas offers a member with a plan another topic', async () => {
    answer = () => ({ ideas: [], isNear: false });
    open('/session?minutes=5');
    await heading('No ideas for you yet');
    expect(screen.getByRole('link', { name: 'Choose a topic' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Upgrade' })).toBeNull();
  });

  it('that can’t be built says why, and is built by a press', async () => {
    answer = () => failure(503, 'busy', 'Quire is busy. Please try again.');
    open(NEGOTIATION);
    expect(await screen.findByText('Quire is busy. Please try again.')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'I have 12 minutes on negotiation' })).toBeVisible();
    answer = () => ({ ideas: three(), isNear: false });
    await press('Try again');
    await heading('Idea 1.3');
  });
});

describe('listening to a session', () => {
  /** What the player shows at a second of the session, whose parts begin at 0 and 10. */
  const playAt = (seconds: number, track: Track) =>
    act(() => publish({ ...(sampleListening(track) ?? expect.unreachable()), ...sampleRecording(), stage: 'ready', at: seconds }));
  const openedTrack = () => vi.mocked(player.open).mock.lastCall?.[0] ?? expect.unreachable();

  it('plays the ideas with a recording, and says how many are skipped', async () => {
    open(NEGOTIATION);
    await heading('Idea 1.3');
    expect(screen.getByText('Listening skips 1 idea without a recording.')).toBeVisible();
    await press('Listen');
    await waitFor(() => expect(player.open).toHaveBeenCalled());
    expect(openedTrack()).toMatchObject({
      member: ADA,
      bookId: null,
      subid: 'session',
      title: 'I have 12 minutes on negotiation',
      hue: 265,
      page: NEGOTIATION,
    });
    expect(openedTrack().parts?.map(({ idea: name, from, to }) => [name, from, to])).toEqual([
      ['Idea 1.3', 300, 360],
      ['Idea 1.4', 400, 460],
    ]);
  });

  it('marks the idea that is heard and scrolls to it', async () => {
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
    open(NEGOTIATION);
    await heading('Idea 1.3');
    await press('Listen');
    await waitFor(() => expect(player.open).toHaveBeenCalled());
    playAt(2, openedTrack());
    expect(idea('Idea 1.3')).toHaveAttribute('aria-current', 'true');
    playAt(12, openedTrack());
    expect(idea('Idea 1.3')).not.toHaveAttribute('aria-current');
    expect(idea('Idea 1.4')).toHaveAttribute('aria-current', 'true');
    expect(within(idea('Idea 1.4')).getByText('Playing')).toBeVisible();
    expect(scrolled.mock.instances.at(-1)).toBe(idea('Idea 1.4'));
    await press('Pause');
    expect(player.pause).toHaveBeenCalled();
    const now = listening.now() ?? expect.unreachable();
    act(() => publish({ ...now, wanted: false }));
    expect(within(idea('Idea 1.4')).getByText('Paused')).toBeVisible();
    act(() => publish({ ...now, stage: 'failed', failure: 'offline' }));
    expect(screen.getByRole('button', { name: 'Listen' })).toBeVisible();
  });

  it('completes what was heard, not what the page scrolls past', async () => {
    open(NEGOTIATION);
    await heading('Idea 1.3');
    await listen(sampleTrack(), {});
    await press('Listen');
    playAt(2, openedTrack());
    expect(() => endIsOnScreen(2)).not.toThrow();
    expect(progress()).toBe('Idea 1 of 3');
    const [part] = openedTrack().parts ?? [];
    act(() => completeIdea(ADA, part ?? expect.unreachable()));
    expect(progress()).toBe('Idea 2 of 3');
  });

  it('marks nothing while something else plays', async () => {
    open(NEGOTIATION);
    await heading('Idea 1.3');
    playAt(2, sampleTrack());
    expect(document.querySelector('[aria-current]')).toBeNull();
    expect(listening.now()).not.toBeNull();
    expect(screen.getByRole('button', { name: 'Listen' })).toBeVisible();
  });

  it('is not offered without any recording', async () => {
    answer = () => ({ ideas: [ideaOf(LISTENING, 5, { recording: null })], isNear: false });
    open(NEGOTIATION);
    await heading('Idea 2.5');
    expect(screen.queryByRole('button', { name: 'Listen' })).toBeNull();
    expect(screen.queryByText(/Listening skips/)).toBeNull();
  });
});
