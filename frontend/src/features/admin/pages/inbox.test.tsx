import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Mail, Message } from '@/features/admin/queries';
import { signInAs } from '@test/admin';
import { openApp } from '@test/app';
import { failure, on, server } from '@test/server';

let app: ReturnType<typeof openApp> | null = null;
const type = userEvent.setup();
beforeEach(() => {
  signInAs('admin');
  sessionStorage.clear();
});
afterEach(() => app?.close());

const message = (id: number, more: Partial<Message> = {}): Message => ({
  id,
  kind: 'contact',
  name: 'Grace',
  email: 'grace@example.com',
  body: `Message ${id}.`,
  firstLine: `Message ${id}.`,
  createdAt: 0,
  doneAt: null,
  answer: null,
  ...more,
});

describe('the inbox', () => {
  it('is searched by the URL, and shows what was answered', async () => {
    const asked: string[] = [];
    server.use(
      on('GET /api/admin/messages', ({ request }) => {
        asked.push(new URL(request.url).search);
        return { messages: [message(2, { doneAt: 5 })], next: null };
      }),
      on('GET /api/admin/messages/{id}', () => ({ message: message(2, { doneAt: 5 }), answers: [{ text: 'Thank you.', by: 'admin@example.com', at: 5 }] })),
    );
    app = openApp('/admin/messages?q=book&show=all');
    await type.click(await screen.findByRole('button', { name: /Message 2/ }));
    expect(await within(await screen.findByRole('list', { name: '1 reply' })).findByText('Thank you.')).toBeVisible();
    expect(screen.getByText(/Reply from admin@example.com/)).toBeVisible();
    expect(asked).toEqual(['?about=questions&q=book']);
  });

  it('keeps reasons for leaving apart from questions, and shows what was answered (support.leaving-reasons)', async () => {
    const asked: string[] = [];
    const answer = { text: 'Thank you.', by: 'admin@example.com', at: 5 };
    server.use(
      on('GET /api/admin/messages', ({ request }) => {
        const { search, searchParams } = new URL(request.url);
        asked.push(search);
        const reason = message(3, { kind: 'leaving', name: null, email: null, firstLine: 'No time.', body: 'Why are you deleting your account?\nNo time.' });
        return { messages: searchParams.get('about') === 'leaving' ? [reason] : [message(2, { doneAt: 5, answer })], next: null };
      }),
    );
    app = openApp('/admin/messages?show=all');
    expect(await screen.findByRole('button', { name: /Message 2\..*admin@example\.com, .*: Thank you\./ })).toBeVisible();
    await type.click(screen.getByRole('radio', { name: 'Reasons for leaving' }));
    const row = await screen.findByRole('button', { name: /No time/ });
    expect(row).not.toHaveTextContent('Why are you deleting');
    expect(row).toHaveTextContent('Deletion');
    await type.click(row);
    expect(screen.queryByRole('button', { name: 'Done' })).toBeNull();
    expect(screen.queryByLabelText('Reply')).toBeNull();
    expect(screen.queryByRole('radio', { name: 'Open' })).toBeNull();
    await type.click(screen.getByRole('radio', { name: 'Questions' }));
    expect(await screen.findByRole('radio', { name: 'Open' })).toBeChecked();
    await waitFor(() => expect(asked).toEqual(['?about=questions', '?about=leaving', '?about=questions&done=false']));
  });

  it('answers a message, which leaves the open ones, and keeps what was typed while it fails', async () => {
    const sent: unknown[] = [];
    server.use(
      on('GET /api/admin/messages', () => ({ messages: [message(2), message(1)], next: null })),
      on('GET /api/admin/messages/{id}', () => ({ message: message(2), answers: [] })),
      on('POST /api/admin/messages/{id}/answer', ({ body }) => {
        sent.push(body);
        return sent.length === 1
          ? failure(503, 'busy', 'Please try again.')
          : { message: message(2, { doneAt: 9 }), answers: [{ text: 'Thank you.', by: null, at: 9 }] };
      }),
    );
    app = openApp('/admin/messages');
    await type.click(await screen.findByRole('button', { name: /Message 2/ }));
    const answer = await screen.findByLabelText('Reply');
    await type.click(screen.getByRole('button', { name: 'Send reply' }));
    expect(screen.getAllByText('Please specify Reply.')[0]).toBeVisible();
    expect(sent).toEqual([]);
    await type.type(answer, 'Thank you.');
    await type.click(screen.getByRole('button', { name: 'Send reply' }));
    expect(await screen.findByText('Please try again.')).toBeVisible();
    expect(answer).toHaveValue('Thank you.');
    await type.click(screen.getByRole('button', { name: 'Send reply' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: /Message 2/ })).toBeNull());
    expect(screen.getByRole('button', { name: /Message 1/ })).toBeVisible();
    expect(sent).toEqual([{ text: 'Thank you.' }, { text: 'Thank you.' }]);
    expect(Object.keys(localStorage).filter((key) => key.startsWith('record-draft:'))).toEqual([]);
  });

  it('has an answer back that was not sent, when the message is opened again (admin.kept-input)', async () => {
    server.use(
      on('GET /api/admin/messages', () => ({ messages: [message(2), message(1)], next: null })),
      on('GET /api/admin/messages/{id}', () => ({ message: message(2), answers: [] })),
    );
    app = openApp('/admin/messages');
    await type.click(await screen.findByRole('button', { name: /Message 2/ }));
    await type.type(await screen.findByLabelText('Reply'), 'Thank');
    app.close();
    app = openApp('/admin/messages');
    await type.click(await screen.findByRole('button', { name: /Message 2/ }));
    expect(await screen.findByLabelText('Reply')).toHaveValue('Thank');
    expect(screen.getByText(/^Draft kept on this device since /)).toBeVisible();
    await type.type(screen.getByLabelText('Reply'), ' you');
    expect(screen.getByText('Draft kept on this device')).toBeVisible();
    await type.click(await screen.findByRole('button', { name: /Message 1/ }));
    expect(await screen.findByLabelText('Reply')).toHaveValue('');
    await type.click(screen.getByRole('button', { name: /Message 2/ }));
    expect(await screen.findByLabelText('Reply')).toHaveValue('Thank you');
  });

  it('opens the next message with j, also when another page of the back office was there first', async () => {
    server.use(
      on('GET /api/admin/mails', () => ({ mails: [], next: null })),
      on('GET /api/admin/messages', () => ({ messages: [message(2), message(1)], next: null })),
      on('GET /api/admin/messages/{id}', () => ({ message: message(1), answers: [] })),
    );
    app = openApp('/admin/mails');
    await screen.findByRole('heading', { level: 1, name: 'Emails' });
    await act(() => app?.router.navigate('/admin/messages'));
    const row = (id: number) => screen.findByRole('button', { name: new RegExp(`Message ${id}`) });
    await type.click(await row(2));
    await type.keyboard('j');
    expect(await row(1)).toHaveFocus();
    expect(await row(1)).toHaveAttribute('aria-expanded', 'true');
  });

  it('says that who gave no address gets no answer', async () => {
    server.use(
      on('GET /api/admin/messages', () => ({ messages: [message(3, { name: null, email: null, kind: 'suggest' })], next: null })),
      on('GET /api/admin/messages/{id}', () => ({ message: message(3), answers: [] })),
    );
    app = openApp('/admin/messages');
    await type.click(await screen.findByRole('button', { name: /Message 3/ }));
    expect(await screen.findByText('There is no address to reply to.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Send reply' })).toBeNull();
  });
});

describe('reasons for leaving', () => {
  it('are counted in two tables with shares', async () => {
    server.use(
      on('GET /api/admin/messages/reasons', () => ({
        from: '2026-03-01',
        to: '2026-03-28',
        cancellations: [
          { reason: 'too expensive', count: 3 },
          { reason: 'other', count: 1 },
        ],
        deletions: [],
      })),
    );
    app = openApp('/admin/reasons?from=2026-03-01&to=2026-03-28');
    const table = await screen.findByRole('table', { name: 'Cancelled subscriptions by reason' });
    expect(
      within(table)
        .getAllByRole('row')
        .slice(1)
        .map(({ textContent }) => textContent),
    ).toEqual(['too expensive375%', 'other125%']);
    expect(screen.getByText('No account was deleted in this period.')).toBeVisible();
  });

  it('show why they could not be loaded', async () => {
    server.use(on('GET /api/admin/messages/reasons', () => failure(500, 'internal', 'It broke.')));
    app = openApp('/admin/reasons');
    expect(await screen.findByRole('alert')).toHaveTextContent('It broke.');
  });
});

describe('jobs', () => {
  const job = {
    id: 7,
    kind: 'stop_renewal',
    about: '',
    recipient: null,
    state: 'set_aside' as const,
    attempts: 10,
    reason: 'The provider is away.',
    createdAt: 0,
    nextAt: null,
    doneAt: null,
  };

  it('that were set aside come first, and are tried again', async () => {
    const asked: string[] = [];
    const retried: string[] = [];
    server.use(
      on('GET /api/admin/jobs', ({ request }) => {
        asked.push(new URL(request.url).search);
        return { jobs: retried.length === 0 ? [job] : [], kinds: ['mail', 'stop_renewal'], next: null };
      }),
      on('POST /api/admin/jobs/{id}/retry', ({ request }) => {
        retried.push(new URL(request.url).pathname);
        return {};
      }),
    );
    app = openApp('/admin/jobs');
    expect(await screen.findByText('The provider is away.')).toBeVisible();
    await type.click(screen.getByRole('button', { name: 'Try again: Stop a renewal #7' }));
    expect(await screen.findByRole('heading', { name: 'No failed jobs' })).toBeVisible();
    expect(retried).toEqual(['/api/admin/jobs/7/retry']);
    expect(asked[0]).toBe('?state=set_aside');
  });

  it('are filtered by the URL, and show why they could not be loaded', async () => {
    const asked: string[] = [];
    server.use(
      on('GET /api/admin/jobs', ({ request }) => {
        asked.push(new URL(request.url).search);
        return failure(500, 'internal', 'It broke.');
      }),
    );
    app = openApp('/admin/jobs?state=all&kind=mail');
    expect(await screen.findByRole('alert')).toHaveTextContent('It broke.');
    expect(asked[0]).toBe('?kind=mail');
  });
});

describe('the list of mails', () => {
  it('is moved through with j and k before any row was pressed, also over mails without an action (admin.keyboard-shortcuts)', async () => {
    const mail = (id: number, to: string): Mail => ({
      id,
      kind: 'welcome',
      to,
      state: 'sent',
      attempts: 1,
      deliveries: 'once',
      lastError: null,
      createdAt: 0,
      sentAt: 0,
      nextAt: null,
    });
    server.use(on('GET /api/admin/mails', () => ({ mails: [mail(2, 'ada@example.com'), mail(1, 'grace@example.com')], next: null })));
    app = openApp('/admin/mails');
    await screen.findByText('to grace@example.com', { exact: false });
    const rows = screen.getAllByRole('listitem').filter((row) => row.textContent.includes('example.com'));
    await type.keyboard('j');
    expect(rows[0]).toHaveFocus();
    await type.keyboard('jj');
    expect(rows[1]).toHaveFocus();
    await type.keyboard('k');
    expect(rows[0]).toHaveFocus();
  });
});

describe('failed emails (admin.retry-all)', () => {
  const failed = (id: number): Mail => ({
    id,
    kind: 'receipt',
    to: `g-${id}@example.com`,
    state: 'set_aside',
    attempts: 10,
    deliveries: 'none',
    lastError: '550 No such user',
    createdAt: 0,
    sentAt: null,
    nextAt: null,
  });
  const retryAll = () => screen.findByRole('button', { name: 'Retry all' });

  it('are all sent again after a question, which says how many there are', async () => {
    let retries = 0;
    server.use(
      on('GET /api/admin/overview', () => ({ unread: 0, mails: { queued: 0, setAside: retries === 0 ? 12 : 0 } })),
      on('GET /api/admin/mails', () => ({ mails: retries === 0 ? [failed(2), failed(1)] : [], next: null })),
      on('POST /api/admin/mails/retry', () => {
        retries += 1;
        return { retried: 12, left: 0 };
      }),
    );
    app = openApp('/admin/mails?state=set_aside');
    await type.click(await retryAll());
    const dialog = screen.getByRole('dialog', { name: 'Send 12 failed emails again?' });
    expect(dialog).toHaveTextContent('Old emails are sent as well.');
    await type.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(retries).toBe(0);
    await type.click(await retryAll());
    await type.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Retry all' }));
    expect(await screen.findByText('12 emails will be sent again.')).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'No failed emails' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Retry all' })).toBeNull();
    expect(screen.getByRole('heading', { name: 'Emails' })).toHaveFocus();
    expect(retries).toBe(1);
  });

  it('that may have arrived already are left, and the admin reads how many', async () => {
    server.use(
      on('GET /api/admin/overview', () => ({ unread: 0, mails: { queued: 0, setAside: 3 } })),
      on('GET /api/admin/mails', () => ({ mails: [failed(1)], next: null })),
      on('POST /api/admin/mails/retry', () => ({ retried: 1, left: 2 })),
    );
    app = openApp('/admin/mails?state=set_aside');
    await type.click(await retryAll());
    const dialog = screen.getByRole('dialog');
    expect(dialog).toHaveTextContent('Emails that may have arrived already are left.');
    await type.click(within(dialog).getByRole('button', { name: 'Retry all' }));
    expect(await screen.findByText('1 email will be sent again. 2 emails may have arrived and can be tried one by one.')).toBeVisible();
  });

  it('that another admin has retried meanwhile are none', async () => {
    server.use(
      on('GET /api/admin/overview', () => failure(503, 'busy', 'Please try again.')),
      on('GET /api/admin/mails', () => ({ mails: [failed(1)], next: null })),
      on('POST /api/admin/mails/retry', () => ({ retried: 0, left: 0 })),
    );
    app = openApp('/admin/mails?state=set_aside');
    await type.click(await retryAll());
    await type.click(within(screen.getByRole('dialog', { name: 'Send all failed emails again?' })).getByRole('button', { name: 'Retry all' }));
    expect(await screen.findByText('There was no failed email left.')).toBeVisible();
  });

  it('stay failed when the retry fails, which the dialog says', async () => {
    server.use(
      on('GET /api/admin/mails', () => ({ mails: [failed(1)], next: null })),
      on('POST /api/admin/mails/retry', () => failure(503, 'busy', 'Please try again.')),
    );
    app = openApp('/admin/mails?state=set_aside');
    await type.click(await retryAll());
    const dialog = screen.getByRole('dialog');
    await type.click(within(dialog).getByRole('button', { name: 'Retry all' }));
    expect(await within(dialog).findByText('Please try again.')).toBeVisible();
  });

  it('have no button among all emails, nor when there are none', async () => {
    server.use(on('GET /api/admin/mails', ({ request }) => ({ mails: request.url.includes('set_aside') ? [] : [failed(1)], next: null })));
    app = openApp('/admin/mails');
    await screen.findByText('to g-1@example.com', { exact: false });
    expect(screen.queryByRole('button', { name: 'Retry all' })).toBeNull();
    await type.click(screen.getByRole('radio', { name: 'Failed' }));
    expect(await screen.findByRole('heading', { name: 'No failed emails' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Retry all' })).toBeNull();
  });
});
