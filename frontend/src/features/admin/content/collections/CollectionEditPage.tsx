import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { EditRecord } from '@/features/admin/components/EditRecord';
import { RowFacts } from '@/features/admin/content/RowFacts';
import { chosenBooks, useKnownBooks } from '@/features/admin/content/collections/ChosenBooks';
import { collectionFields, collectionForm, loadedCollection } from '@/features/admin/content/forms';
import { categoriesQuery, changed, collectionQuery } from '@/features/admin/content/queries';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { isoDate } from '@/lib/format';

export const loader = ({ params }: LoaderFunctionArgs) =>
  forStaff(() => Promise.all([queryClient.query(collectionQuery(params['id'] ?? '')), queryClient.query(categoriesQuery())]));

/** /admin/collection-edit/{id} */
export function Component() {
  const { id = '' } = useParams();
  const { data: categories = [] } = useQuery(categoriesQuery());
  const { data: collection } = useQuery(collectionQuery(id));
  const [books, addBook] = useKnownBooks(collection?.books);
  return (
    <EditRecord
      title={(one) => one?.title ?? 'Collection'}
      back={{ to: paths.adminCollections, label: ROUTES.adminCollections.title }}
      missing="There is no collection with this id."
      query={collectionQuery(id)}
      fields={collectionFields(
        categories.map((category) => ({ value: String(category.id), label: category.name })),
        books,
      )}
      controls={{ books: chosenBooks(addBook) }}
      loadedOf={loadedCollection}
      save={async (values, version) => {
        const saved = await call('PUT /api/admin/collections/detail/{id}', { path: { id }, body: collectionForm(values, version) });
        changed('collections');
        return saved.collection;
      }}
      success="Collection was updated."
      submitLabel="Update collection"
      deletes={(collection) => ({ kind: 'collection', id: collection.id })}
      aside={(one) => <RowFacts title="This collection" row={one} facts={[['Added', isoDate(one.uploadDate)]]} site={paths.collection(one.id)} />}
    />
  );
}
