// What the command palette searches on the server: books, and for admins also members.
import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { User } from '@/api/types';
import { paths } from '@/features/admin/paths';

/** How many results of each kind are offered. */
const OFFERED = 6;

export const paletteQuery = (q: string, role: User['role']) =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'palette', role, q],
    queryFn: async ({ signal }) => {
      const [{ books }, { users }] = await Promise.all([
        call('GET /api/admin/books', { query: { q }, signal }),
        role === 'admin' ? call('GET /api/admin/user/{start}', { path: { start: '0' }, query: { q }, signal }) : { users: [] },
      ]);
      return [
        ...books.slice(0, OFFERED).map(({ id, title }) => ({ label: title, note: 'Book', to: paths.adminBookEdit(id) })),
        ...users.slice(0, OFFERED).map(({ id, email }) => ({ label: email, note: 'Member', to: paths.adminUserEdit(id) })),
      ];
    },
    staleTime: 10_000,
  });
