import { useRef, useState } from 'react';
import type { SubmitEvent, SyntheticEvent } from 'react';
import { ApiError, GENERAL_FAILURE } from '@/api/errors';
import { missing, REQUESTS } from '@/features/identity/validate';

export interface Trouble {
  message: string;
  /** What is wrong with which field, by its name. */
  fields: Readonly<Record<string, string>>;
  code: string | null;
}

interface Options {
  required: readonly string[];
  incomplete: string;
  submit: (form: FormData) => Promise<void>;
}

/** The first control of a form that is wrong. */
const firstOf = (form: HTMLFormElement, fields: Trouble['fields']) =>
  [...form.elements].find((element): element is HTMLInputElement => element instanceof HTMLInputElement && element.name in fields);

/**
 * Loading, then whatever `submit` does, or an error at the top of the page (member.md §4) and beside the fields that it is about,
 * the first of which gets the focus. The fields keep what was typed.
 */
export function useAuthForm({ required, incomplete, submit }: Options) {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const running = useRef(false);

  const fail = (form: HTMLFormElement, now: Trouble) => {
    setTrouble(now);
    firstOf(form, now.fields)?.focus({ preventScroll: true });
    window.scrollTo({ top: 0, behavior: 'smooth' });
  };

  const onSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (running.current) return;
    const element = event.currentTarget;
    const form = new FormData(element);
    const empty = missing(form, required);
    if (empty.length > 0) {
      fail(element, { message: incomplete, fields: Object.fromEntries(empty.map((name) => [name, REQUESTS[name] ?? incomplete])), code: null });
      return;
    }
    running.current = true;
    setBusy(true);
    setTrouble(null);
    try {
      await submit(form);
    } catch (error) {
      fail(
        element,
        error instanceof ApiError
          ? { message: error.message, fields: error.field ? { [error.field]: error.message } : {}, code: error.code }
          : { message: GENERAL_FAILURE, fields: {}, code: null },
      );
    } finally {
      running.current = false;
      setBusy(false);
    }
  };

  /** What is typed anew is not called wrong any more; the alert stays until the form is sent again. */
  const onInput = ({ target }: SyntheticEvent<HTMLFormElement>) => {
    if (!(target instanceof HTMLInputElement) || !trouble || !(target.name in trouble.fields)) return;
    setTrouble({ ...trouble, fields: Object.fromEntries(Object.entries(trouble.fields).filter(([name]) => name !== target.name)) });
  };

  return { busy, trouble, onSubmit, onInput, wrong: (name: string) => trouble?.fields[name] ?? null };
}
