// What study asks of the member today, on Home: the cards that are due, and what became of commitments. With the store: Home loads it
// on a device that has records.
import type { ReactNode } from 'react';
import type { User } from '@/api/types';
import { currentMember } from '@/shared/session/account';
import type { AskedCommitments } from '@/shared/study/commitments/AskedCommitments';
import { DueCards, loadDue } from '@/shared/study/review/DueCards';
import type { DueCardsProps } from '@/shared/study/review/DueCards';
import { studyStore, useStudy } from '@/shared/study/studyStore';
import { chunkOf, useChunk } from '@/ui/chunk';

const askedChunk = chunkOf<{ AskedCommitments: typeof AskedCommitments }>(
  () => import(/* webpackChunkName: "asked-commitments" */ '@/shared/study/commitments/AskedCommitments'),
  // They are asked the next time.
  { AskedCommitments: () => null },
);

/** Reads the member's records on this device, and what shows them. */
export async function loadToday(): Promise<void> {
  await loadDue();
  if (studyStore.snapshot().commitments.size > 0) await askedChunk.load();
}

export function StudyToday({ user, waiting }: DueCardsProps): ReactNode {
  const member = user?.id ?? currentMember();
  return (
    <>
      <DueCards user={user} waiting={waiting} />
      {member === null ? null : <Asked key={member} member={member} user={user} />}
    </>
  );
}

function Asked({ member, user }: { member: number; user: User | undefined }) {
  const isAny = useStudy((now) => now.member === member && now.commitments.size > 0);
  const asked = useChunk(askedChunk, isAny);
  return asked && isAny ? <asked.AskedCommitments member={member} zone={user?.timezone} /> : null;
}
