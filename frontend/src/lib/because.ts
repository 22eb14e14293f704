// Why somebody is sent to another page: said there, in one sentence. It travels with the navigation.
export const because = (why: string): { because: string } => ({ because: why });

/** What a navigation gave as its reason; null when it gave none. */
export const reasonOf = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'because' in state && typeof state.because === 'string' ? state.because : null;
