import { useLocation, useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { BOOK_FILES } from '@/features/admin/books/files';
import { bookQuery } from '@/features/admin/books/queries';
import { UploadPage } from '@/features/admin/components/UploadPage';
import { forStaff } from '@/features/admin/queries';
import { paths } from '@/features/admin/paths';
import { NotFound } from '@/ui/NotFound';

export const loader = ({ params }: LoaderFunctionArgs) => forStaff(() => queryClient.query(bookQuery(params['id'] ?? '')));

/** /admin/book-photo/{id} and its five sibling routes: each uploads one of a book's files. */
export function Component() {
  const { id = '' } = useParams();
  const { pathname } = useLocation();
  const file = BOOK_FILES.find(({ to }) => to(id) === pathname);
  if (!file) return <NotFound />;
  return (
    <UploadPage
      key={file.name}
      kind={file.kind}
      back={{ to: paths.adminBookEdit(id), label: 'The book' }}
      missing="There is no book with this id."
      query={bookQuery(id)}
      titleOf={({ title }) => title}
      fileOf={file.urlOf}
      path={`/api/admin/books/${file.name}/${id}`}
      {...(file.removal && { removal: { text: file.removal.text, remove: () => file.removal?.remove(id) ?? Promise.resolve() } })}
    />
  );
}
