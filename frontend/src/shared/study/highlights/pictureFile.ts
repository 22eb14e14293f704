// A highlight as a picture to share, which the server draws.
import { callFile } from '@/api/client';
import { ApiError } from '@/api/errors';
import type { Highlight } from '@/shared/study/records';
import { hasUnsent } from '@/shared/study/studyFlags';
import { studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';

/** Sends what is unsent, and gets the picture of a highlight; throws an {@link ApiError}. */
export async function loadPicture({ id, subid }: Pick<Highlight, 'id' | 'subid'>, signal: AbortSignal): Promise<File> {
  if (hasUnsent()) await syncStudy();
  const record = studyStore.snapshot().highlights.get(id);
  if (record?.state.version === null) throw unsentError(record.refused);
  const { blob } = await callFile('GET /api/study/highlights/{id}/picture', { path: { id: String(id) }, signal });
  return new File([blob], `highlight-${subid ?? id}.png`, { type: 'image/png' });
}

/** The server does not have the highlight. `refused`: why it does not take it. */
const unsentError = (refused: string | null): ApiError =>
  new ApiError({
    status: 0,
    code: 'unsent',
    message: refused === null ? 'This highlight could not be sent yet. Check your connection and try again.' : `This highlight could not be saved: ${refused}`,
  });

/** The picture in words. */
export function pictureText({ anchor, title, author }: Pick<Highlight, 'anchor' | 'title' | 'author'>): string {
  return `“${anchor?.exact ?? ''}” From ${title}${author === '' ? '' : ` by ${author}`}.`;
}
