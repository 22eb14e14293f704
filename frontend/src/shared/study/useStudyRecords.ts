import { useEffect, useState } from 'react';
import { ApiError, GENERAL_FAILURE } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { accountQuery, currentMember } from '@/shared/session/account';
import { studySettingsQuery } from '@/shared/study/settings';
import { NO_RECORDS, studyStore, useStudy } from '@/shared/study/studyStore';
import type { StudySnapshot } from '@/shared/study/studyStore';
import type { RecordStore } from '@/shared/study/studyStorage';
import { syncStudy } from '@/shared/study/studySync';

/** Why the first read failed: studySync tries again by itself, and does not say why it could not. */
export const UNREACHED = new ApiError({ status: 0, code: 'network', message: GENERAL_FAILURE });

/** Loads the records on this device at once, so that the scroll position can be restored; the rest comes with the page. */
export async function loadRecords(): Promise<null> {
  queryClient.query(accountQuery()).catch(() => undefined);
  const member = currentMember();
  if (member !== null) await studyStore.load(member).catch(() => undefined);
  return null;
}

/** The same for a page on which the member's settings count. */
export function loadStudy(): Promise<null> {
  queryClient.query(studySettingsQuery()).catch(() => undefined);
  return loadRecords();
}

/** When the member's records were last read to the end; null: never. */
const pulledAtOf = ({ meta }: StudySnapshot): number | null => meta?.pulledAt ?? null;

/**
 * The member's records on this device, which are read from the server once the page is shown. `member`: null while it is not known whose
 * they are. `shown`: those that the page shows.
 */
export function useStudyRecords(member: number | null, shown: RecordStore) {
  const now = useStudy((snapshot) => snapshot);
  const [isSynced, setIsSynced] = useState(false);
  /** When the records were last read to the end before the page was opened; undefined until it is known. */
  const [pulledBefore, setPulledBefore] = useState<number | null>();
  useEffect(() => {
    if (member === null) return;
    let isHere = true;
    void studyStore
      .load(member)
      .then(() => {
        if (isHere) setPulledBefore(pulledAtOf(studyStore.snapshot()));
        return syncStudy();
      })
      .finally(() => {
        if (isHere) setIsSynced(true);
      });
    return () => {
      isHere = false;
    };
  }, [member]);
  const isRead = member !== null && now.member === member && now.isLoaded;
  const pulledAt = pulledAtOf(now);
  const wasPulled = pulledAt !== null;
  return {
    records: isRead ? now : NO_RECORDS,
    /** The device has none, and the server has not answered. */
    isWaiting: !isRead || (now[shown].size === 0 && !wasPulled && !isSynced),
    /** The server was asked what has changed, or could not be asked. */
    isSynced: isRead && isSynced,
    /** They were read to the end since the page was opened. */
    isPulled: isRead && wasPulled && pulledBefore !== undefined && pulledAt !== pulledBefore,
    /** The records were never read to the end. studySync tries again by itself. */
    hasFailed: isRead && isSynced && !wasPulled,
  };
}
