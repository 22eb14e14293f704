import type { ComponentProps } from 'react';
import { sendEvent } from '@/api/events';
import { paths } from '@/paths';
import { LinkButton } from '@/ui/Button';

/** Counts a press on 'Try it free' (site.start-event). */
export const sendTryFree = () => sendEvent('start_for_free');

/** The start-for-free button: counts an event and links to the sign-up. */
export function TryFree({ children = 'Try it free', onClick, ...rest }: Omit<ComponentProps<typeof LinkButton>, 'to'>) {
  return (
    <LinkButton
      kind="primary"
      {...rest}
      to={paths.signup}
      onClick={(event) => {
        sendTryFree();
        onClick?.(event);
      }}
    >
      {children}
    </LinkButton>
  );
}
