import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { AddRecord } from '@/features/admin/components/EditRecord';
import { chosenBooks, useKnownBooks } from '@/features/admin/content/collections/ChosenBooks';
import { NEW_COLLECTION, collectionFields, collectionForm } from '@/features/admin/content/forms';
import { categoriesQuery, changed } from '@/features/admin/content/queries';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';

export const loader = () => forStaff(() => queryClient.query(categoriesQuery()));

/** /admin/collection-add */
export function Component() {
  const { data: categories = [] } = useQuery(categoriesQuery());
  const [books, addBook] = useKnownBooks();
  return (
    <AddRecord
      title={ROUTES.adminCollectionAdd.title}
      back={{ to: paths.adminCollections, label: ROUTES.adminCollections.title }}
      fields={collectionFields(
        categories.map(({ id, name }) => ({ value: String(id), label: name })),
        books,
      )}
      controls={{ books: chosenBooks(addBook) }}
      values={NEW_COLLECTION}
      submitLabel="Add collection"
      add={async (values) => {
        const { collection } = await call('POST /api/admin/collections/add', { body: collectionForm(values, null) });
        changed('collections');
        return {
          message: (
            <>
              Collection was added. <Link to={paths.adminCollectionEdit(collection.id)}>Edit it</Link>
            </>
          ),
        };
      }}
    />
  );
}
