// What other books say of a key idea, at its end. The reader loads it once the text is shown.
import type { LinkedIdeas } from '@/features/reading-progress/reading/components/LinkedIdeas';
import { chunkOf } from '@/ui/chunk';

/** Without the chunk the idea ends with its text. */
export const linkedIdeasChunk = chunkOf<{ LinkedIdeas: typeof LinkedIdeas }>(
  () => import(/* webpackChunkName: "linked-ideas" */ '@/features/reading-progress/reading/components/LinkedIdeas'),
  { LinkedIdeas: () => null },
);
