// The filters of the inbox and the mails, in the URL's query.
import type { RequestOf } from '@/api/types';

type MessagesQuery = NonNullable<RequestOf<'GET /api/admin/messages'>['query']>;
type MailsQuery = NonNullable<RequestOf<'GET /api/admin/mails'>['query']>;
export type MessageKind = NonNullable<MessagesQuery['kind']>;
export type MailState = NonNullable<MailsQuery['state']>;

export const MAILS_VIEWS = ['open', 'done', 'all'] as const;
export type MailsView = (typeof MAILS_VIEWS)[number];

export const KINDS: Readonly<Record<MessageKind, string>> = {
  contact: 'Contact',
  suggest: 'Suggestion',
  feedback: 'Feedback',
  leaving: 'Leaving',
  cancellation: 'Cancellation',
};

export const STATES: Readonly<Record<MailState, string>> = { queued: 'Queued', sending: 'Sending', sent: 'Sent', set_aside: 'Failed' };

const isKind = (text: string | null): text is MessageKind => text !== null && Object.hasOwn(KINDS, text);
const isState = (text: string | null): text is MailState => text !== null && Object.hasOwn(STATES, text);

export interface InboxView {
  shown: MailsView;
  kind: MessageKind | null;
  q: string;
}

/** The filters in the URL; unknown values are ignored. */
export function inboxView(search: URLSearchParams): InboxView {
  const kind = search.get('kind');
  return { shown: MAILS_VIEWS.find((shown) => shown === search.get('show')) ?? 'open', kind: isKind(kind) ? kind : null, q: search.get('q')?.trim() ?? '' };
}

/** The same as query parameters of the call. */
export const messagesFilter = ({ shown, kind, q }: InboxView) => ({
  ...(kind && { kind }),
  ...(q && { q }),
  ...(shown !== 'all' && { done: shown === 'done' }),
});

export function mailState(search: URLSearchParams): MailState | null {
  const state = search.get('state');
  return isState(state) ? state : null;
}

/** The first non-empty line of a message. */
export const firstLine = (body: string): string => body.split('\n').find((line) => line.trim() !== '') ?? '';
