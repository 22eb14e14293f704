import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { EditRecord } from '@/features/admin/components/EditRecord';
import { RowFacts } from '@/features/admin/content/RowFacts';
import { MergeButton } from '@/features/admin/content/names/MergeButton';
import { AUTHOR_FIELDS, authorForm, loadedAuthor } from '@/features/admin/content/names/forms';
import { authorQuery } from '@/features/admin/content/names/queries';
import type { Author } from '@/features/admin/content/names/queries';
import { readAgain } from '@/features/admin/paged';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { formatNumber } from '@/lib/format';

export const loader = ({ params }: LoaderFunctionArgs) => forStaff(() => queryClient.query(authorQuery(params['id'] ?? '')));

const merge = async ({ id, version }: Author, into: number) =>
  (await call('POST /api/admin/authors/{id}/merge', { path: { id: String(id) }, body: { into, version } })).author.name;

/** /admin/author-edit/{id} */
export function Component() {
  const { id = '' } = useParams();
  return (
    <EditRecord
      title={(author) => author?.name ?? 'Author'}
      back={{ to: paths.adminAuthors, label: ROUTES.adminAuthors.title }}
      missing="There is no author with this id."
      query={authorQuery(id)}
      fields={AUTHOR_FIELDS}
      loadedOf={loadedAuthor}
      save={async (values, version) => {
        const { author } = await call('PUT /api/admin/authors/{id}', { path: { id }, body: authorForm(values, version) });
        void readAgain('authors', 'books');
        return author;
      }}
      success="Author was updated."
      submitLabel="Update author"
      deletes={(author) => (author.bookCount === 0 ? { kind: 'author', id: author.id } : null)}
      aside={(author) => (
        <>
          <RowFacts
            title="This author"
            row={author}
            facts={[
              ['Books', formatNumber(author.bookCount)],
              ['Published', formatNumber(author.readableCount)],
              ['Address', author.slug],
            ]}
            {...(author.readableCount > 0 && { site: paths.author(author.slug) })}
          />
          <MergeButton kind="author" row={author} merge={(into) => merge(author, into)} pathOf={paths.adminAuthorEdit} />
        </>
      )}
    />
  );
}
