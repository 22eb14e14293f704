import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { MailTest } from '@/features/site/setup/components/MailTest';
import type { FinishedSetup } from '@/features/site/setup/components/NextSteps';
import type { Setup, SetupContent } from '@/features/site/setup/queries';
import { startSession } from '@/shared/session/signIn';
import { paths } from '@/paths';
import { EmailField, PasswordField, TextField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { RadioList } from '@/ui/RadioList';
import { text, useForm } from '@/ui/useForm';

/** The longest name of a site, in characters. */
const NAME_LENGTH = 60;

const CONTENT: readonly { value: SetupContent; label: string; hint: string }[] = [
  { value: 'demo', label: 'Demo content', hint: 'Book summaries that you can edit or delete.' },
  { value: 'empty', label: 'Start empty', hint: 'You add the first book in the back office.' },
];

const REQUIRED = {
  token: 'The setup token is missing.',
  siteName: 'The site’s name is missing.',
  firstName: 'Your first name is missing.',
  lastName: 'Your last name is missing.',
  username: 'Your email address is missing.',
  password: 'A password is missing.',
  content: 'Choose what the site starts with.',
};

interface Props {
  setup: Setup;
  /** The token of the link; null: it is typed in. */
  linkToken: string | null;
  onFinished: (finished: FinishedSetup) => void;
}

/** The form of the setup. Its first field, the token, is shown when the link had none or a wrong one. */
export function SetupForm({ setup, linkToken, onFinished }: Props) {
  const [isRejected, setRejected] = useState(false);
  const showsToken = linkToken === null || isRejected;
  /** Runs a call; when its token was wrong, shows the field, so that the error and the focus have a place. */
  const withToken = async <T,>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'setup_token_invalid') flushSync(() => setRejected(true));
      throw error;
    }
  };
  const form = useForm({
    required: REQUIRED,
    submit: async (data) => {
      const siteName = text(data, 'siteName').trim();
      const content = text(data, 'content') as SetupContent;
      const signedIn = await withToken(() =>
        call('POST /api/setup', {
          body: {
            token: text(data, 'token').trim(),
            ...(!setup.siteNameFixed && { siteName }),
            firstName: text(data, 'firstName').trim(),
            lastName: text(data, 'lastName').trim(),
            username: text(data, 'username').trim(),
            password: text(data, 'password'),
            timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
            content,
          },
        }),
      );
      await startSession(signedIn);
      // The server starts again under another name.
      onFinished({ name: siteName, content, restarts: siteName !== setup.siteName });
    },
  });
  return (
    <div className="page setup">
      <h1 className="page__title" tabIndex={-1}>
        Set up the site
      </h1>
      <p className="page__lead">The site has no admin and no content yet. This page sets up both, once.</p>
      <FormAlert form={form}>
        {form.error?.code === 'already_there' ? (
          <p>
            <a href={paths.login}>Log in</a>
          </p>
        ) : null}
      </FormAlert>
      <form className="setup__form" {...form.props}>
        {showsToken ? (
          <Part title="Token" lead="It shows that you run the server.">
            <TextField
              label="Setup token"
              name="token"
              defaultValue={linkToken ?? undefined}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
              hint="The server prints it in its log when it starts."
              error={form.wrong('token')}
            />
          </Part>
        ) : (
          <input type="hidden" name="token" value={linkToken} />
        )}
        <Part title="Site" lead="The name is on every page and in every email.">
          {setup.siteNameFixed ? (
            <>
              {/* The value stands for the field, which is not required then. */}
              <input type="hidden" name="siteName" value={setup.siteName} />
              <div className="field">
                <p className="field__label">Site’s name</p>
                <p className="setup__name">{setup.siteName}</p>
                <p className="field__hint">The server’s setting SITE_NAME decides it.</p>
              </div>
            </>
          ) : (
            <TextField
              label="Site’s name"
              name="siteName"
              defaultValue={setup.siteName}
              maxLength={NAME_LENGTH}
              autoComplete="off"
              required
              error={form.wrong('siteName')}
            />
          )}
        </Part>
        <Part title="First admin" lead="Your account. You can make more admins and editors later.">
          <div className="form__pair">
            <TextField label="First name" name="firstName" autoComplete="given-name" required error={form.wrong('firstName')} />
            <TextField label="Last name" name="lastName" autoComplete="family-name" required error={form.wrong('lastName')} />
          </div>
          <EmailField label="Email" name="username" autoComplete="email" error={form.wrong('username')} />
          <PasswordField label="Password" name="password" autoComplete="new-password" hint="At least 8 characters." required error={form.wrong('password')} />
        </Part>
        <Part title="Mail server" lead="Members confirm their address, reset a password and get receipts by email.">
          <MailTest setup={setup} withToken={withToken} />
        </Part>
        <Part title="Content" lead="The books, authors and categories of the site.">
          <RadioList legend="What does the site start with?" name="content" options={CONTENT} error={form.wrong('content')} />
        </Part>
        <div className="setup__submit">
          <SubmitButton form={form} large busyText="Setting up">
            Set up
          </SubmitButton>
        </div>
      </form>
    </div>
  );
}

function Part({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="setup__part" aria-labelledby={id}>
      <div>
        <h2 className="setup__title" id={id}>
          {title}
        </h2>
        <p className="setup__lead">{lead}</p>
      </div>
      <div className="form">{children}</div>
    </section>
  );
}
