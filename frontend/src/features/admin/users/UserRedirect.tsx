import { redirect } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { paths } from '@/features/admin/paths';

/** /admin/users/{id} redirects to the member's page (admin.photo-routes). */
export const loader = ({ params }: LoaderFunctionArgs) => redirect(paths.adminUserEdit(params['id'] ?? ''));

export const Component = () => null;
