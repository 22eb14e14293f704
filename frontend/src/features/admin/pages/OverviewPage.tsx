import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { accountQuery } from '@/shared/session/account';
import { groupsFor } from '@/features/admin/areas';
import { WeekFigures } from '@/features/admin/components/WeekFigures';
import { ContentOverview } from '@/features/admin/overview/ContentOverview';
import { contentOverviewQuery } from '@/features/admin/overview/queries';
import { forAdmins, forStaff, overviewQuery } from '@/features/admin/queries';
import { formatNumber, plural } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/features/admin/paths';
import { Icon } from '@/ui/Icon';
import { SkeletonText } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';

export const loader = () =>
  Promise.all([forStaff(() => queryClient.query(contentOverviewQuery())), forAdmins(() => queryClient.query(overviewQuery()))]).then(() => null);

/** /admin: what needs attention, for editors in their books and for admins also elsewhere, and links to each area. */
export function Component() {
  useTitle(ROUTES.admin.title);
  const { data: user } = useQuery(accountQuery());
  const role = user?.role ?? 'member';
  return (
    <>
      <h1 className="page__title">Back office</h1>
      {role === 'admin' ? <Waiting /> : null}
      {role === 'admin' ? <WeekFigures /> : null}
      <ContentOverview />
      <div className="admin__start">
        {groupsFor(role).map(({ title, areas }) => (
          <section key={title} aria-label={title}>
            <h2 className="admin__start-title">{title}</h2>
            <ul className="admin__start-links">
              {areas.map(({ label, to, add }) => (
                <li key={to} className="admin__start-area">
                  <Link className="admin__start-link" to={to}>
                    {label}
                  </Link>
                  {add ? (
                    <Link className="link" to={add.to}>
                      {add.label}
                    </Link>
                  ) : null}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <p className="admin__hint">
        <kbd>Ctrl</kbd> <kbd>K</kbd> goes anywhere. In lists <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>/</kbd> searches, and <kbd>Ctrl</kbd> <kbd>S</kbd> saves a
        form.
      </p>
    </>
  );
}

function Waiting() {
  const { data, error, refetch } = useQuery(overviewQuery());
  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <div role="status" className="admin__tiles">
        <span className="visually-hidden">Loading</span>
        {[60, 50].map((width) => (
          <div key={width} className="admin__tile" aria-hidden="true">
            <SkeletonText width={width} />
            <SkeletonText width={30} />
          </div>
        ))}
      </div>
    );
  }
  return (
    <ul className="admin__tiles">
      <Tile
        to={paths.adminMessages}
        number={data.unread}
        label="Inbox"
        note={data.unread === 0 ? 'All caught up.' : `${plural(data.unread, 'message')} to answer`}
      />
      <Tile
        to={paths.adminMails}
        number={data.mails.setAside}
        label="Failed emails"
        note={data.mails.queued === 0 ? 'None waiting to be sent.' : `${plural(data.mails.queued, 'mail')} on the way`}
      />
    </ul>
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
