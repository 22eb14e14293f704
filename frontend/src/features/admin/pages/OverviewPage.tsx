import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { forAdmins, overviewQuery } from '@/features/admin/queries';
import { formatNumber, plural } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { Icon } from '@/ui/Icon';
import { SkeletonText } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';

export const loader = () => forAdmins(() => queryClient.query(overviewQuery()));

/** /admin: what needs attention. */
export function Component() {
  useTitle(ROUTES.admin.title);
  const { data, error, refetch } = useQuery(overviewQuery());
  return (
    <>
      <h1 className="page__title">Back Office</h1>
      {!data && error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? (
        <div role="status" className="admin__tiles">
          <span className="visually-hidden">Loading</span>
          {[60, 50].map((width) => (
            <div key={width} className="admin__tile" aria-hidden="true">
              <SkeletonText width={width} />
              <SkeletonText width={30} />
            </div>
          ))}
        </div>
      ) : null}
      {data ? (
        <ul className="admin__tiles">
          <Tile to={paths.adminMessages} number={data.unread} label="Inbox" note={data.unread === 0 ? 'Everything is seen to.' : `${plural(data.unread, 'message')} to see to`} />
          <Tile
            to={paths.adminMails}
            number={data.mails.setAside}
            label="Mails set aside"
            note={data.mails.queued === 0 ? 'None waits to be sent.' : `${plural(data.mails.queued, 'mail')} on the way`}
          />
        </ul>
      ) : null}
    </>
  );
}

function Tile({ to, number, label, note }: { to: string; number: number; label: string; note: string }) {
  return (
    <li className="admin__tile">
      <p className="admin__number">{formatNumber(number)}</p>
      <h2 className="admin__tile-title">
        <Link className="admin__tile-link" to={to}>
          {label}
          <Icon name="chevronRight" />
        </Link>
      </h2>
      <p className="admin__note">{note}</p>
    </li>
  );
}
