// The error message that a redirect takes along: the page that it leads to shows it. It travels in the navigation's state.

/** The state of a navigation that shows `message` on the next page. */
export const withErrorMessage = (message: string): { errorMessage: string } => ({ errorMessage: message });

/** The error message in a navigation's state; null without one. */
export const errorMessageOf = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'errorMessage' in state && typeof state.errorMessage === 'string' ? state.errorMessage : null;
