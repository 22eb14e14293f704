import { Link } from 'react-router';
import type { DraftBook } from '@/features/challenge/queries';
import { plural } from '@/lib/format';
import { paths } from '@/paths';
import { Icon } from '@/ui/Icon';

/** How the viewer gets to read the book of a day (challenge.plan-access). */
export function DayAccess({ access }: Pick<DraftBook, 'access'>) {
  switch (access) {
    case 'included':
      return <p className="day__access day__access--included">Included</p>;
    case 'free_summary':
      return <p className="day__access">Uses one of your free summaries</p>;
    case 'plan_required':
      return (
        <p className="day__access">
          <Icon name="lock" />
          Needs a plan
        </p>
      );
  }
}

/** How many days of a plan need a plan; nothing when none does. */
export function PlansNeeded({ books }: { books: readonly DraftBook[] }) {
  const count = books.filter(({ access }) => access === 'plan_required').length;
  if (count === 0) return null;
  return (
    <p className="challenge__plans">
      {`${count} of these ${plural(books.length, 'day')} ${count === 1 ? 'needs' : 'need'} a plan.`}{' '}
      <Link className="link" to={paths.pricing}>
        See plans
      </Link>
    </p>
  );
}
