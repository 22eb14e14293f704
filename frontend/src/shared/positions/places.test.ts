import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deviceId, removeUnsent, storeUnsent, knownPlace, nextMoment, rememberPlace, unsentPlaces } from '@/shared/positions/places';

beforeEach(() => localStorage.clear());

describe('this device', () => {
  it('creates its id once', () => {
    const name = deviceId();
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(deviceId()).toBe(name);
    localStorage.clear();
    expect(deviceId()).not.toBe(name);
  });

  it('never returns the same time twice, nor an earlier one', () => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(2_000_000_000_000);
    const first = nextMoment();
    expect(nextMoment()).toBe(first + 1);
    clock.mockReturnValue(1_000);
    expect(nextMoment()).toBe(first + 2);
    clock.mockRestore();
  });
});

describe('the places of this device', () => {
  it('are stored for each member and book', () => {
    rememberPlace(7, 1, { position: 3, at: 10 });
    rememberPlace(7, 2, { position: 4, at: 11 });
    rememberPlace(7, 1, { position: 5, at: 12 });
    expect(knownPlace(7, 1)).toEqual({ position: 5, at: 12 });
    expect(knownPlace(7, 2)).toEqual({ position: 4, at: 11 });
    expect(knownPlace(8, 1)).toBeNull();
  });

  it('are removed from the oldest on', () => {
    for (let book = 1; book <= 201; book++) rememberPlace(7, book, { position: 0, at: book });
    expect(knownPlace(7, 1)).toBeNull();
    expect(knownPlace(7, 2)).not.toBeNull();
  });

  it.each(['no json', '[]', '7', '{"7/1":3}', '{"7/1":["a",1]}'])('survive a storage that says %s', (stored) => {
    localStorage.setItem('places', stored);
    expect(knownPlace(7, 1)).toBeNull();
    rememberPlace(7, 2, { position: 1, at: 1 });
    expect(knownPlace(7, 2)).toEqual({ position: 1, at: 1 });
  });
});

describe('unsent places', () => {
  const place = (at: number, more = {}) => ({ member: 7, book: 1, position: at, at, completed: false, ...more });

  it('are the last place of each book, and every completion', () => {
    storeUnsent(place(1));
    storeUnsent(place(2, { completed: true }));
    storeUnsent(place(3));
    storeUnsent(place(4, { book: 2 }));
    storeUnsent(place(5));
    storeUnsent(place(6, { member: 8 }));
    expect(unsentPlaces(7).map((one) => one.at)).toEqual([2, 4, 5]);
  });

  it('of reading and of listening do not replace each other', () => {
    storeUnsent(place(1));
    storeUnsent(place(2, { position: null, audio: 5000 }));
    expect(unsentPlaces(7)).toHaveLength(2);
    storeUnsent(place(3, { position: null, audio: 6000 }));
    storeUnsent(place(4));
    expect(unsentPlaces(7)).toEqual([place(3, { position: null, audio: 6000 }), place(4)]);
    storeUnsent(place(5, { audio: 7000 }));
    expect(unsentPlaces(7)).toEqual([place(5, { audio: 7000 })]);
    storeUnsent(place(6));
    expect(unsentPlaces(7)).toHaveLength(2);
  });

  it('are removed when the server has them', () => {
    storeUnsent(place(1, { completed: true }));
    storeUnsent(place(2));
    removeUnsent(place(1));
    expect(unsentPlaces(7)).toEqual([place(2)]);
  });

  it('are none when the storage is malformed', () => {
    localStorage.setItem('unsentPlaces', '[{"member":7},null,3,{"member":7,"book":1,"at":1,"completed":false,"position":"x"}]');
    expect(unsentPlaces(7)).toEqual([]);
  });
});
