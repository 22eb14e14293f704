import { queryClient } from '@/api/queryClient';
import { WholeList } from '@/features/admin/components/WholeList';
import { idColumn, linkColumn, publicationColumn, publishedNameColumn } from '@/features/admin/content/lists';
import { podcastsQuery } from '@/features/admin/content/queries';
import type { Podcast } from '@/features/admin/content/queries';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { isoDate } from '@/lib/format';
import type { Column } from '@/ui/records/DataTable';

export const loader = () => forStaff(() => queryClient.query(podcastsQuery()));

const titleOf = ({ title }: Podcast) => title;
const COLUMNS: readonly Column<Podcast>[] = [
  idColumn(),
  publishedNameColumn(({ id }) => paths.adminPodcastEdit(id), titleOf),
  { id: 'author', header: 'Author', cell: ({ author }) => author, sortable: true, wide: true },
  {
    id: 'recording',
    header: 'Recording',
    cell: ({ mediaUrl, mins }) => (mediaUrl === null ? <span className="data-table__faint">None</span> : `${mins} min`),
    fit: true,
    wide: true,
  },
  publicationColumn(),
  { id: 'publishedDate', header: 'Date', cell: ({ publishedAt }) => isoDate(publishedAt), sortable: true, fit: true, wide: true },
  linkColumn('Edit', ({ id }) => paths.adminPodcastEdit(id), titleOf),
  linkColumn('Media', ({ id }) => paths.adminPodcastMedia(id), titleOf),
  linkColumn('Photo', ({ id }) => paths.adminPodcastPhoto(id), titleOf),
];

/** /admin/podcasts: newest first. */
export function Component() {
  return (
    <WholeList
      title={ROUTES.adminPodcasts.title}
      query={podcastsQuery()}
      columns={COLUMNS}
      deletes="podcast"
      nameOf={titleOf}
      valueOf={({ id, title, author, publishedAt }, by) => (by === 'id' ? id : by === 'author' ? author : by === 'publishedDate' ? publishedAt : title)}
      sort={{ by: 'publishedDate', descending: true }}
      add={{ label: ROUTES.adminPodcastAdd.title, to: paths.adminPodcastAdd }}
      hint="An episode has a recording and its script."
    />
  );
}
