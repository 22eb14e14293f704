import { useId } from 'react';
import type { TeamList } from '@/features/study/teamList/queries';
import { useAgreement } from '@/features/study/teamList/useAgreement';
import { Checkbox } from '@/ui/Check';

interface Props extends Pick<TeamList, 'isAgreed'> {
  /** The list's id in the URL. */
  id: string;
}

/** Asks whether the team may see which books of the list the member has finished (study.team-progress). */
export function Agreement({ id, isAgreed }: Props) {
  const agreement = useAgreement(id);
  const note = useId();
  return (
    <div className="team-list__question">
      <Checkbox
        label="Show my team which of these I have finished?"
        checked={isAgreed}
        aria-describedby={note}
        onChange={({ target }) => agreement.mutate(target.checked)}
      />
      <p className="team-list__question-note" id={note}>
        Your team then sees your first name and which summaries of this list you have finished, and nothing else.
      </p>
    </div>
  );
}
