import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ResultOf } from '@/api/types';
import { Ring } from '@/features/reading-progress/progress/components/Ring';
import { recallQuery } from '@/features/reading-progress/progress/queries';
import { formatNumber, plural } from '@/lib/format';
import { hueClass } from '@/lib/hue';
import { hasStored } from '@/shared/study/studyFlags';
import { Button } from '@/ui/Button';
import { SkeletonText } from '@/ui/Skeleton';

type Figure = ResultOf<'GET /api/study/recall'>['categories'][number];

/** How much the member remembers, for each category with answers; nothing when there are none (study.recall-figures). */
export function Recall() {
  const { data, error, isFetching, refetch } = useQuery(recallQuery());
  /** The figures were asked for by the button of the failure. */
  const [isRetried, setRetried] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  const isShown = data !== undefined;
  useEffect(() => {
    // The pressed button is gone.
    if (isShown && isRetried && document.activeElement === document.body) title.current?.focus();
  }, [isShown, isRetried]);
  const hasFailed = !data && (error !== null || isRetried);
  if (data?.categories.length === 0) return null;
  // Without any records on this device there are probably no answers: nothing is reserved for them.
  if (!data && !hasFailed && !hasStored()) return null;
  return (
    <section className="section" aria-labelledby="recall">
      <h2 className="section__title" id="recall" ref={title} tabIndex={-1}>
        Recall
      </h2>
      {hasFailed ? null : <p className="progress__hint">How often you were right in the last 90 days, when a card came back after a day or more.</p>}
      {data ? (
        <ul className="recall">
          {data.categories.map((figure) => (
            <CategoryRecall key={figure.category.id} figure={figure} needed={data.needed} />
          ))}
        </ul>
      ) : hasFailed ? (
        <div className="progress__none">
          <p role="status">Your recall could not be loaded.</p>
          <Button
            busy={isFetching}
            busyText="Loading"
            onClick={() => {
              setRetried(true);
              void refetch();
            }}
          >
            Try again
          </Button>
        </div>
      ) : (
        <div className="recall" role="status">
          <span className="visually-hidden">Loading your recall</span>
          <span className="recall__category" aria-hidden="true">
            <span className="skeleton recall__ring recall__ring--skeleton" />
            <span className="recall__skeleton">
              <SkeletonText width={50} />
              <SkeletonText width={80} />
            </span>
          </span>
        </div>
      )}
    </section>
  );
}

function CategoryRecall({ figure: { category, right, answers }, needed }: { figure: Figure; needed: number }) {
  const isKnown = answers >= needed;
  return (
    <li className={`recall__category ${hueClass(category.hue)}`}>
      <Ring share={isKnown ? right / answers : 0} width={12} className="recall__ring" />
      <p>
        <span className="recall__name">{category.name}</span>
        <span className="recall__note">
          {isKnown
            ? `${Math.round((100 * right) / answers)}% of ${plural(answers, 'answer')}`
            : `${formatNumber(needed - answers)} more ${needed - answers === 1 ? 'answer' : 'answers'} until this can be told`}
        </span>
      </p>
    </li>
  );
}
