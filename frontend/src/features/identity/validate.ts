// What the forms check before they ask the server (member.md §5). Only what is missing: the rest is the server's word.

export const SIGNUP_INCOMPLETE = 'Please specify an email or password or first name or last name.';
export const LOGIN_INCOMPLETE = 'Please specify an email or password.';

/** What stands beside a field that was left empty, by its name. */
export const REQUESTS: Readonly<Record<string, string>> = {
  firstName: 'Your first name is missing.',
  lastName: 'Your last name is missing.',
  username: 'Your e-mail address is missing.',
  password: 'A password is missing.',
};

/** The names of the fields that are empty. A password may consist of blanks; nothing else may. */
export function missing(form: FormData, names: readonly string[]): string[] {
  return names.filter((name) => {
    const value = form.get(name);
    if (typeof value !== 'string') return true;
    return (name === 'password' ? value : value.trim()) === '';
  });
}

export const text = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
};
