// Who of a team has finished which books of a list, in words (study.team-progress).
import type { SharingMember } from '@/features/study/teamList/queries';
import { onFirstUse } from '@/lib/onFirstUse';
import { formatNumber, plural } from '@/lib/format';

const conjunction = onFirstUse(() => new Intl.ListFormat('en', { type: 'conjunction' }));

/** The most members that are named for a book; of more, the first ones, and the number of the others. */
const NAMED_MAX = 3;

/** A first name; a member may have none. */
const nameOf = ({ name }: SharingMember): string => name || 'a member';

const finishersOf = (members: readonly SharingMember[], bookId: number): SharingMember[] => members.filter(({ completed }) => completed.includes(bookId));

/** 'Finished by Anna and you'; null when nobody who shares has finished the book. */
export function finishedBy(members: readonly SharingMember[], bookId: number): string | null {
  const finishers = finishersOf(members, bookId);
  if (finishers.length === 0) return null;
  const others = finishers.filter(({ isYou }) => !isYou).map(nameOf);
  const you = others.length < finishers.length ? ['you'] : [];
  const named = finishers.length > NAMED_MAX ? [...others.slice(0, NAMED_MAX - 1), plural(others.length - (NAMED_MAX - 1), 'other')] : others;
  return `Finished by ${conjunction().format([...named, ...you])}`;
}

/** '2 of 3 who share have finished'; null when there is nothing to count, or only one member shares, who is named. */
export function finishedCount(members: readonly SharingMember[], bookId: number): string | null {
  const finished = finishersOf(members, bookId).length;
  if (finished === 0 || members.length === 1) return null;
  return `${formatNumber(finished)} of ${formatNumber(members.length)} who share ${finished === 1 ? 'has' : 'have'} finished`;
}

/** '2 of 24 seats share what they finish.' `seats`: those that are in use. */
export function seatsText(sharing: number, seats: number): string {
  if (seats === 0) return 'No seat of your team is in use yet.';
  if (sharing === 0) return `Nobody shares what they finish yet. ${plural(seats, 'seat')} ${seats === 1 ? 'is' : 'are'} in use.`;
  return `${formatNumber(sharing)} of ${plural(seats, 'seat')} ${sharing === 1 ? 'shares' : 'share'} what they finish.`;
}

/** How a member is named in the list of those who share. */
export const memberName = (member: SharingMember): string => {
  const name = member.isYou ? 'You' : nameOf(member);
  return name.charAt(0).toUpperCase() + name.slice(1);
};
