import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { EditRecord } from '@/features/admin/components/EditRecord';
import { RowFacts } from '@/features/admin/content/RowFacts';
import { MergeButton } from '@/features/admin/content/names/MergeButton';
import { TAG_FIELDS, loadedTag, tagForm } from '@/features/admin/content/names/forms';
import { tagQuery } from '@/features/admin/content/names/queries';
import type { Tag } from '@/features/admin/content/names/queries';
import { readAgain } from '@/features/admin/paged';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { formatNumber } from '@/lib/format';

export const loader = ({ params }: LoaderFunctionArgs) => forStaff(() => queryClient.query(tagQuery(params['id'] ?? '')));

const merge = async ({ id, version }: Tag, into: number) =>
  (await call('POST /api/admin/tags/{id}/merge', { path: { id: String(id) }, body: { into, version } })).tag.name;

/** /admin/tag-edit/{id} */
export function Component() {
  const { id = '' } = useParams();
  return (
    <EditRecord
      title={(tag) => tag?.name ?? 'Tag'}
      back={{ to: paths.adminTags, label: ROUTES.adminTags.title }}
      missing="There is no tag with this id."
      query={tagQuery(id)}
      fields={TAG_FIELDS}
      loadedOf={loadedTag}
      save={async (values, version) => {
        const { tag } = await call('PUT /api/admin/tags/{id}', { path: { id }, body: tagForm(values, version) });
        void readAgain('tags', 'books');
        return tag;
      }}
      success="Tag was updated."
      submitLabel="Update tag"
      deletes={(tag) => ({ kind: 'tag', id: tag.id })}
      aside={(tag) => (
        <>
          <RowFacts
            title="This tag"
            row={tag}
            facts={[
              ['Books', formatNumber(tag.bookCount)],
              ['Address', tag.slug],
            ]}
          />
          <MergeButton kind="tag" row={tag} merge={(into) => merge(tag, into)} pathOf={paths.adminTagEdit} />
        </>
      )}
    />
  );
}
