// What a member has switched on or off (study.study-switches): one cache entry for the reader and the settings page.
import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { currentMember } from '@/shared/session/account';
import { rememberDailyMax } from '@/shared/study/dailyMax';
import { readStored, writeStored } from '@/lib/browserStore';
import { COMMITMENTS_OFF, rememberHighlightsOff } from '@/shared/study/studyFlags';

export type StudySettings = ResultOf<'GET /api/study/settings'>['settings'];

/** Whether the member has switched the questions about commitments off, as far as this device knows. */
export const areCommitmentsOff = (): boolean => readStored('local', COMMITMENTS_OFF) === '1';

export const rememberCommitmentsOff = (isOff: boolean): void => writeStored('local', COMMITMENTS_OFF, isOff ? '1' : null);

/** Keeps on this device what it has to know without the server. */
export function rememberSettings({ hasHighlights, dailyMax, asksCommitments }: StudySettings): void {
  rememberHighlightsOff(!hasHighlights);
  rememberCommitmentsOff(!asksCommitments);
  const member = currentMember();
  if (member !== null) rememberDailyMax(member, dailyMax);
}

export const studySettingsQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'study-settings'],
    queryFn: async ({ signal }) => {
      const { settings } = await call('GET /api/study/settings', { signal });
      rememberSettings(settings);
      return settings;
    },
    retryOnMount: false,
  });
