import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { Component, loader } from '@/features/study/sharedList/pages/SharedListPage';
import { sharedListQuery } from '@/features/study/sharedList/queries';
import type { SharedList } from '@/features/study/sharedList/queries';
import { Toaster } from '@/ui/toast';
import { openPages, press } from '@test/identity';
import { sampleBook } from '@test/samples';
import { failure, on, server } from '@test/server';

const sampleList = (more: Partial<SharedList> = {}): SharedList => ({
  slug: 'quiet-books',
  name: 'Quiet books',
  note: 'For a slow week.\nIn this order.',
  isPublic: true,
  books: [sampleBook(3), sampleBook(1), sampleBook(2, { comingSoon: true })],
  ownId: null,
  isFollowed: false,
  completed: [],
  ...more,
});

const serve = (list: SharedList) => server.use(on('GET /api/lists/{slug}', () => ({ list })));
const Page = () => (
  <>
    <Component />
    <Toaster />
  </>
);
const open = () => openPages([{ path: '/list/:slug', Component: Page, loader }], '/list/quiet-books');
const title = () => screen.findByRole('heading', { level: 1, name: 'Quiet books' });

describe('a shared list (study.shared-list)', () => {
  it('shows name, note, number and books in their order, to everybody', async () => {
    serve(sampleList());
    open();
    await title();
    expect(screen.getByText(/^For a slow week\.\s+In this order\.$/)).toHaveClass('list-head__note');
    expect(screen.getByText('3 summaries, 1 coming soon')).toBeVisible();
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual(['Book 3', 'Book 1', 'Book 2']);
    expect(screen.queryByText('Finished')).toBeNull();
    // The title of the document is set after the page is shown.
    await waitFor(() => expect(document.title).toMatch(/^Quiet books – /));
  });

  it('offers visitors to sign up or log in, and leads them back', async () => {
    serve(sampleList());
    open();
    expect(await screen.findByRole('link', { name: 'Sign up to follow this list' })).toHaveAttribute('href', '/signup?redirect=%2Flist%2Fquiet-books');
    expect(screen.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login?redirect=%2Flist%2Fquiet-books');
    expect(screen.queryByRole('button', { name: /follow/i })).toBeNull();
  });

  it('is shown from what the server has put into the page, without another call', async () => {
    let calls = 0;
    server.use(
      on('GET /api/lists/{slug}', () => {
        calls += 1;
        return { list: sampleList() };
      }),
    );
    queryClient.setQueryData(['visitor', 'list', 'quiet-books'], { list: sampleList() });
    open();
    await title();
    expect(calls).toBe(0);
  });

  it('shows the link to copy where the system can’t share', async () => {
    const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue();
    serve(sampleList());
    open();
    const button = await screen.findByRole('button', { name: 'Share' });
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
    await userEvent.click(button);
    expect(writeText).toHaveBeenCalledWith('http://localhost:4000/list/quiet-books');
    expect(await screen.findByText('Link copied.')).toBeVisible();
  });

  it('says when there is no summary on it', async () => {
    serve(sampleList({ books: [] }));
    open();
    expect(await screen.findByRole('heading', { name: 'This list has no summaries yet' })).toBeVisible();
    expect(screen.getByText('0 summaries')).toBeVisible();
  });

  it('says that it is loading', async () => {
    let answer: () => void = () => undefined;
    const waited = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(
      on('GET /api/lists/{slug}', async () => {
        await waited;
        return { list: sampleList() };
      }),
    );
    // As after the first page, where a loader does not wait.
    openPages([{ path: '/list/:slug', Component: Page }], '/list/quiet-books');
    expect(await screen.findByText('Loading the list')).toBeInTheDocument();
    answer();
    await title();
  });

  it('says that it is not shared', async () => {
    server.use(on('GET /api/lists/{slug}', () => failure(404, 'not_found', 'There is no such list.')));
    open();
    expect(await screen.findByText('This list isn’t shared.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Browse book summaries' })).toHaveAttribute('href', '/books');
  });

  it('tries again after a failure', async () => {
    server.use(on('GET /api/lists/{slug}', () => failure(500, 'internal', 'It broke.')));
    open();
    expect(await screen.findByRole('alert')).toHaveTextContent('It broke.');
    serve(sampleList());
    await press('Try again');
    await title();
  });
});

describe('a shared list, to a member', () => {
  beforeEach(() => session.start('token'));

  it('marks the books that they have finished', async () => {
    serve(sampleList({ completed: [1, 99] }));
    open();
    await title();
    const finished = screen.getAllByText('Finished').map((mark) => within(mark.closest('article') as HTMLElement).getByRole('heading').textContent);
    expect(finished).toEqual(['Book 1']);
    expect(screen.queryByRole('link', { name: /Sign up/ })).toBeNull();
  });

  it('is followed, and no longer, which can be undone (study.followed-lists)', async () => {
    const sent: string[] = [];
    serve(sampleList());
    server.use(
      on('PUT /api/lists/{slug}/follow', () => {
        sent.push('follow');
        return { isFollowed: true };
      }),
      on('DELETE /api/lists/{slug}/follow', () => {
        sent.push('leave');
        return { isFollowed: false };
      }),
    );
    open();
    await press('Follow this list');
    const following = await screen.findByRole('button', { name: 'Following', pressed: true });
    expect(screen.getByText('“Quiet books” is among your lists now.')).toBeVisible();
    await userEvent.click(following);
    expect(await screen.findByRole('button', { name: 'Follow this list', pressed: false })).toBeVisible();
    await press('Undo');
    const again = await screen.findByRole('button', { name: 'Following' });
    // The toast's button had the focus.
    await waitFor(() => expect(again).toHaveFocus());
    expect(sent).toEqual(['follow', 'leave', 'follow']);
  });

  it('has the lists read again that they follow', async () => {
    serve(sampleList());
    server.use(on('PUT /api/lists/{slug}/follow', () => ({ isFollowed: true })));
    queryClient.setQueryData(['member', 'lists'], {});
    open();
    await press('Follow this list');
    await screen.findByRole('button', { name: 'Following' });
    expect(queryClient.getQueryState(['member', 'lists'])?.isInvalidated).toBe(true);
  });

  it('says why it can’t be followed', async () => {
    serve(sampleList());
    server.use(on('PUT /api/lists/{slug}/follow', () => failure(409, 'too_many_followed', 'You follow 200 lists. Please leave one first.')));
    open();
    await press('Follow this list');
    expect(await screen.findByRole('alert')).toHaveTextContent('You follow 200 lists. Please leave one first.');
    expect(screen.getByRole('button', { name: 'Follow this list' })).toBeVisible();
    server.use(on('PUT /api/lists/{slug}/follow', () => ({ isFollowed: true })));
    await press('Follow this list');
    await screen.findByRole('button', { name: 'Following' });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('says when the undo has failed', async () => {
    serve(sampleList({ isFollowed: true }));
    server.use(
      on('DELETE /api/lists/{slug}/follow', () => ({ isFollowed: false })),
      on('PUT /api/lists/{slug}/follow', () => failure(404, 'not_found', 'There is no such list.')),
    );
    open();
    await press('Following');
    await press('Undo');
    expect(await screen.findByText('“Quiet books” could not be followed again. There is no such list.')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Follow this list' })).toHaveFocus());
  });

  it('leads its owner to their own list, which they do not follow', async () => {
    serve(sampleList({ ownId: 41 }));
    open();
    await title();
    expect(screen.getByText(/This is your list\./)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Change it' })).toHaveAttribute('href', '/lists/41');
    expect(screen.queryByRole('button', { name: /follow/i })).toBeNull();
    expect(screen.getByRole('button', { name: 'Share' })).toBeVisible();
  });

  it('is asked for as a member’s', () => {
    expect(sharedListQuery('quiet-books').queryKey).toEqual(['member', 'list', 'quiet-books']);
  });
});
