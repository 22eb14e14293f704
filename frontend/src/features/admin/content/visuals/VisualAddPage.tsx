import { Link, useSearchParams } from 'react-router';
import { call } from '@/api/client';
import { AddRecord } from '@/features/admin/components/EditRecord';
import { bookControl } from '@/features/admin/content/controls';
import { NEW_VISUAL, visualFields, visualForm } from '@/features/admin/content/forms';
import { changed } from '@/features/admin/content/queries';
import { ROUTES, paths } from '@/features/admin/paths';

/** /admin/visuals-add?book=walden: the book is chosen then. */
export function Component() {
  const [search] = useSearchParams();
  return (
    <AddRecord
      title={ROUTES.adminVisualAdd.title}
      back={{ to: paths.adminVisuals, label: ROUTES.adminVisuals.title }}
      fields={visualFields(false)}
      controls={{ bookId: bookControl }}
      values={{ ...NEW_VISUAL, bookId: search.get('book') ?? '' }}
      submitLabel="Add visual"
      add={async (values) => {
        const { visual } = await call('POST /api/admin/visuals', { body: visualForm(values, null) });
        changed('visuals');
        return {
          message: (
            <>
              The visual was added. <Link to={paths.adminVisualPhoto(visual.id)}>Upload its photo</Link> so that readers can see it.
            </>
          ),
        };
      }}
    />
  );
}
