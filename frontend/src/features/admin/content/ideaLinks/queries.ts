import { queryOptions } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { RequestOf, ResultOf } from '@/api/types';
import { pagedQuery } from '@/features/admin/paged';

export type IdeaLink = ResultOf<'GET /api/admin/idea-links'>['links'][number];
export type LinkedIdea = IdeaLink['from'];
export type Proposal = ResultOf<'GET /api/admin/idea-links/proposals'>['proposals'][number];
type LinksFilter = Pick<NonNullable<RequestOf<'GET /api/admin/idea-links'>['query']>, 'q' | 'state' | 'kind' | 'lost'>;

/** How the first idea relates to the second one. */
export const KINDS = [
  { value: 'agrees', label: 'Agrees with' },
  { value: 'contradicts', label: 'Contradicts' },
  { value: 'builds-on', label: 'Builds on' },
] as const;

export const STATES = [
  { value: 'draft', label: 'Draft' },
  { value: 'published', label: 'Published' },
  { value: 'dismissed', label: 'Dismissed' },
] as const;

/** Said of an idea whose heading is no longer in its book. */
export const LOST = 'Heading is gone';

/** The filter for links with such an idea, in the URL. */
export const LOST_FILTER = [{ value: 'true', label: LOST }] as const;

/** The filters in the URL; unknown values are ignored. */
export function linksFilter(search: URLSearchParams): LinksFilter {
  const q = search.get('q')?.trim();
  const state = STATES.find(({ value }) => value === search.get('state'))?.value;
  const kind = KINDS.find(({ value }) => value === search.get('kind'))?.value;
  return { ...(q && { q }), ...(state && { state }), ...(kind && { kind }), ...(search.get('lost') === 'true' && { lost: true }) };
}

/** What a pair of ideas is called: 'Own less – Needs are few'. */
export const pairName = ({ from, to }: Pick<IdeaLink, 'from' | 'to'>): string => `${from.idea} – ${to.idea}`;

/** A pair's key in lists. */
export const pairKey = ({ from, to }: Pick<IdeaLink, 'from' | 'to'>): string => JSON.stringify([from.bookId, from.idea, to.bookId, to.idea]);

/** The keys of the lists that show links or depend on them. */
export const LISTS = ['idea-links', 'idea-link-proposals'] as const;

export const ideaLinksQuery = (filter: LinksFilter) =>
  pagedQuery('idea-links', filter, (after, signal) => call('GET /api/admin/idea-links', { query: { ...filter, ...after }, signal }));

export const ideaLinkQuery = (id: string) =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'idea-links', 'one', id] as QueryKey,
    queryFn: async ({ signal }) => (await call('GET /api/admin/idea-links/{id}', { path: { id }, signal })).link,
    staleTime: 0,
    retryOnMount: false,
  });

/** Stale time, in milliseconds: short, because several editors work at the same time. */
const FRESH = 5_000;

/** The headings of a book's key ideas, by the book's id or slug. */
export const ideasQuery = (book: string) =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'idea-links', 'ideas', book],
    queryFn: async ({ signal }) => (await call('GET /api/admin/idea-links/ideas', { query: { bookId: book }, signal })).ideas,
    staleTime: FRESH,
  });

/** Pairs of similar ideas without a link, of a book; without one, of the books with the fewest links. Not refetched meanwhile: the rows stay where they are. */
export const proposalsQuery = (book: string) =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'idea-link-proposals', book],
    queryFn: async ({ signal }) => (await call('GET /api/admin/idea-links/proposals', { query: book ? { bookId: book } : {}, signal })).proposals,
    staleTime: FRESH,
    retryOnMount: false,
  });
