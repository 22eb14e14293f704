import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { forAdmins } from '@/features/admin/queries';
import { AccountActions } from '@/features/admin/users/AccountActions';
import { cacheMember, userQuery } from '@/features/admin/users/queries';
import type { UserDetail } from '@/features/admin/users/queries';
import { changeOf, fieldsOf, loadedOf, paidInWords } from '@/features/admin/users/userFields';
import { formatDay, formatMoment, formatMoney, formatNumber, ownNameOf } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/features/admin/paths';
import { BackLink } from '@/ui/BackLink';
import { RecordForm } from '@/ui/records/RecordForm';

export const loader = ({ params }: LoaderFunctionArgs) => forAdmins(() => queryClient.query(userQuery(params['userId'] ?? '')));

/** /admin/user-edit/{userId}: a member's account, plan, sessions and payments. Reading activity is shown only as counts. */
export function Component() {
  const { userId = '' } = useParams();
  useTitle(`User #${userId}`);
  const { data: user, error, refetch } = useQuery(userQuery(userId));
  return (
    <>
      <BackLink to={paths.adminUsers}>Users</BackLink>
      <h1 className="page__title">{`User #${userId}`}</h1>
      {user ? (
        <Member key={user.id} user={user} />
      ) : error ? (
        <PageError error={error} back={{ to: paths.adminUsers, label: 'Users', what: 'There is no member with this id.' }} onRetry={() => void refetch()} />
      ) : (
        <RowsSkeleton label="Loading the member" />
      )}
    </>
  );
}

function Member({ user }: { user: UserDetail }) {
  return (
    <div className="admin__split">
      <div>
        <p className="admin__lead">
          {`${ownNameOf(user)} · joined ${formatDay(user.createDate)} · `}
          {user.confirmed ? 'address confirmed' : 'address not confirmed'}
          {user.lastSeenAt === null ? '' : ` · last seen ${formatMoment(user.lastSeenAt)}`}
        </p>
        <RecordForm
          fields={fieldsOf(user)}
          loaded={loadedOf(user)}
          submitLabel="Update user"
          submit={async (values) => {
            await call('PUT /api/admin/user', { body: changeOf(user, values) });
            // The server decides what else changed (the plan, its dates).
            const saved = await queryClient.query({ ...userQuery(String(user.id)), staleTime: 0 });
            if (saved) cacheMember(saved);
            return { message: 'User was updated.', loaded: loadedOf(saved ?? user) };
          }}
        />
        <Payments user={user} />
      </div>
      <aside className="admin__aside">
        <AccountActions user={user} />
        <section className="admin__panel" aria-labelledby="reading">
          <h2 className="admin__panel-title" id="reading">
            Reading
          </h2>
          <dl className="facts">
            {(
              [
                ['Opened', user.reading.opened],
                ['Completed', user.reading.completed],
                ['In the library', user.reading.library],
                ['Ratings', user.reading.ratings],
              ] as const
            ).map(([label, number]) => (
              <div key={label} className="facts__row">
                <dt>{label}</dt>
                <dd className="tabular">{formatNumber(number)}</dd>
              </div>
            ))}
          </dl>
        </section>
      </aside>
    </div>
  );
}

function Payments({ user }: { user: UserDetail }) {
  return (
    <section className="admin__panel" aria-labelledby="payments">
      <h2 className="admin__panel-title" id="payments">
        Payments
      </h2>
      <p className="admin__note">
        {`${paidInWords(user.paid)} · `}
        <Link className="link" to={`${paths.adminOrders}?${new URLSearchParams({ q: user.email }).toString()}`}>
          Orders
        </Link>
      </p>
      {user.timeline.length > 0 ? (
        <table className="data-table">
          <caption className="visually-hidden">Payments and changes of the plan, latest first</caption>
          <thead>
            <tr>
              <th scope="col" className="data-table__cell data-table__cell--fit">
                Date
              </th>
              <th scope="col" className="data-table__cell">
                What
              </th>
              <th scope="col" className="data-table__cell data-table__cell--end">
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            {user.timeline.map(({ id, at, title, why, amount }) => (
              <tr key={id}>
                <td className="data-table__cell data-table__cell--fit tabular">{formatDay(at)}</td>
                <td className="data-table__cell">
                  {title}
                  {why ? <span className="data-table__faint">{` ${why}`}</span> : null}
                </td>
                <td className="data-table__cell data-table__cell--end">{amount === 0 ? '' : formatMoney(amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </section>
  );
}
