import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { publish, setPlayerLoader } from '@/shared/listening/listening';
import type { Player, Track } from '@/shared/listening/listening';
import { EpisodeCard } from '@/features/editorial/components/EpisodeCard';
import * as PodcastPage from '@/features/editorial/pages/PodcastPage';
import type { Podcast } from '@/features/editorial/queries';
import { sampleListening } from '@test/listening';
import { on, server } from '@test/server';

const opened: Track[] = [];
const pause = vi.fn();
HTMLMediaElement.prototype.load = vi.fn();
setPlayerLoader(() => Promise.resolve({ open: (track: Track) => void opened.push(track), pause } as unknown as Player));

const episode = (slug: string, more: Partial<Podcast> = {}): Podcast => ({
  id: slug.length,
  slug,
  title: `About ${slug}`,
  author: 'Ada Host',
  authorDesc: '',
  description: 'Two people talk.',
  image: '/media/podcasts/one.svg',
  mediaUrl: `/media/podcasts/${slug}.mp3`,
  mins: 5,
  seconds: 300,
  createDate: 0,
  ...more,
});

/** The player plays this track, or has paused it. */
const plays = (track: Track, wanted = true) => act(() => publish(sampleListening(track, wanted)));

function open(path: string, element: React.ReactNode) {
  const router = createMemoryRouter(
    [
      { path: '/podcasts/:slug', Component: PodcastPage.Component },
      { path: '*', element },
    ],
    { initialEntries: [path] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

beforeEach(() => {
  opened.length = 0;
  return () => {
    cleanup();
    publish(null);
  };
});

describe('an episode', () => {
  it('plays from the list in the player that stays, and the list shows which one plays', async () => {
    const [one, other] = [episode('one'), episode('other')];
    open(
      '/podcasts',
      [one, other].map((podcast) => <EpisodeCard key={podcast.id} podcast={podcast} />),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Play “About one”' }));
    expect(opened).toEqual([expect.objectContaining({ bookId: null, subid: 'one', file: { url: '/media/podcasts/one.mp3', seconds: 300 } })]);
    plays(opened[0] as Track);
    const [card, rest] = screen.getAllByRole('article');
    expect(within(card as HTMLElement).getByText('Playing')).toBeVisible();
    expect(within(rest as HTMLElement).queryByText('Playing')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Pause “About one”' }));
    expect(pause).toHaveBeenCalledOnce();
  });

  it('plays on its page, which says so; one without a recording has no button', async () => {
    const podcast = { ...episode('one'), script: '<p>Hello.</p>' };
    const show = { title: 'Talks', description: '', author: '' };
    server.use(on('GET /api/podcasts/{slug}', () => ({ podcast, show, more: [episode('silent', { mediaUrl: null })] })));
    open('/podcasts/one', null);
    await userEvent.click(await screen.findByRole('button', { name: 'Listen' }));
    plays(opened[0] as Track);
    expect(screen.getByRole('button', { name: 'Pause' })).toBeVisible();
    plays(opened[0] as Track, false);
    expect(screen.getByRole('button', { name: 'Resume' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Download' })).toHaveAttribute('href', '/media/podcasts/one.mp3?download=');
    expect(screen.queryByRole('button', { name: /silent/ })).toBeNull();
  });
});
