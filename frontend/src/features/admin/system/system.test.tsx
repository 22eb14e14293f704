import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleNode, sampleSystem, signInAs } from '@test/admin';
import { openApp } from '@test/app';
import { failure, on, server } from '@test/server';

let app: ReturnType<typeof openApp> | null = null;
const type = userEvent.setup();
beforeEach(() => signInAs('admin'));
afterEach(() => {
  app?.close();
  vi.useRealTimers();
});

const { checkedAt: NOW } = sampleSystem();
const MINUTE = 60_000;

function open(more: Parameters<typeof sampleSystem>[0] = {}) {
  server.use(on('GET /api/admin/system', () => sampleSystem(more)));
  app = openApp('/admin/system');
}

/** A part of the page as its labels and values. */
const factsOf = (part: HTMLElement) =>
  within(part)
    .getAllByRole('term')
    .map((term) => [term.textContent, term.nextElementSibling?.textContent]);
const part = (name: string) => screen.findByRole('region', { name });
const rowsOf = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell'));

describe('the system page (admin.system-page)', () => {
  it('says that all is well, and what an operator asks first', async () => {
    open();
    expect(await screen.findByText('All is well.')).toBeVisible();
    await waitFor(() => expect(document.title).toBe('System – Quire'));
    expect(factsOf(await part('Nodes'))).toEqual([
      ['Release', '0.2.0 (1f2e3d4)'],
      ['Started', '3 hours ago'],
      ['Seen', 'just now'],
      ['Clock', 'Correct'],
      ['Disk', '41.0 GB of 80.0 GB free'],
      ['Connections', '26 at most'],
    ]);
    expect(factsOf(await part('Emails'))).toEqual([
      ['Mail server', 'smtp.example.com'],
      ['Waiting', '0'],
      ['Failed', '0'],
      ['Last sent', '1 minute ago'],
    ]);
    expect(factsOf(await part('Backup'))).toEqual([
      ['Last backup', '9 hours ago'],
      ['Size', '3.2 GB'],
      ['Restore test', 'Passed'],
    ]);
    expect(factsOf(await part('Certificate'))).toEqual([
      ['Host', 'quire.example'],
      ['Expires', 'February 14, 2027, in 79 days'],
    ]);
    expect(factsOf(await part('Database'))).toEqual([
      ['Postgres', '17.6'],
      ['Size', '812.4 MB'],
      ['Connections', '12 of 97'],
    ]);
    expect(factsOf(await part('Files'))).toEqual([
      ['Stored in', 'A folder of the server'],
      ['Problem', 'None'],
    ]);
    expect(factsOf(await part('Version'))).toEqual([
      ['Release', '0.2.0'],
      ['Commit', '1f2e3d4'],
      ['Database schema', '2026-11-27-000023'],
    ]);
    expect(screen.getByText('9 hours ago')).toHaveAttribute('title', expect.stringContaining('Nov 27, 2026'));
  });

  it('says so where there is nothing yet', async () => {
    open({
      nodes: [],
      mail: { transport: 'outbox', server: null, queued: 0, setAside: 0, lastSentAt: null },
      backup: { lastAt: null, bytes: null, isVerified: null },
      certificate: null,
    });
    expect(await part('Nodes')).toHaveTextContent('No node has reported yet.');
    expect(await part('Queue')).toHaveTextContent('No job waits, runs or failed.');
    expect(factsOf(await part('Emails'))).toEqual([
      ['Mail server', 'None: emails are kept in the outbox'],
      ['Waiting', '0'],
      ['Failed', '0'],
      ['Last sent', 'Never'],
    ]);
    expect(factsOf(await part('Backup'))).toEqual([['Last backup', 'Never']]);
    expect(await part('Certificate')).toHaveTextContent('no HTTPS');
    expect(await part('Webhooks')).toHaveTextContent('No payment provider is set up.');
  });

  it('lists what is wrong first, with a link to its part, which takes the focus', async () => {
    open({
      nodes: [
        sampleNode(),
        sampleNode({ id: 'two-1', name: 'two', kind: 'worker', isThis: false, clockOffsetMs: -42_000, disk: null, problem: 'The clock is wrong.' }),
      ],
      files: { store: 'bucket', problem: 'access denied' },
      certificate: { host: 'quire.example', expiresAt: null, problem: 'connection refused' },
      problems: [
        { area: 'disk', message: 'two: 5% of the disk of the data folder is free.' },
        { area: 'files', message: 'No file can be stored: access denied.' },
      ],
    });
    const problems = await part('2 problems');
    expect(
      within(problems)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['two: 5% of the disk of the data folder is free.Nodes', 'No file can be stored: access denied.Files']);
    expect(screen.queryByText('All is well.')).toBeNull();
    await type.click(within(problems).getByRole('link', { name: 'Files' }));
    expect(screen.getByRole('heading', { name: 'Files' })).toHaveFocus();
    expect(app?.router.state.location.hash).toBe('#files');
    const two = within(await part('Nodes')).getAllByRole('listitem')[1] as HTMLElement;
    expect(two).toHaveTextContent('twoworkerThe clock is wrong.');
    expect(factsOf(two)).toContainEqual(['Clock', '42 seconds behind']);
    expect(factsOf(two)).toContainEqual(['Disk', 'Unknown']);
    expect(factsOf(await part('Files'))).toContainEqual(['Problem', 'access denied']);
    expect(factsOf(await part('Certificate'))).toEqual([
      ['Host', 'quire.example'],
      ['Expires', 'Unknown'],
      ['Problem', 'connection refused'],
    ]);
  });

  it('leads from numbers to the jobs and emails that they count', async () => {
    open({
      queue: [
        { kind: 'mail', queued: 12, running: 1, setAside: 3, oldestDueAt: NOW - 20 * MINUTE },
        { kind: 'narration', queued: 1240, running: 0, setAside: 2, oldestDueAt: NOW + 5 * MINUTE },
        { kind: 'recovery', queued: 0, running: 0, setAside: 1, oldestDueAt: null },
      ],
      mail: { transport: 'smtp', server: 'smtp.example.com', queued: 12, setAside: 3, lastSentAt: null },
    });
    const emails = await part('Emails');
    expect(within(emails).getByRole('link', { name: '12 waiting emails' })).toHaveAttribute('href', '/admin/mails?state=queued');
    expect(within(emails).getByRole('link', { name: '3 failed emails' })).toHaveAttribute('href', '/admin/mails?state=set_aside');
    const hrefs = within(screen.getByRole('table', { name: 'Jobs by kind' }))
      .getAllByRole('link')
      .map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')]);
    expect(hrefs).toEqual([
      ['12 queued: Send an email', '/admin/mails?state=queued'],
      ['1 running: Send an email', '/admin/jobs?kind=mail&state=running'],
      ['3 failed: Send an email', '/admin/mails?state=set_aside'],
      ['1,240 queued: Record the audio', '/admin/jobs?kind=narration&state=queued'],
      ['2 failed: Record the audio', '/admin/jobs?kind=narration&state=set_aside'],
      ['1 failed: Handle a forgotten password', '/admin/jobs?kind=recovery&state=set_aside'],
    ]);
    expect(rowsOf('Jobs by kind').map((cells) => cells.at(-1)?.textContent)).toEqual(['20 minutes ago', 'in 5 minutes', '']);
  });

  it('names the payment providers, and since when their webhooks wait', async () => {
    open({
      webhooks: [
        { provider: 'stripe', lastAt: NOW - 2 * MINUTE, waiting: 3, oldestWaitingAt: NOW - 40 * MINUTE },
        { provider: 'paypal', lastAt: null, waiting: 0, oldestWaitingAt: null },
      ],
    });
    await part('Webhooks');
    const texts = rowsOf('Webhooks by provider').map((cells) => [cells[0], cells[1], cells[3]].map((cell) => cell?.textContent));
    expect(texts).toEqual([
      ['Stripe', '2 minutes ago', '40 minutes ago'],
      ['PayPal', 'Never', ''],
    ]);
  });

  it('shows why it could not be loaded, and tries again', async () => {
    server.use(on('GET /api/admin/system', () => failure(500, 'internal', 'It broke.')));
    app = openApp('/admin/system');
    expect(await screen.findByRole('alert')).toHaveTextContent('It broke.');
    server.use(on('GET /api/admin/system', () => sampleSystem()));
    await type.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('All is well.')).toBeVisible();
  });

  it('is refreshed every 15 seconds, and keeps what it knows when that fails', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let asked = 0;
    server.use(
      on('GET /api/admin/system', () => {
        asked += 1;
        if (asked === 2) return failure(503, 'busy', 'Please try again.');
        return sampleSystem(asked === 1 ? {} : { problems: [{ area: 'mail', message: '3 emails could not be sent.' }] });
      }),
    );
    app = openApp('/admin/system');
    expect(await screen.findByText('All is well.')).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(15_000));
    expect(await screen.findByText('This page could not be refreshed: Please try again.')).toBeVisible();
    expect(screen.getByText('All is well.')).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(15_000));
    expect(await screen.findByText('3 emails could not be sent.')).toBeVisible();
    expect(screen.queryByText(/could not be refreshed/)).toBeNull();
  });

  it('is for admins only', async () => {
    signInAs('editor');
    server.use(on('GET /api/user/security', () => failure(403, 'forbidden', 'No.')));
    app = openApp('/admin/system');
    expect(await screen.findByRole('heading', { name: 'You do not have access to this page.' })).toBeVisible();
  });
});
