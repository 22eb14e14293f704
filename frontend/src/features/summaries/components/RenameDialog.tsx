import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { invalidateSummaries, summaryQuery } from '@/features/summaries/queries';
import type { Summary } from '@/features/summaries/queries';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { text, useForm } from '@/ui/useForm';

/** Maximum length of a title, in characters. */
const TITLE_MAX = 200;

/** Renames a summary. */
export function RenameDialog({ summary, onClose }: { summary: Pick<Summary, 'id' | 'title'>; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Rename">
      <RenameForm summary={summary} onClose={onClose} />
    </Dialog>
  );
}

function RenameForm({ summary: { id, title }, onClose }: { summary: Pick<Summary, 'id' | 'title'>; onClose: () => void }) {
  const form = useForm({
    required: { title: 'Please specify Title.' },
    scroll: false,
    submit: async (data) => {
      const { summary } = await call('PUT /api/ai/summaries/{id}', { path: { id: String(id) }, body: { title: text(data, 'title').trim() } });
      queryClient.setQueryData(summaryQuery(String(id)).queryKey, (shown) => shown && { ...shown, summary });
      void invalidateSummaries();
      onClose();
    },
  });
  return (
    <form {...form.props} className="form">
      {form.wrong('title') ? null : <FormAlert form={form} />}
      <TextField label="Title" name="title" defaultValue={title} maxLength={TITLE_MAX} required autoComplete="off" error={form.wrong('title')} />
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
