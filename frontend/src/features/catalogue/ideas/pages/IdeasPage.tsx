import '@/features/catalogue/ideas/ideas.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { useSignedIn } from '@/api/session';
import { ideaMapQuery } from '@/features/catalogue/ideas/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { plural } from '@/lib/format';
import { hueClass } from '@/lib/hue';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { SkeletonText } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/State';

export const loader = async () => {
  await settleBeforeFirstRender(queryClient.query(ideaMapQuery()));
  return null;
};

/** /ideas: the topics of the idea map (catalogue.idea-map). */
export function Component() {
  useSignedIn();
  useTitle(ROUTES.ideas.title);
  const { data, error, isPending, refetch } = useQuery(ideaMapQuery());
  return (
    <div className="page idea-topics">
      <h1 className="page__title">Idea map</h1>
      <p className="page__lead">How the key ideas of different books agree, contradict each other, and build on each other.</p>
      {isPending ? (
        <div role="status">
          <span className="visually-hidden">Loading topics</span>
          <SkeletonText width={60} />
          <SkeletonText width={50} />
        </div>
      ) : data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data.topics.length === 0 ? (
        <EmptyState title="No ideas are linked yet." actions={<LinkButton to={paths.books}>Show all summaries</LinkButton>} />
      ) : (
        <ul className="idea-topics__list">
          {data.topics.map(({ category, links }) => (
            <li key={category.id}>
              <Link className={`idea-topics__topic ${hueClass(category.hue)}`} to={paths.ideasOfTopic(category.subid)}>
                <span className="idea-topics__name">{category.name}</span> <span className="idea-topics__count">{plural(links, 'link')}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
