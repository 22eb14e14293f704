import { useMutation } from '@tanstack/react-query';
import { call } from '@/api/client';
import { ApiError, messageOf } from '@/api/errors';
import { queryClient, viewer } from '@/api/queryClient';
import type { RequestOf } from '@/api/types';
import { rememberSettings, studySettingsQuery } from '@/shared/study/settings';
import type { StudySettings } from '@/shared/study/settings';
import { toast } from '@/ui/toast';

type Changes = RequestOf<'PUT /api/study/settings'>['body'];

/** Why the server has refused the number of cards, which is shown at its field. */
export const refusalOf = (error: unknown): string | null => (error instanceof ApiError && error.field === 'dailyMax' ? error.message : null);

const MUTATION = ['study-settings'];

/** The values of the settings that are to be changed. */
const valuesOf = (settings: StudySettings, changes: Changes): Partial<StudySettings> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => name in changes));

/** Saves changes, which are shown at once; what could not be saved is taken back, with the reason. */
export function useSaveSettings() {
  const { queryKey } = studySettingsQuery();
  const show = (settings: StudySettings) => {
    queryClient.setQueryData(queryKey, settings);
    rememberSettings(settings);
  };
  return useMutation({
    mutationKey: MUTATION,
    // One after the other: the server keeps what comes last.
    scope: { id: 'study-settings' },
    mutationFn: (body: Changes) => call('PUT /api/study/settings', { body }),
    onMutate: async (changes) => {
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData(queryKey);
      if (before) show({ ...before, ...(changes as Partial<StudySettings>) });
      return before;
    },
    onSuccess: ({ settings }, { countsForStreak }) => {
      // What is still to be saved is shown already.
      if (queryClient.isMutating({ mutationKey: MUTATION }) === 1) show(settings);
      // The streak is another now.
      if (typeof countsForStreak === 'boolean') void queryClient.invalidateQueries({ queryKey: [viewer(), 'progress'] });
    },
    onError: (error, changes, before) => {
      const now = queryClient.getQueryData(queryKey);
      if (before && now) show({ ...now, ...valuesOf(before, changes) });
      if (refusalOf(error) === null) toast(messageOf(error));
    },
  });
}
