// Passes an error message through a redirect, in the navigation's state; the destination shows it.

/** Navigation state with `message` for the next page; `target` is the path that page should lead back to. */
export const withErrorMessage = (message: string, target?: string): { errorMessage: string; target?: string } => ({
  errorMessage: message,
  ...(target !== undefined && { target }),
});

/** The path that a redirect came from, in a navigation's state; null when there is none. */
export const targetOf = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'target' in state && typeof state.target === 'string' ? state.target : null;

/** The error message in a navigation's state; null when there is none. */
export const errorMessageOf = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'errorMessage' in state && typeof state.errorMessage === 'string' ? state.errorMessage : null;
