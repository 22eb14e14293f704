import type { ClozePart } from '@/shared/study/clozeParts';
import { charsIn } from '@/shared/study/chars';

interface Props {
  parts: readonly ClozePart[];
  /** Whether the hidden words are shown. */
  isShown: boolean;
}

/** The words of a highlight; each hidden one is a gap as wide as the word, at least 3 em. */
export function Cloze({ parts, isShown }: Props) {
  return parts.map(({ text, isHidden }, at) => {
    if (!isHidden) return text;
    return isShown ? (
      <mark key={at} className="cloze__shown">
        {text}
      </mark>
    ) : (
      <span key={at} className="cloze__hidden" style={{ inlineSize: `max(3em, ${charsIn(text)}ch)` }}>
        <span className="visually-hidden">hidden</span>
      </span>
    );
  });
}
