/** The mark: an orange cut across; peel, the white pith, the fruit. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <circle className="mark__peel" cx="16" cy="16" r="15" />
      <circle className="mark__pith" cx="16" cy="16" r="12.4" />
      <g className="mark__fruit">
        {[0, 60, 120, 180, 240, 300].map((turn) => (
          <path key={turn} transform={`rotate(${turn} 16 16)`} d="M16.9 14.1 19.9 8.2c.4-.8.1-1.5-.7-1.8a10.4 10.4 0 0 0-6.4 0c-.8.3-1.1 1-.7 1.8l3 5.9c.4.8 1.4.8 1.8 0Z" />
        ))}
      </g>
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
