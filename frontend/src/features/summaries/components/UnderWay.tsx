import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { call } from '@/api/client';
import { ApiError, isNotFound } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { invalidateSummaries, summariserMessageOf, summaryQuery } from '@/features/summaries/queries';
import type { Summary } from '@/features/summaries/queries';
import { SourceLine } from '@/features/summaries/components/SourceLine';
import { Steps } from '@/features/summaries/components/Steps';
import { paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button, LinkButton } from '@/ui/Button';
import { toast } from '@/ui/toast';

/** A summary in progress: the current step, and a button that cancels it. */
export function UnderWay({ summary, id }: { summary: Summary; id: string }) {
  const navigate = useNavigate();
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
      <Steps summary={summary} />
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
