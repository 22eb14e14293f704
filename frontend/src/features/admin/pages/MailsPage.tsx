import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { ListPage } from '@/features/admin/components/ListPage';
import { MailRow } from '@/features/admin/components/MailRow';
import { RetryAllMails } from '@/features/admin/components/RetryAllMails';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { mailState } from '@/features/admin/filters';
import { forAdmins, mailsKey, mailsQuery, overviewQuery } from '@/features/admin/queries';
import type { Mail } from '@/features/admin/queries';
import { useTitle } from '@/lib/useTitle';
import { ROUTES } from '@/features/admin/paths';
import { Alert } from '@/ui/Alert';
import { LoadMore } from '@/ui/LoadMore';
import { Segmented } from '@/ui/Segmented';
import { EmptyState, ErrorState } from '@/ui/State';
import { toast } from '@/ui/toast';

const filterOf = (search: URLSearchParams) => {
  const state = mailState(search);
  return state ? { state } : {};
};

export const loader = ({ request }: LoaderFunctionArgs) => forAdmins(() => queryClient.infiniteQuery(mailsQuery(filterOf(new URL(request.url).searchParams))));

const SHOW = [
  { value: 'all', label: 'All' },
  { value: 'queued', label: 'Queued' },
  { value: 'sent', label: 'Sent' },
  { value: 'set_aside', label: 'Failed' },
] as const;

/** /admin/mails: the state of each mail, and a retry for those that failed for good. Contents are not shown. */
export function Component() {
  useTitle(ROUTES.adminMails.title);
  const [search, setSearch] = useSearchParams();
  const filter = filterOf(search);
  const rows = useInfiniteQuery(mailsQuery(filter));
  const { data, dataUpdatedAt, error, refetch, hasNextPage } = rows;
  const mails = data?.pages.flatMap((page) => page.mails) ?? [];
  const shown = SHOW.find(({ value }) => value === filter.state)?.value ?? 'all';

  const retry = useMutation({
    mutationFn: (mail: Mail) => call('POST /api/admin/mails/{id}/retry', { path: { id: String(mail.id) } }),
    onSuccess: () => {
      toast('The email will be sent again.');
      void queryClient.invalidateQueries({ queryKey: mailsKey() });
      void queryClient.invalidateQueries({ queryKey: overviewQuery().queryKey });
    },
  });

  return (
    <ListPage
      title={ROUTES.adminMails.title}
      tools={
        <>
          <Segmented
            legend="Show"
            name="state"
            options={SHOW}
            value={shown}
            onChange={(state) => setSearch(state === 'all' ? {} : { state }, { replace: true })}
          />
          {shown === 'set_aside' && mails.length > 0 ? <RetryAllMails /> : null}
        </>
      }
    >
      {retry.isError ? (
        <div className="admin__failure">
          <Alert kind="harm">{messageOf(retry.error)}</Alert>
        </div>
      ) : null}
      {!data && error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <RowsSkeleton label="Loading the emails" /> : null}
      {data && mails.length === 0 && !hasNextPage ? (
        <EmptyState title={shown === 'set_aside' ? 'No failed emails' : 'No emails here'}>
          <p>
            {shown === 'set_aside'
              ? 'Emails that can’t be sent stay here until they are tried again.'
              : 'Every email that the site sends is listed here for 30 days.'}
          </p>
        </EmptyState>
      ) : null}
      {mails.length > 0 ? (
        <ul className="inbox">
          {mails.map((mail) => (
            <MailRow
              key={mail.id}
              mail={mail}
              now={dataUpdatedAt}
              busy={retry.isPending && retry.variables.id === mail.id}
              onRetry={() => {
                if (!retry.isPending) retry.mutate(mail);
              }}
            />
          ))}
        </ul>
      ) : null}
      <LoadMore list={rows}>Load More</LoadMore>
    </ListPage>
  );
}
