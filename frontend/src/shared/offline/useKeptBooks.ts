import { useCallback, useEffect, useState } from 'react';
import { session } from '@/api/session';
import type { KeptBook } from '@/shared/offline/offlineCopies';

const copies = () => import(/* webpackChunkName: "offline-copies" */ '@/shared/offline/offlineCopies');

/** The summaries on this device; null while they are read. Updates on every change. */
export function useKeptBooks(): readonly KeptBook[] | null {
  const [books, setBooks] = useState<readonly KeptBook[] | null>(null);
  useEffect(() => {
    let here = true;
    const look = () => {
      copies()
        .then(({ keptBooks }) => keptBooks())
        .then(
          (found) => here && setBooks(found),
          () => here && setBooks([]),
        );
    };
    look();
    let stop: (() => void) | null = null;
    copies().then(
      ({ onCopiesChanged }) => {
        if (here) stop = onCopiesChanged(look);
      },
      () => undefined,
    );
    return () => {
      here = false;
      stop?.();
    };
  }, []);
  return books;
}

/** The state of a book's recording on this device: `bytes` is its size, `progress` the bytes received so far. */
export type KeptRecording =
  | { state: 'unknown' }
  | { state: 'absent'; failed: boolean }
  | { state: 'coming'; progress: number }
  | { state: 'kept'; bytes: number };

/** Whether a book's recording is downloaded, and the functions that download and remove it. */
export function useKeptRecording(book: { id: number; subid: string; free: boolean }) {
  const [kept, setKept] = useState<KeptRecording>({ state: 'unknown' });
  const { id, subid, free } = book;
  const look = useCallback(async (): Promise<KeptRecording> => {
    const bytes = await (await copies()).keptRecording(id);
    return bytes === null ? { state: 'absent', failed: false } : { state: 'kept', bytes };
  }, [id]);
  useEffect(() => {
    if (session.token() === null) return;
    let here = true;
    look().then(
      (now) => here && setKept(now),
      // Without storage nothing can be downloaded.
      () => undefined,
    );
    return () => {
      here = false;
    };
  }, [look]);
  const keep = async () => {
    setKept({ state: 'coming', progress: 0 });
    try {
      await (await copies()).keepRecording({ id, subid, free }, (progress) => setKept({ state: 'coming', progress }));
      setKept(await look());
    } catch {
      setKept({ state: 'absent', failed: true });
    }
  };
  const remove = async () => {
    try {
      await (await copies()).removeRecording(id);
      setKept(await look());
    } catch {
      // The recording stays, and so does the button.
    }
  };
  return { kept, keep, remove };
}
