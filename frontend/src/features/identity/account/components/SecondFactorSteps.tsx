// The dialog for the second factor: a separate chunk, because most visits of the account page don't need it.
import { useEffect, useRef, useState } from 'react';
import { call, refresh } from '@/api/client';
import { session } from '@/api/session';
import { site } from '@/lib/site';
import type { ResultOf } from '@/api/types';
import { useFreshProof } from '@/shared/session/FreshProof';
import { SettingError } from '@/shared/account/Setting';
import type { SecondFactorTask } from '@/features/identity/account/components/SignIn';
import { invalidateSecurity } from '@/features/identity/account/queries';
import { saveFile } from '@/lib/saveFile';
import { Button } from '@/ui/Button';
import { Checkbox } from '@/ui/Check';
import { CodeField, PasswordField, TextField } from '@/ui/Field';
import { SubmitButton } from '@/ui/Form';
import { Icon } from '@/ui/Icon';
import { toast } from '@/ui/toast';
import { digits, text, useForm } from '@/ui/useForm';

interface Props {
  task: SecondFactorTask;
  hasPassword: boolean;
  /** The member's role requires a second factor, so the session's rights change with it. */
  required: boolean;
  /** Called when recovery codes are shown, which closing the dialog would lose. */
  onCodes: () => void;
  onDone: () => void;
}

type Enrolment = ResultOf<'POST /api/user/totp'>;

/** Enables the second factor in three steps, disables it in one, and creates new recovery codes in two. */
export default function SecondFactorSteps({ task, hasPassword, required, onCodes, onDone }: Props) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);

  const show = (made: readonly string[]) => {
    setCodes(made);
    onCodes();
    void invalidateSecurity();
  };

  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (task === 'turnOff') {
    return (
      <CodeForm
        lead="After this, your password alone is enough to log in. Please enter a code from your app or a recovery code."
        label="Code"
        send="Turn off"
        harm
        submit={async (code) => {
          await call('DELETE /api/user/totp', { body: { code } });
          await invalidateSecurity();
          onDone();
          toast('The second factor is off.');
        }}
      />
    );
  }
  if (task === 'newCodes') {
    return (
      <CodeForm
        lead="New codes replace the old ones. Please enter a code from your app."
        label="Code"
        send="Create new codes"
        submit={async (code) => show((await call('POST /api/user/recovery-codes', { body: { code } })).recoveryCodes)}
      />
    );
  }
  if (!enrolment) return <Start hasPassword={hasPassword} onStarted={setEnrolment} />;
  return (
    <Scan
      enrolment={enrolment}
      submit={async (code) => {
        const { recoveryCodes } = await call('PUT /api/user/totp', { body: { code } });
        // The session is strong now; a refresh fetches a token that says so.
        const token = session.token();
        if (required && token !== null) await refresh(token).catch(() => null);
        show(recoveryCodes);
      }}
    />
  );
}

function Start({ hasPassword, onStarted }: { hasPassword: boolean; onStarted: (enrolment: Enrolment) => void }) {
  const { withProof, dialog } = useFreshProof();
  const form = useForm({
    scroll: false,
    required: hasPassword ? { currentPassword: 'Your password is missing.' } : {},
    submit: async (typed) => {
      const body = hasPassword ? { currentPassword: text(typed, 'currentPassword') } : {};
      onStarted(await withProof(() => call('POST /api/user/totp', { body })));
    },
  });
  return (
    <>
      <form className="form" {...form.props}>
        <p>You need an authenticator app, such as the one in your password manager or on your phone. It shows a new six-digit code every 30 seconds.</p>
        <SettingError form={form} />
        {hasPassword ? (
          <PasswordField label="Current password" name="currentPassword" autoComplete="current-password" required error={form.wrong('currentPassword')} />
        ) : null}
        <SubmitButton form={form} busyText="One moment">
          Continue
        </SubmitButton>
      </form>
      {dialog}
    </>
  );
}

/** Groups of four characters, which are easier to read and type. */
const inFours = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ');

function Scan({ enrolment: { secret, url, qr }, submit }: { enrolment: Enrolment; submit: (code: string) => Promise<void> }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="factor">
      <h3 className="factor__step" ref={heading} tabIndex={-1}>
        1. Scan this with your app
      </h3>
      <div className="factor__scan">
        {/* As an image, so that no script in the SVG can run. */}
        <img
          className="factor__qr"
          src={`data:image/svg+xml;utf8,${encodeURIComponent(qr)}`}
          alt="The QR code for your authenticator app"
          width="176"
          height="176"
        />
        <div className="factor__by-hand">
          <p className="setting__note">Can’t scan? Enter this key in the app:</p>
          <code className="factor__secret">{inFours(secret)}</code>
          <p className="factor__tools">
            <CopyButton text={secret} what="key" />
            <a className="button button--quiet" href={url}>
              Open in an app on this device
            </a>
          </p>
        </div>
      </div>
      <h3 className="factor__step">2. Enter the code that it shows</h3>
      <CodeForm label="Six-digit code" send="Turn on" ofApp submit={submit} />
    </div>
  );
}

interface CodeFormProps {
  lead?: string;
  label: string;
  send: string;
  harm?: boolean;
  /** Accepts only six-digit codes of the app; otherwise recovery codes too. */
  ofApp?: boolean;
  submit: (code: string) => Promise<void>;
}

function CodeForm({ lead, label, send, harm = false, ofApp = false, submit }: CodeFormProps) {
  const form = useForm({
    scroll: false,
    required: { code: 'The code is missing.' },
    submit: (typed) => submit(ofApp ? digits(typed, 'code') : text(typed, 'code').trim()),
  });
  return (
    <form className="form" {...form.props}>
      {lead ? <p>{lead}</p> : null}
      <SettingError form={form} />
      {ofApp ? (
        <CodeField label={label} name="code" maxLength={7} required error={form.wrong('code')} />
      ) : (
        <TextField label={label} name="code" autoComplete="one-time-code" autoCapitalize="none" spellCheck={false} required error={form.wrong('code')} />
      )}
      <SubmitButton form={form} kind={harm ? 'harm' : 'primary'} busyText="Checking">
        {send}
      </SubmitButton>
    </form>
  );
}

/** Shown once: the server keeps only their hashes. */
function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const [kept, setKept] = useState(false);
  const all = codes.join('\n');
  return (
    <div className="factor">
      <h3 className="factor__step" ref={heading} tabIndex={-1}>
        Keep these recovery codes
      </h3>
      <p>Each of them lets you log in once if you lose your phone. They are shown only once: keep them where you can find them without your phone.</p>
      <div className="codes">
        <p className="codes__title">{`${site.name} recovery codes`}</p>
        <ol className="codes__list">
          {codes.map((code) => (
            <li key={code} className="codes__code">
              <code>{code}</code>
            </li>
          ))}
        </ol>
      </div>
      <div className="factor__tools">
        <CopyButton text={all} what="codes" />
        <Button
          kind="quiet"
          onClick={() =>
            saveFile(new Blob([`${site.name} recovery codes\n\n${all}\n`], { type: 'text/plain' }), `${site.name.toLowerCase()}-recovery-codes.txt`)
          }
        >
          <Icon name="download" />
          Download
        </Button>
        <Button kind="quiet" onClick={() => window.print()}>
          <Icon name="print" />
          Print
        </Button>
      </div>
      {/* Requires a checkbox, so that a double press on the previous step does not close what is shown only once. */}
      <Checkbox label="I have saved them" checked={kept} onChange={(event) => setKept(event.target.checked)} />
      <Button kind="primary" aria-disabled={!kept || undefined} onClick={onDone}>
        Done
      </Button>
    </div>
  );
}

function CopyButton({ text: words, what }: { text: string; what: string }) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(words);
      setSaid('Copied');
    } catch {
      setSaid('Could not copy: please select them instead');
    }
  };
  return (
    <>
      <Button kind="quiet" onClick={() => void copy()}>
        <Icon name={said === 'Copied' ? 'check' : 'copy'} />
        {said || `Copy the ${what}`}
      </Button>
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </>
  );
}
