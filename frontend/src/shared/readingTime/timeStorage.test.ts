import { beforeEach, expect, it } from 'vitest';
import { withTime } from '@/shared/readingTime/countedTime';
import { changeTime, removeTime, storedTime } from '@/shared/readingTime/timeStorage';

const add = (member: number, ms: number) => changeTime(member, (time) => withTime(time, '2026-11-28', ms, ms, '2026-10-28'));

beforeEach(() => localStorage.clear());

it('keeps the time of one member, and nothing of what is no time', () => {
  expect(storedTime(7)).toBeNull();
  add(7, 1_000);
  add(7, 2_000);
  expect(storedTime(7)?.days).toEqual({ '2026-11-28': 3_000 });
  const device = storedTime(7)?.device;
  expect(device).toMatch(/^[0-9a-f]{32}$/);
  expect(storedTime(8)).toBeNull();
  add(8, 500);
  expect(storedTime(8)?.days).toEqual({ '2026-11-28': 500 });
  expect(storedTime(7)).toBeNull();
  removeTime();
  expect(storedTime(8)).toBeNull();
  // Another count is another device.
  add(7, 500);
  expect(storedTime(7)?.device).not.toBe(device);
  for (const wrong of [
    '',
    'null',
    '{',
    '{"member":7}',
    '{"member":7,"days":{},"until":0,"sent":{}}',
    '{"member":7,"device":"a","days":{"a":"b"},"until":0,"sent":{}}',
  ]) {
    localStorage.setItem('reading-time', wrong);
    expect(storedTime(7)).toBeNull();
  }
});
