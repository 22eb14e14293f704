// What the device knows of a card before the server has told it.

/** The intervals of a new card after Again, Hard, Good and Easy, in days (study.review-schedule). */
export const FIRST_INTERVALS = [0, 1, 2, 8] as const;

/** The question of an idea: its title when that is a question (study.card-questions). */
export function questionOfIdea(title: string): string {
  const trimmed = title.trim();
  if (/\?[”’"') ]*$/.test(trimmed)) return trimmed;
  const bare = /(?:^|[^.])\.$/.test(trimmed) ? trimmed.slice(0, -1) : trimmed;
  return `What does “${bare.replaceAll('“', '‘').replaceAll('”', '’')}” mean?`;
}
