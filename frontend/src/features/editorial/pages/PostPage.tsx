import '@/features/editorial/editorial.css';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link, useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { isNotFound } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { ArticleSkeleton } from '@/features/editorial/components/ArticleSkeleton';
import { PostCard } from '@/features/editorial/components/PostCard';
import { EditorialText } from '@/features/editorial/components/EditorialText';
import { postQuery } from '@/features/editorial/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { formatDate, isoDate } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { pictureSizes } from '@/lib/pictures';
import { ROUTES, paths } from '@/paths';
import { BookCard } from '@/ui/BookCard';
import { ErrorState } from '@/ui/State';

export const loader = ({ params }: LoaderFunctionArgs) => settleBeforeFirstRender(queryClient.query(postQuery(params['slug'] ?? '')));

/** /blog/{slug}: a post, in the reader's typography. */
export function Component() {
  const { slug = '' } = useParams();
  const { data, error, isError, refetch } = useQuery(postQuery(slug));
  useTitle(data?.post.title ?? ROUTES.blog.title);
  if (isNotFound(error)) throw error;
  if (!data) {
    return isError ? (
      <div className="page">
        <ErrorState level={1} error={error} onRetry={() => void refetch()} />
      </div>
    ) : (
      <ArticleSkeleton label="Loading the post" />
    );
  }
  const { post, book, more } = data;
  return (
    <article className="page post">
      <header className="post__head">
        <p className="post__back">
          <Link className="link" to={paths.blog}>
            Blog
          </Link>
          {post.categories.map((category) => (
            <Fragment key={category.slug}>
              <span aria-hidden="true"> · </span>
              <Link className="link" to={category.slug === 'whats-new' ? paths.whatsNew : `${paths.blog}?category=${category.slug}`}>
                {category.name}
              </Link>
            </Fragment>
          ))}
        </p>
        <h1 className="post__title">{post.title}</h1>
        <p className="post__lead">{post.description}</p>
        <p className="post__meta">
          {`${post.author} · `}
          <time dateTime={isoDate(post.createDate)}>{formatDate(post.createDate)}</time>
          {` · ${post.minutes} min`}
        </p>
      </header>
      {post.photo ? <img className="post__image" src={post.photo} {...pictureSizes(post.photo, '8rem')} alt="" width="240" height="240" /> : null}
      <EditorialText html={post.text} />
      {book ? (
        <aside className="post__book" aria-labelledby="post-book">
          <h2 className="post__aside-title" id="post-book">
            The summary
          </h2>
          <BookCard book={book} />
        </aside>
      ) : null}
      {more.length > 0 ? (
        <section className="post__more" aria-labelledby="post-more">
          <h2 className="section__title" id="post-more">
            More from the blog
          </h2>
          <ul className="post-list post-list--more">
            {more.map((other) => (
              <li key={other.id}>
                <PostCard post={other} />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </article>
  );
}
