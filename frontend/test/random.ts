// Random data for property tests. Every run draws the same cases; `PROPTEST_RNG_SEED=7 npx vitest run FILE` draws others.

const SEED = Number(process.env.PROPTEST_RNG_SEED ?? 1);

/** A seeded generator (mulberry32). */
export interface Random {
  /** At least 0, less than 1. */
  next: () => number;
  /** A whole number from `least` to `most`. */
  int: (least: number, most: number) => number;
  pick: <T>(from: readonly [T, ...T[]] | readonly T[]) => T;
  /** Whether something happens that happens with this probability. */
  chance: (probability: number) => boolean;
  list: <T>(length: number, make: (index: number) => T) => T[];
  shuffled: <T>(from: readonly T[]) => T[];
}

/** The generator of one case. */
export function randomOf(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(SEED, 0x85ebca6b);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    int,
    pick: <T>(from: readonly T[]) => from[int(0, from.length - 1)] as T,
    chance: (probability) => next() < probability,
    list: (length, make) => Array.from({ length }, (_, index) => make(index)),
    shuffled: (from) => {
      const left = [...from];
      return from.map(() => left.splice(int(0, left.length - 1), 1)).flat();
    },
  };
}

/** Checks a property in many cases. A failure names the seed of its case. */
export function forAll(cases: number, check: (random: Random) => void): void {
  for (let seed = 0; seed < cases; seed += 1) {
    try {
      check(randomOf(seed));
    } catch (error) {
      if (error instanceof Error) error.message = `Case ${seed}: ${error.message}`;
      throw error;
    }
  }
}
