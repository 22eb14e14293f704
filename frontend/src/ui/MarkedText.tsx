// Matched words are delimited by two private-use characters, so that a passage is plain text on the wire.
const FOUND = /\uE000([^\uE001]*)\uE001/;

/** A search passage with its matched words highlighted. */
export function MarkedText({ text }: { text: string }) {
  return <>{text.split(FOUND).map((part, i) => (i % 2 === 1 ? <mark key={i}>{part}</mark> : part))}</>;
}
