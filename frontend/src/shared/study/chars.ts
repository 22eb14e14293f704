// Positions in Unicode characters, in which the server counts.

const hasSurrogates = (text: string): boolean => /[\ud800-\udfff]/.test(text);

/** The number of Unicode characters. */
export function charsIn(text: string): number {
  if (!hasSurrogates(text)) return text.length;
  let count = 0;
  for (let at = 0; at < text.length; count += 1) at += unitsOfCharAt(text, at);
  return count;
}

/** The UTF-16 units of the character at an index. */
const unitsOfCharAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

/** The index in UTF-16 units of a position in characters. */
export function unitsAt(text: string, at: number): number {
  if (!hasSurrogates(text)) return Math.min(at, text.length);
  let units = 0;
  for (let left = at; left > 0 && units < text.length; left -= 1) units += unitsOfCharAt(text, units);
  return units;
}

/** A part of a text, by positions in characters. */
export const charsOf = (text: string, start: number, end: number): string => text.slice(unitsAt(text, start), unitsAt(text, end));
