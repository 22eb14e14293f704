import { describe, expect, it } from 'vitest';
import { calendarOf } from '@/features/challenge/calendar';

const day = (dayNo: number, title = `Book ${dayNo}`) => ({ dayNo, title, author: 'Ada, Writer', subid: `book-${dayNo}` });
const urlOf = (subid: string) => `https://example.com/books/${subid}`;
const NOW = new Date(2026, 1, 27, 22, 15);

describe('the calendar file of the ten days', () => {
  it('has a quarter of an hour each morning from tomorrow on, over the end of a month', () => {
    const lines = calendarOf([day(3), day(4)], 'Pith', urlOf, NOW).split('\r\n');
    expect(lines.filter((line) => line.startsWith('DTSTART'))).toEqual(['DTSTART:20260228T080000', 'DTSTART:20260301T080000']);
    expect(lines.filter((line) => line.startsWith('DTEND'))).toEqual(['DTEND:20260228T081500', 'DTEND:20260301T081500']);
    expect(lines.filter((line) => line.startsWith('SUMMARY'))).toEqual(['SUMMARY:Day 3: Book 3', 'SUMMARY:Day 4: Book 4']);
    expect(lines.filter((line) => line.startsWith('UID:'))).toHaveLength(2);
    expect(lines[0]).toBe('BEGIN:VCALENDAR');
    expect(lines.at(-2)).toBe('END:VCALENDAR');
  });

  it('escapes what the format reserves, and folds long lines between characters', () => {
    const text = calendarOf([day(1, `A; B, C\\ ${'ü'.repeat(60)}`)], 'Pith', urlOf, NOW);
    expect(text).toContain('SUMMARY:Day 1: A\\; B\\, C\\\\ ü');
    expect(text.replaceAll('\r\n ', '')).toContain('ü'.repeat(60));
    for (const line of text.split('\r\n')) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
  });
});
