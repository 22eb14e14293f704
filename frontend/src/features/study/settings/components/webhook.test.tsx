import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { WebhookSettings } from '@/features/study/settings/components/WebhookSettings';
import { attemptText } from '@/features/study/settings/webhook';
import type { Webhook } from '@/features/study/settings/webhook';
import { Toaster } from '@/ui/toast';
import { failure, on, server } from '@test/server';

const HOUR = 3_600_000;
const URL_OF_MINE = 'https://hooks.example/highlights';
const TIMED_OUT = 'It did not answer within 10 seconds.';

const sampleWebhook = (more: Partial<Webhook> = {}): Webhook => ({ url: URL_OF_MINE, createdAt: 1, isOn: true, last: null, ...more });

let webhook: Webhook | null;
let urls: unknown[];

function show(now: Webhook | null) {
  webhook = now;
  render(
    <QueryClientProvider client={queryClient}>
      <WebhookSettings />
      <Toaster />
    </QueryClientProvider>,
  );
}

beforeEach(() => {
  session.start('token');
  urls = [];
  server.use(
    on('GET /api/study/webhook', () => ({ webhook })),
    on('PUT /api/study/webhook', ({ body }) => {
      const { url } = body as { url: string };
      urls.push(url);
      webhook = sampleWebhook({ url });
      return { webhook, secret: `whsec_${urls.length}` };
    }),
    on('DELETE /api/study/webhook', () => {
      webhook = null;
      return {};
    }),
  );
});
afterEach(() => session.end('left'));

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const answersTest = (more: Partial<Webhook>) => server.use(on('POST /api/study/webhook/test', () => ({ webhook: sampleWebhook(more) })));

describe('without a webhook (study.highlight-webhook)', () => {
  it('adds a URL, and shows its secret with a button that copies it', async () => {
    const writeText = vi.fn(() => Promise.resolve());
    show(null);
    await userEvent.type(await screen.findByLabelText('URL'), ` ${URL_OF_MINE} `);
    await press('Add');
    expect(await screen.findByLabelText('Secret')).toHaveValue('whsec_1');
    expect(urls).toEqual([URL_OF_MINE]);
    expect(screen.getByText(/it is shown this once/)).toHaveTextContent('By it your program verifies what is posted, as Standard Webhooks says.');
    expect(screen.getByText('Nothing was posted to it yet.')).toBeVisible();
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
    await press('Copy');
    expect(writeText).toHaveBeenCalledWith('whsec_1');
    expect(await screen.findByText('Secret copied.')).toBeVisible();
  });

  it('shows at the field why a URL is refused', async () => {
    const reason = 'Please enter a web address that begins with https://.';
    server.use(on('PUT /api/study/webhook', () => failure(422, 'validation_failed', reason, { field: 'url' })));
    show(null);
    await press('Add');
    expect(screen.getByLabelText('URL')).toHaveAccessibleDescription(/^The URL is missing\./);
    await userEvent.type(screen.getByLabelText('URL'), 'http://hooks.example');
    await press('Add');
    await waitFor(() => expect(screen.getByLabelText('URL')).toHaveAccessibleDescription(new RegExp(`^${reason}`)));
    expect(screen.getAllByText(reason)).toHaveLength(1);
    expect(screen.getByLabelText('URL')).toHaveValue('http://hooks.example');
  });

  it('says above the field when it was tried too often', async () => {
    server.use(on('PUT /api/study/webhook', () => failure(429, 'too_many_tries', 'Please wait.', { retryAfter: 120 })));
    show(null);
    await userEvent.type(await screen.findByLabelText('URL'), URL_OF_MINE);
    await press('Add');
    expect(await screen.findByRole('alert')).toHaveTextContent('Please try again in 2 minutes.');
  });
});

describe('a webhook', () => {
  it('shows its URL and the latest attempt, and no secret', async () => {
    show(sampleWebhook({ last: { at: Date.now() - 2 * HOUR, status: 204, error: '' } }));
    expect(await screen.findByText(URL_OF_MINE)).toBeVisible();
    expect(screen.getByText('On')).toBeVisible();
    expect(screen.getByText('Answered with 204, 2 hours ago.')).toBeVisible();
    expect(screen.queryByLabelText('Secret')).toBeNull();
  });

  it('says that a failed attempt failed', () => {
    expect(attemptText({ at: 0, status: null, error: TIMED_OUT }, 2 * HOUR)).toBe(`${TIMED_OUT} Last tried 2 hours ago.`);
    expect(attemptText({ at: 0, status: 500, error: 'It answered with 500.' }, 0)).toBe('It answered with 500. Last tried just now.');
  });

  it('is tested, and says what came of it', async () => {
    answersTest({ last: { at: Date.now(), status: 204, error: '' } });
    show(sampleWebhook());
    await press('Send a test');
    expect(await screen.findByText('The test was answered with 204.')).toBeVisible();
    answersTest({ last: { at: Date.now(), status: null, error: TIMED_OUT } });
    await press('Send a test');
    expect(await screen.findByText(`The test failed. ${TIMED_OUT}`)).toBeVisible();
    server.use(on('POST /api/study/webhook/test', () => failure(429, 'too_many_tries', 'Please wait.')));
    await press('Send a test');
    expect(await screen.findByText('Please wait.')).toBeVisible();
    expect(screen.queryByText(/^The test failed/)).toBeNull();
  });

  it('that was switched off says so, and is on again after a test that succeeds', async () => {
    const failed = { at: Date.now() - HOUR, status: null, error: TIMED_OUT };
    answersTest({ isOn: false, last: { ...failed, at: Date.now() } });
    show(sampleWebhook({ isOn: false, last: failed }));
    const reason = 'It was switched off because nothing could be posted to it for a day. A test that succeeds switches it on again.';
    expect(await screen.findByText(reason)).toBeVisible();
    expect(screen.getByText('Off')).toBeVisible();
    await press('Send a test');
    expect(await screen.findByText(`The test failed. ${TIMED_OUT}`)).toBeVisible();
    expect(screen.getByText(reason)).toBeVisible();
    answersTest({ last: { at: Date.now(), status: 200, error: '' } });
    await press('Send a test');
    expect(await screen.findByText('The test was answered with 200.')).toBeVisible();
    expect(screen.queryByText(reason)).toBeNull();
    expect(screen.getByText('On')).toBeVisible();
  });

  it('whose URL is gone says that', async () => {
    show(sampleWebhook({ isOn: false, last: { at: 1, status: 410, error: 'It answered with 410.' } }));
    expect(await screen.findByText(/^It was switched off because the URL answered that it is gone\./)).toBeVisible();
  });

  it('gets a new secret after a question', async () => {
    show(sampleWebhook());
    await press('New secret');
    const dialog = screen.getByRole('dialog', { name: 'Make a new secret?' });
    expect(urls).toEqual([]);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Make a new secret' }));
    expect(await screen.findByLabelText('Secret')).toHaveValue('whsec_1');
    expect(urls).toEqual([URL_OF_MINE]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('is removed after a question', async () => {
    show(sampleWebhook());
    await press('Remove the webhook');
    const dialog = screen.getByRole('dialog', { name: 'Remove the webhook?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Keep it' }));
    expect(webhook).not.toBeNull();
    await press('Remove the webhook');
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByLabelText('URL')).toHaveValue('');
    expect(webhook).toBeNull();
    expect(screen.getByText('The webhook was removed.')).toBeVisible();
  });

  it('that can’t be removed now says why', async () => {
    server.use(on('DELETE /api/study/webhook', () => failure(500, 'internal', 'Something went wrong.')));
    show(sampleWebhook());
    await press('Remove the webhook');
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('Something went wrong.')).toBeVisible();
    expect(screen.getByText(URL_OF_MINE)).toBeVisible();
  });
});

it('says that the webhook could not be loaded', async () => {
  server.use(on('GET /api/study/webhook', () => failure(422, 'validation_failed', 'Something went wrong.')));
  show(null);
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible();
});
