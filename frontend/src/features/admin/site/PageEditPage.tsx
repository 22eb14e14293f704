import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { EditRecord } from '@/features/admin/components/EditRecord';
import { PUBLICATION_CONTROLS } from '@/features/admin/components/publication';
import { RowFacts } from '@/features/admin/content/RowFacts';
import { TextPreview } from '@/features/admin/content/TextPreview';
import { richTextWithPictures } from '@/features/admin/content/controls';
import { readAgain } from '@/features/admin/paged';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { loadedPage, pageFields, pageForm } from '@/features/admin/site/forms';
import { pageQuery } from '@/features/admin/site/queries';
import type { SitePage } from '@/features/admin/site/queries';
import { formatMoment } from '@/lib/format';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import type { Values } from '@/ui/records/fields';
import { toast } from '@/ui/toast';

export const loader = ({ params }: LoaderFunctionArgs) => forStaff(() => queryClient.query(pageQuery(params['id'] ?? '')));

const SITE_CONTROLS = { text: richTextWithPictures, ...PUBLICATION_CONTROLS };

/** /admin/page-edit/{id} */
export function Component() {
  const { id = '' } = useParams();
  // The form begins again with what is published, once the draft is discarded.
  const [discarded, setDiscarded] = useState(0);
  const { data: page } = useQuery(pageQuery(id));
  return (
    <EditRecord
      key={discarded}
      title={page ? page.title || page.path : 'Page'}
      back={{ to: paths.adminPages, label: ROUTES.adminPages.title }}
      missing="There is no such page."
      query={pageQuery(id)}
      fields={page ? pageFields(page) : []}
      controls={page?.kind === 'site' ? SITE_CONTROLS : PUBLICATION_CONTROLS}
      {...(page?.kind === 'site' && {
        preview: (values: Values, onClose: () => void) => <TextPreview kind="page" text="text" values={values} onClose={onClose} />,
      })}
      loadedOf={loadedPage}
      save={async (values, version) => {
        const saved = await call('PUT /api/admin/pages/{id}', { path: { id }, body: page ? pageForm(page, values, version) : {} });
        void readAgain('pages');
        return saved.page;
      }}
      success="The page has been updated."
      submitLabel="Update page"
      aside={(one) => (
        <>
          {one.published ? null : <DraftPanel page={one} onDiscarded={() => setDiscarded(discarded + 1)} />}
          <RowFacts
            title="This page"
            row={one}
            revisions={paths.adminPageRevisions(one.id)}
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
        </>
      )}
    />
  );
}

/** Says that the public reads something else than the form shows, and discards the draft. */
function DraftPanel({ page, onDiscarded }: { page: SitePage; onDiscarded: () => void }) {
  const discard = useMutation({
    mutationFn: () => call('DELETE /api/admin/pages/{id}/draft', { path: { id: page.id } }),
    onSuccess: (discarded) => {
      queryClient.setQueryData(pageQuery(page.id).queryKey, discarded.page);
      void readAgain('pages');
      toast('The draft was discarded. It is kept among the revisions.');
      onDiscarded();
    },
  });
  return (
    <section className="admin__panel" aria-labelledby="page-draft">
      <h2 className="admin__panel-title" id="page-draft">
        Draft
      </h2>
      <p className="admin__note">
        {page.publishAt === null
          ? 'The site shows the published text until this draft is published.'
          : `The site shows this draft from ${formatMoment(page.publishAt)}.`}
      </p>
      {discard.isError ? <Alert kind="warning">{messageOf(discard.error)}</Alert> : null}
      <Button busy={discard.isPending} busyText="Discarding" onClick={() => discard.mutate()}>
        Discard draft
      </Button>
    </section>
  );
}
