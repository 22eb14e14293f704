// The ten days as a calendar file (RFC 5545), from today on: one entry a day, of a quarter of an hour in the reader's own time.

interface Day {
  subid: string;
  title: string;
  author: string;
  dayNo: number;
}

/** When an entry begins, in hours of the reader's day, and how long it takes, in minutes (challenge.plan-length). */
const HOUR = 8;
const MINUTES = 15;

const pad = (n: number) => String(n).padStart(2, '0');

/** A time without a zone: the calendar takes it as the reader's own. */
const localTime = (date: Date) => `${date.getFullYear()}${pad(date.getMonth() + 1)}${pad(date.getDate())}T${pad(date.getHours())}${pad(date.getMinutes())}00`;

const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');

const encoder = new TextEncoder();

/** Lines have at most 75 bytes; a longer one goes on after a break and a blank, between characters. */
function folded(line: string): string {
  const parts: string[] = [];
  let [part, size] = ['', 0];
  for (const character of line) {
    const bytes = encoder.encode(character).length;
    if (size + bytes > 74) {
      parts.push(part);
      [part, size] = ['', 0];
    }
    part += character;
    size += bytes;
  }
  return [...parts, part].join('\r\n ');
}

/** The calendar file of the days that are left, the first one tomorrow. `urlOf`: the page of a book. */
export function calendarOf(days: readonly Day[], siteName: string, urlOf: (subid: string) => string, now: Date): string {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const entries = days.flatMap(({ subid, title, author, dayNo }, i) => {
    const from = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1 + i, HOUR);
    const to = new Date(from.getFullYear(), from.getMonth(), from.getDate(), HOUR, MINUTES);
    const url = urlOf(subid);
    return [
      'BEGIN:VEVENT',
      `UID:ten-day-${dayNo}-${stamp}-${subid}@${new URL(url).hostname}`,
      `DTSTAMP:${stamp}`,
      `DTSTART:${localTime(from)}`,
      `DTEND:${localTime(to)}`,
      `SUMMARY:${escaped(`Day ${dayNo}: ${title}`)}`,
      `DESCRIPTION:${escaped(`${title} by ${author}\n${url}`)}`,
      `URL:${url}`,
      'END:VEVENT',
    ];
  });
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', `PRODID:-//${escaped(siteName)}//Ten Day Challenge//EN`, ...entries, 'END:VCALENDAR'];
  return `${lines.map(folded).join('\r\n')}\r\n`;
}
