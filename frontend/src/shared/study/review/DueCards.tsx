// Home's row of the cards that are due, with the store: Home loads it on a device that has records.
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { serverNow } from '@/api/clock';
import type { User } from '@/api/types';
import { plural } from '@/lib/format';
import { paths } from '@/paths';
import { currentMember } from '@/shared/session/account';
import { minutesFor } from '@/shared/study/review/reviewOfDay';
import { useDueCards } from '@/shared/study/review/useDueCards';
import { studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';
import { LinkButton } from '@/ui/Button';

/** From when on what this device has is old, in milliseconds: another one may have changed it. */
const OLD = 3_600_000;

/** Reads the member's records on this device. */
export async function loadDue(): Promise<void> {
  const member = currentMember();
  if (member !== null) await studyStore.load(member).catch(() => undefined);
}

export interface DueCardsProps {
  /** Undefined when the server could not be reached. */
  user: User | undefined;
  /** What is shown until the records are read. */
  waiting: ReactNode;
}

export function DueCards({ user, waiting }: DueCardsProps) {
  const member = user?.id ?? currentMember();
  return member === null ? null : <DueRow key={member} member={member} user={user} waiting={waiting} />;
}

function DueRow({ member, user, waiting }: DueCardsProps & { member: number }) {
  const due = useDueCards(member, user);
  useEffect(() => {
    void studyStore.load(member).then(
      () => {
        const { meta, cards, highlights, commitments } = studyStore.snapshot();
        const isAny = cards.size + highlights.size + commitments.size > 0;
        if (isAny && serverNow() - (meta?.pulledAt ?? 0) > OLD) void syncStudy();
      },
      () => undefined,
    );
  }, [member]);
  if (due === null) return waiting;
  if (due === 0) return null;
  const cards = plural(due, 'card');
  return (
    <div className="home__due">
      <p className="home__due-text tabular">
        {cards} {due === 1 ? 'is' : 'are'} due today. About {minutesFor(due)}.
      </p>
      <LinkButton to={paths.review}>Review {cards}</LinkButton>
    </div>
  );
}
