// Client-side validation of the forms (identity.sign-up-fields, identity.login-fields): only required fields; the server
// validates the rest.

export const SIGNUP_INCOMPLETE = 'Please specify an email or password or first name or last name.';
export const LOGIN_INCOMPLETE = 'Please specify an email or password.';

const REQUESTS = {
  firstName: 'Your first name is missing.',
  lastName: 'Your last name is missing.',
  username: 'Your email address is missing.',
  password: 'A password is missing.',
} as const;

/** The required fields with the errors for when they are empty. */
export const requests = (...names: readonly (keyof typeof REQUESTS)[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, REQUESTS[name]]));

/** The error of an empty required field. */
export const missingField = (label: string): string => `Please specify ${label}.`;
