import '@/features/catalogue/books.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { Link, Navigate, useNavigate, useParams } from 'react-router';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { sendEvent } from '@/api/events';
import { queryClient } from '@/api/queryClient';
import type { Category, User } from '@/api/types';
import { accountQuery } from '@/shared/session/account';
import { categoriesQuery, cachePreferences } from '@/features/catalogue/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { hueClass } from '@/lib/hue';
import { scrollToTop } from '@/lib/scrollToTop';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { CheckCard } from '@/ui/Check';
import { Icon } from '@/ui/Icon';
import { ErrorState } from '@/ui/State';

export const loader = () => settleBeforeFirstRender(queryClient.query(accountQuery()), queryClient.query(categoriesQuery()));

/** The page's messages (reading-progress.chosen-categories). */
const NOTHING_PICKED = 'Please pick a category.';
const SAVED = 'Your preferences were successfully saved.';
const NO_USER = "Couldn't fetch the user";
const NO_CATEGORIES = "Couldn't fetch the categories";

export function Component() {
  useTitle(ROUTES.chooseCategories.title);
  const { type } = useParams();
  const account = useQuery(accountQuery());
  const categories = useQuery(categoriesQuery());
  // Set once a first choice is saved: the page then navigates itself, instead of the redirect below.
  const [leaving, setLeaving] = useState(false);

  if (type !== 'new' && type !== 'edit') return <Navigate to={paths.chooseCategories('edit')} replace />;
  if (type === 'new' && account.data && account.data.recommends.length > 0 && !leaving) return <Navigate to={paths.home} replace />;

  const failed = account.isError ? account : categories.isError ? categories : null;
  return (
    <div className="page">
      <nav aria-label="Breadcrumb">
        <ol className="choose__crumbs">
          <li>
            {/* Without a choice, /home would redirect back to this page. */}
            {type === 'new' ? 'Home' : <Link to={paths.home}>Home</Link>}
            <Icon name="chevronRight" />
          </li>
          <li aria-current="page">Set Preferences</li>
        </ol>
      </nav>
      <h1 className="page__title">Set Preferences</h1>
      <p className="page__lead">Please pick the categories that you are interested in, and we will recommend books for you to read.</p>
      {failed ? (
        <ErrorState message={account.isError ? NO_USER : NO_CATEGORIES} onRetry={() => void failed.refetch()} />
      ) : account.data && categories.data ? (
        <Choice type={type} user={account.data} categories={categories.data} onLeave={() => setLeaving(true)} />
      ) : (
        <div className="choose__grid" role="status" aria-label="Loading the categories">
          {Array.from({ length: 9 }, (_, i) => (
            <span key={i} className="skeleton check-card" />
          ))}
        </div>
      )}
    </div>
  );
}

interface ChoiceProps {
  type: 'new' | 'edit';
  user: User;
  categories: readonly Category[];
  onLeave: () => void;
}

function Choice({ type, user, categories, onLeave }: ChoiceProps) {
  const navigate = useNavigate();
  const [picked, setPicked] = useState<ReadonlySet<number>>(() => new Set(user.recommends));
  const [busy, setBusy] = useState(false);
  const [news, setNews] = useState<{ kind: 'warning' | 'success'; text: string } | null>(null);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    if (picked.size === 0) {
      setNews({ kind: 'warning', text: NOTHING_PICKED });
      scrollToTop();
      return;
    }
    setBusy(true);
    setNews(null);
    try {
      const saved = await call('PUT /api/user/recommends', { body: { recommends: [...picked] } });
      sendEvent('categories_chosen');
      if (type === 'new') {
        onLeave();
        cachePreferences(saved.user);
        await navigate(paths.home, { replace: true });
        return;
      }
      cachePreferences(saved.user);
      setNews({ kind: 'success', text: SAVED });
    } catch (error) {
      setNews({ kind: 'warning', text: messageOf(error) });
    } finally {
      setBusy(false);
    }
    scrollToTop();
  };

  return (
    <form onSubmit={(event) => void submit(event)}>
      {news ? (
        <div className="choose__alert">
          <Alert kind={news.kind}>{news.text}</Alert>
        </div>
      ) : null}
      <fieldset>
        <legend className="visually-hidden">Categories</legend>
        <div className="choose__grid">
          {categories.map((category) => (
            <CheckCard
              key={category.id}
              label={category.name}
              image={category.small_image}
              hue={hueClass(category.hue)}
              checked={picked.has(category.id)}
              onChange={(event) => {
                const next = new Set(picked);
                if (event.target.checked) next.add(category.id);
                else next.delete(category.id);
                setPicked(next);
              }}
            />
          ))}
        </div>
      </fieldset>
      <div className="choose__actions">
        <Button type="submit" kind="primary" large busy={busy} busyText="Saving">
          Submit
        </Button>
        <p className="choose__count tabular" role="status">
          {`${picked.size} of ${categories.length} picked`}
        </p>
      </div>
    </form>
  );
}
