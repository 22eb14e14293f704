import { useState } from 'react';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { describeValue } from '@/ui/records/fields';
import type { FieldDef, Values } from '@/ui/records/fields';
import { plainText } from '@/ui/records/plainText';

interface Props {
  fields: readonly FieldDef[];
  clashes: readonly string[];
  mine: Values;
  theirs: Values;
  /** The other editor, if known. */
  by: string | null;
  /** Whether `mine` is a draft that is put back into the form, whose values `theirs` then are; otherwise `mine` is being saved. */
  restores?: boolean;
  onClose: () => void;
  /** Called with the chosen values of the conflicting fields. */
  onChoose: (chosen: Values) => void;
}

/** An edit conflict: shows both values of each field that was changed twice, to choose one of each, so that nothing is overwritten unseen. */
export function ConflictDialog({ fields, clashes, mine, theirs, by, restores = false, onClose, onChoose }: Props) {
  const [chosen, setChosen] = useState<Readonly<Record<string, 'mine' | 'theirs'>>>({});
  const words = restores
    ? {
        lead: `${by === null ? 'It was changed' : `${by} saved it`} after you typed. Choose what to keep: nothing is saved yet.`,
        mine: 'Your unsaved changes',
        theirs: 'As it is now',
        choose: 'Restore this',
        close: 'Cancel',
      }
    : {
        lead: `${by ?? 'Another editor'} saved it while you were typing. ${clashes.length === 0 ? 'You changed different fields, so both changes fit together.' : 'Choose what to keep.'}`,
        mine: 'Yours',
        theirs: by === null ? 'Theirs' : `By ${by}`,
        choose: 'Save this',
        close: 'Keep editing',
      };
  return (
    <Dialog open title="This was changed in the meantime" className="dialog--wide" onClose={onClose}>
      <p>{words.lead}</p>
      {fields
        .filter(({ id }) => clashes.includes(id))
        .map((field) => (
          <fieldset key={field.id} className="choice">
            <legend className="choice__legend">{field.label}</legend>
            {(
              [
                ['mine', words.mine, mine],
                ['theirs', words.theirs, theirs],
              ] as const
            ).map(([side, label, values]) => (
              <label key={side} className="choice__option">
                <input
                  type="radio"
                  className="radio-list__input"
                  name={`keep-${field.id}`}
                  checked={(chosen[field.id] ?? 'mine') === side}
                  onChange={() => setChosen({ ...chosen, [field.id]: side })}
                />
                <span className="choice__who">{label}</span>
                <span className="choice__value">{plainText(describeValue(field, values[field.id]))}</span>
              </label>
            ))}
          </fieldset>
        ))}
      <div className="dialog__actions">
        <Button
          kind="primary"
          onClick={() => onChoose(Object.fromEntries(clashes.map((id) => [id, (chosen[id] === 'theirs' ? theirs[id] : mine[id]) ?? null])))}
        >
          {words.choose}
        </Button>
        <Button onClick={onClose}>{words.close}</Button>
      </div>
    </Dialog>
  );
}
