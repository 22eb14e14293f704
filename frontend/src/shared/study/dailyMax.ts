// How many cards a day asks at most (study.daily-maximum). This device remembers it, so that the review offline asks as many.
import { readStored, writeStored } from '@/lib/browserStore';
import { DAILY_MAX } from '@/shared/study/studyFlags';

/** The numbers that a member can choose. */
export const DAILY_MAX_RANGE = { min: 5, max: 200 } as const;

export const isDailyMax = (max: number | undefined): max is number =>
  max !== undefined && Number.isInteger(max) && max >= DAILY_MAX_RANGE.min && max <= DAILY_MAX_RANGE.max;

/** The member's number as this device knows it; null: it does not. */
export function storedDailyMax(member: number): number | null {
  const [whose, max] = (readStored('local', DAILY_MAX) ?? '').split('/').map(Number);
  return whose === member && isDailyMax(max) ? max : null;
}

export const rememberDailyMax = (member: number, max: number): void => writeStored('local', DAILY_MAX, `${member}/${max}`);
