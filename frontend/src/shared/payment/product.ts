// The product pages, whose plans offers on other pages also name.
import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

export type ProductPage = ResultOf<'GET /api/product-pages/{slug}'>['page'];

/** The texts and prices of a product page. The server seeds the cache under the visitor's key. */
export const productQuery = (slug: string) =>
  queryOptions({
    queryKey: [viewer(), 'product', slug],
    queryFn: ({ signal }) => call('GET /api/product-pages/{slug}', { path: { slug }, signal }),
    staleTime: 5 * 60_000,
  });
