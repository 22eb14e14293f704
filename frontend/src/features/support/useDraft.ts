import { useEffect } from 'react';
import type { RefObject } from 'react';
import { removeDraft, storeDraft, readDraft } from '@/shared/offline/drafts';

type Field = HTMLInputElement | HTMLTextAreaElement;
const isField = (element: unknown): element is Field => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

/** A field's value with a draft restored: appended to the form's initial message, or replacing any other value. */
function withDraft(field: Field, draft: string): string {
  const begun = field instanceof HTMLTextAreaElement ? field.value : '';
  if (begun === '' || draft.includes(begun)) return draft || field.value;
  return [begun, draft].filter(Boolean).join('\n');
}

/** Stores the draft of a form's fields, and restores it after a reload. Returns the function that removes it after sending. */
export function useDraft(name: string, form: RefObject<HTMLFormElement | null>, fields: string): () => void {
  useEffect(() => {
    const place = form.current;
    if (!place) return;
    const named = fields
      .split(' ')
      .map((field) => place.elements.namedItem(field))
      .filter(isField);
    const draft = readDraft(name);
    for (const field of named) field.value = withDraft(field, draft[field.name] ?? '');
    const keep = () => storeDraft(name, Object.fromEntries(named.map((field) => [field.name, field.value])));
    place.addEventListener('input', keep);
    return () => place.removeEventListener('input', keep);
  }, [name, form, fields]);
  return () => removeDraft(name);
}
