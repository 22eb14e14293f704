/**
 * A value that is made when it is first asked for, and kept. The formatters of `Intl` read a language's data: four of them made
 * while a module loads take longer than the rest of the app's start.
 */
export function onFirstUse<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
