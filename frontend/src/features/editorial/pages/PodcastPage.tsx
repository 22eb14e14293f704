import '@/features/editorial/editorial.css';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { isNotFound } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { ArticleSkeleton } from '@/features/editorial/components/ArticleSkeleton';
import { EpisodeCard } from '@/features/editorial/components/EpisodeCard';
import { EditorialText } from '@/features/editorial/components/EditorialText';
import { podcastQuery } from '@/features/editorial/queries';
import type { Podcast as PodcastOf } from '@/features/editorial/queries';
import { useEpisode } from '@/features/editorial/useEpisode';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { formatDate, isoDate } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { pictureSizes } from '@/lib/pictures';
import { ROUTES, paths } from '@/paths';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { ErrorState } from '@/ui/State';

export const loader = ({ params }: LoaderFunctionArgs) => settleBeforeFirstRender(queryClient.query(podcastQuery(params['slug'] ?? '')));

/** /podcasts/{slug}: an episode with its show notes. */
export function Component() {
  const { slug = '' } = useParams();
  const { data, error, isError, refetch } = useQuery(podcastQuery(slug));
  useTitle(data?.podcast.title ?? ROUTES.podcasts.title);
  if (isNotFound(error)) throw error;
  if (!data) {
    return isError ? (
      <div className="page">
        <ErrorState level={1} error={error} onRetry={() => void refetch()} />
      </div>
    ) : (
      <ArticleSkeleton label="Loading the episode" />
    );
  }
  const { podcast, show, more } = data;
  return (
    <article className="page post episode">
      <header className="post__head">
        <p className="post__back">
          <Link className="link" to={paths.podcasts}>
            {show.title}
          </Link>
        </p>
        <h1 className="post__title">{podcast.title}</h1>
        <p className="post__lead">{podcast.description}</p>
        <p className="post__meta">
          {`${podcast.author} · `}
          <time dateTime={isoDate(podcast.createDate)}>{formatDate(podcast.createDate)}</time>
          {` · ${podcast.mins} min`}
        </p>
        <Listen podcast={podcast} />
      </header>
      {podcast.image ? <img className="post__image" src={podcast.image} {...pictureSizes(podcast.image, '8rem')} alt="" width="240" height="240" /> : null}
      <section className="episode__script" aria-labelledby="episode-script">
        <h2 className="post__aside-title" id="episode-script">
          Transcript
        </h2>
        <EditorialText html={podcast.script} />
      </section>
      <aside className="post__book episode__author" aria-labelledby="episode-author">
        <h2 className="post__aside-title" id="episode-author">
          {podcast.author}
        </h2>
        <p>{podcast.authorDesc}</p>
      </aside>
      {more.length > 0 ? (
        <section className="post__more" aria-labelledby="post-more">
          <h2 className="section__title" id="post-more">
            More episodes
          </h2>
          <ul className="episode-list">
            {more.map((other) => (
              <li key={other.id}>
                <EpisodeCard podcast={other} />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </article>
  );
}

/** Plays the episode in the site-wide player. */
function Listen({ podcast }: { podcast: PodcastOf }) {
  const { plays, isOpen, press } = useEpisode(podcast);
  const address = podcast.mediaUrl;
  return (
    <div className="episode__listen">
      {address === null ? (
        <p className="episode__making">The audio is on its way. Until then, here is the transcript.</p>
      ) : (
        <div className="episode__actions">
          <Button kind="primary" large data-listen="" onClick={press}>
            <Icon name={plays ? 'pause' : 'headphones'} />
            {plays ? 'Pause' : isOpen ? 'Resume' : 'Listen'}
          </Button>
          <a className="link" href={`${address}?download=`} download>
            Download
          </a>
        </div>
      )}
    </div>
  );
}
