// Matched words are delimited by two characters of the private use area, so that a passage is plain text on the wire.
const FOUND = /\uE000([^\uE001]*)\uE001/;

/** A passage with its matched words marked. */
export function MarkedText({ text }: { text: string }) {
  return <>{text.split(FOUND).map((part, i) => (i % 2 === 1 ? <mark key={i}>{part}</mark> : part))}</>;
}
