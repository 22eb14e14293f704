// Changes of highlights that are stored on this device and sent at once.
import type { Highlight } from '@/shared/study/records';
import { studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';

/** Stores some highlights and deletes others, then sends them. */
export async function saveHighlights(put: readonly Highlight[], removed: readonly Highlight[] = []): Promise<void> {
  for (const highlight of put) await studyStore.putHighlight(highlight);
  for (const { id } of removed) await studyStore.removeHighlight(id);
  await syncStudy();
}
