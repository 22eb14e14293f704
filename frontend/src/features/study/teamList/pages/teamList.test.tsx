import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import { Component, loader } from '@/features/study/teamList/pages/TeamListPage';
import type { TeamList } from '@/features/study/teamList/queries';
import { Toaster } from '@/ui/toast';
import { openPages, press } from '@test/identity';
import { sampleBook } from '@test/samples';
import { failure, on, server } from '@test/server';

const ANNA = { name: 'Anna', isYou: false, completed: [1, 2] };
const BEN = { name: 'Ben', isYou: false, completed: [99] };
const YOU = { name: 'Eve', isYou: true, completed: [1] };

const sampleList = (more: Partial<TeamList> = {}): TeamList => ({
  id: 9,
  name: 'To start with',
  note: 'One a month.',
  owner: 'Grace',
  ownId: null,
  isAgreed: false,
  seats: 24,
  books: [sampleBook(2), sampleBook(1)],
  members: [ANNA, BEN],
  ...more,
});

const serve = (list: TeamList) => server.use(on('GET /api/team-lists/{id}', () => ({ list })));
const Page = () => (
  <>
    <Component />
    <Toaster />
  </>
);
const open = () => openPages([{ path: '/lists/team/:id', Component: Page, loader }], '/lists/team/9');
const title = () => screen.findByRole('heading', { level: 1, name: 'To start with' });
const question = () => screen.findByRole('checkbox', { name: 'Show my team which of these I have finished?' });
/** The text under the card of a book. */
const under = (book: string) => screen.getByRole('heading', { level: 3, name: book }).closest('article')?.textContent;

beforeEach(() => session.start('token'));

describe('a list of a team (study.team-lists)', () => {
  it('shows name, note, whose it is and its books in their order', async () => {
    serve(sampleList());
    open();
    await title();
    expect(screen.getByText('From Grace, for your team')).toBeVisible();
    expect(screen.getByText('One a month.')).toBeVisible();
    expect(screen.getByText('2 summaries')).toBeVisible();
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual(['Book 2', 'Book 1']);
    expect(screen.getByRole('link', { name: 'Lists' })).toHaveAttribute('href', '/lists');
  });

  it('names nobody where the owner has no first name', async () => {
    serve(sampleList({ owner: '' }));
    open();
    expect(await screen.findByText('For your team')).toBeVisible();
  });

  it('is its owner’s to change, who is not asked', async () => {
    serve(sampleList({ ownId: 41 }));
    open();
    await title();
    expect(screen.getByRole('link', { name: 'Change it' })).toHaveAttribute('href', '/lists/41');
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('says when no summary is on it', async () => {
    serve(sampleList({ books: [] }));
    open();
    expect(await screen.findByRole('heading', { name: 'This list has no summaries yet' })).toBeVisible();
  });

  it('says that it is loading', async () => {
    let answer: () => void = () => undefined;
    const waited = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(
      on('GET /api/team-lists/{id}', async () => {
        await waited;
        return { list: sampleList() };
      }),
    );
    // As after the first page, where a loader does not wait.
    openPages([{ path: '/lists/team/:id', Component: Page }], '/lists/team/9');
    expect(await screen.findByText('Loading the list')).toBeInTheDocument();
    answer();
    await title();
  });

  it('says when it is not the member’s to see', async () => {
    server.use(on('GET /api/team-lists/{id}', () => failure(404, 'not_found', 'There is no such list.')));
    open();
    expect(await screen.findByText('Your team has no such list, or your seat has ended.')).toBeVisible();
  });

  it('tries again after a failure', async () => {
    server.use(on('GET /api/team-lists/{id}', () => failure(500, 'internal', 'It broke.')));
    open();
    expect(await screen.findByRole('alert')).toHaveTextContent('It broke.');
    serve(sampleList());
    await press('Try again');
    await title();
  });
});

describe('what a team shares (study.team-progress)', () => {
  it('stands under each book, and for each member', async () => {
    serve(sampleList({ isAgreed: true, members: [ANNA, BEN, YOU], books: [sampleBook(2), sampleBook(1), sampleBook(3, { comingSoon: true })] }));
    open();
    await title();
    expect(under('Book 1')).toContain('Finished by Anna and you2 of 3 who share have finished');
    expect(under('Book 2')).toContain('Finished by Anna1 of 3 who share has finished');
    expect(under('Book 3')).not.toContain('inished');
    expect(screen.getByText('3 of 24 seats share what they finish.')).toBeVisible();
    const members = within(screen.getByRole('region', { name: 'Your team' })).getAllByRole('listitem');
    expect(members.map(({ textContent }) => textContent)).toEqual(['Anna 2 of 2', 'Ben 0 of 2', 'You 1 of 2']);
    expect(screen.getByRole('progressbar', { name: 'Finished by you' })).toHaveAttribute('aria-valuetext', '1 of 2');
  });

  it('is nothing while nobody agrees', async () => {
    serve(sampleList({ members: [] }));
    open();
    expect(await screen.findByText('Nobody shares what they finish yet. 24 seats are in use.')).toBeVisible();
    expect(screen.queryByText(/who share/)).toBeNull();
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it('is agreed to by one press, which says what is shown, and ended by another', async () => {
    let list = sampleList();
    const sent: string[] = [];
    server.use(
      on('GET /api/team-lists/{id}', () => ({ list })),
      on('PUT /api/team-lists/{id}/agreement', () => {
        sent.push('agree');
        list = sampleList({ isAgreed: true, members: [ANNA, BEN, YOU] });
        return { isAgreed: true };
      }),
      on('DELETE /api/team-lists/{id}/agreement', () => {
        sent.push('end');
        list = sampleList();
        return { isAgreed: false };
      }),
    );
    open();
    const box = await question();
    expect(box).not.toBeChecked();
    expect(box).toHaveAccessibleDescription('Your team then sees your first name and which summaries of this list you have finished, and nothing else.');
    await userEvent.click(box);
    expect(box).toBeChecked();
    expect(await screen.findByText('Finished by Anna and you')).toBeVisible();
    await userEvent.click(box);
    expect(box).not.toBeChecked();
    await waitFor(() => expect(screen.queryByText('Finished by Anna and you')).toBeNull());
    expect(sent).toEqual(['agree', 'end']);
  });

  it('is taken back when it could not be saved, with the reason', async () => {
    serve(sampleList());
    server.use(on('PUT /api/team-lists/{id}/agreement', () => failure(500, 'internal', 'It broke.')));
    open();
    const box = await question();
    await userEvent.click(box);
    expect(await screen.findByText('It broke.')).toBeVisible();
    expect(box).not.toBeChecked();
  });

  it('ends with the seat', async () => {
    serve(sampleList());
    open();
    const box = await question();
    server.use(
      on('PUT /api/team-lists/{id}/agreement', () => failure(404, 'not_found', 'There is no such list.')),
      on('GET /api/team-lists/{id}', () => failure(404, 'not_found', 'There is no such list.')),
    );
    await userEvent.click(box);
    expect(await screen.findByText('Your team has no such list, or your seat has ended.')).toBeVisible();
  });
});
