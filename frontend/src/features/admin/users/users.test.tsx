import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { saveFile } from '@/lib/saveFile';
import { session } from '@/api/session';
import { sampleMember, sampleRow, signInAs } from '@test/admin';
import { openApp } from '@test/app';
import { failure, on, server } from '@test/server';

vi.mock('@/lib/saveFile', () => ({ saveFile: vi.fn() }));

let app: ReturnType<typeof openApp>;
const type = userEvent.setup();

afterEach(() => app.close());

/** Stands in for keyboard input on a select, which jsdom does not support. */
async function chooseByKey(select: HTMLElement, key: string, value: string): Promise<void> {
  select.focus();
  await type.keyboard(key);
  fireEvent.change(select, { target: { value } });
}

describe('the users', () => {
  it('are listed newest first with their count, and Load More asks for the page after', async () => {
    const asked: string[] = [];
    signInAs('admin');
    server.use(
      on('GET /api/admin/user/{start}', ({ request }) => {
        const url = new URL(request.url);
        asked.push(url.pathname + url.search);
        const isFirst = !url.searchParams.has('after');
        return { users: isFirst ? [sampleRow(9), sampleRow(8)] : [sampleRow(3)], count: 3, countCapped: false, next: isFirst ? 'key' : null };
      }),
    );
    app = openApp('/admin/users');
    const table = await screen.findByRole('table', { name: 'Users' });
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['Id', 'E-mail', 'Name', 'Plan', 'Status', 'Date', 'Edit']);
    expect(within(table).getAllByRole('row')[1]).toHaveTextContent('9grace-9@example.com');
    expect(within(table).getAllByRole('row')[1]).toHaveTextContent('2026-03-14');
    expect(screen.getByText('3', { selector: '.admin__total' })).toBeVisible();
    await type.click(screen.getByRole('button', { name: 'Load More' }));
    await waitFor(() => expect(within(table).getAllByRole('row')).toHaveLength(4));
    expect(asked).toEqual(['/api/admin/user/0', '/api/admin/user/100?after=key']);
    // The focus is on the first loaded row.
    expect(screen.getByRole('link', { name: 'Edit grace-3@example.com' })).toHaveFocus();
  });

  it('are searched and filtered by the URL, and walked with j and k', async () => {
    const asked: string[] = [];
    signInAs('admin');
    server.use(
      on('GET /api/admin/user/{start}', ({ request }) => {
        asked.push(new URL(request.url).search);
        return { users: [sampleRow(9), sampleRow(8)], count: 2, countCapped: false, next: null };
      }),
    );
    app = openApp('/admin/users?role=editor&plan=never');
    await screen.findByRole('table', { name: 'Users' });
    // Nothing has the focus now.
    (document.activeElement as HTMLElement | null)?.blur();
    await type.keyboard('jj');
    expect(screen.getByRole('link', { name: 'Edit grace-8@example.com' })).toHaveFocus();
    await type.keyboard('k');
    expect(screen.getByRole('link', { name: 'Edit grace-9@example.com' })).toHaveFocus();
    await type.keyboard('/');
    expect(screen.getByRole('searchbox')).toHaveFocus();
    await type.keyboard('ada');
    await waitFor(() => expect(app.at()).toBe('/admin/users?role=editor&plan=never&q=ada'));
    await waitFor(() => expect(asked.at(-1)).toBe('?q=ada&role=editor'));
    expect(asked[0]).toBe('?role=editor');
  });

  it('are added by name and address, and an address in use is refused on its field (admin.people-add)', async () => {
    const sent: unknown[] = [];
    signInAs('admin');
    server.use(
      on('POST /api/admin/user', ({ body }) => {
        sent.push(body);
        const taken = 'Another account already has this email address.';
        return sent.length === 1 ? failure(409, 'email_taken', taken, { field: 'email' }) : { user: sampleMember({ id: 12, email: 'mary@example.com' }) };
      }),
    );
    app = openApp('/admin/user-add');
    await type.type(await screen.findByLabelText('First name*'), 'Mary');
    await type.type(screen.getByLabelText('Last name*'), 'Somerville');
    await type.type(screen.getByLabelText('E-mail*'), ' ada@example.com');
    await type.click(screen.getByRole('button', { name: 'Add user' }));
    await waitFor(() => expect(screen.getByLabelText('E-mail*')).toHaveAccessibleDescription(/Another account already has this email address\./));
    await type.clear(screen.getByLabelText('E-mail*'));
    await type.type(screen.getByLabelText('E-mail*'), 'mary@example.com');
    await type.click(screen.getByRole('button', { name: 'Add user' }));
    expect(await screen.findByText(/An email to set a password is on its way to mary@example\.com\./)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open the account' })).toHaveAttribute('href', '/admin/user-edit/12');
    expect(sent.at(-1)).toEqual({ firstName: 'Mary', lastName: 'Somerville', email: 'mary@example.com' });
  });

  it('are counted up to 10,000 (admin.list-totals), and all that match are exported (admin.list-exports)', async () => {
    const asked: string[] = [];
    signInAs('admin');
    server.use(
      on('GET /api/admin/user/{start}', () => ({ users: [sampleRow(9)], count: 10_000, countCapped: true, next: null })),
      on('POST /api/admin/user/export', ({ request }) => {
        asked.push(new URL(request.url).search);
        return new Response('Id\r\n9\r\n', { headers: { 'Content-Disposition': 'attachment; filename="users.csv"' } });
      }),
    );
    app = openApp('/admin/users?role=editor');
    expect(await screen.findByText('10,000+')).toBeVisible();
    await type.click(screen.getByRole('button', { name: 'CSV: Users of this list' }));
    await waitFor(() => expect(saveFile).toHaveBeenCalledWith(expect.any(Blob), 'users.csv'));
    expect(asked).toEqual(['?role=editor']);
  });

  it('says that none was found, and shows why a list did not come', async () => {
    signInAs('admin');
    server.use(on('GET /api/admin/user/{start}', () => ({ users: [], count: 0, countCapped: false, next: null })));
    app = openApp('/admin/users?q=nobody');
    expect(await screen.findByRole('heading', { name: 'No users found.' })).toBeVisible();
    app.close();
    server.use(on('GET /api/admin/user/{start}', () => failure(500, 'internal', 'It broke.')));
    app = openApp('/admin/users?q=else');
    expect(await screen.findByRole('alert')).toHaveTextContent('It broke.');
  });

  it.each(['member', 'editor'] as const)('are closed to a %s', async (role) => {
    signInAs(role);
    server.use(on('GET /api/user/security', () => failure(503, 'busy', 'Busy.')));
    app = openApp('/admin/users');
    expect(await screen.findByRole('heading', { level: 1, name: 'You do not have access to this page.' })).toBeVisible();
  });

  it('lead to a member by the short address too', async () => {
    signInAs('admin');
    server.use(on('GET /api/admin/user/edit/{userId}', () => ({ user: [sampleMember()] })));
    app = openApp('/admin/users/7');
    expect(await screen.findByRole('heading', { level: 1, name: 'User #7' })).toBeVisible();
    expect(app.at()).toBe('/admin/user-edit/7');
  });
});

describe('a member in the back office', () => {
  const open = async (member = sampleMember()) => {
    signInAs('admin');
    const shown = { member };
    server.use(on('GET /api/admin/user/edit/{userId}', () => ({ user: [shown.member] })));
    app = openApp('/admin/user-edit/7');
    await screen.findByLabelText('First name*');
    return shown;
  };

  it('is changed and read again; plan and end are sent only when they were changed', async () => {
    const shown = await open();
    const bodies: unknown[] = [];
    server.use(
      on('PUT /api/admin/user', ({ body }) => {
        bodies.push(body);
        shown.member = sampleMember({ firstName: 'Ada', planId: 'yearly', planName: 'Yearly', endPaidDate: Date.UTC(2999, 0, 1) });
        return { user: [shown.member] };
      }),
    );
    const first = screen.getByLabelText('First name*');
    await type.clear(first);
    await type.type(first, 'Ada');
    await type.click(screen.getByRole('button', { name: 'Update user' }));
    expect(await screen.findByText('User was updated.')).toBeVisible();
    expect(screen.getByLabelText('End paid date')).toHaveValue('2999-01-01');
    await type.selectOptions(screen.getByLabelText('Plan'), 'lifetime');
    await type.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(bodies).toHaveLength(2));
    expect(bodies[0]).toEqual({ userId: 7, firstName: 'Ada', lastName: 'No 7', email: 'grace-7@example.com' });
    expect(bodies[1]).toMatchObject({ planId: 'lifetime' });
    expect(bodies[1]).not.toHaveProperty('endPaidDate');
  });

  it('stays with what was typed when the session ends, and goes on after the login in another tab (admin.ended-session)', async () => {
    await open();
    const bodies: unknown[] = [];
    let over = true;
    server.use(
      on('PUT /api/admin/user', ({ body }) => {
        if (over) return failure(401, 'unauthenticated', 'Please log in.');
        bodies.push(body);
        return { user: [sampleMember({ firstName: 'Ada' })] };
      }),
      on('POST /api/user/refresh-token', () => failure(401, 'session_ended', 'Please log in again.')),
    );
    await type.clear(screen.getByLabelText('First name*'));
    await type.type(screen.getByLabelText('First name*'), 'Ada');
    await type.click(screen.getByRole('button', { name: 'Update user' }));
    const dialog = await screen.findByRole('dialog', { name: 'Your session has ended' });
    expect(within(dialog).getByRole('link', { name: 'Log in in a new tab' })).toHaveAttribute('target', '_blank');
    await type.click(within(dialog).getByRole('button', { name: 'Not now' }));
    expect(screen.getByRole('link', { name: 'Log in in a new tab' })).toBeVisible();
    expect([app.at(), session.token()]).toEqual(['/admin/user-edit/7', null]);
    expect(screen.getByLabelText('First name*')).toHaveValue('Ada');
    over = false;
    act(() => session.start('another'));
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Log in in a new tab' })).toBeNull());
    expect(screen.getByLabelText('First name*')).toHaveValue('Ada');
    await type.click(screen.getByRole('button', { name: 'Update user' }));
    expect(await screen.findByText('User was updated.')).toBeVisible();
    expect(bodies).toMatchObject([{ firstName: 'Ada' }]);
  });

  it('leads to the login when the admin logs out in another tab (admin.ended-session)', async () => {
    await open();
    act(() => {
      localStorage.removeItem('token');
      window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
    });
    await waitFor(() => expect(app.at()).toBe('/login?redirect=%2Fadmin%2Fuser-edit%2F7'));
  });

  it('names the first field that is missing, and that alone', async () => {
    await open();
    await type.clear(screen.getByLabelText('First name*'));
    await type.clear(screen.getByLabelText('E-mail*'));
    await type.click(screen.getByRole('button', { name: 'Update user' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Please specify First name.');
    expect(screen.getByLabelText('First name*')).toHaveFocus();
    expect(document.querySelectorAll('.field__error')).toHaveLength(1);
  });

  it('asks before what was typed is lost', async () => {
    await open();
    await type.type(screen.getByLabelText('Last name*'), '!');
    await type.click(within(document.querySelector<HTMLElement>('.admin__page') ?? document.body).getByRole('link', { name: 'Users' }));
    const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' });
    await type.click(within(dialog).getByRole('button', { name: 'Stay' }));
    expect(app.at()).toBe('/admin/user-edit/7');
    expect(screen.getByLabelText('Last name*')).toHaveValue('No 7!');
  });

  it('is suspended with a reason', async () => {
    await open();
    const bodies: unknown[] = [];
    server.use(
      on('POST /api/admin/user/{userId}/suspend', ({ body }) => {
        bodies.push(body);
        return { user: sampleMember({ suspendedAt: Date.UTC(2026, 2, 14, 12), suspendedReason: 'Spam' }) };
      }),
    );
    await type.click(screen.getByRole('button', { name: 'Suspend' }));
    await type.click(await screen.findByRole('button', { name: 'Suspend the account' }));
    expect(screen.getByRole('alert')).toHaveTextContent('Please specify Reason.');
    await type.type(screen.getByRole('textbox', { name: 'Reason' }), 'Spam');
    await type.click(screen.getByRole('button', { name: 'Suspend the account' }));
    expect(await screen.findByText('Suspended on March 14, 2026: Spam')).toBeVisible();
    expect(bodies).toEqual([{ reason: 'Spam' }]);
    expect(screen.getByRole('button', { name: 'Restore' })).toBeVisible();
  });

  it.each([
    ['by mouse', async (role: HTMLElement) => type.selectOptions(role, 'editor')],
    // A closed select changes on key presses as in a browser: first the value, then its events.
    ['by the arrow key', async (role: HTMLElement) => chooseByKey(role, '{ArrowDown}', 'editor')],
    ['by a letter', async (role: HTMLElement) => chooseByKey(role, 'e', 'editor')],
  ])('gets the role that was chosen %s, once it was asked for', async (_, choose) => {
    await open();
    const bodies: unknown[] = [];
    server.use(
      on('PUT /api/admin/user/{userId}/role', ({ body }) => {
        bodies.push(body);
        return { user: sampleMember({ role: 'editor' }) };
      }),
    );
    await choose(screen.getByLabelText('Role'));
    expect(screen.getByLabelText('Role')).toHaveValue('editor');
    await type.click(screen.getByRole('button', { name: 'Change role' }));
    const dialog = await screen.findByRole('dialog', { name: 'Make grace-7@example.com an Editor?' });
    expect(bodies).toEqual([]);
    await type.click(within(dialog).getByRole('button', { name: 'Change the role' }));
    // The toast of the previous test may still be shown.
    expect((await screen.findAllByText('The role is now Editor.')).at(-1)).toBeVisible();
    expect(bodies).toEqual([{ role: 'editor' }]);
    expect(screen.getByLabelText('Role')).toHaveValue('editor');
  });

  it('shows the role of the answer, and not the one that was sent', async () => {
    await open();
    server.use(on('PUT /api/admin/user/{userId}/role', () => ({ user: sampleMember({ role: 'member' }) })));
    await type.selectOptions(screen.getByLabelText('Role'), 'admin');
    await type.click(screen.getByRole('button', { name: 'Change role' }));
    await type.click(await screen.findByRole('button', { name: 'Change the role' }));
    expect(await screen.findByText('The role is now Member.')).toBeVisible();
    expect(screen.getByLabelText('Role')).toHaveValue('member');
  });

  it('keeps the role when the question is closed', async () => {
    await open();
    await type.selectOptions(screen.getByLabelText('Role'), 'admin');
    await type.click(screen.getByRole('button', { name: 'Change role' }));
    await type.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.getByLabelText('Role')).toHaveValue('member');
  });

  it('gets another role after a proof, and the refusal is shown', async () => {
    await open();
    server.use(on('PUT /api/admin/user/{userId}/role', () => failure(409, 'last_admin', 'There must be one admin.')));
    await type.selectOptions(screen.getByLabelText('Role'), 'editor');
    await type.click(screen.getByRole('button', { name: 'Change role' }));
    await type.click(await screen.findByRole('button', { name: 'Change the role' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('There must be one admin.');
  });
});
