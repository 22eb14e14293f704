import '@/shared/account/account.css';
import '@/features/study/settings/settings.css';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { queryClient } from '@/api/queryClient';
import { DailyMax } from '@/features/study/settings/components/DailyMax';
import { Exports } from '@/features/study/settings/components/Exports';
import { Notices } from '@/features/study/settings/components/Notices';
import { WebhookSettings } from '@/features/study/settings/components/WebhookSettings';
import { refusalOf, useSaveSettings } from '@/features/study/settings/useSaveSettings';
import { webhookQuery } from '@/features/study/settings/webhook';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { QueryContent, Section } from '@/shared/account/Section';
import { LinkRow } from '@/shared/account/Setting';
import { studySettingsQuery } from '@/shared/study/settings';
import type { StudySettings } from '@/shared/study/settings';
import { Checkbox } from '@/ui/Check';

export const loader = () => settleBeforeFirstRender(queryClient.query(studySettingsQuery()), queryClient.query(webhookQuery()));

/** /study-settings: what a member has switched on or off (study.study-switches). */
export function Component() {
  useTitle(ROUTES.studySettings.title);
  const settings = useQuery(studySettingsQuery());
  return (
    <div className="page page--text">
      <h1 className="page__title">{ROUTES.studySettings.title}</h1>
      <Section id="reader" title="In the reader">
        <QueryContent query={settings} loading="Loading your settings" rows={3}>
          {(data) => <ReaderSettings settings={data} />}
        </QueryContent>
      </Section>
      <Section id="review" title="Review">
        {/* A failure is shown once, above. */}
        {settings.isLoadingError ? null : (
          <QueryContent query={settings} loading="Loading your settings" rows={3}>
            {(data) => <ReviewSettings settings={data} />}
          </QueryContent>
        )}
        <ul className="account__links">
          <LinkRow to={paths.review} label="Review" note="The cards of today" />
          <LinkRow to={paths.reviewCards} label="Review cards" note="All of them: to search, edit, pause or delete" />
        </ul>
      </Section>
      <Section id="commitments" title="Commitments">
        {settings.isLoadingError ? null : (
          <QueryContent query={settings} loading="Loading your settings" rows={1}>
            {(data) => <CommitmentSettings settings={data} />}
          </QueryContent>
        )}
        <ul className="account__links">
          <LinkRow to={`${paths.myProgress}#commitments`} label="My Progress" note="All of them: to edit or delete" />
        </ul>
      </Section>
      {settings.isLoadingError ? null : (
        <Section id="notices" title="Reminder and mail">
          <QueryContent query={settings} loading="Loading your settings" rows={2}>
            {(data) => <Notices settings={data} />}
          </QueryContent>
        </Section>
      )}
      <Section id="export" title="Export" lead="All your highlights with their notes and tags, as often as you like, with a plan or without.">
        <Exports />
        <ul className="account__links">
          <LinkRow to={paths.highlights} label="Highlights" note="To read them here" />
        </ul>
      </Section>
      <Section id="webhook" title="Webhook" lead="Each new highlight is posted to a URL of yours as JSON, for a program that does more with it.">
        <WebhookSettings />
        <ul className="account__links">
          <LinkRow to={paths.apiTokens} label="API tokens" note="For programs of your own" />
        </ul>
      </Section>
    </div>
  );
}

function ReaderSettings({ settings }: { settings: StudySettings }) {
  const save = useSaveSettings();
  return (
    <ul className="study-switches">
      <Switch
        label="Highlights in the text"
        note="Off: the reader neither offers nor shows them. What you have kept stays."
        isOn={settings.hasHighlights}
        onChange={(hasHighlights) => save.mutate({ hasHighlights })}
      />
      <Switch
        label="Popular passages"
        note="What at least ten members have highlighted: their number, never their names."
        isOn={settings.showsPopular}
        onChange={(showsPopular) => save.mutate({ showsPopular })}
      />
      <Switch
        label="Count mine, without my name"
        note="Your highlights count for popular passages. Notes and tags are no part of it."
        isOn={settings.countsInPopular}
        onChange={(countsInPopular) => save.mutate({ countsInPopular })}
      />
    </ul>
  );
}

function ReviewSettings({ settings }: { settings: StudySettings }) {
  const save = useSaveSettings();
  return (
    <ul className="study-switches">
      <li className="study-switches__item">
        <DailyMax saved={settings.dailyMax} onSave={(dailyMax, onFailed) => save.mutate({ dailyMax }, { onError: (error) => onFailed(refusalOf(error)) })} />
      </li>
      <Switch
        label="Reviews count for my streak"
        note="A day on which you review a card counts like a day of reading."
        isOn={settings.countsForStreak}
        onChange={(countsForStreak) => save.mutate({ countsForStreak })}
      />
    </ul>
  );
}

function CommitmentSettings({ settings }: { settings: StudySettings }) {
  const save = useSaveSettings();
  return (
    <ul className="study-switches">
      <Switch
        label="Ask me what became of it"
        note="At the end of a summary: what you will do with it. On Home, after three days and two weeks: what became of it."
        isOn={settings.asksCommitments}
        onChange={(asksCommitments) => save.mutate({ asksCommitments })}
      />
    </ul>
  );
}

interface SwitchProps {
  label: string;
  note: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

function Switch({ label, note, isOn, onChange }: SwitchProps) {
  const id = useId();
  return (
    <li className="study-switches__item">
      <Checkbox label={label} checked={isOn} aria-describedby={id} onChange={({ target }) => onChange(target.checked)} />
      <p className="study-switches__note" id={id}>
        {note}
      </p>
    </li>
  );
}
