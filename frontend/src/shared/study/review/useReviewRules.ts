import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { serverNow } from '@/api/clock';
import { hintsPaid } from '@/api/hints';
import type { User } from '@/api/types';
import { accountQuery } from '@/shared/session/account';
import { rememberDailyMax, storedDailyMax } from '@/shared/study/dailyMax';
import { dayOf, deviceZone } from '@/shared/study/days';
import { DAILY_MAX, FREE_CARDS } from '@/shared/study/review/reviewOfDay';
import { studySettingsQuery } from '@/shared/study/settings';
import type { StudySettings } from '@/shared/study/settings';

/** How often the page asks which day it is, in milliseconds. */
const MINUTE = 60_000;

/** The day of the member's calendar. */
export function useToday(zone: string): string {
  const [at, setAt] = useState(serverNow);
  useEffect(() => {
    const update = () => setAt(serverNow());
    const timer = setInterval(update, MINUTE);
    document.addEventListener('visibilitychange', update);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', update);
    };
  }, []);
  return dayOf(at, zone);
}

/** The rules for what is known of a member. What is not known is as this device knows it. */
export function useRulesOf(member: number, user: Pick<User, 'timezone' | 'isPaid'> | undefined, settings: StudySettings | undefined) {
  const zone = user?.timezone ?? deviceZone();
  return {
    zone,
    today: useToday(zone),
    max: settings?.dailyMax ?? storedDailyMax(member) ?? DAILY_MAX,
    freeLimit: (user?.isPaid ?? hintsPaid()) ? null : FREE_CARDS,
  };
}

/** What the review of a day depends on besides the cards, from the server. Offline it is what this device knows. */
export function useReviewRules(member: number) {
  const { data: user } = useQuery(accountQuery());
  const { data: settings } = useQuery(studySettingsQuery());
  const chosen = settings?.dailyMax;
  // The settings can arrive before it is known whose they are.
  useEffect(() => {
    if (chosen !== undefined) rememberDailyMax(member, chosen);
  }, [member, chosen]);
  return { ...useRulesOf(member, user, settings), countsForStreak: settings?.countsForStreak === true };
}
