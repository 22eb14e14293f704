import { Link } from 'react-router';
import { paths } from '@/features/admin/paths';

interface Props {
  /** Null: a guest, who has an address, or a person whose account was deleted. */
  member: { id: number; email: string } | null;
  /** The address that a guest typed. */
  email?: string | null;
}

/** Who paid. */
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
