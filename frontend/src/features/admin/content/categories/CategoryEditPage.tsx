import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { EditRecord } from '@/features/admin/components/EditRecord';
import { RowFacts } from '@/features/admin/content/RowFacts';
import { hueControl } from '@/features/admin/content/controls';
import { CATEGORY_FIELDS, categoryForm, loadedCategory } from '@/features/admin/content/forms';
import { categoryQuery, changed } from '@/features/admin/content/queries';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { formatNumber } from '@/lib/format';

export const loader = ({ params }: LoaderFunctionArgs) => forStaff(() => queryClient.query(categoryQuery(params['id'] ?? '')));

/** /admin/category-edit/{id} */
export function Component() {
  const { id = '' } = useParams();
  return (
    <EditRecord
      title={(category) => category?.name ?? 'Category'}
      back={{ to: paths.adminCategories, label: ROUTES.adminCategories.title }}
      missing="There is no category with this id."
      query={categoryQuery(id)}
      fields={CATEGORY_FIELDS}
      controls={{ hue: hueControl }}
      loadedOf={loadedCategory}
      save={async (values, version) => {
        const { category } = await call('PUT /api/admin/categories/{id}', { path: { id }, body: categoryForm(values, version) });
        changed('categories', 'books');
        return category;
      }}
      success="Category was updated."
      submitLabel="Update category"
      deletes={(category) => ({ kind: 'category', id: category.id })}
      aside={(category) => (
        <RowFacts
          title="This category"
          row={category}
          facts={[
            ['Books', formatNumber(category.bookCount)],
            ['Address', category.subid],
          ]}
          site={paths.category(category.subid)}
        />
      )}
    />
  );
}
