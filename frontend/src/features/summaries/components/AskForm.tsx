import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { DragEvent } from 'react';
import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import type { Progress } from '@/api/upload';
import { ACCEPT, NO_SOURCE, askSummary } from '@/features/summaries/ask';
import type { Source } from '@/features/summaries/ask';
import { Steps } from '@/features/summaries/components/Steps';
import { invalidateSummaries, isPlanRequired, isUnderWay, newestSummaryQuery, summariserMessageOf } from '@/features/summaries/queries';
import type { Summary } from '@/features/summaries/queries';
import { formatBytes } from '@/lib/format';
import { Button } from '@/ui/Button';
import { TextArea, TextField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/IconButton';
import { ProgressBar } from '@/ui/ProgressBar';
import { toast } from '@/ui/toast';
import { useForm } from '@/ui/useForm';

interface Props {
  /** The link to begin with; '' for none. */
  url: string;
  /** When false, submitting only calls `onPlanRequired`. */
  signedIn: boolean;
  /** Called with the summary: finished, or under way when it takes long. */
  onAsked: (summary: Summary) => void;
  /** Called when the viewer has no plan. */
  onPlanRequired: (message: string | null) => void;
}

const NAMES: Record<keyof Source, string> = { url: 'link', file: 'file', text: 'text' };
const isGiven = (source: Source, name: keyof Source) => source[name] !== NO_SOURCE[name];

/** A link, a file or a text (choosing one clears the others), and the button that requests the summary (summaries.one-source). */
export function AskForm({ url, signedIn, onAsked, onPlanRequired }: Props) {
  const [source, setSource] = useState<Source>({ ...NO_SOURCE, url });
  const [cleared, setCleared] = useState('');
  const [progress, setProgress] = useState<Progress | null>(null);
  const [over, setOver] = useState(false);
  const fileInput = useRef<HTMLInputElement>(null);
  const running = useRef<AbortController | null>(null);
  /** One idempotency key for as long as the source stays the same. */
  const key = useRef<string | null>(null);
  /** The newest summary before the request: the one that is made for it has a higher id. `null`: not known. */
  const [before, setBefore] = useState<number | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const form = useForm({
    submit: async () => {
      if (!signedIn) return onPlanRequired(null);
      const controller = new AbortController();
      running.current = controller;
      key.current ??= crypto.randomUUID();
      setBefore(
        await queryClient.query({ ...newestSummaryQuery(), staleTime: 0 }).then(
          (newest) => newest?.id ?? 0,
          () => null,
        ),
      );
      try {
        onAsked(await askSummary(source, { key: key.current, onProgress: setProgress, signal: controller.signal }));
      } catch (error) {
        // What was refused leaves nothing; what was broken off may be under way.
        void invalidateSummaries();
        if (controller.signal.aborted) return;
        if (isPlanRequired(error)) return onPlanRequired(summariserMessageOf(error));
        // The server's message says what to wait for; a countdown would replace it.
        const given = error instanceof ApiError ? error : null;
        const field = given?.field ?? (given?.status === 413 ? 'file' : null);
        throw new ApiError({ status: given?.status ?? 0, code: given?.code ?? 'internal', message: summariserMessageOf(error), field });
      } finally {
        running.current = null;
        setProgress(null);
      }
    },
  });

  const newest = useQuery({ ...newestSummaryQuery(), enabled: form.busy && before !== null }).data;
  const underWay = form.busy && newest && before !== null && newest.id > before && isUnderWay(newest) ? newest : null;
  const cancel = async () => {
    running.current?.abort();
    if (!underWay) return;
    // A summary that is finished by now stays.
    await call('POST /api/ai/summaries/{id}/cancel', { path: { id: String(underWay.id) } }).then(
      () => toast('The summary was cancelled.'),
      () => undefined,
    );
    void invalidateSummaries();
  };

  const choose = (change: Partial<Source>) => {
    if (form.busy) return;
    const next = { ...NO_SOURCE, ...change };
    const lost = (Object.keys(NAMES) as (keyof Source)[]).filter((name) => !(name in change) && isGiven(source, name));
    if (fileInput.current && !next.file) fileInput.current.value = '';
    setSource(next);
    if (lost.length > 0) setCleared(lost.map((name) => `The ${NAMES[name]} was cleared.`).join(' '));
    key.current = null;
    form.clear();
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) choose({ file });
  };
  const { file } = source;
  const fileError = form.wrong('file');
  const percent = progress && progress.total > 0 ? Math.floor((progress.sent / progress.total) * 100) : 0;
  return (
    <form {...form.props} className="form ask">
      <FormAlert form={form} />
      <fieldset className="ask__sources">
        <legend className="visually-hidden">What to summarize</legend>
        <TextField
          label="Link"
          name="url"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://example.com/article"
          maxLength={2000}
          readOnly={form.busy}
          value={source.url}
          error={form.wrong('url')}
          onChange={({ target }) => choose({ url: target.value })}
        />
        <p className="ask__or" aria-hidden="true">
          or
        </p>
        <div className="field">
          <label className="field__label" htmlFor="ask-file">
            File
          </label>
          <div
            className={over ? 'ask__drop ask__drop--over' : 'ask__drop'}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(true);
            }}
            onDragLeave={() => setOver(false)}
            onDrop={onDrop}
            role="presentation"
          >
            <input
              ref={fileInput}
              id="ask-file"
              name="file"
              className="visually-hidden"
              type="file"
              accept={ACCEPT}
              aria-describedby={fileError ? 'ask-file-error ask-file-hint' : 'ask-file-hint'}
              aria-invalid={fileError ? true : undefined}
              onChange={({ target }) => {
                const chosen = target.files?.[0];
                if (chosen) choose({ file: chosen });
              }}
            />
            {file ? (
              <>
                <Icon name="file" />
                <p className="ask__file">
                  <b>{file.name}</b> <span className="ask__size tabular">{formatBytes(file.size)}</span>
                </p>
                <IconButton
                  icon="close"
                  label="Remove the file"
                  onClick={() => {
                    choose({});
                    fileInput.current?.focus();
                  }}
                />
              </>
            ) : (
              <>
                <label className="button button--secondary" htmlFor="ask-file">
                  Choose a file
                </label>
                <p className="ask__hint">
                  <span className="ask__drag">or drop it here. </span>
                  PDF, EPUB, Word, HTML, Markdown or text, up to 25 MB.
                </p>
              </>
            )}
          </div>
          <p className="visually-hidden" id="ask-file-hint">
            {file ? `${file.name} is chosen.` : 'PDF, EPUB, Word, HTML, Markdown or text, up to 25 MB.'}
          </p>
          {fileError ? (
            <p className="field__error" id="ask-file-error">
              {fileError}
            </p>
          ) : null}
        </div>
        <p className="ask__or" aria-hidden="true">
          or
        </p>
        <TextArea
          className="ask__text"
          label="Text"
          name="text"
          rows={4}
          placeholder="Paste it here"
          readOnly={form.busy}
          value={source.text}
          error={form.wrong('text')}
          onChange={({ target }) => choose({ text: target.value })}
        />
      </fieldset>
      <p className="visually-hidden" role="status">
        {cleared}
      </p>
      {progress ? (
        <div className="ask__upload">
          <ProgressBar label="Upload" value={percent} max={100} tone="info" text={`${percent}%`} />
          <p className="ask__hint tabular" aria-hidden="true">
            {percent < 100 ? `${formatBytes(progress.sent)} of ${formatBytes(progress.total)}` : 'The file has been uploaded.'}
          </p>
        </div>
      ) : null}
      {underWay ? (
        <div className="ask__steps">
          <Steps summary={underWay} />
          <p className="making__note">You can leave this page. The summary will be in your list.</p>
        </div>
      ) : null}
      <div className="ask__actions">
        <SubmitButton form={form} busyText="Summarizing" large>
          Summarize
        </SubmitButton>
        {form.busy ? (
          <Button kind="quiet" large onClick={() => void cancel()}>
            Cancel
          </Button>
        ) : null}
      </div>
    </form>
  );
}
