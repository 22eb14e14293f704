import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';

/** Asks for confirmation before a navigation, a reload or closing the tab loses unsaved input. Render the returned dialog. */
export function useUnsavedGuard(isDirty: () => boolean) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => isDirty() && currentLocation.pathname !== nextLocation.pathname);
  useEffect(() => {
    const onLeave = (event: BeforeUnloadEvent) => {
      if (isDirty()) event.preventDefault();
    };
    window.addEventListener('beforeunload', onLeave);
    return () => window.removeEventListener('beforeunload', onLeave);
  }, [isDirty]);
  return (
    <Dialog open={blocker.state === 'blocked'} title="Leave without saving?" onClose={() => blocker.reset?.()}>
      <p>Your changes on this page are not saved.</p>
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
