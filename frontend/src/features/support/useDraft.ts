import { useEffect } from 'react';
import type { RefObject } from 'react';
import { removeDraft, storeDraft, readDraft } from '@/domain/drafts';

type Field = HTMLInputElement | HTMLTextAreaElement;
const isField = (element: unknown): element is Field => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

/** Stores the draft of a form's fields, and restores it after a reload. Returns the function that removes it once it is sent. */
export function useDraft(name: string, form: RefObject<HTMLFormElement | null>, fields: string): () => void {
  useEffect(() => {
    const place = form.current;
    if (!place) return;
    const named = fields.split(' ').map((field) => place.elements.namedItem(field)).filter(isField);
    const draft = readDraft(name);
    for (const field of named) field.value = draft[field.name] || field.value;
    const keep = () => storeDraft(name, Object.fromEntries(named.map((field) => [field.name, field.value])));
    place.addEventListener('input', keep);
    return () => place.removeEventListener('input', keep);
  }, [name, form, fields]);
  return () => removeDraft(name);
}
