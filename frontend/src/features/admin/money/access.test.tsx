import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { adminRoutes } from '@/features/admin/routes';
import { ROUTES } from '@/features/admin/paths';
import { signInAs } from '@test/admin';
import { openApp } from '@test/app';
import { failure, on, server } from '@test/server';

let app: ReturnType<typeof openApp> | null = null;
afterEach(() => app?.close());

describe('what is for admins only', () => {
  const MONEY = /^\/admin\/(stats|orders|failed-renewals|disputes|coupon|code|payouts|teams|plan|ledger)/;
  const addresses = Object.values(ROUTES)
    .map(({ path }) => path)
    .filter((path) => MONEY.test(path));

  it('is every route about money', () => {
    const closed = adminRoutes.children?.filter(({ handle }) => (handle as { admin?: boolean } | undefined)?.admin === true).map(({ path }) => path);
    expect(addresses.length).toBeGreaterThan(15);
    for (const address of addresses) expect(closed).toContain(address);
  });

  it.each(['/admin/stats', '/admin/orders'])('%s is closed to an editor', async (address) => {
    signInAs('editor');
    server.use(on('GET /api/user/security', () => failure(503, 'busy', 'Busy.')));
    app = openApp(address);
    expect(await screen.findByRole('heading', { level: 1, name: 'You do not have access to this page.' })).toBeVisible();
  });
});
