// The filters of the financial lists, in the URL's query.

export interface Choice<V extends string = string> {
  value: V;
  label: string;
}

/** A filter with fixed options, from the URL; undefined when the value is unknown. */
export const chosen = <V extends string>(search: URLSearchParams, name: string, options: readonly Choice<V>[]): V | undefined =>
  options.find(({ value }) => value === search.get(name))?.value;

/** The search text in the URL; undefined when there is none. */
export const wordsOf = (search: URLSearchParams): string | undefined => search.get('q')?.trim() || undefined;

/** A day in the URL, as 'yyyy-mm-dd'; undefined when it is missing or malformed. */
export const dayOf = (search: URLSearchParams, name: string): string | undefined => {
  const day = search.get(name);
  return day !== null && /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : undefined;
};

/** The filter without undefined values. */
export const given = <T extends object>(filter: T): { [Key in keyof T]?: NonNullable<T[Key]> } =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== null)) as { [Key in keyof T]?: NonNullable<T[Key]> };

export const isFiltered = (filter: object): boolean => Object.keys(filter).length > 0;
