import { matchPath } from 'react-router';
import type { RouteObject } from 'react-router';
import { describe, expect, it } from 'vitest';
import { routes } from '@/app/routes';
import { ROUTES as ADMIN_ROUTES, paths } from '@/features/admin/paths';
import { adminRoutes } from '@/features/admin/routes';
import { ROUTES as SITE } from '@/paths';

const ROUTES = { ...SITE, ...ADMIN_ROUTES };

/** The paths of all routes that render a page. */
const pathsOf = (all: readonly RouteObject[]): string[] =>
  all.flatMap((route) => [
    ...(route.index === true && !route.path ? [''] : []),
    ...(route.path !== undefined && route.path !== '*' ? [route.path] : []),
    ...pathsOf(route.children ?? []),
  ]);

describe('the table of routes', () => {
  it('has each route of the router, and the router each of the table', () => {
    // An index route stands for its parent: the front page for '/', the overview for '/admin'.
    const inRouter = new Set([...pathsOf(routes), ...pathsOf([adminRoutes])].map((path) => path || '/'));
    expect([...inRouter].sort()).toEqual(
      Object.values(ROUTES)
        .map(({ path }) => path)
        .sort(),
    );
  });

  it('has each path once', () => {
    const all = Object.values(ROUTES).map(({ path }) => path);
    expect(all).toEqual([...new Set<string>(all)]);
  });

  it('has nothing of the back office in what the site loads', () => {
    expect([...pathsOf(routes), ...Object.values(SITE).map(({ path }) => path)].filter((path) => path.startsWith('/admin'))).toEqual(['/admin']);
  });

  const names = Object.keys(ROUTES) as (keyof typeof ROUTES)[];
  it.each(names)('%s: the path that the app builds matches the route', (name) => {
    const built = (paths as unknown as Partial<Record<string, string | ((...parts: string[]) => string)>>)[name];
    if (built === undefined) return; // only mails link to it
    expect(matchPath(ROUTES[name].path, typeof built === 'function' ? built('new', 'a b') : built)).not.toBeNull();
  });
});
