import { afterEach, describe, expect, it } from 'vitest';
import { recordServerTime, serverNow } from '@/api/clock';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const says = (ms: number) => new Date(ms).toUTCString();

afterEach(() => recordServerTime(says(NOON), NOON + 500, NOON + 500));

describe('the server’s clock', () => {
  it('is this browser’s until a response says otherwise', () => {
    recordServerTime(says(NOON), NOON + 400, NOON + 900);
    expect(serverNow(NOON)).toBe(NOON);
  });

  it('is known when this browser’s clock is wrong', () => {
    const wrong = 90_000;
    recordServerTime(says(NOON), NOON + wrong, NOON + wrong);
    expect(serverNow(NOON + wrong)).toBe(NOON + 500);
    recordServerTime(says(NOON), NOON - wrong, NOON - wrong);
    expect(serverNow(NOON - wrong)).toBe(NOON + 500);
  });

  it('is not taken from a slow response, nor from one without a date', () => {
    recordServerTime(says(NOON), NOON - 8_000, NOON);
    expect(serverNow(NOON)).toBe(NOON);
    recordServerTime(null, NOON, NOON + 90_000);
    recordServerTime('today', NOON, NOON + 90_000);
    expect(serverNow(NOON)).toBe(NOON);
  });
});
