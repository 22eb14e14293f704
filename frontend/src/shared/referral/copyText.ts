import { toast } from '@/ui/toast';

/** Copies a text; says so, or that it must be selected. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    // The browser or its user refused, or the page is not secure.
    toast('Could not copy. Please select the text instead.');
  }
}
