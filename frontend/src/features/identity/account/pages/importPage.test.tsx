import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient, viewer } from '@/api/queryClient';
import { session } from '@/api/session';
import { figureText, importQuery, keptText } from '@/features/identity/account/accountImport';
import type { AccountImport, ImportFigure, ImportOverview, KeptBook, KeptEntries } from '@/features/identity/account/accountImport';
import { Component } from '@/features/identity/account/pages/ImportPage';
import { syncStudy } from '@/shared/study/studySync';
import { Toaster } from '@/ui/toast';
import { openPages, press } from '@test/identity';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';
import { sampleChanges } from '@test/study';

const WAITS = 'Your archive is being imported. You can leave this page. Come back to see what was imported.';
const LOOKS = 'We are looking for your books.';
const UNDER_WAY = 'An archive is being imported already.';

const figure = (kind: ImportFigure['kind'], imported: number, kept = 0, unreadable = 0): ImportFigure => ({ kind, imported, kept, unreadable });

const sampleImport = (more: Partial<AccountImport> = {}): AccountImport => ({
  state: 'done',
  isRetry: false,
  requestedAt: Date.UTC(2026, 10, 20, 12),
  doneAt: Date.UTC(2026, 10, 20, 12, 1),
  error: null,
  figures: [],
  ...more,
});
const queued = (more: Partial<AccountImport> = {}) => sampleImport({ state: 'queued', requestedAt: Date.UTC(2026, 10, 21, 12), doneAt: null, ...more });

const END = Date.UTC(2026, 10, 21, 13);
/** The end of what {@link queued} began. */
const ended = (more: Partial<AccountImport> = {}) => queued({ state: 'done', doneAt: END, ...more });

const book = (title: string): KeptBook => ({
  title,
  author: 'Henry David Thoreau',
  entries: [
    { kind: 'places', count: 1 },
    { kind: 'cards', count: 2 },
  ],
});
const walden = book('Walden');

let overview: ImportOverview;
/** The names of the uploaded files. */
let uploads: (string | undefined)[];
/** How often the study records were read. */
let pulls: number;

/** The server's answer to a request that queues an import. */
const accepted = (lastImport: AccountImport) => {
  overview = { ...overview, lastImport };
  return HttpResponse.json({ status: 'ok', result: lastImport }, { status: 202 });
};

const Page = () => (
  <>
    <Component />
    <Toaster />
  </>
);

function open(now: Partial<ImportOverview> = {}) {
  overview = { lastImport: null, kept: [], ...now };
  return openPages([{ path: '/account/import', Component: Page }], '/account/import');
}

/** What an import can have changed. */
const library = () => [viewer(), 'library'];
const isReadAgain = () => queryClient.getQueryState(library())?.isInvalidated;
const readOverview = () => queryClient.invalidateQueries({ queryKey: importQuery().queryKey });

const never = () => new Promise<never>(() => undefined);

const archive = (name = 'pith-archive.zip') => new File(['PK'], name, { type: 'application/zip' });
const field = () => screen.findByLabelText<HTMLInputElement>('Archive');
const choose = async (file: File) => userEvent.upload(await field(), file);

beforeEach(async () => {
  session.start('token');
  queryClient.setQueryData(library(), 'before');
  uploads = [];
  server.use(
    on('GET /api/user/import', () => overview),
    on('POST /api/user/import', async ({ request }) => {
      uploads.push(/name="file"; filename="([^"]+)"/.exec(await request.text())?.[1]);
      return accepted(queued());
    }),
    on('POST /api/user/import/kept', () => accepted(queued({ isRetry: true }))),
    on('DELETE /api/user/import/kept', () => {
      overview = { ...overview, kept: [] };
      return {};
    }),
    on('GET /api/user/account', () => ({ user: sampleUser() })),
    on('GET /api/study/changes', () => {
      pulls += 1;
      return sampleChanges();
    }),
  );
  // The session's beginning reads the records too.
  await syncStudy();
  pulls = 0;
});
afterEach(async () => {
  // What a test has left to send must not reach the server of the next one.
  await syncStudy();
  session.end('left');
});

describe('/account/import (identity.account-import)', () => {
  it('says that nothing was imported yet', async () => {
    open();
    expect(await screen.findByText('You have not imported an archive yet.')).toBeVisible();
    expect(screen.queryByRole('heading', { level: 2 })).not.toBeInTheDocument();
    expect(await field()).toBeEnabled();
  });

  it('uploads the archive, waits for its import, and reads the member’s data again when it is done', async () => {
    open();
    await choose(archive());
    expect(await field()).toHaveAccessibleDescription('pith-archive.zip · 1 kB');
    await press('Import');
    expect(await screen.findByText(WAITS)).toBeVisible();
    expect(uploads).toEqual(['pith-archive.zip']);
    expect(await field()).toBeDisabled();
    expect((await field()).files).toHaveLength(0);
    expect(await field()).toHaveAccessibleDescription('A ZIP file of at most 50 MB.');
    expect(screen.getByRole('button', { name: 'Importing' })).toHaveAttribute('aria-disabled', 'true');
    expect(isReadAgain()).toBe(false);

    overview = { ...overview, lastImport: ended({ figures: [figure('places', 12), figure('lists', 1)] }) };
    const list = await screen.findByRole('list', { name: 'Imported on November 21, 2026' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Your place in 12 books.', '1 list.']);
    expect(screen.getByText('Your archive has been imported.').parentElement).toHaveAttribute('role', 'status');
    expect(screen.queryByText(WAITS)).not.toBeInTheDocument();
    expect(await field()).toBeEnabled();
    await waitFor(() => expect(pulls).toBe(1));
    expect(isReadAgain()).toBe(true);
  });

  it('shows an import that was begun before the last one was loaded', async () => {
    server.use(on('GET /api/user/import', () => never()));
    open();
    await choose(archive());
    await press('Import');
    expect(await screen.findByText(WAITS)).toBeVisible();
  });

  it('waits for an import that was begun before, and reads the data again once', async () => {
    open({ lastImport: queued({ state: 'running' }) });
    expect(await screen.findByText(WAITS)).toBeVisible();
    expect(await field()).toBeDisabled();
    overview = { ...overview, lastImport: ended({ figures: [figure('days', 30)] }) };
    expect(await screen.findByText('30 days of reading.')).toBeVisible();
    await waitFor(() => expect(pulls).toBe(1));
    expect(isReadAgain()).toBe(true);

    queryClient.setQueryData(library(), 'after');
    overview = { ...overview, kept: [walden] };
    await readOverview();
    expect(await screen.findByText('Walden')).toBeVisible();
    expect(isReadAgain()).toBe(false);
  });

  it('reads the data again for an import that began and ended elsewhere while the page was open', async () => {
    open({ lastImport: sampleImport() });
    await screen.findByText('There was nothing to import in this archive.');
    overview = { ...overview, lastImport: ended({ figures: [figure('days', 30)] }) };
    await readOverview();
    expect(await screen.findByText('30 days of reading.')).toBeVisible();
    expect(isReadAgain()).toBe(true);
    await waitFor(() => expect(pulls).toBe(1));
  });

  it('does not read the data again for an import that was done before the page was opened', async () => {
    open({ lastImport: sampleImport({ figures: [figure('ratings', 1)] }) });
    expect(await screen.findByText('1 rating.')).toBeVisible();
    expect(screen.queryByText('Your archive has been imported.')).not.toBeInTheDocument();
    expect(isReadAgain()).toBe(false);
    await readOverview();
    expect(isReadAgain()).toBe(false);
  });

  it('says when an archive had nothing to import', async () => {
    open({ lastImport: sampleImport() });
    expect(await screen.findByText('There was nothing to import in this archive.')).toBeVisible();
  });

  it('says why an import failed, reads the data again, and takes another archive', async () => {
    open({ lastImport: queued() });
    expect(await screen.findByText(WAITS)).toBeVisible();
    overview = { ...overview, lastImport: ended({ state: 'failed', error: 'This archive is damaged. Please download it again.' }) };
    const section = await screen.findByRole('region', { name: 'Import of November 21, 2026' });
    expect(within(section).getByRole('alert')).toHaveTextContent(
      'This archive is damaged. Please download it again.What had been read before that is in your account. You can import the archive again.',
    );
    expect(screen.queryByText('Your archive has been imported.')).not.toBeInTheDocument();
    expect(await field()).toBeEnabled();
    expect(isReadAgain()).toBe(true);
    await waitFor(() => expect(pulls).toBe(1));
  });

  it('says why the last import could not be loaded, and tries again', async () => {
    server.use(on('GET /api/user/import', () => failure(500, 'internal', 'Something went wrong.')));
    open();
    expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong.');
    server.use(on('GET /api/user/import', () => overview));
    await press('Try again');
    expect(await screen.findByText('You have not imported an archive yet.')).toBeVisible();
  });
});

describe('an archive that is refused', () => {
  it('is missing', async () => {
    open();
    await press('Import');
    expect(await field()).toHaveAccessibleDescription(/^Please select your archive\./);
    expect(await field()).toHaveFocus();
    expect(uploads).toEqual([]);
  });

  it('is too large: it is not sent, and the message goes with another choice', async () => {
    open();
    const large = archive();
    Object.defineProperty(large, 'size', { value: 50 * 1024 * 1024 + 1 });
    await choose(large);
    await press('Import');
    expect(await field()).toHaveAccessibleDescription(/^The archive is larger than 50 MB\./);
    expect(uploads).toEqual([]);
    await choose(archive());
    expect(await field()).not.toHaveAttribute('aria-invalid');
  });

  it.each([
    ['is none', failure(422, 'validation_failed', 'This is not an archive of a reading account.', { field: 'file' })],
    ['is too large for the server', failure(413, 'payload_too_large', 'The archive is larger than 50 MB.')],
  ])('%s: the server’s message is at the field', async (_, response) => {
    const { error } = (await response.clone().json()) as { error: string };
    server.use(on('POST /api/user/import', () => response));
    open();
    await choose(archive());
    await press('Import');
    await waitFor(async () => expect(await field()).toHaveAccessibleDescription(new RegExp(`^${error}`)));
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('comes while another one is imported: the page waits for that one, and says so until its end', async () => {
    server.use(
      on('POST /api/user/import', () => {
        overview = { ...overview, lastImport: queued() };
        return failure(409, 'already_there', UNDER_WAY);
      }),
    );
    open();
    await choose(archive());
    await press('Import');
    expect(await screen.findByText(WAITS)).toBeVisible();
    expect(screen.getByRole('alert')).toHaveTextContent(UNDER_WAY);
    overview = { ...overview, lastImport: ended() };
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
  });

  it('is one of too many: the page says how long to wait', async () => {
    server.use(on('POST /api/user/import', () => failure(429, 'too_many_tries', 'Too many attempts. Please try again in 40 seconds.', { retryAfter: 40 })));
    open();
    await choose(archive());
    await press('Import');
    expect(await screen.findByRole('alert')).toHaveTextContent('Please try again in 40 seconds.');
    expect(screen.getByRole('button', { name: 'Import' })).toHaveAttribute('aria-disabled', 'true');
  });
});

describe('an upload', () => {
  const fails = () => server.use(on('POST /api/user/import', () => HttpResponse.error()));
  /** Begins an upload that the server does not answer. */
  const begin = async () => {
    server.use(on('POST /api/user/import', () => never()));
    const { router } = open();
    await choose(archive());
    await press('Import');
    expect(await screen.findByRole('progressbar', { name: 'Upload' })).toBeVisible();
    return router;
  };

  it.each([
    [true, 'There was an error processing your request. Please try again later.'],
    [false, 'You seem to be offline. Check your connection and try again.'],
  ])('that found no server (online: %j) can be tried again', async (isOnline, text) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
    fails();
    open();
    await choose(archive());
    await press('Import');
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect((await field()).files).toHaveLength(1);
    server.use(on('POST /api/user/import', () => accepted(queued())));
    await press('Import');
    expect(await screen.findByText(WAITS)).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('of a file that has changed asks to select it again', async () => {
    fails();
    open();
    const changed = archive();
    Object.defineProperty(changed, 'slice', { value: () => ({ arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) }) });
    await choose(changed);
    await press('Import');
    await waitFor(async () => expect(await field()).toHaveAccessibleDescription(/^The file has changed\. Please select it again\./));
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('whose answer was lost has no error once its import is seen', async () => {
    server.use(
      on('POST /api/user/import', () => {
        overview = { ...overview, lastImport: queued() };
        return HttpResponse.error();
      }),
    );
    open();
    await choose(archive());
    await press('Import');
    expect(await screen.findByText(WAITS)).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('keeps its file, and can be cancelled', async () => {
    await begin();
    expect(screen.getByText('Please stay on this page until the archive is uploaded.')).toBeVisible();
    expect(fireEvent.click(await field())).toBe(false);
    expect(fireEvent.drop(await field())).toBe(false);
    await press('Cancel');
    expect(await screen.findByRole('button', { name: 'Import' })).not.toHaveAttribute('aria-disabled');
    expect(await field()).toHaveFocus();
    expect((await field()).files).toHaveLength(1);
    expect(fireEvent.click(await field())).toBe(true);
    for (const role of ['progressbar', 'alert']) expect(screen.queryByRole(role)).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Cancel' })).not.toBeInTheDocument();
  });

  it('is not left without a question', async () => {
    const ask = vi.spyOn(window, 'confirm').mockReturnValue(false);
    const leaves = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    const router = await begin();
    expect(leaves()).toBe(false);
    await act(() => router.navigate('/elsewhere'));
    expect(ask).toHaveBeenCalledExactlyOnceWith('The upload is not finished. Leave and cancel it?');
    expect(screen.getByRole('progressbar')).toBeVisible();

    ask.mockReturnValue(true);
    await act(() => router.navigate('/elsewhere'));
    expect(await screen.findByText('elsewhere')).toBeVisible();
    expect(leaves()).toBe(true);
  });
});

describe('books that are not here', () => {
  const section = () => screen.findByRole('region', { name: 'Books that are not here' });

  it('are listed with what is kept of them', async () => {
    open({ lastImport: sampleImport(), kept: [walden] });
    const [entry] = within(await section()).getAllByRole('listitem');
    expect(entry).toHaveTextContent('WaldenHenry David ThoreauA place, 2 review cards');
  });

  it('are twenty at first; the focus moves to the list when all are shown', async () => {
    open({ lastImport: sampleImport(), kept: Array.from({ length: 21 }, (_, i) => book(`Book ${i}`)) });
    const entries = () => within(screen.getByRole('list', { name: 'Books that are not here' })).getAllByRole('listitem');
    await section();
    expect(entries()).toHaveLength(20);
    await press('Show all 21 books');
    expect(entries()).toHaveLength(21);
    expect(screen.getByRole('list', { name: 'Books that are not here' })).toHaveFocus();
  });

  it('are looked for again; the focus stays on the page when all are found', async () => {
    open({ lastImport: sampleImport(), kept: [walden] });
    await section();
    await press('Look again');
    expect(await screen.findByText(LOOKS)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Looking' })).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getByRole('button', { name: 'Looking' })).toHaveFocus();
    expect(screen.getByRole('button', { name: 'Import' })).toHaveAttribute('aria-disabled', 'true');
    overview = { lastImport: ended({ isRetry: true, figures: [figure('places', 1, 2), figure('cards', 0, 3), figure('lists', 3)] }), kept: [] };
    const list = await screen.findByRole('list', { name: 'Looked again on November 21, 2026' });
    expect(list).toHaveTextContent(/^Your place in 1 book\.3 books of your lists\.$/);
    expect(screen.getByText('We have looked for your books.').parentElement).toHaveAttribute('role', 'status');
    expect(screen.queryByText('Books that are not here')).not.toBeInTheDocument();
    expect(document.body).not.toHaveFocus();
    await waitFor(() => expect(pulls).toBe(1));
  });

  it.each([
    ['None of these books is here yet.', [walden]],
    ['Nothing waits for a book now.', []],
  ])('are not found: %s', async (text, kept) => {
    open({ lastImport: queued({ isRetry: true }), kept: [walden] });
    expect(await screen.findByText(LOOKS)).toBeVisible();
    overview = { lastImport: ended({ isRetry: true, figures: kept.length > 0 ? [figure('places', 0, 1)] : [] }), kept };
    const region = await screen.findByRole('region', { name: 'Looked again on November 21, 2026' });
    expect(within(region).getByText(text)).toBeVisible();
    const [announced] = screen.getAllByText(text);
    expect(announced?.parentElement).toHaveAttribute('role', 'status');
  });

  it('can’t be looked for while an archive is imported, which is said until its end', async () => {
    server.use(
      on('POST /api/user/import/kept', () => {
        overview = { ...overview, lastImport: queued() };
        return failure(409, 'already_there', UNDER_WAY);
      }),
    );
    open({ lastImport: sampleImport(), kept: [walden] });
    await section();
    await press('Look again');
    expect(await screen.findByText(WAITS)).toBeVisible();
    expect(screen.getByRole('alert')).toHaveTextContent(UNDER_WAY);
    expect(screen.getByText('Walden')).toBeVisible();
    overview = { ...overview, lastImport: ended() };
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
  });

  it('could not all be looked for: what was found stays', async () => {
    open({ lastImport: queued({ isRetry: true }), kept: [walden] });
    expect(await screen.findByText(LOOKS)).toBeVisible();
    overview = { ...overview, lastImport: ended({ state: 'failed', isRetry: true, error: 'Something went wrong on our end. Please try again.' }) };
    expect(await screen.findByRole('alert')).toHaveTextContent('What had been read before that is in your account. You can look again.');
    expect(screen.getByRole('button', { name: 'Look again' })).not.toHaveAttribute('aria-disabled');
  });

  it('are removed after a question; the focus stays on the page', async () => {
    open({ lastImport: sampleImport(), kept: [walden] });
    await section();
    await press('Remove all');
    const dialog = screen.getByRole('dialog', { name: 'Remove what waits for these books?' });
    expect(overview.kept).toHaveLength(1);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Remove all' }));
    expect(await screen.findByText('Removed.')).toBeVisible();
    expect(overview.kept).toEqual([]);
    await waitFor(() => expect(screen.queryByText('Books that are not here')).not.toBeInTheDocument());
    expect(document.body).not.toHaveFocus();
  });

  it('stay when they could not be removed; the message goes with the question', async () => {
    server.use(on('DELETE /api/user/import/kept', () => failure(500, 'internal', 'Something went wrong.')));
    open({ lastImport: sampleImport(), kept: [walden] });
    await section();
    await press('Remove all');
    const dialog = screen.getByRole('dialog');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Remove all' }));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('Something went wrong.');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Keep it' }));
    expect(screen.getByText('Walden')).toBeVisible();
    await press('Remove all');
    expect(within(screen.getByRole('dialog')).queryByRole('alert')).not.toBeInTheDocument();
  });
});

describe('figures in words', () => {
  it.each<[ImportFigure, string | null]>([
    [figure('places', 1), 'Your place in 1 book.'],
    [figure('places', 1200), 'Your place in 1,200 books.'],
    [figure('places', 10, 1), 'Your place in 10 books. 1 more is not here.'],
    [figure('places', 10, 2, 1), 'Your place in 10 books. 2 more are not here. 1 place could not be imported.'],
    [figure('places', 10, 0, 1), 'Your place in 10 books. 1 place could not be imported.'],
    [figure('places', 0, 1), '1 place waits for a book that is not here.'],
    [figure('places', 0, 2, 2), '2 places wait for books that are not here. 2 places could not be imported.'],
    [figure('library', 3), '3 books of your library.'],
    [figure('library', 3, 2, 1), '3 books of your library. 2 more are not here. 1 could not be imported.'],
    [figure('library', 0, 1), '1 book of your library is not here.'],
    [figure('library', 0, 2), '2 books of your library are not here.'],
    [figure('library', 0, 0, 1), '1 book of your library could not be imported.'],
    [figure('ratings', 5, 1), '5 ratings. 1 more waits for a book that is not here.'],
    [figure('ratings', 0, 2), '2 ratings wait for books that are not here.'],
    [figure('ratings', 0, 2, 1), '2 ratings wait for books that are not here. 1 could not be imported.'],
    [figure('ratings', 0, 0, 1), '1 rating could not be imported.'],
    [figure('ratings', 0), null],
    [figure('notices', 1), '1 book whose publication you wait for.'],
    [figure('notices', 3, 2), '3 books whose publication you wait for. 2 more are not here.'],
    [figure('notices', 0, 1), '1 book whose publication you wait for is not here.'],
    [figure('notices', 0, 2), '2 books whose publication you wait for are not here.'],
    [figure('notices', 0, 0, 1), '1 book whose publication you wait for could not be imported.'],
    [figure('highlights', 40), '40 highlights.'],
    [figure('highlights', 40, 0, 3), '40 highlights. 3 could not be imported.'],
    [figure('highlights', 0, 0, 3), '3 highlights could not be imported.'],
    [figure('cards', 40, 2, 1), '40 review cards. 2 more wait for books that are not here. 1 could not be imported.'],
    [figure('cards', 0, 1), '1 review card waits for a book that is not here.'],
    [figure('commitments', 1), '1 commitment.'],
    [figure('ideas', 5, 1), '5 completed key ideas. 1 more waits for a book that is not here.'],
    [figure('ideas', 0, 2), '2 completed key ideas wait for books that are not here.'],
    [figure('lists', 1), '1 list.'],
    [figure('lists', 1, 1), '1 list. 1 of its books is not here.'],
    [figure('lists', 2, 3), '2 lists. 3 of their books are not here.'],
    [figure('lists', 2, 3, 1), '2 lists. 3 of their books are not here. 1 list could not be imported.'],
    [figure('lists', 0, 1), '1 book of your lists is not here.'],
    [figure('lists', 0, 3), '3 books of your lists are not here.'],
    [figure('lists', 0, 0, 2), '2 lists could not be imported.'],
    [figure('summaries', 1), '1 summary of your own.'],
    [figure('summaries', 2, 0, 1), '2 summaries of your own. 1 could not be imported.'],
    [figure('days', 30), '30 days of reading.'],
    [figure('days', 0, 0, 1), '1 day of reading could not be imported.'],
    [figure('settings', 1), 'Your goal and settings.'],
    [figure('settings', 1, 0, 1), 'Your goal and settings. Some of your settings could not be imported.'],
    [figure('settings', 0, 0, 1), 'Some of your settings could not be imported.'],
  ])('%j', (given, text) => {
    expect(figureText(given)).toBe(text);
  });

  it.each<[KeptEntries[], string]>([
    [[{ kind: 'library', count: 1 }], 'An entry in your library'],
    [[{ kind: 'notices', count: 1 }], 'A notice when it is published'],
    [
      [
        { kind: 'places', count: 1 },
        { kind: 'highlights', count: 3 },
        { kind: 'commitments', count: 1 },
        { kind: 'lists', count: 2 },
      ],
      'A place, 3 highlights, a commitment for a book, 2 entries in lists',
    ],
  ])('what is kept of a book: %j', (entries, text) => {
    expect(keptText(entries)).toBe(text);
  });
});
