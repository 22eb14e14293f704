import { cleanup, screen } from '@testing-library/react';
import { matchPath } from 'react-router';
import type { RouteObject } from 'react-router';
import { afterEach, describe, expect, it } from 'vitest';
import { COMING_SCREENS } from '@/app/comingScreens';
import { routes } from '@/app/routes';
import { ROUTES, paths } from '@/paths';
import type { RouteName } from '@/paths';
import { openApp } from '@test/app';

/** The paths of all routes of the router that show a screen. */
const pathsOf = (all: readonly RouteObject[]): string[] =>
  all.flatMap((route) => [
    ...(route.index === true && !route.path ? [''] : []),
    ...(route.path !== undefined && route.path !== '*' ? [route.path] : []),
    ...pathsOf(route.children ?? []),
  ]);

describe('the table of routes', () => {
  it('has each route of the router, and the router each of the table', () => {
    // An index route stands for its parent: the front page for '/', the overview for '/admin'.
    const inRouter = new Set(pathsOf(routes).map((path) => path || '/'));
    expect([...inRouter].sort()).toEqual(Object.values(ROUTES).map(({ path }) => path).sort());
  });

  it('has each path once', () => {
    const all = Object.values(ROUTES).map(({ path }) => path);
    expect(all).toEqual([...new Set<string>(all)]);
  });

  const names = Object.keys(ROUTES) as RouteName[];
  it.each(names)('%s: the path that the app builds matches the route', (name) => {
    const built = (paths as unknown as Partial<Record<string, string | ((...parts: string[]) => string)>>)[name];
    if (built === undefined) return; // only mails link to it
    expect(matchPath(ROUTES[name].path, typeof built === 'function' ? built('new', 'a b') : built)).not.toBeNull();
  });
});

describe('a screen that is not there yet', () => {
  let app: ReturnType<typeof openApp> | null = null;
  afterEach(() => {
    app?.close();
    cleanup();
  });

  it('says so under its title and links to the books', async () => {
    for (const name of COMING_SCREENS) {
      const { path, title } = ROUTES[name];
      app = openApp(path.replaceAll(/:\w+/g, 'x'));
      expect(await screen.findByRole('heading', { level: 1, name: title })).toBeInTheDocument();
      expect(screen.getByText(/^This page is coming soon\./)).toBeInTheDocument();
      expect(screen.getByRole('link', { name: 'Browse book summaries' })).toHaveAttribute('href', paths.books);
      app.close();
    }
  });
});
