// The behavior of every form: validates required fields, prevents double submission, and shows errors at their fields.
import { useEffect, useRef, useState } from 'react';
import type { SubmitEvent, SyntheticEvent } from 'react';
import { ApiError, messageOf } from '@/api/errors';
import { scrollToTop } from '@/lib/scrollToTop';

export interface FormError {
  message: string;
  /** Error messages by field name. */
  fields: Readonly<Record<string, string>>;
  /** The server's error code; null for a client-side error. */
  code: string | null;
  /** Seconds until the next attempt is allowed; null when it is allowed at once. */
  retryAfter: number | null;
}

interface Options {
  /** The required fields' messages by name, in the order of the form: only the first missing field shows one (site.required-fields). */
  required?: Readonly<Record<string, string>>;
  /** The message at the top when a field is missing; default: the first missing field's message. */
  incomplete?: string;
  /** Whether to scroll up to the error; false where the form is one of several on its page. */
  scroll?: boolean;
  /** The message for a value that `submit` threw. */
  messageFor?: (error: unknown) => string;
  /** Submits the form. A thrown error is shown; an {@link ApiError} at its field. */
  submit: (form: FormData) => Promise<void>;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
const isControl = (element: unknown): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;

const NOTHING: Readonly<Record<string, string>> = {};

/** The digits of a typed code: '123 456' → '123456'. */
export const digits = (form: FormData, name: string): string => text(form, name).replace(/\D/g, '');

/** A field's text, untrimmed; '' when there is no such field. */
export function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** The names of the fields that are empty or blank. A password may consist of spaces. */
export const missing = (form: FormData, names: readonly string[]): string[] =>
  names.filter((name) => (/password/i.test(name) ? text(form, name) : text(form, name).trim()) === '');

/** Runs `work`; an error about a wrong code that names no field is attributed to the field `name`. */
export async function aboutField<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'code_invalid' || error.field !== null) throw error;
    throw new ApiError({ status: error.status, code: error.code, message: error.message, field: name });
  }
}

/** Converts a value that `submit` threw to the form's error. */
export function formErrorOf(error: unknown, messageFor = messageOf): FormError {
  const message = messageFor(error);
  if (!(error instanceof ApiError)) return { message, fields: NOTHING, code: null, retryAfter: null };
  return {
    message,
    fields: error.field ? { [error.field]: message } : NOTHING,
    code: error.code,
    retryAfter: error.status === 429 ? error.retryAfter : null,
  };
}

/**
 * Submits a form; an error is shown at the top of the page (site.form-errors) and at its fields, the first of which gets the
 * focus. The fields keep their text. A rate-limited form can be submitted again after the time that the server states.
 *
 * `<form {...form.props}>`, `error={form.wrong('name')}`, and FormAlert and SubmitButton of `@/ui/Form`.
 */
export function useForm({ required = NOTHING, incomplete, scroll = true, messageFor, submit }: Options) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<FormError | null>(null);
  const running = useRef(false);
  const wait = useCountdown();

  const fail = (form: HTMLFormElement, now: FormError) => {
    setError(now);
    if (now.retryAfter !== null) wait.start(now.retryAfter);
    const first = [...form.elements].find((element): element is Control => isControl(element) && element.name in now.fields);
    first?.focus({ preventScroll: scroll });
    if (scroll) scrollToTop();
  };

  const send = async (element: HTMLFormElement) => {
    if (running.current || wait.left > 0) return;
    const form = new FormData(element);
    const first = missing(form, Object.keys(required))[0];
    if (first !== undefined) {
      const error = required[first] ?? '';
      fail(element, { message: incomplete ?? error, fields: { [first]: error }, code: null, retryAfter: null });
      return;
    }
    running.current = true;
    setBusy(true);
    setError(null);
    try {
      await submit(form);
    } catch (error) {
      fail(element, formErrorOf(error, messageFor));
    } finally {
      running.current = false;
      setBusy(false);
    }
  };

  /** Typing clears the field's error; the alert stays until the form is submitted again. */
  const onInput = ({ target }: SyntheticEvent<HTMLFormElement>) => {
    if (!isControl(target) || !error || !(target.name in error.fields)) return;
    setError({ ...error, fields: Object.fromEntries(Object.entries(error.fields).filter(([name]) => name !== target.name)) });
  };

  return {
    props: {
      onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        void send(event.currentTarget);
      },
      onInput,
      noValidate: true,
    },
    /** Submits the form from a control outside of it. */
    send: (element: HTMLFormElement) => void send(element),
    clear: () => setError(null),
    busy,
    error,
    /** Seconds until the form may be submitted again. */
    wait: wait.left,
    wrong: (name: string): string | null => error?.fields[name] ?? null,
  };
}

export type Form = ReturnType<typeof useForm>;

/** A countdown in whole seconds, by the clock, so that it is right after the tab was suspended. */
export function useCountdown() {
  const [state, setState] = useState<{ until: number; now: number } | null>(null);
  const until = state?.until ?? null;
  useEffect(() => {
    if (until === null) return;
    const timer = setInterval(() => {
      const now = Date.now();
      setState(now >= until ? null : { until, now });
    }, 1000);
    return () => clearInterval(timer);
  }, [until]);
  return {
    left: state ? Math.ceil((state.until - state.now) / 1000) : 0,
    start: (seconds: number) => {
      const now = Date.now();
      setState({ until: now + seconds * 1000, now });
    },
  };
}
