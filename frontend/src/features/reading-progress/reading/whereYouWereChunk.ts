// The panel that says where a member was in a book, for one who comes back to it after a while.
import type { WhereYouWere } from '@/features/reading-progress/reading/components/WhereYouWere';
import { chunkOf } from '@/ui/chunk';

export interface WhereYouWereModule {
  WhereYouWere: typeof WhereYouWere | null;
}

/** Without the chunk the book opens at its place without a word. */
export const whereYouWereChunk = chunkOf<WhereYouWereModule>(
  async () => {
    const module = await import(/* webpackChunkName: "where-you-were" */ '@/features/reading-progress/reading/components/WhereYouWere');
    // What came later would move the text.
    await module.loadHighlights();
    return module;
  },
  { WhereYouWere: null },
);
