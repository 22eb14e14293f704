import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SharedList } from '@/features/admin/lists/queries';
import { signInAs } from '@test/admin';
import { openApp } from '@test/app';
import { failure, on, server } from '@test/server';

let app: ReturnType<typeof openApp> | null = null;
const type = userEvent.setup();
beforeEach(() => signInAs('admin'));
afterEach(() => app?.close());

const sampleList = (id: number, more: Partial<SharedList> = {}): SharedList => ({
  owner: { id: 7, email: 'grace@example.com' },
  key: `7-${id}`,
  name: `List ${id}`,
  note: '',
  sharing: 'public',
  slug: `list-${id}`,
  books: 12,
  followers: 1234,
  sharedAt: Date.UTC(2026, 2, 14),
  isTakenDown: false,
  ...more,
});

/** Serves lists and returns what was asked for. */
function serve(lists: () => SharedList[]): string[] {
  const asked: string[] = [];
  server.use(
    on('GET /api/admin/lists', ({ request }) => {
      asked.push(new URL(request.url).search);
      return { lists: lists(), count: lists().length, countCapped: false, next: null };
    }),
  );
  return asked;
}

const open = (address = '/admin/lists') => {
  app = openApp(address);
  return app;
};
const rows = async () =>
  within(await screen.findByRole('table', { name: 'Lists' }))
    .getAllByRole('row')
    .slice(1);

describe('the lists of members (study.taken-down-lists)', () => {
  it('are shown with owner, page and state', async () => {
    serve(() => [
      sampleList(3),
      sampleList(2, { sharing: 'private', slug: null, sharedAt: null, isTakenDown: true }),
      sampleList(1, { sharing: 'link' }),
      sampleList(0, { sharing: 'private', slug: null }),
    ]);
    open();
    const shown = await rows();
    expect(shown.map(({ textContent }) => textContent)).toEqual([
      'List 3grace@example.comlist-3121,2342026-03-14PublicTake down…',
      'List 2grace@example.com121,234Taken downAllow again',
      'List 1grace@example.comlist-1121,2342026-03-14By linkTake down…',
      'List 0grace@example.com121,2342026-03-14Private',
    ]);
    const first = within(shown[0] as HTMLElement);
    expect(first.getByRole('link', { name: 'grace@example.com' })).toHaveAttribute('href', '/admin/user-edit/7');
    expect(first.getByRole('link', { name: 'list-3' })).toHaveAttribute('href', '/list/list-3');
  });

  it('are searched, in the URL', async () => {
    const asked = serve(() => []);
    open('/admin/lists?q=quiet');
    expect(await screen.findByRole('heading', { name: 'No lists match' })).toBeVisible();
    await type.clear(screen.getByRole('searchbox', { name: 'Name or link' }));
    expect(await screen.findByRole('heading', { name: 'No public lists yet' })).toBeVisible();
    expect(asked).toEqual(['?q=quiet', '']);
  });

  it('say why they could not be loaded', async () => {
    server.use(on('GET /api/admin/lists', () => failure(500, 'internal', 'It broke.')));
    open();
    expect(await screen.findByRole('alert')).toHaveTextContent('It broke.');
  });

  it('are taken down after a question, and allowed again', async () => {
    let list = sampleList(3);
    let shown = [list];
    const sent: unknown[] = [];
    serve(() => shown);
    server.use(
      on('PUT /api/admin/lists/{key}', ({ request, body }) => {
        sent.push([new URL(request.url).pathname, body]);
        const { isTakenDown } = body as { isTakenDown: boolean };
        list = { ...list, sharing: 'private', slug: null, isTakenDown };
        shown = isTakenDown ? [list] : [];
        return { list };
      }),
    );
    open();
    await type.click(await screen.findByRole('button', { name: 'Take down List 3' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Take down “List 3”?' }));
    await type.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(sent).toEqual([]);
    await type.click(screen.getByRole('button', { name: 'Take down List 3' }));
    await type.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Take down' }));
    expect(await screen.findByText('“List 3” was taken down.')).toBeVisible();
    await type.click(await screen.findByRole('button', { name: 'Allow List 3 again' }));
    expect(await screen.findByRole('heading', { name: 'No public lists yet' })).toBeVisible();
    expect(screen.getByText('“List 3” can be shared again.')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'Lists' })).toHaveFocus();
    expect(sent).toEqual([
      ['/api/admin/lists/7-3', { isTakenDown: true }],
      ['/api/admin/lists/7-3', { isTakenDown: false }],
    ]);
  });

  it('are found by their name once the link with which they were found has ended', async () => {
    let list = sampleList(3, { sharing: 'link', slug: 'K4HX' });
    server.use(
      on('GET /api/admin/lists', ({ request }) => {
        const q = new URL(request.url).searchParams.get('q');
        const lists = q === list.name || q === list.slug ? [list] : [];
        return { lists, count: lists.length, countCapped: false, next: null };
      }),
      on('PUT /api/admin/lists/{key}', () => {
        list = { ...list, sharing: 'private', slug: null, isTakenDown: true };
        return { list };
      }),
    );
    open('/admin/lists?q=K4HX');
    await type.click(await screen.findByRole('button', { name: 'Take down List 3' }));
    await type.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Take down' }));
    expect(await screen.findByRole('button', { name: 'Allow List 3 again' })).toBeVisible();
    expect(screen.getByRole('searchbox', { name: 'Name or link' })).toHaveValue('List 3');
    expect(document.body).not.toHaveFocus();
  });

  it('say why nothing was changed', async () => {
    serve(() => [sampleList(3), sampleList(2, { isTakenDown: true })]);
    server.use(on('PUT /api/admin/lists/{key}', () => failure(500, 'internal', 'It broke.')));
    open();
    await type.click(await screen.findByRole('button', { name: 'Take down List 3' }));
    const dialog = within(screen.getByRole('dialog'));
    await type.click(dialog.getByRole('button', { name: 'Take down' }));
    expect(await dialog.findByText('It broke.')).toBeVisible();
    await type.click(dialog.getByRole('button', { name: 'Cancel' }));
    await type.click(screen.getByRole('button', { name: 'Allow List 2 again' }));
    await waitFor(() => expect(screen.getByText('“List 2” was not changed. It broke.')).toBeVisible());
  });

  it('are an area of the navigation', async () => {
    serve(() => []);
    open();
    expect(await screen.findByRole('link', { name: 'Lists', current: 'page' })).toHaveAttribute('href', '/admin/lists');
  });
});
