import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { insightQuery } from '@/features/catalogue/queries';
import { paths } from '@/paths';
import { SkeletonText } from '@/ui/Skeleton';

/** The insight of the day (decisions.md 52), with the book that it is from or about. Without one there is nothing here. */
export function DayInsight() {
  const { data, isPending } = useQuery(insightQuery());
  if (isPending) {
    return (
      <div className="insight" aria-hidden="true">
        <SkeletonText width={20} />
        <SkeletonText width={92} />
        <SkeletonText width={70} />
      </div>
    );
  }
  if (!data) return null;
  return (
    <section className="insight" aria-labelledby="insight-title">
      <h2 className="insight__title" id="insight-title">
        Insight of the day
      </h2>
      <figure className="insight__figure">
        <blockquote className="insight__text" lang="en">
          <p>{data.quoted ? `“${data.insight}”` : data.insight}</p>
        </blockquote>
        {data.book ? (
          <figcaption className="insight__source">
            {data.quoted ? `${data.book.author}, ` : 'After '}
            <Link className="link" to={paths.book(data.book.subid)}>
              {data.book.title}
            </Link>
          </figcaption>
        ) : null}
      </figure>
    </section>
  );
}
