import { Link } from 'react-router';
import type { Podcast } from '@/features/editorial/queries';
import { formatDate, isoDate } from '@/lib/format';
import { paths } from '@/paths';

/** An episode in a list. The server writes the same markup into its public pages. */
export function EpisodeCard({ podcast, eager = false }: { podcast: Podcast; eager?: boolean }) {
  return (
    <article className="episode-card">
      {podcast.image ? (
        <img className="episode-card__image" src={podcast.image} alt="" width="240" height="240" loading={eager ? 'eager' : 'lazy'} decoding="async" />
      ) : null}
      <div className="episode-card__text">
        <h3 className="episode-card__title">
          <Link className="episode-card__link" to={paths.podcast(podcast.slug)}>
            {podcast.title}
          </Link>
        </h3>
        <p className="episode-card__description">{podcast.description}</p>
        <p className="episode-card__meta">
          <time dateTime={isoDate(podcast.createDate)}>{formatDate(podcast.createDate)}</time>
          {` · ${podcast.mins} min`}
        </p>
      </div>
    </article>
  );
}
