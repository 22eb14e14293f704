import { useQuery } from '@tanstack/react-query';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { messageQuery } from '@/features/admin/queries';
import type { Message } from '@/features/admin/queries';
import { ownDraftName, readDraft, removeDraft, storeDraft } from '@/shared/offline/drafts';
import { formatMoment, plural } from '@/lib/format';
import { Alert } from '@/ui/Alert';
import { TextArea } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { SkeletonText } from '@/ui/Skeleton';
import { toast } from '@/ui/toast';
import { text, useForm } from '@/ui/useForm';

/** The replies to a message, and a form for the next one. Typed text is kept when the message is collapsed. */
export function MessageAnswers({ message, onAnswered }: { message: Message; onAnswered: (message: Message) => void }) {
  const { id, email, name } = message;
  const { data, error } = useQuery(messageQuery(id));
  const draft = ownDraftName(`answer-${id}`);
  const form = useForm({
    scroll: false,
    required: { text: 'Please specify Answer.' },
    submit: async (typed) => {
      const answered = await call('POST /api/admin/messages/{id}/answer', { path: { id: String(id) }, body: { text: text(typed, 'text') } });
      removeDraft(draft);
      queryClient.setQueryData(messageQuery(id).queryKey, answered);
      toast('The answer is on its way.');
      onAnswered(answered.message);
    },
  });
  return (
    <div className="answers">
      {error && !data ? <Alert kind="warning">{messageOf(error)}</Alert> : null}
      {!data && !error ? <SkeletonText width={40} /> : null}
      {data && data.answers.length > 0 ? (
        <ol className="answers__list" aria-label={plural(data.answers.length, 'answer')}>
          {data.answers.map(({ text: answer, by, at }) => (
            <li className="answers__one" key={at}>
              <p className="inbox__from">{`Answered by ${by ?? 'a deleted account'} · ${formatMoment(at)}`}</p>
              <p className="inbox__body" dir="auto">
                {answer}
              </p>
            </li>
          ))}
        </ol>
      ) : null}
      {email === null ? (
        <p className="admin__note">There is no address to reply to.</p>
      ) : (
        <form className="form answers__form" {...form.props}>
          <FormAlert form={form} />
          <TextArea
            label="Answer"
            name="text"
            rows={5}
            required
            maxLength={5000}
            defaultValue={readDraft(draft)['text'] ?? ''}
            onInput={({ currentTarget }) => storeDraft(draft, { text: currentTarget.value })}
            hint={`An email to ${name === null ? email : `${name}, ${email}`}. The greeting and the original message are added.`}
            error={form.wrong('text')}
          />
          <SubmitButton form={form} busyText="Sending…">
            Send answer
          </SubmitButton>
        </form>
      )}
    </div>
  );
}
