import { call } from '@/api/client';
import { ApiError, NETWORK_FAILURE } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { RequestOf } from '@/api/types';
import { otherListsQuery } from '@/features/study/lists/queries';
import type { ReadingList } from '@/shared/study/lists/list';
import { studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';

export type SharingChange = RequestOf<'PUT /api/study/lists/{id}/sharing'>['body'];

/**
 * Changes to whom a list is shown. What is unsent is sent before: the server has to have the list, and others see it only as the member
 * sees it. It is hidden from others in any case.
 */
export async function shareList({ id }: ReadingList, body: SharingChange): Promise<void> {
  const ends = session.ends();
  await syncStudy();
  const { member, lists } = studyStore.snapshot();
  const known = lists.get(id);
  const isShown = body.isForTeam === true || (body.sharing !== undefined && body.sharing !== 'private');
  if (member === null || !known || known.state.version === null || (isShown && known.unsent === 1)) {
    throw new ApiError({ status: 0, code: 'unsent', message: known?.refused ?? NETWORK_FAILURE });
  }
  try {
    const { list } = await call('PUT /api/study/lists/{id}/sharing', { path: { id: String(id) }, body });
    // After the end of a session nothing is stored: its records were removed.
    if (ends !== session.ends() || studyStore.snapshot().member !== member) return;
    await studyStore.receive(member, { lists: [list], cursor: 0, isEnd: false });
  } catch (error) {
    // An admin may have taken the list down, which this device then knows too.
    void syncStudy();
    throw error;
  }
  // Those who followed it may have lost it; the team may have another list.
  void queryClient.invalidateQueries({ queryKey: otherListsQuery().queryKey });
}
