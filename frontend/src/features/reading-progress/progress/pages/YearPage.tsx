import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link, useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { isNotFound } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { YearBooks } from '@/features/reading-progress/progress/components/YearBooks';
import { YearCategories } from '@/features/reading-progress/progress/components/YearCategories';
import { YearMonths } from '@/features/reading-progress/progress/components/YearMonths';
import { YearPicture } from '@/features/reading-progress/progress/components/YearPicture';
import { yearQuery } from '@/features/reading-progress/progress/queries';
import { figuresOf } from '@/features/reading-progress/progress/year';
import type { YearFigure, YearOfReading } from '@/features/reading-progress/progress/year';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { formatNumber } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { accountQuery } from '@/shared/session/account';
import { deviceZone } from '@/shared/study/days';
import { BackLink } from '@/ui/BackLink';
import { LinkButton } from '@/ui/Button';
import { SkeletonText } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/State';
import '@/features/reading-progress/progress/year.css';

export const loader = ({ params }: LoaderFunctionArgs) =>
  settleBeforeFirstRender(queryClient.query(yearQuery(params['year'] ?? '')), queryClient.query(accountQuery()));

/** /my-progress/{year}: a year of reading (reading-progress.year-of-reading). */
export function Component() {
  const { year = '' } = useParams();
  // The choice of years stays while another year is loaded.
  const { data: latest, isPlaceholderData, error, refetch } = useQuery({ ...yearQuery(year), placeholderData: keepPreviousData });
  const data = isPlaceholderData ? undefined : latest;
  useTitle(`${ROUTES.year.title}: ${year}`);
  if (isNotFound(error)) throw error;
  const figures = data ? figuresOf(data) : [];
  return (
    <div className="page year">
      <div className="year__top">
        <BackLink to={paths.myProgress}>{ROUTES.myProgress.title}</BackLink>
        {latest && latest.years.length > 1 ? <Years years={latest.years} current={year} /> : null}
      </div>
      <div className="year__head">
        <h1 className="year__title">
          <span className="year__number">{year}</span> in reading
        </h1>
        {data && !data.isOver && figures.length > 0 ? <p className="year__state">So far</p> : null}
      </div>
      {data ? (
        figures.length > 0 ? (
          <Year data={data} figures={figures} />
        ) : (
          <NothingRead data={data} />
        )
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <YearSkeleton />
      )}
    </div>
  );
}

const Years = ({ years, current }: { years: readonly number[]; current: string }) => (
  <nav aria-label="Years">
    <ul className="chips">
      {years.map((year) => (
        <li key={year}>
          <Link className="chip chip--plain tabular" to={paths.year(year)} aria-current={String(year) === current ? 'true' : undefined}>
            {year}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
);

function Year({ data, figures }: { data: YearOfReading; figures: readonly YearFigure[] }) {
  const { data: account } = useQuery(accountQuery());
  return (
    <>
      <ul className="year-figures" aria-label="At a glance">
        {figures.map(({ id, amounts, label }) => (
          <li key={id} className={`year-figures__figure year-figures__figure--${id}`}>
            <span className="year-figures__value tabular">
              {amounts.map(({ number, unit }) => (
                <Fragment key={unit}>
                  <span className="year-figures__amount">
                    {formatNumber(number)}
                    {unit === '' ? null : <span className="year-figures__unit">{` ${unit}`}</span>}
                  </span>{' '}
                </Fragment>
              ))}
            </span>
            <span className="year-figures__label">{label}</span>
          </li>
        ))}
      </ul>
      <div className="section year__charts">
        <YearMonths key={data.year} months={data.months} />
        {data.categories.length > 0 ? <YearCategories categories={data.categories} /> : null}
      </div>
      {data.books.length > 0 ? <YearBooks books={data.books} zone={account?.timezone ?? deviceZone()} /> : null}
      <YearPicture key={data.year} data={data} />
    </>
  );
}

function NothingRead({ data: { year, years, isOver } }: { data: YearOfReading }) {
  const latest = years[0] ?? year;
  return isOver ? (
    <EmptyState title={`Nothing was read in ${year}`} actions={latest === year ? null : <LinkButton to={paths.year(latest)}>{`See ${latest}`}</LinkButton>}>
      <p>No summary was completed, and no time of reading was counted.</p>
    </EmptyState>
  ) : (
    <EmptyState
      title={`Your ${year} begins with the first summary`}
      actions={
        <LinkButton kind="primary" to={paths.books}>
          Find one to read
        </LinkButton>
      }
    >
      <p>Then the days, the time and the covers of what you complete are collected on this page.</p>
    </EmptyState>
  );
}

function YearSkeleton() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading your year</span>
      <div className="year-figures" aria-hidden="true">
        {[70, 30, 30, 30, 40, 40].map((width, i) => (
          <div key={i} className="year-figures__figure">
            <span className="year-figures__value">
              <SkeletonText width={width} />
            </span>
            <span className="year-figures__label">
              <SkeletonText width={55} />
            </span>
          </div>
        ))}
      </div>
      <div className="section" aria-hidden="true">
        <span className="skeleton year__skeleton-chart" />
      </div>
    </div>
  );
}
