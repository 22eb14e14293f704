import { Link } from 'react-router';
import type { Podcast } from '@/features/editorial/queries';
import { useEpisode } from '@/features/editorial/useEpisode';
import { formatDate, isoDate } from '@/lib/format';
import { pictureSizes } from '@/lib/pictures';
import { paths } from '@/paths';
import { IconButton } from '@/ui/IconButton';

/** An episode in a list. The server renders the same markup in its public pages. */
export function EpisodeCard({ podcast, eager = false }: { podcast: Podcast; eager?: boolean }) {
  const { plays, isOpen, press } = useEpisode(podcast);
  return (
    <article className={isOpen ? 'episode-card episode-card--open' : 'episode-card'}>
      <div className="episode-card__picture">
        {podcast.image ? (
          <img
            className="episode-card__image"
            src={podcast.image}
            {...pictureSizes(podcast.image, '(min-width: 52rem) 20rem, 7.5rem')}
            alt=""
            width="240"
            height="240"
            loading={eager ? 'eager' : 'lazy'}
            decoding="async"
          />
        ) : null}
        {podcast.mediaUrl === null ? null : (
          <IconButton
            className="episode-card__play"
            icon={plays ? 'pause' : 'play'}
            filled={!plays}
            label={`${plays ? 'Pause' : 'Play'} “${podcast.title}”`}
            data-listen=""
            onClick={press}
          />
        )}
      </div>
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
          {isOpen ? <span className="episode-card__state">{plays ? 'Playing' : 'Paused'}</span> : null}
        </p>
      </div>
    </article>
  );
}
