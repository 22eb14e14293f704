import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { accountQuery } from '@/shared/session/account';
import { deviceZone } from '@/shared/study/days';
import type { Commitment } from '@/shared/study/commitments/commitment';
import { isCommitmentShown } from '@/shared/study/commitments/commitment';
import { areCommitmentsOff, studySettingsQuery } from '@/shared/study/settings';
import type { StudyRecord } from '@/shared/study/studyStorage';
import { studyStore, useStudy } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';

/** The member's commitments on this device, the latest first; null until they are read. The server's changes are read once the page is shown. */
export function useCommitments(member: number): StudyRecord<Commitment>[] | null {
  const now = useStudy((snapshot) => snapshot);
  useEffect(() => {
    void studyStore.load(member).then(syncStudy, () => undefined);
  }, [member]);
  if (now.member !== member || !now.isLoaded) return null;
  const shown = [...now.commitments.values()].filter(({ state }) => isCommitmentShown(state));
  return shown.sort((one, other) => other.state.createdAt - one.state.createdAt || other.id - one.id);
}

/** Whether the member wants to be asked (study.study-switches): as this device knows it, until the server has answered. */
export function useAsksCommitments(): boolean {
  const { data } = useQuery(studySettingsQuery());
  return data?.asksCommitments ?? !areCommitmentsOff();
}

/** The time zone of the member's calendar, as far as this device knows. */
export function useMemberZone(): string {
  const { data } = useQuery({ ...accountQuery(), enabled: false });
  return data?.timezone ?? deviceZone();
}
