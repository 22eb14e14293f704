// The error message that a redirect takes along: the page that it leads to shows it. It travels in the navigation's state.

/** The state of a navigation that shows `message` on the next page; `target` is where that page leads back to. */
export const withErrorMessage = (message: string, target?: string): { errorMessage: string; target?: string } => ({
  errorMessage: message,
  ...(target !== undefined && { target }),
});

/** The path that a redirect came from, in a navigation's state; null without one. */
export const targetOf = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'target' in state && typeof state.target === 'string' ? state.target : null;

/** The error message in a navigation's state; null without one. */
export const errorMessageOf = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'errorMessage' in state && typeof state.errorMessage === 'string' ? state.errorMessage : null;
