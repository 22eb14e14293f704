import { useMutation } from '@tanstack/react-query';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { teamListQuery } from '@/features/study/teamList/queries';
import { toast } from '@/ui/toast';

/**
 * Agrees that the team sees which books of a list the member has finished, or ends that (study.team-progress). It is shown at once;
 * what could not be saved is taken back, with the reason. `id` is the list's id in the URL.
 */
export function useAgreement(id: string) {
  const { queryKey } = teamListQuery(id);
  const mutationKey = ['team-list-agreement', id];
  const show = (isAgreed: boolean) => queryClient.setQueryData(queryKey, (seen) => seen && { ...seen, list: { ...seen.list, isAgreed } });
  /** Whether no later press is still to be saved, which is shown already. */
  const isLatest = () => queryClient.isMutating({ mutationKey }) === 1;
  return useMutation({
    mutationKey,
    // One after the other: the server keeps what comes last.
    scope: { id: mutationKey.join(' ') },
    mutationFn: (isAgreed: boolean) => {
      const path = { id };
      return isAgreed ? call('PUT /api/team-lists/{id}/agreement', { path }) : call('DELETE /api/team-lists/{id}/agreement', { path });
    },
    onMutate: async (isAgreed) => {
      await queryClient.cancelQueries({ queryKey });
      show(isAgreed);
    },
    onError: (error, isAgreed) => {
      if (isLatest()) show(!isAgreed);
      toast(messageOf(error));
    },
    onSettled: () => {
      // The member is among those who share now, or no longer.
      if (isLatest()) void queryClient.invalidateQueries({ queryKey });
    },
  });
}
