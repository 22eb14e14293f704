// The store and the lists, apart from the heads and the skeletons of their pages.
import type { Lists, OwnList, loadRecords } from '@/features/study/lists/components/listPages';
import { ROUTES } from '@/paths';
import { chunkOf } from '@/ui/chunk';
import { ChunkLoadError } from '@/ui/ChunkLoadError';

interface ListsModule {
  Lists: typeof Lists;
  OwnList: typeof OwnList;
  loadRecords: typeof loadRecords;
}

const Failed = () => (
  <div className="page lists">
    <h1 className="page__title">{ROUTES.lists.title}</h1>
    <ChunkLoadError />
  </div>
);

export const listsChunk = chunkOf<ListsModule>(() => import(/* webpackChunkName: "own-lists" */ '@/features/study/lists/components/listPages'), {
  Lists: Failed,
  OwnList: Failed,
  loadRecords: () => Promise.resolve(null),
});
