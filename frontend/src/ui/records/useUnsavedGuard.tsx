import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { paths } from '@/paths';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import type { Autosave } from '@/ui/records/autosave';

/**
 * Asks for confirmation before a navigation, a reload or closing the tab leaves unsaved input. Render the returned dialog. Input that
 * is kept on this device (admin.kept-input) is not asked about when the session has ended: the login leads back to it.
 */
export function useUnsavedGuard(isDirty: () => boolean, autosave: Pick<Autosave, 'flush' | 'isStored'> | null = null) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    if (!isDirty() || currentLocation.pathname === nextLocation.pathname) return false;
    autosave?.flush();
    return nextLocation.pathname !== paths.login || !autosave?.isStored();
  });
  useEffect(() => {
    const onLeave = (event: BeforeUnloadEvent) => {
      if (isDirty()) event.preventDefault();
    };
    window.addEventListener('beforeunload', onLeave);
    return () => window.removeEventListener('beforeunload', onLeave);
  }, [isDirty]);
  const isBlocked = blocker.state === 'blocked';
  return (
    <Dialog open={isBlocked} title="Leave without saving?" onClose={() => blocker.reset?.()}>
      <p>
        {!isBlocked || !autosave?.isStored()
          ? 'Your changes on this page are not saved.'
          : blocker.location.pathname === paths.logout
            ? 'Your changes on this page are not saved, and logging out removes them from this device.'
            : 'Your changes on this page are not saved. They stay on this device, and you can restore them when you come back.'}
      </p>
      <div className="dialog__actions">
        <Button kind="primary" onClick={() => blocker.reset?.()}>
          Stay
        </Button>
        <Button kind="harm" onClick={() => blocker.proceed?.()}>
          Leave
        </Button>
      </div>
    </Dialog>
  );
}
