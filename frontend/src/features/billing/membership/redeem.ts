import { call } from '@/api/client';
import { queryClient, viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

/** Redeems a code for the member, and refetches everything that the plan unlocks. */
export async function redeemCode(code: string): Promise<ResultOf<'POST /api/user/stacksocial'>> {
  const redeemed = await call('POST /api/user/stacksocial', { body: { code: code.trim() } });
  await queryClient.invalidateQueries({ queryKey: [viewer()] });
  return redeemed;
}
