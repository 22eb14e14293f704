import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { User } from '@/api/types';
import { askedCards } from '@/shared/study/review/askedCards';
import { nextDueDay, reviewOfDay } from '@/shared/study/review/reviewOfDay';
import { useRulesOf } from '@/shared/study/review/useReviewRules';
import { studySettingsQuery } from '@/shared/study/settings';
import { rememberNextDue } from '@/shared/study/studyFlags';
import { useStudy } from '@/shared/study/studyStore';

/**
 * How many cards /review would ask of the member now, as far as this device knows; null until their records are read. It asks the
 * server nothing.
 */
export function useDueCards(member: number, user: Pick<User, 'timezone' | 'isPaid'> | undefined): number | null {
  const records = useStudy((now) => now);
  const { data: settings } = useQuery({ ...studySettingsQuery(), enabled: false });
  const { zone, today, max, freeLimit } = useRulesOf(member, user, settings);
  const found = useMemo(() => {
    if (records.member !== member || !records.isLoaded) return null;
    const facts = askedCards(records, zone, today, null).map((one) => one.facts);
    const review = reviewOfDay(facts, freeLimit, max, today);
    return { due: review.due.length, next: nextDueDay(facts, freeLimit, review, today) };
  }, [records, member, zone, today, max, freeLimit]);
  useEffect(() => {
    if (found) rememberNextDue(found.next);
  }, [found]);
  return found && found.due;
}
