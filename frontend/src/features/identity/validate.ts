// Client-side validation of the forms (identity.sign-up-fields, identity.login-fields): missing fields only; the server validates the rest.

export const SIGNUP_INCOMPLETE = 'Please specify an email or password or first name or last name.';
export const LOGIN_INCOMPLETE = 'Please specify an email or password.';

const REQUESTS = {
  firstName: 'Your first name is missing.',
  lastName: 'Your last name is missing.',
  username: 'Your email address is missing.',
  password: 'A password is missing.',
} as const;

/** The error beside each of these fields when it is empty. */
export const requests = (...names: readonly (keyof typeof REQUESTS)[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, REQUESTS[name]]));

/** The error of a required field that is empty. */
export const missingField = (label: string): string => `Please specify ${label}.`;
