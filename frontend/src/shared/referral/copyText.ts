import { toast } from '@/ui/toast';

/** Copies a text to the clipboard; a toast confirms it, or asks to select the text instead. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    // The browser or its user refused, or the context is not secure.
    toast('Could not copy. Please select the text instead.');
  }
}
