import { describe, expect, it } from 'vitest';
import { stepsBackTo } from '@/lib/stepsBack';

const at = (index: number, ...paths: (string | null)[]) => ({
  currentEntry: { index },
  entries: () => paths.map((path, i) => ({ index: i, url: path === null ? null : `http://localhost:4000${path}` })),
});

describe('the steps back to a list', () => {
  it('is one after a visit of the list, with any filters', () => {
    expect(stepsBackTo('/collections', at(1, '/collections', '/collections/3'))).toBe(1);
    expect(stepsBackTo('/collections', at(2, '/', '/collections/?x=1', '/collections/3', '/books'))).toBe(1);
  });

  it('passes over other orders of the page itself', () => {
    expect(stepsBackTo('/collections', at(3, '/collections', '/collections/3', '/collections/3?sort=ab', '/collections/3?sort=new'))).toBe(3);
  });

  it('is none when another page lies between, or the list is not there', () => {
    expect(stepsBackTo('/collections', at(2, '/collections', '/books', '/collections/3'))).toBeNull();
    expect(stepsBackTo('/collections', at(0, '/collections/3', '/collections'))).toBeNull();
    expect(stepsBackTo('/collections', at(1, null, '/collections/3'))).toBeNull();
  });

  it('is none where the browser has no Navigation API', () => {
    expect(stepsBackTo('/collections', undefined)).toBeNull();
  });
});
