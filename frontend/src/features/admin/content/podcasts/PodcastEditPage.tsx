import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { EditRecord } from '@/features/admin/components/EditRecord';
import { FileLinks } from '@/features/admin/components/FileLinks';
import { PUBLICATION_CONTROLS } from '@/features/admin/components/publication';
import { RowFacts } from '@/features/admin/content/RowFacts';
import { TextPreview } from '@/features/admin/content/TextPreview';
import { richText } from '@/features/admin/content/controls';
import { loadedPodcast, podcastFields, podcastForm } from '@/features/admin/content/forms';
import { PODCAST_FILES, PODCAST_PICTURES } from '@/features/admin/content/podcasts/files';
import { changed, podcastQuery } from '@/features/admin/content/queries';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { isoDate, plural } from '@/lib/format';

export const loader = ({ params }: LoaderFunctionArgs) => forStaff(() => queryClient.query(podcastQuery(params['id'] ?? '')));

/** /admin/podcasts/{id} */
export function Component() {
  const { id = '' } = useParams();
  return (
    <EditRecord
      title={(podcast) => podcast?.title ?? 'Podcast'}
      back={{ to: paths.adminPodcasts, label: ROUTES.adminPodcasts.title }}
      missing="There is no podcast with this id."
      query={podcastQuery(id)}
      fields={podcastFields(true)}
      controls={{ script: richText, ...PUBLICATION_CONTROLS }}
      loadedOf={loadedPodcast}
      save={async (values, version) => {
        const { podcast } = await call('PUT /api/admin/podcasts/{id}', { path: { id }, body: podcastForm(values, version) });
        changed('podcasts');
        return podcast;
      }}
      success="Podcast was updated."
      pictures={PODCAST_PICTURES}
      onUploaded={() => changed('podcasts')}
      preview={(values, onClose) => <TextPreview kind="podcast" text="script" values={values} onClose={onClose} />}
      submitLabel="Update podcast"
      deletes={(podcast) => ({ kind: 'podcast', id: podcast.id })}
      aside={(podcast) => (
        <>
          <FileLinks files={PODCAST_FILES.map(({ kind, to, urlOf }) => ({ label: kind.label, to: to(podcast.id), there: urlOf(podcast) !== null }))} />
          <RowFacts
            title="This podcast"
            row={podcast}
            facts={[
              ...(podcast.published ? [['Published', isoDate(podcast.publishedAt)] as const] : []),
              ['Length', podcast.mediaUrl === null ? 'No recording yet' : plural(podcast.mins, 'minute')],
            ]}
            {...(podcast.published && { site: paths.podcast(podcast.slug) })}
            revisions={paths.adminPodcastRevisions(podcast.id)}
          />
        </>
      )}
    />
  );
}
