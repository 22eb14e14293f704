import type { Summary } from '@/features/summaries/queries';
import { stepNow, stepsOf } from '@/features/summaries/steps';
import { Icon } from '@/ui/Icon';

/** How far a summary in progress is: its steps, with the current one marked and announced. */
export function Steps({ summary }: { summary: Pick<Summary, 'source' | 'state'> }) {
  const now = stepNow(summary);
  const steps = stepsOf(summary.source);
  const place = steps.findIndex(({ state }) => state === now.state);
  return (
    <>
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
    </>
  );
}
