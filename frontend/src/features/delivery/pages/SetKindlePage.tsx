import '@/features/delivery/files.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { call } from '@/api/client';
import { rawMessageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { accountQuery } from '@/shared/session/account';
import { FileSkeleton, PaidOnly } from '@/features/delivery/components/PaidOnly';
import { ApprovedSender } from '@/features/delivery/components/ApprovedSender';
import { kindleQuery } from '@/features/delivery/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { LinkButton } from '@/ui/Button';
import { SelectField, TextField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { ErrorState } from '@/ui/State';
import { text, useForm } from '@/ui/useForm';

export const loader = () => settleBeforeFirstRender(queryClient.query(accountQuery()), queryClient.query(kindleQuery()));

/** /set-kindle: the e-reader's e-mail address, in two parts (delivery.e-reader-address). */
export function Component() {
  useTitle(ROUTES.setKindle.title);
  return (
    <div className="page page--text kindle">
      <h1 className="page__title">Your Kindle’s address</h1>
      <PaidOnly>
        <p className="page__lead">Every Kindle has its own email address. The summaries you send go there.</p>
        <AddressForm />
      </PaidOnly>
    </div>
  );
}

function AddressForm() {
  const { data: kindle, error, refetch } = useQuery(kindleQuery());
  const [search] = useSearchParams();
  const book = search.get('book');
  const [done, setDone] = useState(false);
  const form = useForm({
    messageFor: rawMessageOf,
    required: { kindle_email: 'Please complete the form.' },
    incomplete: 'Please complete the form.',
    submit: async (data) => {
      setDone(false);
      const body = { kindle_email: text(data, 'kindle_email'), kindle_email_end: text(data, 'kindle_email_end') };
      queryClient.setQueryData(kindleQuery().queryKey, await call('POST /api/kindle/set-kindle', { body }));
      setDone(true);
    },
  });
  if (!kindle) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <FileSkeleton label="Loading the form" />;
  return (
    <>
      {done ? (
        <Alert kind="success">
          Successful set your kindle email.
          <div className="kindle__next">
            <LinkButton to={book === null ? paths.sendToKindle() : paths.sendToKindle(book)}>{book === null ? 'Send a summary' : 'Continue'}</LinkButton>
          </div>
        </Alert>
      ) : null}
      <form {...form.props} className="kindle__form">
        <FormAlert form={form} />
        <div className="kindle__parts">
          <TextField
            label="Kindle email"
            name="kindle_email"
            required
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            defaultValue={kindle.name ?? ''}
            error={form.wrong('kindle_email')}
          />
          <SelectField label="Domain" name="kindle_email_end" defaultValue={kindle.domain ?? kindle.domains[0]} error={form.wrong('kindle_email_end')}>
            {kindle.domains.map((domain) => (
              <option key={domain} value={domain}>
                @{domain}
              </option>
            ))}
          </SelectField>
        </div>
        <SubmitButton form={form} busyText="Saving">
          Save
        </SubmitButton>
      </form>
      <ApprovedSender sender={kindle.sender} />
    </>
  );
}
