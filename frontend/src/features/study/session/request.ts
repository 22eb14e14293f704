// What a session is asked for: minutes and a topic, in the form and in the URL.
import { plural } from '@/lib/format';
import { MAX_SESSION_MINUTES, MAX_SESSION_TOPIC, isSessionTopic } from '@/shared/study/session';

export interface SessionRequest {
  minutes: number;
  /** Empty: none. */
  topic: string;
}

/** What stands in the form's fields. */
export interface TypedRequest {
  minutes: string;
  topic: string;
}

/** The fields' errors. */
export type RequestErrors = { [Field in keyof TypedRequest]?: string };

/** What the fields hold at first. */
export const FIRST_REQUEST: TypedRequest = { minutes: '15', topic: '' };

/** The request, if what was typed is one. The errors are the server's. */
export function checkRequest(typed: TypedRequest): { request: SessionRequest } | { errors: RequestErrors } {
  const minutes = /^\d{1,3}$/.test(typed.minutes.trim()) ? Number(typed.minutes) : 0;
  const topic = typed.topic.trim();
  const isMinutes = minutes >= 1 && minutes <= MAX_SESSION_MINUTES;
  const isTopic = isSessionTopic(topic);
  if (isMinutes && isTopic) return { request: { minutes, topic } };
  return {
    errors: {
      ...(!isMinutes && { minutes: `Choose from 1 to ${MAX_SESSION_MINUTES} minutes.` }),
      ...(!isTopic && { topic: `Please keep the topic to ${MAX_SESSION_TOPIC} characters.` }),
    },
  };
}

/** What the URL says; null without minutes: the form is shown. */
export function requestInAddress(params: URLSearchParams): TypedRequest | null {
  const minutes = params.get('minutes');
  return minutes === null ? null : { minutes, topic: params.get('topic') ?? '' };
}

/** { 12, 'negotiation' } → 'I have 12 minutes on negotiation' */
export const sessionHeading = ({ minutes, topic }: SessionRequest): string => `I have ${plural(minutes, 'minute')}${topic && ` on ${topic}`}`;
