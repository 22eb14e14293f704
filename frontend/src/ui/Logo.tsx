/** One of the six segments; the favicon and the covers use the same drawing. */
const SEGMENT = 'M36.2 24.8 36.2 10.8A21.6 21.6 0 0 1 48.3 17.8Z';

/** The logo: an orange cut in half, with peel, white pith and segments. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 64 64" aria-hidden="true" focusable="false">
      <circle className="mark__peel" cx="32" cy="32" r="32" />
      <circle className="mark__pith" cx="32" cy="32" r="27.5" />
      {[0, 60, 120, 180, 240, 300].map((turn) => (
        <path key={turn} className="mark__fruit" transform={`rotate(${turn} 32 32)`} d={SEGMENT} />
      ))}
    </svg>
  );
}

export function Wordmark({ name }: { name: string }) {
  return (
    <span className="wordmark">
      <Mark />
      <span className="wordmark__name">{name}</span>
    </span>
  );
}
