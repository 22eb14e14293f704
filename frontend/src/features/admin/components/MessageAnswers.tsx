import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { messageQuery } from '@/features/admin/queries';
import type { Message } from '@/features/admin/queries';
import { recordDrafts } from '@/shared/offline/recordDrafts';
import { formatMoment, plural } from '@/lib/format';
import { Alert } from '@/ui/Alert';
import { TextArea } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { SkeletonText } from '@/ui/Skeleton';
import { DRAFT_KEPT, inputOf, useAutosave } from '@/ui/records/autosave';
import { textOf } from '@/ui/records/fields';
import type { FieldDef, Values } from '@/ui/records/fields';
import { toast } from '@/ui/toast';
import { text, useForm } from '@/ui/useForm';

const FIELDS: readonly FieldDef[] = [{ id: 'text', label: 'Reply', type: 'textarea' }];
const NOTHING: Values = { text: '' };

/**
 * The replies to a message, and a form for the next one. What is typed is kept until it is sent (admin.kept-input), and is back when
 * the message is opened again: it overwrites nothing.
 */
export function MessageAnswers({ message, onAnswered }: { message: Message; onAnswered: (message: Message) => void }) {
  const { id, email, name } = message;
  const { data, error } = useQuery(messageQuery(id));
  const [drafts] = useState(() => recordDrafts(`answers/${id}`));
  const [earlier] = useState(() => drafts?.list()[0] ?? null);
  const [answer, setAnswer] = useState(() => (earlier ? textOf(earlier.to, 'text') : ''));
  const { autosave, isKept } = useAutosave(drafts, earlier);
  useEffect(() => autosave.update(inputOf(FIELDS, NOTHING, { text: answer }, null)));
  const form = useForm({
    scroll: false,
    required: { text: 'Please specify Reply.' },
    submit: async (typed) => {
      const answered = await call('POST /api/admin/messages/{id}/answer', { path: { id: String(id) }, body: { text: text(typed, 'text') } });
      autosave.update(null);
      setAnswer('');
      queryClient.setQueryData(messageQuery(id).queryKey, answered);
      toast('Your reply is on its way.');
      onAnswered(answered.message);
    },
  });
  return (
    <div className="answers">
      {error && !data ? <Alert kind="warning">{messageOf(error)}</Alert> : null}
      {!data && !error ? <SkeletonText width={40} /> : null}
      {data && data.answers.length > 0 ? (
        <ol className="answers__list" aria-label={plural(data.answers.length, 'reply', 'replies')}>
          {data.answers.map(({ text: sent, by, at }) => (
            <li className="answers__one" key={at}>
              <p className="inbox__from">{`Reply from ${by ?? 'a deleted account'} · ${formatMoment(at)}`}</p>
              <p className="inbox__body" dir="auto">
                {sent}
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
            label="Reply"
            name="text"
            rows={5}
            required
            maxLength={5000}
            value={answer}
            onChange={({ target }) => setAnswer(target.value)}
            hint={`An email to ${name === null ? email : `${name}, ${email}`}. The greeting and the original message are added.`}
            error={form.wrong('text')}
          />
          <div className="answers__bar">
            <SubmitButton form={form} busyText="Sending…">
              Send reply
            </SubmitButton>
            <p className="record-form__state" role="status">
              {!isKept || answer === ''
                ? ''
                : earlier && textOf(earlier.to, 'text') === answer
                  ? `${DRAFT_KEPT} since ${formatMoment(earlier.at)}`
                  : DRAFT_KEPT}
            </p>
          </div>
        </form>
      )}
    </div>
  );
}
