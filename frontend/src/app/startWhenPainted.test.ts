import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startWhenPainted } from '@/app/startWhenPainted';

const FILES = { scripts: '/assets/vendor.js /assets/main.js', preloads: '/assets/route-front.js' };
const added = () => [...document.head.querySelectorAll<HTMLElement>('script[src], link')].map((one) => one.getAttribute('src') ?? one.getAttribute('href'));
const ALL = ['/assets/vendor.js', '/assets/main.js', '/assets/route-front.js'];

let painted: (names: string[]) => void = () => undefined;

beforeEach(() => {
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      static readonly supportedEntryTypes = ['paint'];
      constructor(callback: (list: { getEntriesByName: (name: string) => string[] }, observer: unknown) => void) {
        painted = (names) => callback({ getEntriesByName: (name) => names.filter((one) => one === name) }, this);
      }
      observe() {}
      disconnect() {}
    },
  );
});

afterEach(() => {
  vi.unstubAllGlobals();
  for (const one of document.head.querySelectorAll('script[src], link')) one.remove();
});

it('loads nothing before the text has been shown, then the scripts in their order', () => {
  startWhenPainted(FILES);
  expect(added()).toEqual([]);
  painted(['first-paint']);
  expect(added(), 'a ground without a text').toEqual([]);
  painted(['first-contentful-paint']);
  expect(added()).toEqual(ALL);
  expect([...document.head.querySelectorAll<HTMLScriptElement>('script[src]')].map(({ async }) => async)).toEqual([false, false]);
});

it('waits for the end of the document, which the app reads', () => {
  const state = vi.spyOn(document, 'readyState', 'get').mockReturnValue('loading');
  startWhenPainted(FILES);
  painted(['first-contentful-paint']);
  expect(added()).toEqual([]);
  state.mockReturnValue('interactive');
  document.dispatchEvent(new Event('DOMContentLoaded'));
  expect(added()).toEqual(ALL);
});

it('loads at once in the background and where paints are not observed', () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  startWhenPainted(FILES);
  expect(added()).toEqual(ALL);
  hidden.mockReturnValue(false);
  for (const one of document.head.querySelectorAll('script[src], link')) one.remove();
  vi.stubGlobal('PerformanceObserver', { supportedEntryTypes: [] });
  startWhenPainted(FILES);
  expect(added()).toEqual(ALL);
});

it('loads nothing on a page that names its scripts itself', () => {
  startWhenPainted({});
  painted(['first-contentful-paint']);
  expect(added()).toEqual([]);
});
