import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { call } from '@/api/client';
import { ApiError, isNotFound } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { invalidateSummaries, summariserMessageOf, summaryQuery } from '@/features/summaries/queries';
import type { Summary } from '@/features/summaries/queries';
import { SourceLine } from '@/features/summaries/components/SourceLine';
import { stepNow, stepsOf } from '@/features/summaries/steps';
import { paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button, LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { toast } from '@/ui/toast';

/** A summary in progress: the current step, and a button that cancels it. */
export function UnderWay({ summary, id }: { summary: Summary; id: string }) {
  const navigate = useNavigate();
  const now = stepNow(summary);
  const steps = stepsOf(summary.source);
  const place = steps.findIndex(({ state }) => state === now.state);
  const cancel = useMutation({
    mutationFn: () => call('POST /api/ai/summaries/{id}/cancel', { path: { id } }),
    onSuccess: () => leave(),
    onError: (error) => {
      if (isNotFound(error)) leave();
      // It was finished a moment ago: shows it.
      else if (error instanceof ApiError && error.status === 409) void queryClient.invalidateQueries({ queryKey: summaryQuery(id).queryKey });
    },
  });
  const leave = () => {
    void invalidateSummaries();
    toast('The summary was cancelled.');
    void navigate(paths.ai);
  };
  const failed = cancel.isError && !(cancel.error instanceof ApiError && cancel.error.status === 409);
  return (
    <div className="page page--text making">
      <h1 className="page__title">{summary.title}</h1>
      <SourceLine source={summary.source} title={summary.title} />
      <p className="visually-hidden" role="status">
        {now.text}
      </p>
      <ol className="making__steps">
        {steps.map((step, i) => (
          <li
            key={step.state}
            className={`making__step${i < place ? ' making__step--done' : i === place ? ' making__step--now' : ''}`}
            aria-current={i === place ? 'step' : undefined}
          >
            <span className="making__mark">{i < place ? <Icon name="check" /> : null}</span>
            {step.text}
          </li>
        ))}
      </ol>
      {failed ? <Alert kind="warning">{summariserMessageOf(cancel.error)}</Alert> : null}
      <p className="making__note">You can leave this page. The summary will be in your list.</p>
      <div className="ask__actions">
        <Button busy={cancel.isPending} busyText="Cancelling" onClick={() => cancel.mutate()}>
          Cancel
        </Button>
        <LinkButton kind="quiet" to={paths.ai}>
          Your summaries
        </LinkButton>
      </div>
    </div>
  );
}
