// The chunk with what members see at the end of a summary. The reader loads it once the text is shown.
import { ChunkLoadError } from '@/ui/ChunkLoadError';
import { chunkOf } from '@/ui/chunk';

/** Missing recommendations are not reported, because there is a link to home. */
export const readerEndChunk = chunkOf(() => import(/* webpackChunkName: "reader-end" */ '@/features/reading-progress/reading/components/readerEnd'), {
  CompletionCard: ChunkLoadError,
  NextBooks: () => null,
  OwnRating: ChunkLoadError,
  RatingForm: ChunkLoadError,
});
