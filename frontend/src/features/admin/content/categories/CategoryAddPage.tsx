import { Link } from 'react-router';
import { call } from '@/api/client';
import { AddRecord } from '@/features/admin/components/EditRecord';
import { hueControl } from '@/features/admin/content/controls';
import { CATEGORY_FIELDS, NEW_CATEGORY, categoryForm } from '@/features/admin/content/forms';
import { changed } from '@/features/admin/content/queries';
import { ROUTES, paths } from '@/features/admin/paths';

/** /admin/category-add */
export function Component() {
  return (
    <AddRecord
      title={ROUTES.adminCategoryAdd.title}
      back={{ to: paths.adminCategories, label: ROUTES.adminCategories.title }}
      fields={CATEGORY_FIELDS}
      controls={{ hue: hueControl }}
      values={NEW_CATEGORY}
      submitLabel="Add category"
      add={async (values) => {
        const { category } = await call('POST /api/admin/categories', { body: categoryForm(values, null) });
        changed('categories', 'books');
        return {
          message: (
            <>
              Category was added. <Link to={paths.adminCategoryEdit(category.id)}>Edit it</Link>
            </>
          ),
        };
      }}
    />
  );
}
