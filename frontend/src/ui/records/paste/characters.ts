// The characters of pasted text, and text without formatting.
import { textsOf } from '@/ui/records/paste/dom';
import { isTypedItem } from '@/ui/records/paste/lists';

/** Characters without a shape: soft hyphen, zero-width space, word joiner, byte order mark, and those that only a symbol font draws. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff\ue000-\uf8ff]/gu;

/**
 * A no-break space stays where it keeps a number with its unit ('10 km', '§ 5') and before French punctuation. Elsewhere programs
 * write it for spacing, and it is a space.
 */
function spaces(text: string): string {
  return text
    .replaceAll(/[ \t\n\r\f\v\u2028\u2029]+/g, ' ')
    .replaceAll(/(?<![ \u00a0])[\u00a0\u202f](?=[:;!?»%])|(?<=\d)[\u00a0\u202f](?=[^\s])|(?<=[^\s])[\u00a0\u202f](?=\d)|(?<=«)[\u00a0\u202f]/gu, '\ue000')
    .replaceAll(/[ \u00a0\u202f]+/g, ' ')
    .replaceAll('\ue000', '\u00a0');
}

/** Normalizes the characters of all texts. Quotation marks and dashes stay as they were typed. */
export function normalizeCharacters(root: Element): void {
  // Neighbors become one text: a no-break space is judged by what stands beside it.
  root.normalize();
  for (const text of textsOf(root)) text.data = spaces(text.data.replaceAll(INVISIBLE, '').normalize('NFC'));
}

/** The letters of a superscript or subscript, where Unicode has them all; else null. */
export function shifted(text: string, place: 'sup' | 'sub'): string | null {
  const letters = place === 'sup' ? '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾,' : '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎,';
  return /^[\d+\-−=(),]+$/.test(text) ? text.replaceAll(/./g, (letter) => letters['0123456789+-−=(),'.indexOf(letter)] ?? letter) : null;
}

const WIDTH_OF_TAB = 4;
const indentOf = (line: string) => (/^\s*/.exec(line)?.[0] ?? '').replaceAll('\t', ' '.repeat(WIDTH_OF_TAB)).length;
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Text with typed lists as a paragraph for each line, which the cleaning turns into lists; null without a typed item. */
export function plainTextHtml(text: string): string | null {
  const paragraphs: { indent: number; text: string }[] = [];
  let previous = '';
  for (const line of text.split(/\r\n|[\n\r\v\u2028\u2029]/)) {
    const last = paragraphs.at(-1);
    // The line of an item that goes on, indented.
    if (last && previous.trim() !== '' && isTypedItem(last.text) && !isTypedItem(line) && line.trim() !== '' && indentOf(line) > last.indent) {
      last.text += ` ${line.trim()}`;
    } else if (line.trim() !== '') paragraphs.push({ indent: indentOf(line), text: line.trim() });
    previous = line;
  }
  if (!paragraphs.some((paragraph) => isTypedItem(paragraph.text))) return null;
  return paragraphs.map(({ indent, text: words }) => `<p data-indent="${indent}">${escaped(words)}</p>`).join('');
}
