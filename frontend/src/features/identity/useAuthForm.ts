import { useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import { ApiError, GENERAL_FAILURE } from '@/api/errors';
import { missing } from '@/features/identity/validate';

export interface Trouble {
  message: string;
  /** Names of the fields that are wrong. */
  fields: readonly string[];
  code: string | null;
}

interface Options {
  required: readonly string[];
  incomplete: string;
  submit: (form: FormData) => Promise<void>;
}

/** Loading, then whatever `submit` does, or an error at the top of the page (member.md §4). The fields keep what was typed. */
export function useAuthForm({ required, incomplete, submit }: Options) {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const running = useRef(false);

  const fail = (now: Trouble) => {
    setTrouble(now);
    window.scrollTo({ top: 0, behavior: 'smooth' });
  };

  const onSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (running.current) return;
    const form = new FormData(event.currentTarget);
    const empty = missing(form, required);
    if (empty.length > 0) {
      fail({ message: incomplete, fields: empty, code: null });
      return;
    }
    running.current = true;
    setBusy(true);
    setTrouble(null);
    try {
      await submit(form);
    } catch (error) {
      fail(
        error instanceof ApiError
          ? { message: error.message, fields: error.field ? [error.field] : [], code: error.code }
          : { message: GENERAL_FAILURE, fields: [], code: null },
      );
    } finally {
      running.current = false;
      setBusy(false);
    }
  };

  return { busy, trouble, onSubmit, wrong: (name: string) => (trouble?.fields.includes(name) ? true : undefined) };
}
