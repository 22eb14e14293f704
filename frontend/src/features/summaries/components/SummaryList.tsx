import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useRememberPages } from '@/shared/catalogue/pagedLists';
import { RenameDialog } from '@/features/summaries/components/RenameDialog';
import { deleteSummary, useHiddenSummaries } from '@/features/summaries/deletions';
import { isUnderWay, summariesQuery } from '@/features/summaries/queries';
import type { Summary } from '@/features/summaries/queries';
import { iconOf } from '@/features/summaries/sourceIcon';
import { stepNow } from '@/features/summaries/steps';
import { formatDay, plural } from '@/lib/format';
import { useDebounced } from '@/lib/useDebounced';
import { paths } from '@/paths';
import { TextField } from '@/ui/Field';
import { Icon } from '@/ui/Icon';
import { LoadMore } from '@/ui/LoadMore';
import { SkeletonText } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';

/** The member's own summaries, newest first: searched, renamed, deleted. */
export function SummaryList() {
  const [typed, setTyped] = useState('');
  const q = useDebounced(typed.trim());
  const options = summariesQuery(q);
  const query = useInfiniteQuery(options);
  useRememberPages(options.queryKey, query);
  const { data, error, refetch, hasNextPage } = query;
  const hidden = useHiddenSummaries();
  const all = data?.pages.flatMap((page) => page.summaries) ?? [];
  const shown = all.filter(({ id }) => !hidden.has(id));
  const total = Math.max(0, (data?.pages.at(-1)?.total ?? 0) - (all.length - shown.length));
  const [renamed, setRenamed] = useState<Summary | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLUListElement>(null);

  // The pressed button is removed with its row: the focus moves to the next row, or back to a row whose deletion was undone.
  const next = useRef<{ place: number } | { id: number } | null>(null);
  useEffect(() => {
    const wanted = next.current;
    if (wanted === null) return;
    next.current = null;
    const buttons = [...(list.current?.querySelectorAll<HTMLButtonElement>('[data-delete]') ?? [])];
    const heir =
      'place' in wanted ? buttons[Math.min(wanted.place, buttons.length - 1)] : buttons.find((button) => button.dataset['delete'] === String(wanted.id));
    (heir ?? title.current)?.focus();
  }, [hidden]);
  const remove = (summary: Summary, place: number) => {
    next.current = { place };
    deleteSummary(summary, () => {
      next.current = { id: summary.id };
    });
  };

  const searches = q !== '' || total > 0;
  return (
    <section className="section own" id="summaries" aria-labelledby="summaries-title">
      <h2 className="section__title" id="summaries-title" ref={title} tabIndex={-1}>
        Your summaries
      </h2>
      {searches ? (
        <div className="own__search" role="search" aria-label="Your summaries">
          <TextField label="Search" type="search" autoComplete="off" maxLength={200} value={typed} onChange={({ target }) => setTyped(target.value)} />
          <p className="visually-hidden" role="status">
            {q === '' ? '' : `${plural(total, 'summary', 'summaries')} found.`}
          </p>
        </div>
      ) : null}
      {!data && error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <ListSkeleton /> : null}
      {data && shown.length === 0 && !hasNextPage ? (
        <p className="own__none">
          {q === '' ? 'What you have summarized is kept here: to read again, to search, and to take with you.' : `Nothing found for “${q}”.`}
        </p>
      ) : null}
      {shown.length > 0 ? (
        <ul className="own__list" ref={list}>
          {shown.map((summary, place) => (
            <li key={summary.id} className="own__item">
              <span className="own__icon">
                <Icon name={iconOf(summary.source)} />
              </span>
              <div className="own__text">
                <h3 className="own__title">
                  <Link className="own__link" to={paths.aiSummary(summary.id)}>
                    {summary.title}
                  </Link>
                </h3>
                <Meta summary={summary} />
              </div>
              <div className="own__actions">
                <button type="button" className="own__action" aria-label={`Rename ${summary.title}`} aria-haspopup="dialog" onClick={() => setRenamed(summary)}>
                  Rename
                </button>
                <button
                  type="button"
                  className="own__action"
                  data-delete={summary.id}
                  aria-label={`Delete ${summary.title}`}
                  onClick={() => remove(summary, place)}
                >
                  Delete
                </button>
              </div>
            </li>
          ))}
        </ul>
      ) : null}
      <LoadMore list={query}>Show more</LoadMore>
      {renamed ? <RenameDialog summary={renamed} onClose={() => setRenamed(null)} /> : null}
    </section>
  );
}

/** The source and the length; or the current step; or why it failed. */
function Meta({ summary }: { summary: Summary }) {
  const { source, state, error, ideaCount, minutes, createdAt } = summary;
  if (state === 'failed') {
    return (
      <p className="own__meta own__meta--failed">
        <Icon name="warning" />
        {error?.text ?? 'It could not be summarized.'}
      </p>
    );
  }
  const facts = isUnderWay(summary)
    ? [source.name, `${stepNow(summary).text} …`]
    : [source.name, ideaCount === null ? null : plural(ideaCount, 'key idea'), minutes === null ? null : `${minutes} min`, formatDay(createdAt)];
  return <p className="own__meta tabular">{facts.filter((fact) => fact !== null && fact !== summary.title).join(' · ')}</p>;
}

const ListSkeleton = () => (
  <div role="status" className="own__waiting">
    <span className="visually-hidden">Loading your summaries</span>
    {[60, 45, 70].map((width) => (
      <div key={width} className="own__item" aria-hidden="true">
        <span className="own__icon skeleton" />
        <div className="own__text">
          <SkeletonText width={width} />
          <SkeletonText width={width / 2} />
        </div>
      </div>
    ))}
  </div>
);
