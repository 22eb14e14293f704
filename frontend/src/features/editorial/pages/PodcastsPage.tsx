import '@/features/editorial/editorial.css';
import { loadList, useRememberPages } from '@/shared/catalogue/pagedLists';
import { EpisodeCard } from '@/features/editorial/components/EpisodeCard';
import { ListSkeleton } from '@/features/editorial/components/ListSkeleton';
import { podcastsQuery } from '@/features/editorial/queries';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { LoadMore } from '@/ui/LoadMore';
import { EmptyState, ErrorState } from '@/ui/State';
import { useInfiniteQuery } from '@tanstack/react-query';

export const loader = () => loadList(podcastsQuery());

/** /podcasts: all episodes, and the feed for podcast apps. */
export function Component() {
  useTitle(ROUTES.podcasts.title);
  const options = podcastsQuery();
  const list = useInfiniteQuery(options);
  useRememberPages(options.queryKey, list);
  const podcasts = list.data?.pages.flatMap((page) => page.podcasts) ?? [];
  const show = list.data?.pages[0]?.show;
  return (
    <div className="page podcasts">
      <header className="blog__head">
        <h1 className="page__title">{show?.title ?? 'Podcasts'}</h1>
        {show ? <p className="page__lead">{show.description}</p> : null}
        <p className="podcasts__feed">
          <a className="link link--more" href={paths.podcastFeed}>
            <Icon name="feed" />
            Feed for podcast apps
          </a>
        </p>
      </header>
      {list.isPending ? (
        <ListSkeleton label="Loading episodes" />
      ) : list.isError && podcasts.length === 0 ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : podcasts.length === 0 ? (
        <EmptyState title="No episodes yet" actions={<LinkButton to={paths.books}>Browse book summaries</LinkButton>} />
      ) : (
        <>
          <h2 className="visually-hidden">Episodes</h2>
          <ul className="episode-list">
            {podcasts.map((podcast, i) => (
              <li key={podcast.id}>
                <EpisodeCard podcast={podcast} eager={i < 3} />
              </li>
            ))}
          </ul>
          <LoadMore list={list} large />
        </>
      )}
    </div>
  );
}
