import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { PageError } from '@/features/admin/components/PageError';
import { Comparison, RevisionTable, useOpenRevision } from '@/features/admin/components/Revisions';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { TEXT_KINDS, currentText, textRevisionQuery, textRevisionsQuery, textsOf, valuesOfRevision } from '@/features/admin/content/revisions';
import type { CurrentText, TextKind } from '@/features/admin/content/revisions';
import { changed } from '@/features/admin/content/queries';
import { forStaff } from '@/features/admin/queries';
import { useTitle } from '@/lib/useTitle';
import { BackLink } from '@/ui/BackLink';
import { toast } from '@/ui/toast';

/** The kind and the id of the text that a path names. */
function textAt(pathname: string, params: Readonly<Record<string, string | undefined>>): { kind: TextKind; id: string } {
  const kind = TEXT_KINDS.find((one) => pathname.startsWith(textsOf(one).revisions)) ?? 'pages';
  return { kind, id: params['id'] ?? params['postId'] ?? '' };
}

export const loader = ({ request, params }: LoaderFunctionArgs) => {
  const { kind, id } = textAt(new URL(request.url).pathname, params);
  return forStaff(() => Promise.all([queryClient.query(currentText(kind, id)), queryClient.query(textRevisionsQuery(kind, id))]));
};

/** /admin/blog-revisions/{postId}, /admin/podcast-revisions/{id}, /admin/page-revisions/{id}: every saved version of a post, an episode or a page, its differences, and a button to restore it. */
export function Component() {
  const { kind, id } = textAt(useLocation().pathname, useParams());
  const open = useOpenRevision();
  const current = useQuery(currentText(kind, id));
  const revisions = useQuery(textRevisionsQuery(kind, id));
  const texts = textsOf(kind);
  const title = `Revisions of ${current.data?.title ?? texts.one}`;
  useTitle(title);
  const error = current.error ?? revisions.error;
  return (
    <>
      <BackLink to={texts.edit(id)}>{current.data?.title ?? texts.one}</BackLink>
      <h1 className="page__title">{title}</h1>
      {current.data && revisions.data ? (
        <>
          <RevisionTable title={title} revisions={revisions.data} />
          {open === null ? null : <TextComparison key={open} kind={kind} id={id} current={current.data} revision={open} />}
        </>
      ) : error ? (
        <PageError
          error={error}
          back={{ ...texts.list, what: `There is no ${texts.name} with this id.` }}
          onRetry={() => {
            void current.refetch();
            void revisions.refetch();
          }}
        />
      ) : (
        <RowsSkeleton label="Loading the revisions" />
      )}
    </>
  );
}

function TextComparison({ kind, id, current, revision }: { kind: TextKind; id: string; current: CurrentText; revision: string }) {
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(textRevisionQuery(kind, id, revision));
  if (!data && error) return <PageError error={error} onRetry={() => void refetch()} />;
  if (!data) return <RowsSkeleton label="Loading the revision" />;
  return (
    <Comparison
      fields={current.fields}
      then={valuesOfRevision(current.fields, data.fields)}
      now={current.values}
      restore={async () => {
        await call('POST /api/admin/revisions/{kind}/{id}/{revision}/restore', { path: { kind, id, revision }, body: { version: current.version } });
        changed(textsOf(kind).cached, 'revisions');
        toast('The revision was restored.');
        void navigate(textsOf(kind).edit(id));
      }}
    />
  );
}
