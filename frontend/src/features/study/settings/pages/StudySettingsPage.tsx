import '@/shared/account/account.css';
import '@/features/study/settings/settings.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { call } from '@/api/client';
import { ApiError, messageOf } from '@/api/errors';
import { queryClient, viewer } from '@/api/queryClient';
import type { RequestOf } from '@/api/types';
import { DailyMax } from '@/features/study/settings/components/DailyMax';
import { Exports } from '@/features/study/settings/components/Exports';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { QueryContent, Section } from '@/shared/account/Section';
import { LinkRow } from '@/shared/account/Setting';
import { rememberSettings, studySettingsQuery } from '@/shared/study/settings';
import type { StudySettings } from '@/shared/study/settings';
import { Checkbox } from '@/ui/Check';
import { toast } from '@/ui/toast';

type Changes = RequestOf<'PUT /api/study/settings'>['body'];

export const loader = () => settleBeforeFirstRender(queryClient.query(studySettingsQuery()));

/** Why the server has refused the number of cards, which is shown at its field. */
const refusalOf = (error: unknown): string | null => (error instanceof ApiError && error.field === 'dailyMax' ? error.message : null);

const MUTATION = ['study-settings'];

/** The values of the settings that are to be changed. */
const valuesOf = (settings: StudySettings, changes: Changes): Partial<StudySettings> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => name in changes));

/** Saves changes, which are shown at once; what could not be saved is taken back, with the reason. */
function useSave() {
  const { queryKey } = studySettingsQuery();
  const show = (settings: StudySettings) => {
    queryClient.setQueryData(queryKey, settings);
    rememberSettings(settings);
  };
  return useMutation({
    mutationKey: MUTATION,
    // One after the other: the server keeps what comes last.
    scope: { id: 'study-settings' },
    mutationFn: (body: Changes) => call('PUT /api/study/settings', { body }),
    onMutate: async (changes) => {
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData(queryKey);
      if (before) show({ ...before, ...(changes as Partial<StudySettings>) });
      return before;
    },
    onSuccess: ({ settings }, { countsForStreak }) => {
      // What is still to be saved is shown already.
      if (queryClient.isMutating({ mutationKey: MUTATION }) === 1) show(settings);
      // The streak is another now.
      if (typeof countsForStreak === 'boolean') void queryClient.invalidateQueries({ queryKey: [viewer(), 'progress'] });
    },
    onError: (error, changes, before) => {
      const now = queryClient.getQueryData(queryKey);
      if (before && now) show({ ...now, ...valuesOf(before, changes) });
      if (refusalOf(error) === null) toast(messageOf(error));
    },
  });
}

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
      <Section id="export" title="Export" lead="All your highlights with their notes and tags, as often as you like, with a plan or without.">
        <Exports />
        <ul className="account__links">
          <LinkRow to={paths.highlights} label="Highlights" note="To read them here" />
        </ul>
      </Section>
    </div>
  );
}

function ReaderSettings({ settings }: { settings: StudySettings }) {
  const save = useSave();
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
  const save = useSave();
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
