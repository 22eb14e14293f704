import { Link } from 'react-router';
import { call } from '@/api/client';
import { ROUTES, paths } from '@/features/admin/paths';
import { usersChanged } from '@/features/admin/users/queries';
import { NEW_USER_FIELDS } from '@/features/admin/users/userFields';
import { useTitle } from '@/lib/useTitle';
import { BackLink } from '@/ui/BackLink';
import { RecordForm } from '@/ui/records/RecordForm';
import { textOf } from '@/ui/records/fields';

/** /admin/user-add (admin.people-add). What is typed of an account is not kept on the device (admin.kept-input). */
export function Component() {
  useTitle(ROUTES.adminUserAdd.title);
  return (
    <>
      <BackLink to={paths.adminUsers}>{ROUTES.adminUsers.title}</BackLink>
      <h1 className="page__title">{ROUTES.adminUserAdd.title}</h1>
      <div className="admin__single">
        <RecordForm
          fields={NEW_USER_FIELDS}
          loaded={{ values: { firstName: '', lastName: '', email: '' }, version: null, by: null }}
          submitLabel="Add user"
          submit={async (values) => {
            const [firstName, lastName, email] = ['firstName', 'lastName', 'email'].map((id) => textOf(values, id).trim()) as [string, string, string];
            const { user } = await call('POST /api/admin/user', { body: { firstName, lastName, email } });
            usersChanged();
            return {
              message: (
                <>
                  User was added. An email to set a password is on its way to {user.email}. <Link to={paths.adminUserEdit(user.id)}>Open the account</Link>
                </>
              ),
            };
          }}
        />
      </div>
    </>
  );
}
