import { useState } from 'react';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { GOAL_LIMITS, goalQuery, rememberGoal } from '@/shared/goal/goal';
import type { Goal, GoalState } from '@/shared/goal/goal';
import { Button } from '@/ui/Button';
import { Checkbox } from '@/ui/Check';
import { Dialog } from '@/ui/Dialog';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { QuantityField } from '@/ui/QuantityField';
import { Segmented } from '@/ui/Segmented';
import { useForm } from '@/ui/useForm';

type Choice = Goal['unit'] | 'none';

const CHOICES: readonly { value: Choice; label: string }[] = [
  { value: 'minutes', label: 'Minutes' },
  { value: 'summaries', label: 'Summaries' },
  { value: 'none', label: 'No goal' },
];

/** What is chosen at first, by unit. */
const USUAL: Readonly<Record<Goal['unit'], string>> = { minutes: '15', summaries: '1' };

/** Chooses the daily goal, and whether reading time is counted. */
export function GoalDialog({ state, onClose }: { state: GoalState; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Daily goal">
      <GoalForm state={state} onClose={onClose} />
    </Dialog>
  );
}

function GoalForm({ state, onClose }: { state: GoalState; onClose: () => void }) {
  const { goal } = state;
  const [choice, setChoice] = useState<Choice>(goal?.unit ?? 'minutes');
  const [amounts, setAmounts] = useState(goal ? { ...USUAL, [goal.unit]: String(goal.amount) } : USUAL);
  const [counts, setCounts] = useState(state.countsTime);
  const isMinutes = choice === 'minutes';
  const form = useForm({
    scroll: false,
    submit: async () => {
      const chosen = choice === 'none' ? null : { unit: choice, amount: Number(amounts[choice]) };
      const saved = await call('PUT /api/user/goal', { body: { goal: chosen, countsTime: counts || isMinutes } });
      queryClient.setQueryData(goalQuery().queryKey, saved);
      rememberGoal(saved);
      onClose();
    },
  });
  return (
    <form {...form.props} className="goal-form">
      {form.wrong('amount') ? null : <FormAlert form={form} />}
      <Segmented legend="What the goal counts" name="unit" options={CHOICES} value={choice} onChange={setChoice} />
      {choice === 'none' ? null : (
        <QuantityField
          key={choice}
          label={isMinutes ? 'Minutes a day' : 'Summaries a day'}
          value={amounts[choice]}
          {...GOAL_LIMITS[choice]}
          error={form.wrong('amount')}
          onChange={(amount) => setAmounts({ ...amounts, [choice]: amount })}
          onBlur={() => undefined}
        />
      )}
      <div>
        <Checkbox label="Count my reading time" checked={counts || isMinutes} disabled={isMinutes} onChange={(event) => setCounts(event.target.checked)} />
        <p className="field__hint">
          Counted on your devices while you read or listen. It is used for your goal and your year.
          {isMinutes ? ' A goal of minutes needs it.' : ''}
        </p>
      </div>
      <div className="ask__actions">
        <SubmitButton form={form} busyText="Saving">
          Save
        </SubmitButton>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
