import { SuggestForm } from '@/features/support/components/SuggestForm';

/** /suggest (back-office.md §2, decisions.md 54). */
export const Component = SuggestForm;
