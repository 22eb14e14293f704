import { describe, expect, it } from 'vitest';
import { RETURN_AFTER, hasGoneOn, isReturn, rememberGoneOn } from '@/features/reading-progress/reading/returning';

const NOW = Date.UTC(2026, 5, 20);
const opened = { start: 3, sections: 8, isStored: true, isAsked: false, completed: false, question: null, since: NOW - RETURN_AFTER - 1, now: NOW };
const asked = (kind: 'further' | 'elsewhere' | 'moved') => ({ kind, to: 1, at: 1 });

describe('coming back to a book', () => {
  it('is a return from a week on', () => {
    expect(isReturn(opened)).toBe(true);
    expect(isReturn({ ...opened, since: NOW - RETURN_AFTER })).toBe(false);
    expect(isReturn({ ...opened, since: NOW })).toBe(false);
  });

  it.each([
    ['at the beginning', { start: 0 }],
    ['at the rating form', { start: 8 }],
    ['at a section that is not that of the place', { isStored: false }],
    ['by a link to a section', { isAsked: true }],
    ['of a completed book', { completed: true }],
    ['whose time is unknown', { since: 0 }],
    ['while another device is further', { question: asked('further') }],
    ['while another device is elsewhere', { question: asked('elsewhere') }],
  ])('%s is none', (_, more) => expect(isReturn({ ...opened, ...more })).toBe(false));

  it('that follows another device is one', () => expect(isReturn({ ...opened, question: asked('moved') })).toBe(true));

  it('is over once the member has gone on, until the place is another', () => {
    expect(hasGoneOn(1, opened.since)).toBe(false);
    rememberGoneOn(1, opened.since);
    expect(hasGoneOn(1, opened.since)).toBe(true);
    expect(hasGoneOn(2, opened.since)).toBe(false);
    expect(hasGoneOn(1, opened.since + 1)).toBe(false);
  });
});
