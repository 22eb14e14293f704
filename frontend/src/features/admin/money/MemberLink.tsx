import { Link } from 'react-router';
import { paths } from '@/features/admin/paths';

interface Props {
  /** Null for a guest, who has an `email`, and for a deleted account. */
  member: { id: number; email: string } | null;
  /** The e-mail address that a guest typed. */
  email?: string | null;
}

/** The payer. */
export function MemberLink({ member, email = null }: Props) {
  if (member) {
    return (
      <Link className="link" to={paths.adminUserEdit(member.id)}>
        {member.email}
      </Link>
    );
  }
  return email === null ? (
    <span className="data-table__faint">Deleted account</span>
  ) : (
    <>
      {`${email} `}
      <span className="data-table__faint">guest</span>
    </>
  );
}
