// The remaining days of the ten-day plan as a calendar file (RFC 5545): one 15-minute entry a day in the reader's time zone.

interface Day {
  subid: string;
  title: string;
  author: string;
  dayNo: number;
}

/** The local hour at which an entry begins, and its length in minutes (challenge.plan-length). */
const HOUR = 8;
const MINUTES = 15;

const pad = (n: number) => String(n).padStart(2, '0');

/** A floating time (without a zone), which calendars interpret as local. */
const localTime = (date: Date) => `${date.getFullYear()}${pad(date.getMonth() + 1)}${pad(date.getDate())}T${pad(date.getHours())}${pad(date.getMinutes())}00`;

const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');

const encoder = new TextEncoder();

/** Folds a line to at most 75 bytes, continued after a line break and a space, without splitting characters. */
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

/** The calendar file of the remaining days, starting tomorrow. `urlOf`: the URL of a book. */
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
