// The text of an own summary's source: the one that the server's anchors count in (`source_text` in crates/study/src/text.rs).

/** White space as the server knows it: other characters than those of `\s`. */
const SPACE = /\p{White_Space}+/gu;

const ENDS_WITH_SPACE = /\p{White_Space}$/u;

/** The text as the page shows it: each paragraph is a line, without extra white space. */
export function sourceText(text: string): string {
  // Not `trim`: it removes a byte order mark too.
  const lines = text.split('\n').map((line) => line.replace(SPACE, ' ').replace(/^ | $/g, ''));
  return lines.filter((line) => line !== '').join('\n');
}

/** Where a position of a text is in `sourceText(text)`. Both are in UTF-16 units. */
export function positionInSource(text: string, at: number): number {
  const before = sourceText(text.slice(0, Math.max(0, at)));
  // The white space between two words has become one character.
  const isAfterSpace = before !== '' && ENDS_WITH_SPACE.test(text.slice(0, at));
  return isAfterSpace ? Math.min(before.length + 1, sourceText(text).length) : before.length;
}
