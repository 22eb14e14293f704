// When a member is asked what became of a commitment (study.commitment-askings). The server decides the same
// (crates/study/src/asking.rs); asking_cases.json is the table of cases that both keep.
import { ASKING_DAYS, isCommitmentShown } from '@/shared/study/commitments/commitment';
import type { AskingDay, Commitment } from '@/shared/study/commitments/commitment';
import { addDays, dayOf } from '@/shared/study/days';

/** How many commitments are asked at once. */
const MOST_ASKED = 3;

const DAY = 86_400_000;

export interface AskedCommitment {
  commitment: Commitment;
  /** An answer to it is also one to the asking before. */
  day: AskingDay;
  /** How many days ago the commitment was made. */
  daysAgo: number;
}

/** The latest asking that has begun for a commitment; null: none. Days are YYYY-MM-DD. */
export const reachedAsking = (firstDay: string, today: string): AskingDay | null => ASKING_DAYS.findLast((day) => addDays(firstDay, day) <= today) ?? null;

/** The asking of a commitment that is due; null: it is not open, none has begun, or the latest that has begun was answered. */
function dueAsking(commitment: Commitment, firstDay: string, today: string): AskingDay | null {
  if (!isCommitmentShown(commitment) || commitment.outcome.value !== 'open') return null;
  const reached = reachedAsking(firstDay, today);
  return reached !== null && (commitment.answeredDay ?? 0) < reached ? reached : null;
}

/** The commitments that are asked about today, those made first at the beginning: three at most. The others follow once these are answered. */
export function askedToday(commitments: readonly Commitment[], zone: string, today: string): AskedCommitment[] {
  const asked = commitments.flatMap((commitment) => {
    const firstDay = dayOf(commitment.createdAt, zone);
    const day = dueAsking(commitment, firstDay, today);
    return day === null ? [] : [{ commitment, day, daysAgo: Math.round((Date.parse(today) - Date.parse(firstDay)) / DAY) }];
  });
  return asked.sort((one, other) => one.commitment.createdAt - other.commitment.createdAt || one.commitment.id - other.commitment.id).slice(0, MOST_ASKED);
}

/** → 'Three days ago', 'Two weeks ago', '5 days ago' */
export const agoOf = (days: number): string => (days === 3 ? 'Three days ago' : days === 14 ? 'Two weeks ago' : `${days} days ago`);
