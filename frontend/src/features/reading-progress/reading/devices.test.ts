import { describe, expect, it } from 'vitest';
import type { KnownPlace } from '@/shared/positions/places';
import { openingOf, questionFor } from '@/features/reading-progress/reading/devices';
import type { StoredPlace } from '@/features/reading-progress/reading/devices';

const stored = (position: number, at: number, device: string | null = 'laptop'): StoredPlace => ({ position, at, device });
const known = (position: number, at: number): KnownPlace => ({ position, at });
const open = (more: { search?: string; stored?: StoredPlace | null; known?: KnownPlace | null; end?: number }) =>
  openingOf({ search: '', total: 9, stored: null, known: null, device: 'phone', end: null, ...more });

describe('where reading begins on one of several devices', () => {
  it('is where the server says, on a device that never had the book', () => {
    expect(open({ stored: stored(5, 10) })).toEqual({ start: 5, question: null, again: false });
    expect(open({})).toEqual({ start: 0, question: null, again: false });
  });

  it('is where this device was, when it was offline and the server has not heard', () => {
    expect(open({ known: known(3, 20) })).toEqual({ start: 3, question: null, again: false });
    expect(open({ known: known(3, 20), stored: stored(1, 10, 'phone') })).toEqual({ start: 3, question: null, again: false });
  });

  it('follows another device forwards, says so, and leads back', () => {
    expect(open({ known: known(2, 10), stored: stored(6, 20) })).toEqual({ start: 6, question: { kind: 'moved', to: 2, at: 20 }, again: false });
  });

  it('never follows it backwards: it asks', () => {
    expect(open({ known: known(6, 10), stored: stored(2, 20) })).toEqual({ start: 6, question: { kind: 'elsewhere', to: 2, at: 20 }, again: false });
  });

  it('asks when this device was the last, and the other one is further', () => {
    expect(open({ known: known(2, 20), stored: stored(6, 10) })).toEqual({ start: 2, question: { kind: 'further', to: 6, at: 10 }, again: false });
  });

  it('asks nothing when this device was the last and is further', () => {
    expect(open({ known: known(6, 20), stored: stored(2, 10) })).toEqual({ start: 6, question: null, again: false });
  });

  it('is the section of the address, and asks about the rest', () => {
    expect(open({ search: '?section=3', known: known(2, 10), stored: stored(6, 20) })).toEqual({
      start: 2,
      question: { kind: 'further', to: 6, at: 20 },
      again: false,
    });
    expect(open({ search: '?section=7', stored: stored(6, 20) })).toEqual({ start: 6, question: null, again: false });
    expect(open({ search: '?section=9', known: known(8, 10), stored: stored(6, 20) })).toEqual({
      start: 8,
      question: { kind: 'elsewhere', to: 6, at: 20 },
      again: false,
    });
  });

  it('asks nothing about a place of this device, nor of an unknown one', () => {
    for (const device of ['phone', null]) {
      expect(open({ search: '?section=2', stored: stored(6, 20, device) })).toEqual({ start: 1, question: null, again: false });
    }
  });

  it('leaves a place aside that no section has', () => {
    expect(open({ known: known(40, 30), stored: stored(2, 10) })).toEqual({ start: 2, question: null, again: false });
    expect(open({ stored: stored(12, 10) })).toEqual({ start: 0, question: null, again: false });
  });

  it('is the beginning of a finished book that was left at its end, wherever that was', () => {
    const again = { start: 0, question: null, again: true };
    for (const position of [7, 8]) expect(open({ end: 7, known: known(position, 20) })).toEqual(again);
    expect(open({ end: 7, stored: stored(7, 20) })).toEqual(again);
    expect(open({ end: 7, known: known(2, 10), stored: stored(7, 20) })).toEqual(again);
  });

  it('is where a finished book is being read again, or where the address says', () => {
    expect(open({ end: 7, known: known(3, 20), stored: stored(7, 10) })).toMatchObject({ start: 3, question: { kind: 'further', to: 7 }, again: false });
    expect(open({ end: 7, search: '?section=8', known: known(7, 20) })).toEqual({ start: 7, question: null, again: false });
    // A book with one section has no beginning other than its end.
    expect(open({ end: 0, known: known(0, 20) })).toEqual({ start: 0, question: null, again: false });
  });
});

describe('what is asked while the book is open', () => {
  const ask = (place: StoredPlace, index = 3, since = 10) => questionFor({ stored: place, index, since, device: 'phone' });

  it('is whether to go where another device went later', () => {
    expect(ask(stored(5, 20))).toEqual({ kind: 'further', to: 5, at: 20 });
    expect(ask(stored(1, 20))).toEqual({ kind: 'elsewhere', to: 1, at: 20 });
  });

  it('is nothing when this device was later, or there, or said so itself', () => {
    for (const place of [stored(5, 10), stored(5, 9), stored(3, 20), stored(5, 20, 'phone'), stored(5, 20, null)]) expect(ask(place)).toBeNull();
  });
});
