import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import { scopeText } from '@/features/identity/account/apiTokens';
import type { ApiToken } from '@/features/identity/account/apiTokens';
import { Component } from '@/features/identity/account/pages/ApiTokensPage';
import { Toaster } from '@/ui/toast';
import { sampleSecurity } from '@test/account';
import { openPages, press } from '@test/identity';
import { failure, on, server } from '@test/server';

const AGAIN = 'Please confirm that it is you with your password, a code we email you or a passkey.';

const sampleToken = (more: Partial<ApiToken> = {}): ApiToken => ({
  id: 5,
  name: 'Obsidian',
  scopes: ['study:read'],
  createdAt: Date.UTC(2026, 10, 20, 12),
  lastUsedOn: null,
  ...more,
});

let tokens: ApiToken[];
/** The bodies that were sent to create tokens. */
let sent: unknown[];
let isFresh: boolean;

const Page = () => (
  <>
    <Component />
    <Toaster />
  </>
);

function open(now: ApiToken[] = []) {
  tokens = now;
  openPages([{ path: '/api-tokens', Component: Page }], '/api-tokens');
}

beforeEach(() => {
  session.start('token');
  sent = [];
  isFresh = true;
  server.use(
    on('GET /api/user/tokens', () => ({ tokens })),
    on('POST /api/user/tokens', ({ body }) => {
      if (!isFresh) return failure(403, 'fresh_login_required', AGAIN);
      sent.push(body);
      const token = sampleToken({ ...(body as { name: string; scopes: string[] }), id: 6 });
      tokens = [token, ...tokens];
      return { token, text: 'pat_secret' };
    }),
    on('DELETE /api/user/tokens/{id}', ({ request }) => {
      const id = Number(new URL(request.url).pathname.split('/').pop());
      tokens = tokens.filter((one) => one.id !== id);
      return {};
    }),
    on('GET /api/user/security', () => sampleSecurity()),
  );
});
afterEach(() => session.end('left'));

const list = () => screen.findByRole('list', { name: 'Your tokens' });

describe('/api-tokens (identity.api-tokens)', () => {
  it('says that there is none, and where one is used', async () => {
    open();
    expect(await screen.findByText('You have no tokens.')).toBeVisible();
    expect(screen.getByText('curl -H "Authorization: Bearer pat_…" http://localhost:4000/api/study/today')).toBeVisible();
    for (const address of ['http://localhost:4000/opds', 'http://localhost:4000/koreader']) expect(screen.getByText(address)).toBeVisible();
  });

  it('lists tokens with what they may do and when they were used', async () => {
    open([sampleToken(), sampleToken({ id: 4, name: 'Import', scopes: ['study:read', 'study:write'], lastUsedOn: '2026-11-23' })]);
    const [first, second] = within(await list()).getAllByRole('listitem');
    expect(first).toHaveTextContent('Obsidian');
    expect(first).toHaveTextContent('Read highlights and review cards.Created on November 20, 2026. Never used.');
    expect(second).toHaveTextContent('Read highlights and review cards. Add and change them.Created on November 20, 2026. Last used on November 23, 2026.');
  });

  it('names the right to write alone in full', () => {
    expect(scopeText(['study:write'])).toBe('Add and change highlights and review cards.');
  });

  it('creates a token, and shows its text once', async () => {
    open();
    await userEvent.type(await screen.findByLabelText('Name'), ' Import ');
    expect(screen.getByRole('checkbox', { name: 'Read highlights and review cards' })).toBeChecked();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Add and change them' }));
    await press('Create token');
    expect(await screen.findByLabelText('Token')).toHaveValue('pat_secret');
    expect(screen.getByText('Copy it now. You will not see it again.')).toBeVisible();
    expect(sent).toEqual([{ name: 'Import', scopes: ['study:read', 'study:write'] }]);
    expect(within(await list()).getByText('Import')).toBeVisible();
    expect(screen.getByLabelText('Name')).toHaveValue('');
    expect(screen.getByRole('checkbox', { name: 'Add and change them' })).not.toBeChecked();
  });

  it('says at the fields what is missing', async () => {
    open();
    await press('Create token');
    expect(screen.getByLabelText('Name')).toHaveAccessibleDescription(/^A name is missing\./);
    await userEvent.type(screen.getByLabelText('Name'), 'x');
    await userEvent.click(screen.getByRole('checkbox', { name: 'Read highlights and review cards' }));
    await press('Create token');
    expect(await screen.findByRole('group', { name: 'What it may do' })).toHaveAccessibleDescription('Please choose what the token may do.');
    await userEvent.click(screen.getByRole('checkbox', { name: 'Add and change them' }));
    expect(screen.getByRole('group', { name: 'What it may do' })).not.toHaveAccessibleDescription();
    await press('Create token');
    expect(await screen.findByLabelText('Token')).toBeVisible();
  });

  it('shows why the server made none', async () => {
    const reason = 'You can have at most 20 tokens. Please delete one first.';
    server.use(on('POST /api/user/tokens', () => failure(422, 'validation_failed', reason)));
    open();
    await userEvent.type(await screen.findByLabelText('Name'), 'x');
    await press('Create token');
    expect(await screen.findByRole('alert')).toHaveTextContent(reason);
    expect(screen.getByLabelText('Name')).toHaveValue('x');
  });

  it('asks for a proof in an old session, and then creates the token', async () => {
    isFresh = false;
    server.use(
      on('POST /api/user/proof', () => {
        isFresh = true;
        return {};
      }),
    );
    open();
    await userEvent.type(await screen.findByLabelText('Name'), 'Import');
    await press('Create token');
    await userEvent.type(await screen.findByLabelText('Current password'), 'my password');
    await press('Continue');
    expect(await screen.findByLabelText('Token')).toHaveValue('pat_secret');
    expect(sent).toHaveLength(1);
  });

  it('creates none when the proof is not given, and keeps the name', async () => {
    isFresh = false;
    open();
    await userEvent.type(await screen.findByLabelText('Name'), 'Import');
    await press('Create token');
    await press('Close');
    expect(await screen.findByRole('alert')).toHaveTextContent('Nothing was done, because you did not confirm that it is you.');
    expect(screen.getByLabelText('Name')).toHaveValue('Import');
  });

  it('deletes a token after a question', async () => {
    open([sampleToken(), sampleToken({ id: 4, name: 'Import' })]);
    await press('Delete Import');
    const dialog = screen.getByRole('dialog', { name: 'Delete “Import”?' });
    expect(tokens).toHaveLength(2);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('The token “Import” was deleted.')).toBeVisible();
    expect(tokens.map(({ id }) => id)).toEqual([5]);
    expect(within(await list()).getAllByRole('listitem')).toHaveLength(1);
  });

  it('removes from the list what was deleted on another device', async () => {
    server.use(on('DELETE /api/user/tokens/{id}', () => failure(404, 'not_found', 'There is no such token.')));
    open([sampleToken()]);
    await press('Delete Obsidian');
    await press('Delete');
    expect(await screen.findByText('You have no tokens.')).toBeVisible();
  });

  it('says why a token could not be deleted', async () => {
    server.use(on('DELETE /api/user/tokens/{id}', () => failure(500, 'internal', 'Something went wrong.')));
    open([sampleToken()]);
    await press('Delete Obsidian');
    await press('Delete');
    await waitFor(() => expect(screen.getByText('Something went wrong.')).toBeVisible());
    expect(screen.getByText('Obsidian')).toBeVisible();
  });
});
