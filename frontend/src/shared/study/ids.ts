// Ids of a member's records. The device makes them, so that a record made offline has its id at once. They are whole numbers from 1
// to 2^53 - 1, unique within the member.

/** A random id. */
export function newId(): number {
  for (;;) {
    const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
    const id = (high >>> 11) * 2 ** 32 + low;
    if (id > 0) return id;
  }
}

const OFFSET_BASIS = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

/** The hash FNV-1a of a text in UTF-8, 64 bits. */
export function fnv1a(text: string): bigint {
  let hash = OFFSET_BASIS;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * PRIME);
  return hash;
}

/** The id that follows from a name: two devices that make the same record offline make one. */
const derivedId = (name: string): number => Number(fnv1a(name) >> 11n) || 1;

/** The id of the review card that asks for a key idea. */
export const idOfIdea = (book: number, title: string): number => derivedId(`idea\n${book}\n${title}`);

/** The id of the review card that asks for hidden words of a highlight. */
export const idOfHighlight = (highlight: number): number => derivedId(`highlight\n${highlight}`);
