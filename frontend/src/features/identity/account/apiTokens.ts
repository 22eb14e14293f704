// The tokens by which a member's own programs call the API (identity.api-tokens).
import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { queryClient, viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

export type ApiToken = ResultOf<'GET /api/user/tokens'>['tokens'][number];

export const SCOPES = [
  { value: 'study:read', label: 'Read highlights and review cards' },
  { value: 'study:write', label: 'Add and change them' },
  { value: 'catalog:read', label: 'List and download what you may read (OPDS)' },
  { value: 'places:write', label: 'Keep your place on an e-reader (KOReader)' },
] as const;

/** What a token may do, in words → 'Read highlights and review cards. Add and change them.' */
export const scopeText = (scopes: readonly string[]): string =>
  SCOPES.filter(({ value }) => scopes.includes(value))
    .map(({ value, label }) => (value === 'study:write' && !scopes.includes('study:read') ? 'Add and change highlights and review cards.' : `${label}.`))
    .join(' ');

export const apiTokensQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'api-tokens'],
    queryFn: async ({ signal }) => (await call('GET /api/user/tokens', { signal })).tokens,
    retryOnMount: false,
  });

/** Updates the cached list. */
export function cacheApiTokens(change: (tokens: ApiToken[]) => ApiToken[]): void {
  queryClient.setQueryData(apiTokensQuery().queryKey, (now) => (now ? change(now) : now));
}
