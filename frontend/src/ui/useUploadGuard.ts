import { useEffect } from 'react';
import type { RefObject } from 'react';
import { useBlocker } from 'react-router';

/** Asks for confirmation before a navigation, a reload or closing the tab cancels an upload. `running` aborts it; null while there is none. */
export function useUploadGuard(running: RefObject<AbortController | null>): void {
  const blocker = useBlocker(() => running.current !== null);
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    if (window.confirm('The upload is not finished. Leave and cancel it?')) {
      running.current?.abort();
      blocker.proceed();
    } else blocker.reset();
  }, [blocker, running]);
  useEffect(() => {
    const abort = () => running.current?.abort();
    const onLeave = (event: BeforeUnloadEvent) => {
      if (running.current) event.preventDefault();
    };
    window.addEventListener('beforeunload', onLeave);
    return () => {
      window.removeEventListener('beforeunload', onLeave);
      abort();
    };
  }, [running]);
}
