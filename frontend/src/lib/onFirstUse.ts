/**
 * A value that is created on first use and then cached. `Intl` formatters read locale data: creating four of them
 * while modules load takes longer than the rest of the app's start.
 */
export function onFirstUse<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
