import { useEffect } from 'react';
import type { RefObject } from 'react';
import { forgetDraft, keepDraft, readDraft } from '@/domain/drafts';

type Field = HTMLInputElement | HTMLTextAreaElement;
const isField = (element: unknown): element is Field => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

/** Keeps what is typed into these fields of a form, and puts it back after a reload. Answers how to forget it once it is sent. */
export function useDraft(name: string, form: RefObject<HTMLFormElement | null>, fields: string): () => void {
  useEffect(() => {
    const place = form.current;
    if (!place) return;
    const named = fields.split(' ').map((field) => place.elements.namedItem(field)).filter(isField);
    const draft = readDraft(name);
    for (const field of named) field.value = draft[field.name] || field.value;
    const keep = () => keepDraft(name, Object.fromEntries(named.map((field) => [field.name, field.value])));
    place.addEventListener('input', keep);
    return () => place.removeEventListener('input', keep);
  }, [name, form, fields]);
  return () => forgetDraft(name);
}
