// What the browser's storage says of commitments on this device. Apart from studyFlags.ts, which every page loads.
import { readStored, writeStored } from '@/lib/browserStore';
import { COMMITMENTS } from '@/shared/study/studyFlags';

/** Whether this device has commitments of the member. */
export const hasCommitments = (): boolean => readStored('local', COMMITMENTS) === '1';

export function rememberCommitments(isAny: boolean): void {
  if (hasCommitments() !== isAny) writeStored('local', COMMITMENTS, isAny ? '1' : null);
}
