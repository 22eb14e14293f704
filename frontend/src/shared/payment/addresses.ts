// A pasted list of e-mail addresses (billing.team-seats).

/** A plausible e-mail address. The server validates; this only finds what can't be one. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"]+@[^\s@.]+(\.[^\s@.]+)+$/;

/**
 * Splits a pasted list at commas, semicolons, spaces and line breaks into addresses, without duplicates (ignoring case);
 * `invalid` are the parts that are not addresses. Of `Name <address>` only the address is used.
 */
export function readAddresses(text: string): { addresses: string[]; invalid: string[] } {
  const bare = text.replace(/[^,;\n<>]*<([^<>]*)>/g, ' $1 ');
  const parts = new Map<string, string>();
  for (const part of bare.split(/[\s,;]+/)) if (part !== '' && !parts.has(part.toLowerCase())) parts.set(part.toLowerCase(), part);
  const all = [...parts.values()];
  return { addresses: all.filter((part) => ADDRESS.test(part)), invalid: all.filter((part) => !ADDRESS.test(part)) };
}
