import { useState } from 'react';
import { ApiError } from '@/api/errors';
import { changeListNote, createList, listNameError, listNoteError, nameOf, renameList } from '@/shared/study/lists/listChanges';
import { LISTS_MAX } from '@/shared/study/lists/list';
import type { ReadingList } from '@/shared/study/lists/list';
import { studyStore } from '@/shared/study/studyStore';
import { shownLists } from '@/shared/study/lists/shownLists';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextArea, TextField } from '@/ui/Field';
import { SubmitButton } from '@/ui/Form';
import { text, useForm } from '@/ui/useForm';

interface Props {
  /** Null: a new one. */
  list: ReadingList | null;
  onClose: () => void;
  /** Called with a new list, when it is on this device. */
  onCreated?: (list: ReadingList) => void;
}

/** The name and the note of a list. */
export function ListDialog({ list, onClose, onCreated }: Props) {
  // What another device changes meanwhile stays, unless the member has changed it here too.
  const [opened] = useState(list);
  const form = useForm({
    required: { name: 'Please name the list.' },
    scroll: false,
    submit: async (typed) => {
      const [name, note] = [text(typed, 'name'), text(typed, 'note')];
      const isTooMany = !list && shownLists(studyStore.snapshot()).length >= LISTS_MAX;
      const nameError = isTooMany ? 'You have 200 lists. Please delete one first.' : listNameError(name);
      const noteError = listNoteError(note);
      if (nameError !== null) throw new ApiError({ status: 0, code: 'validation', message: nameError, field: 'name' });
      if (noteError !== null) throw new ApiError({ status: 0, code: 'validation', message: noteError, field: 'note' });
      const kept = opened ?? (await createList(name));
      // It is stored on this device at once; sending it does not keep the dialog open.
      if (nameOf(name) !== kept.name.value) void renameList(kept, name);
      if (note.trim() !== kept.note.value) void changeListNote(kept, note);
      onClose();
      if (!list) onCreated?.(kept);
    },
  });
  return (
    <Dialog open onClose={onClose} title={list ? 'Edit the list' : 'New list'}>
      <form className="form" {...form.props}>
        <TextField label="Name" name="name" autoComplete="off" required defaultValue={opened?.name.value} error={form.wrong('name')} />
        <TextArea
          label="Note"
          name="note"
          rows={3}
          defaultValue={opened?.note.value}
          hint="If you like: what the list is for. Those with whom you share it see it too."
          error={form.wrong('note')}
        />
        <p className="list-dialog__actions">
          <SubmitButton form={form} busyText={list ? 'Saving' : 'Creating'}>
            {list ? 'Save' : 'Create the list'}
          </SubmitButton>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
        </p>
      </form>
    </Dialog>
  );
}
