import { Link } from 'react-router';
import { call } from '@/api/client';
import { AddRecord } from '@/features/admin/components/EditRecord';
import { PUBLICATION_CONTROLS } from '@/features/admin/components/publication';
import { TextPreview } from '@/features/admin/content/TextPreview';
import { richText } from '@/features/admin/content/controls';
import { NEW_PODCAST, podcastFields, podcastForm } from '@/features/admin/content/forms';
import { PODCAST_PICTURES } from '@/features/admin/content/podcasts/files';
import { changed } from '@/features/admin/content/queries';
import { ROUTES, paths } from '@/features/admin/paths';

/** /admin/podcast-add */
export function Component() {
  return (
    <AddRecord
      title={ROUTES.adminPodcastAdd.title}
      back={{ to: paths.adminPodcasts, label: ROUTES.adminPodcasts.title }}
      fields={podcastFields(false)}
      controls={{ script: richText, ...PUBLICATION_CONTROLS }}
      values={NEW_PODCAST}
      pictures={PODCAST_PICTURES}
      onUploaded={() => changed('podcasts')}
      preview={(values, onClose) => <TextPreview kind="podcast" text="script" values={values} onClose={onClose} />}
      submitLabel="Add podcast"
      add={async (values) => {
        const { podcast } = await call('POST /api/admin/podcasts', { body: podcastForm(values, null) });
        changed('podcasts');
        return {
          record: podcast,
          message: (
            <>
              Podcast was added. <Link to={paths.adminPodcastEdit(podcast.id)}>Edit it</Link>
            </>
          ),
        };
      }}
    />
  );
}
