import { useEffect, useRef } from 'react';
import { text } from '@/ui/useForm';

/**
 * Spam protection without a captcha: a honeypot field, hidden from people, and how long the form was open
 * (support.honeypot-fields). The server evaluates both.
 */
export function useHoneypot() {
  const opened = useRef(0);
  useEffect(() => {
    opened.current = performance.now();
  }, []);
  return {
    field: (
      <div className="honeypot" aria-hidden="true">
        <label>
          Leave this empty
          <input name="website" type="text" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
    ),
    of: (form: FormData) => ({ website: text(form, 'website'), openFor: Math.round(performance.now() - opened.current) }),
  };
}
