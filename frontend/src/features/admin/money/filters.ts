// The filters of the lists about money, in the URL's query.

export interface Choice<V extends string = string> {
  value: V;
  label: string;
}

/** The filter of a URL that is one of some values; an unknown one is ignored. */
export const chosen = <V extends string>(search: URLSearchParams, name: string, options: readonly Choice<V>[]): V | undefined =>
  options.find(({ value }) => value === search.get(name))?.value;

/** The words of a search. */
export const wordsOf = (search: URLSearchParams): string | undefined => search.get('q')?.trim() || undefined;

/** A day of a URL. */
export const dayOf = (search: URLSearchParams, name: string): string | undefined => {
  const day = search.get(name);
  return day !== null && /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : undefined;
};

/** A query without what is not given. */
export const given = <T extends object>(filter: T): { [Key in keyof T]?: NonNullable<T[Key]> } =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== null)) as { [Key in keyof T]?: NonNullable<T[Key]> };

export const isFiltered = (filter: object): boolean => Object.keys(filter).length > 0;
