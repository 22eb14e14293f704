import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { EditRecord } from '@/features/admin/components/EditRecord';
import { Facts } from '@/features/admin/components/Facts';
import { RowFacts } from '@/features/admin/content/RowFacts';
import { IdeaOfBook } from '@/features/admin/content/ideaLinks/IdeaOfBook';
import { LINK_CONTROLS } from '@/features/admin/content/ideaLinks/controls';
import { LINK_FIELDS, linkForm, loadedLink } from '@/features/admin/content/ideaLinks/forms';
import { LISTS, ideaLinkQuery, pairName } from '@/features/admin/content/ideaLinks/queries';
import type { IdeaLink } from '@/features/admin/content/ideaLinks/queries';
import { readAgain } from '@/features/admin/paged';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';

export const loader = ({ params }: LoaderFunctionArgs) => forStaff(() => queryClient.query(ideaLinkQuery(params['id'] ?? '')));

/** /admin/idea-link-edit/{id} */
export function Component() {
  const { id = '' } = useParams();
  return (
    <EditRecord
      title={`Idea link #${id}`}
      back={{ to: paths.adminIdeaLinks, label: ROUTES.adminIdeaLinks.title }}
      missing="There is no idea link with this id."
      query={ideaLinkQuery(id)}
      fields={LINK_FIELDS}
      controls={LINK_CONTROLS}
      loadedOf={loadedLink}
      save={async (values, version) => {
        const { link } = await call('PUT /api/admin/idea-links/{id}', { path: { id }, body: linkForm(values, version) });
        void readAgain(...LISTS);
        return link;
      }}
      success="Idea link was updated."
      submitLabel="Update idea link"
      deletes={(link) => ({ kind: 'idea link', id: link.id, name: pairName(link) })}
      aside={(link) => (
        <>
          <TwoIdeas link={link} />
          <RowFacts title="This idea link" row={link} />
        </>
      )}
    />
  );
}

/** The two headings with their books, which each leads to. */
function TwoIdeas({ link }: { link: IdeaLink }) {
  const factOf = (idea: IdeaLink['from']) => <IdeaOfBook idea={idea} to={paths.book(idea.subid)} linkClass="link" />;
  return (
    <section className="admin__panel" aria-labelledby="two-ideas">
      <h2 className="admin__panel-title" id="two-ideas">
        The two ideas
      </h2>
      <Facts
        facts={[
          ['First', factOf(link.from)],
          ['Second', factOf(link.to)],
        ]}
      />
    </section>
  );
}
