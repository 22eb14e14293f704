// What the forms check before they ask the server (member.md §5, back-office.md §5). Only what is missing: the rest is the server's word.

export const SIGNUP_INCOMPLETE = 'Please specify an email or password or first name or last name.';
export const LOGIN_INCOMPLETE = 'Please specify an email or password.';

const REQUESTS = {
  firstName: 'Your first name is missing.',
  lastName: 'Your last name is missing.',
  username: 'Your e-mail address is missing.',
  password: 'A password is missing.',
} as const;

/** What stands beside each of these fields when it was left empty. */
export const requests = (...names: readonly (keyof typeof REQUESTS)[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, REQUESTS[name]]));

/** The sentence for a field without which nothing is sent. */
export const specify = (label: string): string => `Please specify ${label}.`;
