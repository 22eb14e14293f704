import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { EditRecord } from '@/features/admin/components/EditRecord';
import { RowFacts } from '@/features/admin/content/RowFacts';
import { richText } from '@/features/admin/content/controls';
import { readAgain } from '@/features/admin/paged';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { loadedPage, pageFields, pageForm } from '@/features/admin/site/forms';
import { pageQuery } from '@/features/admin/site/queries';

export const loader = ({ params }: LoaderFunctionArgs) => forStaff(() => queryClient.query(pageQuery(params['id'] ?? '')));

const CONTROLS = { text: richText };

/** /admin/page-edit/{id} */
export function Component() {
  const { id = '' } = useParams();
  const { data: page } = useQuery(pageQuery(id));
  return (
    <EditRecord
      title={page ? page.title || page.path : 'Page'}
      back={{ to: paths.adminPages, label: ROUTES.adminPages.title }}
      missing="There is no such page."
      query={pageQuery(id)}
      fields={page ? pageFields(page) : []}
      {...(page?.kind === 'site' && { controls: CONTROLS })}
      loadedOf={loadedPage}
      save={async (values, version) => {
        const saved = await call('PUT /api/admin/pages/{id}', { path: { id }, body: page ? pageForm(page, values, version) : {} });
        void readAgain('pages');
        return saved.page;
      }}
      success="The page has been updated."
      submitLabel="Update page"
      aside={(one) => (
        <RowFacts
          title="This page"
          row={one}
          facts={
            one.kind === 'product'
              ? [
                  ['Prices', '{price.yearly}, {month.yearly}'],
                  ['Site', '{name}, {email}, {url}'],
                ]
              : []
          }
          site={one.path}
        />
      )}
    />
  );
}
