// The filters of the inbox and the mails, in the URL's query.
import type { RequestOf } from '@/api/types';

type MessagesQuery = NonNullable<RequestOf<'GET /api/admin/messages'>['query']>;
type MailsQuery = NonNullable<RequestOf<'GET /api/admin/mails'>['query']>;
export type MessageKind = NonNullable<MessagesQuery['kind']>;
export type MailState = NonNullable<MailsQuery['state']>;

export const MAILS_VIEWS = ['open', 'done', 'all'] as const;
export type MailsView = (typeof MAILS_VIEWS)[number];

export type MessagesAbout = NonNullable<MessagesQuery['about']>;

export const KINDS: Readonly<Record<MessageKind, string>> = {
  contact: 'Contact',
  suggest: 'Suggestion',
  feedback: 'Feedback',
  leaving: 'Deletion',
  cancellation: 'Cancellation',
};

/** The two parts of the inbox: what is to be answered, and why members leave (support.leaving-reasons). */
export const KINDS_ABOUT: Readonly<Record<MessagesAbout, readonly MessageKind[]>> = {
  questions: ['contact', 'suggest', 'feedback'],
  leaving: ['leaving', 'cancellation'],
};

/** The part that a kind of message belongs to. */
export const aboutOf = (kind: MessageKind): MessagesAbout => (KINDS_ABOUT.leaving.includes(kind) ? 'leaving' : 'questions');

export const STATES: Readonly<Record<MailState, string>> = { queued: 'Queued', sending: 'Sending', sent: 'Sent', set_aside: 'Failed' };

const isKind = (text: string | null): text is MessageKind => text !== null && Object.hasOwn(KINDS, text);
const isState = (text: string | null): text is MailState => text !== null && Object.hasOwn(STATES, text);

export interface InboxView {
  about: MessagesAbout;
  /** Reasons for leaving are neither open nor done, so all are shown. */
  shown: MailsView;
  kind: MessageKind | null;
  q: string;
}

/** The filters in the URL; unknown values are ignored. */
export function inboxView(search: URLSearchParams): InboxView {
  const named = search.get('kind');
  const kind = isKind(named) ? named : null;
  const about = kind ? aboutOf(kind) : search.get('about') === 'leaving' ? 'leaving' : 'questions';
  const shown = about === 'leaving' ? 'all' : (MAILS_VIEWS.find((one) => one === search.get('show')) ?? 'open');
  return { about, shown, kind, q: search.get('q')?.trim() ?? '' };
}

/** The same as query parameters of the call. */
export const messagesFilter = ({ about, shown, kind, q }: InboxView) => ({
  about,
  ...(kind && { kind }),
  ...(q && { q }),
  // As text: the client leaves `false` out of a URL, and without `done` the server lists all.
  ...(shown !== 'all' && { done: String(shown === 'done') as unknown as boolean }),
});

export function mailState(search: URLSearchParams): MailState | null {
  const state = search.get('state');
  return isState(state) ? state : null;
}
