import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { messageOf } from '@/api/errors';
import { followersOf, otherListsQuery } from '@/features/study/lists/queries';
import { shareList } from '@/features/study/lists/shareList';
import { plural } from '@/lib/format';
import { useOnline } from '@/lib/useOnline';
import { paths } from '@/paths';
import { CopyField } from '@/shared/referral/CopyField';
import type { ReadingList, Sharing } from '@/shared/study/lists/list';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Checkbox } from '@/ui/Check';
import { Dialog } from '@/ui/Dialog';
import { Icon } from '@/ui/Icon';
import { Toaster } from '@/ui/toast';

interface Props {
  list: ReadingList;
  onClose: () => void;
}

/** To whom a list is shown: with its link, and as a list of the member's team (study.list-sharing, study.team-lists). */
export function ShareDialog({ list, onClose }: Props) {
  const online = useOnline();
  const { data } = useQuery(otherListsQuery());
  // Undefined: not known now.
  const seats = data?.seats;
  return (
    <Dialog open onClose={onClose} title="Share this list" className="share-list">
      {online ? null : <Alert kind="warning">You are offline. Sharing needs a connection.</Alert>}
      {list.isTakenDown ? (
        <Alert kind="warning">
          This list was taken down. It can’t be shared until we allow it. <Link to={paths.contact}>Please contact us.</Link>
        </Alert>
      ) : null}
      <Audience list={list} followers={followersOf(data, list.id)} online={online} />
      {list.slug === null ? null : <ListLink slug={list.slug} name={list.name.value} />}
      {(seats ?? 0) > 0 || list.teamListId !== null ? <Team list={list} seats={seats} online={online} /> : null}
      {/* The page's own is below the dialog. */}
      <Toaster />
    </Dialog>
  );
}

const OPTIONS: readonly { value: Sharing; label: string; hint: string; action: string; done: string }[] = [
  { value: 'private', label: 'Private', hint: 'You alone see it.', action: 'Make it private', done: 'The list is private now.' },
  {
    value: 'link',
    label: 'By link',
    hint: 'Everyone who has the link sees it. It can’t be guessed, and search engines do not have it.',
    action: 'Share by link',
    done: 'The list is shared by link now.',
  },
  {
    value: 'public',
    label: 'Public page',
    hint: 'Everyone can find it: from 3 summaries on, with search engines too. Your name is not on it.',
    action: 'Make it public',
    done: 'The list is public now.',
  },
];

/** What ends with a change; null: nothing. */
function warningOf(list: ReadingList, to: Sharing, followers: number): string | null {
  if (list.slug === null) return null;
  if (to !== 'private') return 'It gets another link, and the one that it has now ends. The members who follow it keep it.';
  const lost =
    followers > 0 ? ` ${plural(followers, 'member')} who ${followers === 1 ? 'follows' : 'follow'} it ${followers === 1 ? 'loses' : 'lose'} it.` : '';
  return `Its link ends.${lost} If you share it again, it gets another one.`;
}

interface AudienceProps {
  list: ReadingList;
  followers: number;
  online: boolean;
}

/** Private, by link, or public: it is changed by a button, because the arrow keys choose among the options. */
function Audience({ list, followers, online }: AudienceProps) {
  const id = useId();
  const [chosen, setChosen] = useState<Sharing | null>(null);
  const now = chosen ?? list.sharing;
  const option = OPTIONS.find(({ value }) => value === now);
  const change = useMutation({
    mutationFn: (sharing: Sharing) => shareList(list, { sharing }),
    onSuccess: () => setChosen(null),
  });
  const warning = now === list.sharing ? null : warningOf(list, now, followers);
  return (
    <>
      <fieldset className="radio-list">
        <legend className="visually-hidden">Who sees it</legend>
        {OPTIONS.map(({ value, label, hint }) => (
          <label key={value} className="radio-list__option">
            <input
              type="radio"
              className="radio-list__input"
              name={id}
              value={value}
              checked={value === now}
              disabled={!online || (value !== 'private' && list.isTakenDown)}
              onChange={() => {
                if (change.isPending) return;
                change.reset();
                setChosen(value);
              }}
            />
            <span>
              {label}
              <span className="radio-list__hint">{value === 'private' && list.teamListId !== null ? 'You alone see it, and your team.' : hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {warning === null ? null : <Alert kind="warning">{warning}</Alert>}
      {change.isError ? <Alert kind="harm">{messageOf(change.error)}</Alert> : null}
      {now === list.sharing || !option ? null : (
        <p className="list-dialog__actions">
          <Button kind="primary" busy={change.isPending} busyText="Saving" aria-disabled={!online || undefined} onClick={() => change.mutate(now)}>
            {option.action}
          </Button>
          <Button kind="quiet" onClick={() => setChosen(null)}>
            Leave it as it is
          </Button>
        </p>
      )}
      <p className="visually-hidden" role="status">
        {change.isSuccess && chosen === null ? option?.done : ''}
      </p>
    </>
  );
}

/** The link to a shared list. */
function ListLink({ slug, name }: { slug: string; name: string }) {
  const url = new URL(paths.sharedList(slug), window.location.origin).href;
  const system = navigator as { share?: (data: ShareData) => Promise<void> };
  const share = () => {
    // Closing the share sheet is not an error, and the link stands above.
    system.share?.({ title: name, url }).catch(() => undefined);
  };
  return (
    <div className="share-list__link">
      <CopyField label="Link to the list" text={url} />
      <p className="share-list__ways">
        {system.share ? (
          <Button onClick={share}>
            <Icon name="share" />
            Send it
          </Button>
        ) : null}
        <Link className="link link--more" to={paths.sharedList(slug)}>
          See its page
          <Icon name="arrowRight" />
        </Link>
      </p>
    </div>
  );
}

interface TeamProps {
  list: ReadingList;
  /** How many seats the member has bought; undefined: not known now. */
  seats: number | undefined;
  online: boolean;
}

/** Gives the list to the members who have the seats, or takes it back: that is asked first, because it ends their page. */
function Team({ list, seats, online }: TeamProps) {
  const id = useId();
  const [isEnding, setEnding] = useState(false);
  const change = useMutation({ mutationFn: (isForTeam: boolean) => shareList(list, { isForTeam }), onSuccess: () => setEnding(false) });
  const isGiven = change.isPending ? change.variables : list.teamListId !== null && !isEnding;
  const press = (isChecked: boolean) => {
    if (change.isPending) return;
    change.reset();
    setEnding(!isChecked);
    if (isChecked && list.teamListId === null) change.mutate(true);
  };
  return (
    <div className="share-list__team">
      <Checkbox
        label="Give it to my team"
        checked={isGiven}
        disabled={!online}
        aria-describedby={seats === undefined ? undefined : id}
        onChange={({ target }) => press(target.checked)}
      />
      {seats === undefined ? null : (
        <p className="share-list__note" id={id}>
          {seats > 0 ? `The members with your ${plural(seats, 'seat')} see it, with your first name.` : 'You have no seats now: no team sees it.'}
        </p>
      )}
      {isEnding ? <Alert kind="warning">Its page for your team ends, and so does what members agreed to show.</Alert> : null}
      {change.isError ? <Alert kind="harm">{messageOf(change.error)}</Alert> : null}
      {isEnding ? (
        <p className="list-dialog__actions">
          <Button kind="primary" busy={change.isPending} busyText="Saving" aria-disabled={!online || undefined} onClick={() => change.mutate(false)}>
            Take it from my team
          </Button>
          <Button kind="quiet" onClick={() => press(true)}>
            Leave it as it is
          </Button>
        </p>
      ) : null}
      {list.teamListId === null ? null : (
        <Link className="link link--more" to={paths.teamList(list.teamListId)}>
          See the page of your team
          <Icon name="arrowRight" />
        </Link>
      )}
      <p className="visually-hidden" role="status">
        {change.isSuccess && !isEnding ? (change.variables ? 'Your team has the list now.' : 'Your team no longer sees the list.') : ''}
      </p>
    </div>
  );
}
