import { useEffect, useState } from 'react';
import { queryClient } from '@/api/queryClient';
import { accountQuery, currentMember } from '@/shared/session/account';
import { studySettingsQuery } from '@/shared/study/settings';
import { NO_RECORDS, studyStore, useStudy } from '@/shared/study/studyStore';
import type { RecordStore } from '@/shared/study/studyStorage';
import { syncStudy } from '@/shared/study/studySync';

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

/** The member's records on this device, which are read from the server once the page is shown. `shown`: those that the page shows. */
export function useStudyRecords(member: number, shown: RecordStore) {
  const now = useStudy((snapshot) => snapshot);
  const [isSynced, setIsSynced] = useState(false);
  useEffect(() => {
    let isHere = true;
    void studyStore
      .load(member)
      .then(syncStudy)
      .finally(() => {
        if (isHere) setIsSynced(true);
      });
    return () => {
      isHere = false;
    };
  }, [member]);
  const isRead = now.member === member && now.isLoaded;
  const wasPulled = now.meta !== null && now.meta.pulledAt !== null;
  return {
    records: isRead ? now : NO_RECORDS,
    /** The device has none, and the server has not answered. */
    isWaiting: !isRead || (now[shown].size === 0 && !wasPulled && !isSynced),
    /** The server was asked what has changed, or could not be asked. */
    isSynced: isRead && isSynced,
    /** The records were never read to the end. studySync tries again by itself. */
    hasFailed: isRead && isSynced && !wasPulled,
  };
}
