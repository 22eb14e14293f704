import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { setPlayerLoader, currentPlayer, listen, listening, publish } from '@/shared/listening/listening';
import type { Player } from '@/shared/listening/listening';
import PlayerBar from '@/features/reading-progress/listening/components/PlayerBar';
import { reduce } from '@/features/reading-progress/listening/model';
import { LONG_PRESS } from '@/features/reading-progress/listening/useLongPress';
import type { Event } from '@/features/reading-progress/listening/model';
import { sampleRecording, sampleTrack } from '@test/listening';
import { sampleBook, sampleList, sampleUser } from '@test/samples';
import { on, server } from '@test/server';

const player: Player = {
  open: vi.fn(),
  play: vi.fn(),
  pause: vi.fn(),
  toggle: vi.fn(),
  seek: vi.fn(),
  skip: vi.fn(),
  step: vi.fn(),
  cycleSpeed: vi.fn(),
  setSpeed: vi.fn(),
  stepSpeed: vi.fn(),
  toggleMute: vi.fn(),
  setSleep: vi.fn(),
  retry: vi.fn(),
  close: vi.fn(),
};
HTMLMediaElement.prototype.load = vi.fn();
setPlayerLoader(() => Promise.resolve(player));

/** What the player shows after these events. */
const show = (...events: Event[]) =>
  act(() => {
    publish(events.reduce(reduce, listening.now()));
  });

const PLAYING: Event[] = [
  { type: 'opened', track: sampleTrack(), rate: 1, muted: false, wanted: true },
  { type: 'loaded', recording: sampleRecording(), at: 20 },
  { type: 'waiting', waiting: false },
];

let router: ReturnType<typeof createMemoryRouter>;

async function open(...events: Event[]) {
  await listen(sampleTrack(), {});
  publish(null);
  show(...events);
  router = createMemoryRouter([{ path: '*', element: <PlayerBar /> }], { initialEntries: ['/books'] });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return screen.getByRole('region', { name: 'Audio player' });
}

beforeEach(() => {
  vi.clearAllMocks();
  return () => {
    cleanup();
    publish(null);
  };
});

describe('the bar', () => {
  it('shows what is heard and where', async () => {
    const bar = await open(...PLAYING);
    expect(within(bar).getByText('Book 1')).toBeVisible();
    expect(within(bar).getByText('Second idea')).toBeVisible();
    expect(within(bar).getByRole('slider', { name: 'Position' })).toHaveAttribute('aria-valuetext', '0:20 of 1:30, Second idea');
    expect(within(bar).getByText('1:10 left')).toBeInTheDocument();
    show({ type: 'rate', rate: 2 });
    expect(within(bar).getByText('0:35 left at 2×')).toBeInTheDocument();
  });

  it('plays, pauses, skips, speeds up, mutes, and closes', async () => {
    const bar = await open(...PLAYING);
    const press = (name: string) => userEvent.click(within(bar).getByRole('button', { name }));
    await press('Pause');
    expect(player.toggle).toHaveBeenCalledOnce();
    show({ type: 'pause' });
    expect(within(bar).getByRole('button', { name: 'Play' })).toBeVisible();
    await press('Back 15 seconds');
    await press('Forward 15 seconds');
    expect(vi.mocked(player.skip).mock.calls).toEqual([[-15], [15]]);
    await press('Speed 1×');
    expect(player.cycleSpeed).toHaveBeenCalledOnce();
    await press('Mute');
    expect(player.toggleMute).toHaveBeenCalledOnce();
    await press('Close the player');
    expect(player.close).toHaveBeenCalledOnce();
  });

  it('steps down and up in speed by the arrow keys, and lists all speeds after a long press', async () => {
    const bar = await open(...PLAYING);
    const button = within(bar).getByRole('button', { name: 'Speed 1×' });
    button.focus();
    await userEvent.keyboard('{ArrowDown}{ArrowUp}');
    expect(vi.mocked(player.stepSpeed).mock.calls).toEqual([[-1], [1]]);

    vi.useFakeTimers();
    fireEvent.pointerDown(button);
    void act(() => vi.advanceTimersByTime(LONG_PRESS));
    vi.useRealTimers();
    fireEvent.pointerUp(button);
    fireEvent.click(button, { detail: 1 });
    expect(player.cycleSpeed).not.toHaveBeenCalled();
    const sheet = screen.getByRole('dialog', { name: 'Speed' });
    expect(within(sheet).getByRole('button', { name: '1×' })).toHaveAttribute('aria-pressed', 'true');
    expect(within(sheet).getAllByRole('button', { name: /×$/ })).toHaveLength(7);
    await userEvent.click(within(sheet).getByRole('button', { name: '0.75×' }));
    expect(player.setSpeed).toHaveBeenCalledWith(0.75);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('seeks where the seek bar is pressed, at the pointer’s release', async () => {
    const bar = await open(...PLAYING);
    const line = within(bar).getByRole('slider', { name: 'Position' });
    fireEvent.change(line, { target: { value: '62' } });
    expect(player.seek).not.toHaveBeenCalled();
    expect(line).toHaveAttribute('aria-valuetext', '1:02 of 1:30, Third idea');
    fireEvent.pointerUp(line);
    expect(player.seek).toHaveBeenCalledWith(62);
  });

  it('seeks by arrows when the seek bar has the focus', async () => {
    const bar = await open(...PLAYING);
    within(bar).getByRole('slider', { name: 'Position' }).focus();
    await userEvent.keyboard('{ArrowRight}{ArrowLeft}{PageUp}{Home}');
    expect(vi.mocked(player.skip).mock.calls).toEqual([[5], [-5], [60]]);
    expect(player.seek).toHaveBeenCalledWith(0);
  });

  it('names the next book when it has ended, and the panel links to it', async () => {
    session.start('token');
    server.use(
      on('GET /api/books', () =>
        sampleList([], {
          user: sampleUser({ isPaid: true }),
          recommendations: [sampleBook(1, { hasMedia: true }), sampleBook(2), sampleBook(3, { hasMedia: true })],
        }),
      ),
    );
    const bar = await open(...PLAYING);
    show({ type: 'ended' });
    expect(await within(bar).findByText('Next: Book 3')).toBeVisible();
    await userEvent.click(within(bar).getByRole('button', { name: /^Open the player/ }));
    const panel = await screen.findByRole('dialog', { name: 'Listening' });
    expect(within(panel).getByText('Recommended for you')).toBeVisible();
    await userEvent.click(within(panel).getByRole('link', { name: 'Book 3' }));
    expect(router.state.location.pathname).toBe('/books/book-3');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    show({ type: 'play' });
    expect(within(bar).getByText('First idea')).toBeVisible();
  });

  it('says to a visitor that it has ended', async () => {
    const bar = await open(
      { type: 'opened', track: sampleTrack({ member: null }), rate: 1, muted: false, wanted: true },
      { type: 'loaded', recording: sampleRecording(), at: 20 },
    );
    show({ type: 'ended' });
    expect(within(bar).getByText('The recording has ended', { selector: '.player__section' })).toBeVisible();
  });

  it('reads out what keys and networks do', async () => {
    const bar = await open(...PLAYING);
    const heard = within(bar).getByRole('status');
    show({ type: 'pause' });
    expect(heard).toHaveTextContent('Paused');
    show({ type: 'rate', rate: 1.25 });
    expect(heard).toHaveTextContent('Speed 1.25×');
    show({ type: 'sleep', sleep: { minutes: 15 } });
    expect(heard).toHaveTextContent('Sleep timer: 15 minutes');
    show({ type: 'play' }, { type: 'waiting', waiting: true }, { type: 'offline', offline: true });
    expect(heard).toHaveTextContent('You are offline. It will keep playing when the connection is back.');
  });

  it.each([
    ['login', 'Log in to listen to this summary.'],
    ['upgrade', 'Upgrade to listen to this summary.'],
    ['missing', 'No audio available yet for this book.'],
  ] as const)('says why nothing is heard: %s', async (failure, text) => {
    const bar = await open(...PLAYING, { type: 'failed', failure });
    expect(within(bar).getAllByText(text)[0]).toBeVisible();
    expect(within(bar).queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
  });

  it('retries after a temporary failure', async () => {
    const bar = await open(...PLAYING, { type: 'failed', failure: 'broken' });
    await userEvent.click(within(bar).getByRole('button', { name: 'Try again' }));
    expect(player.retry).toHaveBeenCalledOnce();
  });
});

describe('the panel', () => {
  const openPanel = async (...events: Event[]) => {
    const bar = await open(...PLAYING, ...events);
    await userEvent.click(within(bar).getByRole('button', { name: /^Open the player/ }));
    return screen.getByRole('dialog', { name: 'Listening' });
  };

  it('lists the sections, marks the one that is heard, and plays another', async () => {
    const panel = await openPanel();
    expect(within(panel).getByRole('button', { name: /Second idea/ })).toHaveAttribute('aria-current', 'true');
    await userEvent.click(within(panel).getByRole('button', { name: /Third idea/ }));
    expect(player.seek).toHaveBeenCalledWith(60);
    expect(player.play).toHaveBeenCalledOnce();
    await userEvent.click(within(panel).getByRole('button', { name: 'Next section' }));
    expect(player.step).toHaveBeenCalledWith(1);
  });

  it('is closed by a navigation, and stays so on the way back', async () => {
    await openPanel();
    await act(() => router.navigate('/library'));
    expect(screen.queryByRole('dialog', { name: 'Listening' })).not.toBeInTheDocument();
    await act(() => router.navigate(-1));
    expect(router.state.location.pathname).toBe('/books');
    expect(screen.queryByRole('dialog', { name: 'Listening' })).not.toBeInTheDocument();
  });

  it('has a live region of its own', async () => {
    const panel = await openPanel();
    show({ type: 'pause' });
    expect(screen.getAllByRole('status')).toHaveLength(1);
    expect(within(panel).getByRole('status')).toHaveTextContent('Paused');
    await userEvent.click(within(panel).getByRole('button', { name: 'Close' }));
    show({ type: 'play' });
    expect(screen.getByRole('status')).toHaveTextContent('Playing');
  });

  it('sets the sleep timer', async () => {
    const panel = await openPanel();
    await userEvent.click(within(panel).getByRole('button', { name: 'Sleep timer' }));
    const sheet = screen.getByRole('dialog', { name: 'Sleep timer' });
    expect(
      within(sheet)
        .getAllByRole('button')
        .map((button) => button.textContent),
    ).toEqual(['', '5 minutes', '10 minutes', '15 minutes', '30 minutes', '45 minutes', '60 minutes', 'End of this section']);
    await userEvent.click(within(sheet).getByRole('button', { name: 'End of this section' }));
    expect(player.setSleep).toHaveBeenCalledWith('section');
    expect(screen.queryByRole('dialog', { name: 'Sleep timer' })).not.toBeInTheDocument();
    show({ type: 'sleep', sleep: 'section' });
    await userEvent.click(within(panel).getByRole('button', { name: 'Sleep timer: end of the section' }));
    await userEvent.click(screen.getByRole('button', { name: 'Turn off' }));
    expect(player.setSleep).toHaveBeenLastCalledWith(null);
  });

  it('offers nothing by sections or paragraphs that a recording does not tell', async () => {
    const panel = await openPanel({ type: 'loaded', recording: sampleRecording({ chapters: [], marks: [] }), at: 3 });
    expect(within(panel).queryByRole('heading', { name: 'Sections' })).not.toBeInTheDocument();
    expect(within(panel).queryByRole('checkbox', { name: 'Follow along in the text' })).not.toBeInTheDocument();
    await userEvent.click(within(panel).getByRole('button', { name: 'Sleep timer' }));
    expect(screen.queryByRole('button', { name: 'End of this section' })).not.toBeInTheDocument();
  });
});

it('the loaded player is the current one', () => {
  expect(currentPlayer()).toBe(player);
});
