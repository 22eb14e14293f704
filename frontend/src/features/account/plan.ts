import type { User } from '@/api/types';

/** Active: paid, and not over yet (member.md §4). */
export const isActive = ({ paidDate, endPaidDate }: Pick<User, 'paidDate' | 'endPaidDate'>, now: number): boolean =>
  paidDate !== null && paidDate > 0 && (endPaidDate === null || endPaidDate > now);
