import '@/features/editorial/editorial.css';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useMatch, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { isNotFound, messageOf } from '@/api/errors';
import { loadList, useRememberPages } from '@/shared/catalogue/pagedLists';
import { ListSkeleton } from '@/features/editorial/components/ListSkeleton';
import { PostCard } from '@/features/editorial/components/PostCard';
import { blogQuery } from '@/features/editorial/queries';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { LoadMore } from '@/ui/LoadMore';
import { NotFound } from '@/ui/NotFound';
import { EmptyState, ErrorState } from '@/ui/State';

/** The category of product news (editorial.blog-addresses), which has its own path. */
const WHATS_NEW = 'whats-new';
const LEAD = 'On reading, on old books and what they are good for, and on what is new here.';
const NEWS_LEAD = 'What we have added, and why.';

const categoryAt = (url: URL) => (url.pathname.replace(/\/$/, '') === paths.whatsNew ? WHATS_NEW : (url.searchParams.get('category') ?? ''));
const addressOf = (category: string) => (category === WHATS_NEW ? paths.whatsNew : `${paths.blog}?category=${encodeURIComponent(category)}`);

export const loader = ({ request }: LoaderFunctionArgs) => loadList(blogQuery(categoryAt(new URL(request.url))));

/** /blog, /blog?category=… and /blog/whats-new. */
export function Component() {
  const [params] = useSearchParams();
  const news = useMatch(paths.whatsNew) !== null;
  const category = news ? WHATS_NEW : (params.get('category') ?? '');
  const options = blogQuery(category);
  const list = useInfiniteQuery(options);
  useRememberPages(options.queryKey, list);
  const posts = list.data?.pages.flatMap((page) => page.posts) ?? [];
  const categories = list.data?.pages[0]?.categories ?? [];
  const title = news ? ROUTES.whatsNew.title : (categories.find(({ slug }) => slug === category)?.name ?? ROUTES.blog.title);
  const missing = isNotFound(list.error);
  useTitle(missing ? undefined : title);
  if (missing) return <NotFound what={messageOf(list.error)} to={paths.blog} label="All posts" />;
  return (
    <div className="page blog">
      <header className="blog__head">
        <h1 className="page__title">{title}</h1>
        <p className="page__lead">{news ? NEWS_LEAD : LEAD}</p>
        <p className="podcasts__feed">
          <Link className="link link--more" to={paths.podcasts}>
            <Icon name="headphones" />
            Podcasts
          </Link>
        </p>
      </header>
      <nav className="blog__chips" aria-label="Categories">
        <ul className="chips chips--scroll">
          <li>
            <Link className="chip chip--plain" to={paths.blog} aria-current={category ? undefined : 'true'}>
              All
            </Link>
          </li>
          {categories.map(({ slug, name }) => (
            <li key={slug}>
              <Link className="chip chip--plain" to={addressOf(slug)} aria-current={slug === category ? 'true' : undefined}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {list.isPending ? (
        <ListSkeleton label="Loading posts" />
      ) : list.isError && posts.length === 0 ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : posts.length === 0 ? (
        <EmptyState title="Nothing here yet" actions={<LinkButton to={paths.blog}>All posts</LinkButton>} />
      ) : (
        <>
          <h2 className="visually-hidden">Posts</h2>
          <ul className="post-list">
            {posts.map((post, i) => (
              <li key={post.id}>
                <PostCard post={post} eager={i === 0} />
              </li>
            ))}
          </ul>
          <LoadMore list={list} large />
        </>
      )}
    </div>
  );
}
