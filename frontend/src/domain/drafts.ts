// What was typed into a form and not sent yet: kept over a reload for as long as the tab is open, and until its writer logs out.

const PREFIX = 'draft:';

export type Draft = Readonly<Record<string, string>>;

/** What was typed into the form of this name; empty without any. */
export function readDraft(name: string): Draft {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(PREFIX + name) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return {};
  }
}

export function keepDraft(name: string, draft: Draft): void {
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(draft));
  } catch {
    // Then it lasts as long as the page.
  }
}

export function forgetDraft(name: string): void {
  try {
    sessionStorage.removeItem(PREFIX + name);
  } catch {
    // There is none.
  }
}

/** The next person at this browser finds none of them. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // There are none.
  }
}
