// A pasted list of e-mail addresses (billing.team-seats).

/** The server judges an address; this finds what can't be one. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"]+@[^\s@.]+(\.[^\s@.]+)+$/;

/**
 * The addresses of a list that is separated by commas, semicolons, spaces or lines, each once whatever its capitals; `invalid` are the parts
 * that are none. An address in angle brackets comes without the name before it.
 */
export function readAddresses(text: string): { addresses: string[]; invalid: string[] } {
  const bare = text.replace(/[^,;\n<>]*<([^<>]*)>/g, ' $1 ');
  const parts = new Map<string, string>();
  for (const part of bare.split(/[\s,;]+/)) if (part !== '' && !parts.has(part.toLowerCase())) parts.set(part.toLowerCase(), part);
  const all = [...parts.values()];
  return { addresses: all.filter((part) => ADDRESS.test(part)), invalid: all.filter((part) => !ADDRESS.test(part)) };
}
