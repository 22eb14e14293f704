import { Link, useSearchParams } from 'react-router';
import { call } from '@/api/client';
import { AddRecord } from '@/features/admin/components/EditRecord';
import { LINK_CONTROLS } from '@/features/admin/content/ideaLinks/controls';
import { LINK_FIELDS, NEW_LINK, linkForm, pairInUrl } from '@/features/admin/content/ideaLinks/forms';
import { LISTS } from '@/features/admin/content/ideaLinks/queries';
import { readAgain } from '@/features/admin/paged';
import { ROUTES, paths } from '@/features/admin/paths';

/** /admin/idea-link-add?from=walden&idea=Own less&to=emma&toIdea=…: both ideas are chosen then, as a proposal has them. */
export function Component() {
  const [search] = useSearchParams();
  const isProposed = search.has('toIdea');
  return (
    <AddRecord
      title={ROUTES.adminIdeaLinkAdd.title}
      back={
        isProposed
          ? { to: paths.adminIdeaLinkProposals, label: ROUTES.adminIdeaLinkProposals.title }
          : { to: paths.adminIdeaLinks, label: ROUTES.adminIdeaLinks.title }
      }
      fields={LINK_FIELDS}
      controls={LINK_CONTROLS}
      values={{ ...NEW_LINK, ...pairInUrl(search) }}
      submitLabel="Add idea link"
      add={async (values) => {
        const { link } = await call('POST /api/admin/idea-links', { body: linkForm(values, null) });
        void readAgain(...LISTS);
        return {
          message: (
            <>
              Idea link was added. <Link to={paths.adminIdeaLinkEdit(link.id)}>Edit it</Link>
            </>
          ),
        };
      }}
    />
  );
}
