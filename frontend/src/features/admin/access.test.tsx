import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { GROUPS, isWithin } from '@/features/admin/areas';
import { ROUTES, paths } from '@/features/admin/paths';
import type { RouteName } from '@/features/admin/paths';
import { adminRoutes } from '@/features/admin/routes';
import { signInAs } from '@test/admin';
import { openApp } from '@test/app';
import { ok, server } from '@test/server';
import { http } from 'msw';

let app: ReturnType<typeof openApp>;
afterEach(() => app.close());

const names = Object.keys(ROUTES) as RouteName[];
/** A page's path, with a sample value for its parameter. */
const pathOf = (name: RouteName): string => {
  const path: string | ((id: number) => string) = paths[name];
  return typeof path === 'string' ? path : path(1);
};
/** The pages that editors may not open either. */
const forAdmins = names.filter((name) =>
  adminRoutes.children?.some(({ path, handle }) => path === ROUTES[name].path && (handle as { admin?: boolean } | undefined)?.admin),
);

/** Counts the requests sent to the back office's API. */
function countCalls(): () => number {
  let calls = 0;
  server.use(
    http.all('http://localhost:4000/api/admin/*', () => {
      calls += 1;
      return ok({});
    }),
  );
  return () => calls;
}

describe('the back office is closed', () => {
  it.each(names)('to members: %s', async (name) => {
    const calls = countCalls();
    signInAs('member');
    app = openApp(pathOf(name));
    expect(await screen.findByRole('heading', { level: 1, name: 'You do not have access to this page.' })).toBeVisible();
    expect(calls()).toBe(0);
  });

  it.each(forAdmins)('to editors, where it is for admins: %s', async (name) => {
    const calls = countCalls();
    signInAs('editor');
    app = openApp(pathOf(name));
    expect(await screen.findByRole('heading', { level: 1, name: 'You do not have access to this page.' })).toBeVisible();
    expect(calls()).toBe(0);
  });

  it('to visitors, who sign up first and come back', async () => {
    app = openApp('/admin/goals?q=calm');
    expect(await screen.findByRole('button', { name: 'Sign up' })).toBeVisible();
    expect(app.at()).toBe('/signup?redirect=%2Fadmin%2Fgoals%3Fq%3Dcalm');
  });
});

describe('the navigation of the back office', () => {
  it.each(names.filter((name) => name !== 'admin'))('marks one area on each page: %s', (name) => {
    const areas = GROUPS.flatMap((group) => group.areas).filter((area) => isWithin(pathOf(name), area));
    expect(areas).toHaveLength(1);
  });

  it.each([
    ['/admin/book-media/7', 'Books'],
    ['/admin/category-add', 'Categories'],
    ['/admin/blog-photo/7', 'Blog'],
    ['/admin/goals/featured-photo/7', 'Goals'],
    ['/admin/page-edit/about', 'Pages'],
    ['/admin/payouts/7', 'Payouts'],
  ])('counts %s among: %s', (address, label) => {
    expect(GROUPS.flatMap((group) => group.areas).find((area) => isWithin(address, area))?.label).toBe(label);
  });
});
