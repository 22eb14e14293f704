import { Link } from 'react-router';
import type { Post } from '@/features/editorial/queries';
import { formatDate, isoDate } from '@/lib/format';
import { pictureSizes } from '@/lib/pictures';
import { paths } from '@/paths';

/** A post in a list. The server renders the same markup in its public pages. */
export function PostCard({ post, eager = false }: { post: Post; eager?: boolean }) {
  return (
    <article className="post-card">
      {post.photo ? (
        <img
          className="post-card__image"
          src={post.photo}
          {...pictureSizes(post.photo, '(min-width: 52rem) 20rem, 7.5rem')}
          alt=""
          width="240"
          height="240"
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
        />
      ) : null}
      <div className="post-card__text">
        {post.categories[0] ? <p className="post-card__category">{post.categories[0].name}</p> : null}
        <h3 className="post-card__title">
          <Link className="post-card__link" to={paths.post(post.slug)}>
            {post.title}
          </Link>
        </h3>
        <p className="post-card__description">{post.description}</p>
        <p className="post-card__meta">
          <time dateTime={isoDate(post.createDate)}>{formatDate(post.createDate)}</time>
          {` · ${post.minutes} min`}
        </p>
      </div>
    </article>
  );
}
