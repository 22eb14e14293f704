import { describe, expect, it, vi } from 'vitest';
import { fnv1a, idOfHighlight, idOfIdea, newId } from '@/shared/study/ids';
import cases from '../../../../crates/study/src/card_cases.json';

/** Makes the browser's random numbers these, in turn. */
function drawsOf(...draws: [number, number][]) {
  vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
    (array as Uint32Array).set(draws.shift() ?? [0, 1]);
    return array;
  });
}

describe('an id', () => {
  it('is a whole number from 1 to 2^53 - 1', () => {
    const ids = Array.from({ length: 200 }, newId);
    expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has 53 random bits, and is never 0', () => {
    drawsOf([0xffff_ffff, 0xffff_ffff]);
    expect(newId()).toBe(Number.MAX_SAFE_INTEGER);
    drawsOf([0x7ff, 0], [0, 0], [0x800, 5]);
    expect(newId()).toBe(2 ** 32 + 5);
  });

  it.each(cases)('that follows from $bookId $title $highlightId is the server’s', ({ bookId, title, highlightId, id }) => {
    expect(highlightId === undefined ? idOfIdea(bookId, title) : idOfHighlight(highlightId)).toBe(id);
  });
});

describe('the hash', () => {
  // The published vectors of FNV-1a.
  it.each([
    ['', 0xcbf29ce484222325n],
    ['a', 0xaf63dc4c8601ec8cn],
    ['foobar', 0x85944171f73967e8n],
  ])('of %j is that of FNV-1a', (text, hash) => {
    expect(fnv1a(text)).toBe(hash);
  });
});
