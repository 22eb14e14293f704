import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { attemptText, cacheWebhook, offReason, webhookQuery } from '@/features/study/settings/webhook';
import type { Webhook } from '@/features/study/settings/webhook';
import { QueryContent } from '@/shared/account/Section';
import { Row, SettingError } from '@/shared/account/Setting';
import { CopyField } from '@/shared/referral/CopyField';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { SubmitButton } from '@/ui/Form';
import { toast } from '@/ui/toast';
import { text, useForm } from '@/ui/useForm';

/** The URL to which the member's new highlights are posted (study.highlight-webhook). */
export function WebhookSettings() {
  const webhook = useQuery(webhookQuery());
  /** The secret that was just made: the server shows it this once. */
  const [secret, setSecret] = useState<string | null>(null);
  const save = async (url: string) => {
    const saved = await call('PUT /api/study/webhook', { body: { url } });
    cacheWebhook(saved.webhook);
    setSecret(saved.secret);
  };
  return (
    <QueryContent query={webhook} loading="Loading your webhook" rows={1}>
      {(data) =>
        data === null ? (
          <AddWebhook onAdd={save} />
        ) : (
          <>
            {secret === null ? null : <Secret secret={secret} />}
            <SavedWebhook
              webhook={data}
              onNewSecret={() => save(data.url)}
              onRemoved={() => {
                setSecret(null);
                cacheWebhook(null);
              }}
            />
          </>
        )
      }
    </QueryContent>
  );
}

function AddWebhook({ onAdd }: { onAdd: (url: string) => Promise<void> }) {
  const form = useForm({
    scroll: false,
    required: { url: 'The URL is missing.' },
    submit: (typed) => onAdd(text(typed, 'url').trim()),
  });
  return (
    <form className="form study-webhook__form" {...form.props}>
      <SettingError form={form} />
      <TextField
        label="URL"
        name="url"
        type="url"
        inputMode="url"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        maxLength={2000}
        required
        placeholder="https://"
        hint="It begins with https:// and can be reached from the internet."
        error={form.wrong('url')}
      />
      <SubmitButton form={form} kind="secondary" busyText="Adding">
        Add
      </SubmitButton>
    </form>
  );
}

/** Shown once: the server tells it to nobody again. */
function Secret({ secret }: { secret: string }) {
  return (
    <div className="study-webhook__secret" role="status">
      <p className="setting__label">The secret of your webhook</p>
      <CopyField label="Secret" text={secret} copied="Secret copied." />
      <p className="setting__note">
        Copy it now, because it is shown this once. By it your program verifies what is posted, as{' '}
        <a href="https://www.standardwebhooks.com/" target="_blank" rel="noopener noreferrer">
          Standard Webhooks
        </a>{' '}
        says.
      </p>
    </div>
  );
}

type Question = 'newSecret' | 'remove';

const TITLES: Record<Question, string> = { newSecret: 'Make a new secret?', remove: 'Remove the webhook?' };

interface SavedProps {
  webhook: Webhook;
  onNewSecret: () => Promise<void>;
  onRemoved: () => void;
}

function SavedWebhook({ webhook, onNewSecret, onRemoved }: SavedProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  const [now] = useState(() => Date.now());
  const close = () => setQuestion(null);
  const test = useMutation({
    mutationFn: () => call('POST /api/study/webhook/test'),
    onSuccess: (result) => cacheWebhook(result.webhook ?? null),
  });
  const renew = useMutation({
    mutationFn: onNewSecret,
    onSuccess: () => {
      test.reset();
      close();
    },
  });
  const remove = useMutation({
    mutationFn: () => call('DELETE /api/study/webhook'),
    onSuccess: () => {
      close();
      onRemoved();
      toast('The webhook was removed.');
      // The button that had the focus is removed.
      document.getElementById('webhook-title')?.focus();
    },
  });
  const { url, isOn, last } = webhook;
  return (
    <Row
      label="URL"
      mark={isOn ? <span className="badge badge--free">On</span> : <span className="badge badge--warn">Off</span>}
      actions={
        <>
          <Button kind="quiet" busy={test.isPending} busyText="Sending" onClick={() => test.mutate()}>
            Send a test
          </Button>
          <Button kind="quiet" onClick={() => setQuestion('newSecret')}>
            New secret
          </Button>
          <Button kind="quiet" aria-label="Remove the webhook" onClick={() => setQuestion('remove')}>
            Remove
          </Button>
        </>
      }
    >
      <p className="setting__value">{url}</p>
      {/* What came of a test stands below. */}
      {test.isSuccess ? null : <p className="setting__note">{last ? attemptText(last, now) : 'Nothing was posted to it yet.'}</p>}
      {isOn ? null : (
        <div className="setting__alert">
          <Alert kind="warning">{`${offReason(webhook)} A test that succeeds switches it on again.`}</Alert>
        </div>
      )}
      {test.isSuccess && last ? (
        <div className="setting__alert">
          {last.error === '' ? (
            <Alert kind="success">{`The test was answered with ${last.status ?? 'success'}.`}</Alert>
          ) : (
            <Alert kind="warning">{`The test failed. ${last.error}`}</Alert>
          )}
        </div>
      ) : null}
      {test.isError ? (
        <div className="setting__alert">
          <Alert kind="warning">{messageOf(test.error)}</Alert>
        </div>
      ) : null}
      <Dialog
        open={question !== null}
        title={question ? TITLES[question] : ''}
        onClose={() => {
          close();
          renew.reset();
          remove.reset();
        }}
      >
        {question === 'newSecret' ? (
          <div className="form">
            <p>The secret that is in use ends at once. Your program needs the new one to verify what is posted.</p>
            {renew.isError ? <Alert kind="warning">{messageOf(renew.error)}</Alert> : null}
            <div className="setting__buttons">
              <Button kind="primary" busy={renew.isPending} busyText="Making it" onClick={() => renew.mutate()}>
                Make a new secret
              </Button>
              <Button kind="quiet" data-first-focus onClick={close}>
                Cancel
              </Button>
            </div>
          </div>
        ) : (
          <div className="form">
            <p>Your new highlights are no longer posted. You can add a URL again at any time.</p>
            {remove.isError ? <Alert kind="warning">{messageOf(remove.error)}</Alert> : null}
            <div className="setting__buttons">
              <Button kind="harm" busy={remove.isPending} busyText="Removing" onClick={() => remove.mutate()}>
                Remove
              </Button>
              <Button kind="quiet" onClick={close}>
                Keep it
              </Button>
            </div>
          </div>
        )}
      </Dialog>
    </Row>
  );
}
