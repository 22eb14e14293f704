import { Link } from 'react-router';
import { call } from '@/api/client';
import { AddRecord } from '@/features/admin/components/EditRecord';
import { AUTHOR_FIELDS, NEW_AUTHOR, authorForm } from '@/features/admin/content/names/forms';
import { readAgain } from '@/features/admin/paged';
import { ROUTES, paths } from '@/features/admin/paths';

/** /admin/author-add */
export function Component() {
  return (
    <AddRecord
      title={ROUTES.adminAuthorAdd.title}
      back={{ to: paths.adminAuthors, label: ROUTES.adminAuthors.title }}
      fields={AUTHOR_FIELDS}
      values={NEW_AUTHOR}
      submitLabel="Add author"
      add={async (values) => {
        const { author } = await call('POST /api/admin/authors', { body: authorForm(values, null) });
        void readAgain('authors');
        return {
          message: (
            <>
              Author was added. <Link to={paths.adminAuthorEdit(author.id)}>Edit it</Link>
            </>
          ),
        };
      }}
    />
  );
}
