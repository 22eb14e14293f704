import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import type { HighlightedText } from '@/shared/study/highlights/highlightedText';
import { studySettingsQuery } from '@/shared/study/settings';

export type PopularPassage = ResultOf<'GET /api/study/popular/{book}'>['passages'][number];

const NONE: readonly PopularPassage[] = [];

const popularQuery = (book: number) =>
  queryOptions({
    queryKey: [viewer(), 'popular-passages', book],
    queryFn: ({ signal }) => call('GET /api/study/popular/{book}', { path: { book: String(book) }, signal }),
    // Offline, and without the right to the text, there are none.
    retry: false,
    retryOnMount: false,
  });

/** The passages that many members have highlighted, while the member wants to see them (study.popular-passages). */
export function usePopularPassages(text: HighlightedText): readonly PopularPassage[] {
  const settings = useQuery(studySettingsQuery());
  // Own summaries have none: they are one member's.
  const isWanted = 'book' in text && settings.data?.showsPopular === true;
  const { data } = useQuery({ ...popularQuery('book' in text ? text.book.id : 0), enabled: isWanted });
  return isWanted ? (data?.passages ?? NONE) : NONE;
}
