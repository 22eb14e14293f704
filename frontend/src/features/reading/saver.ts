// Saves where the reader is, one call at a time, the newest place last. A completion is never overtaken: it is sent
// even when the reader has gone on meanwhile. Each place says when it was, so that one that arrives late does no harm.

export interface Place {
  position: number;
  completed: boolean;
  /** When the reader was there, by the server's clock, in ms. */
  at: number;
}

interface Events<R> {
  saved: (place: Place, answer: R) => void;
  /** `again`: it will be tried once more when the connection is back. */
  failed: (place: Place, error: unknown, again: boolean) => void;
  /** Whether trying the same again can help. */
  worthRetrying: (error: unknown) => boolean;
}

export interface PlaceSaver {
  save: (place: Place) => void;
  /** The connection is back: what was lost is tried once more. */
  retry: () => void;
  /** The page is being left: whatever still waits goes out now. */
  flush: () => void;
}

interface Waiting {
  place: Place;
  /** A failure may be tried once more. */
  again: boolean;
}

export function createPlaceSaver<R>(send: (place: Place) => Promise<R>, events: Events<R>): PlaceSaver {
  let waiting: Waiting[] = [];
  let lost: Place[] = [];
  let busy = false;

  const put = async ({ place, again }: Waiting) => {
    try {
      events.saved(place, await send(place));
    } catch (error) {
      const retried = again && events.worthRetrying(error);
      // A newer place that waits makes an older one pointless, unless that one completed the book.
      if (retried && (place.completed || waiting.length === 0)) lost.push(place);
      events.failed(place, error, retried);
    }
  };

  const run = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    for (let entry = waiting.shift(); entry; entry = waiting.shift()) await put(entry);
    busy = false;
  };

  return {
    save(place) {
      const completions = [...lost.map((p) => ({ place: p, again: true })), ...waiting].filter((w) => w.place.completed);
      lost = [];
      waiting = [...completions, { place, again: true }];
      void run();
    },
    retry() {
      waiting = [...lost.map((place) => ({ place, again: false })), ...waiting];
      lost = [];
      void run();
    },
    flush() {
      const rest = [...lost.map((place) => ({ place, again: false })), ...waiting];
      lost = [];
      waiting = [];
      for (const entry of rest) void put({ ...entry, again: false });
    },
  };
}
