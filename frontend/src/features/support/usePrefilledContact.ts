import { useEffect, useRef } from 'react';
import { useSignedIn } from '@/api/session';
import { accountQuery } from '@/shared/session/account';
import { ownNameOf } from '@/lib/format';
import { useQuery } from '@tanstack/react-query';

/** Prefills a form's empty fields `name` and `email` from the member's account. */
export function usePrefilledContact() {
  const form = useRef<HTMLFormElement>(null);
  const signedIn = useSignedIn();
  const { data: user } = useQuery({ ...accountQuery(), enabled: signedIn });
  useEffect(() => {
    if (!user) return;
    const own = { name: ownNameOf(user), email: user.email };
    for (const [name, value] of Object.entries(own)) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement && field.value === '') field.value = value;
    }
  }, [user]);
  return form;
}
