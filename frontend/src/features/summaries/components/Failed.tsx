import { useNavigate } from 'react-router';
import { SourceLine } from '@/features/summaries/components/SourceLine';
import { deleteSummary } from '@/features/summaries/deletions';
import type { Summary } from '@/features/summaries/queries';
import { paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button, LinkButton } from '@/ui/Button';

/** Failures that a retry with the same link may fix. */
const PASSING: ReadonlySet<string> = new Set(['unreachable', 'too_slow', 'interrupted']);

/** A summary that failed: the reason, and what to do. */
export function Failed({ summary }: { summary: Summary }) {
  const navigate = useNavigate();
  const { source, error } = summary;
  return (
    <div className="page page--text making">
      <h1 className="page__title">{summary.title}</h1>
      <SourceLine source={source} title={summary.title} />
      <Alert kind="warning">{error?.text ?? 'It could not be summarized.'}</Alert>
      <div className="ask__actions">
        <LinkButton kind="primary" to={source.url === null ? paths.ai : paths.aiOf(source.url)}>
          {source.kind === 'link'
            ? PASSING.has(error?.code ?? '')
              ? 'Try again'
              : 'Change the link'
            : source.kind === 'file'
              ? 'Choose another file'
              : 'Paste different text'}
        </LinkButton>
        <Button
          kind="quiet"
          onClick={() => {
            deleteSummary(summary);
            void navigate(paths.ai);
          }}
        >
          Delete
        </Button>
      </div>
    </div>
  );
}
