import { SuggestForm } from '@/features/support/components/SuggestForm';

/** /suggest (support.suggestion-form). */
export const Component = SuggestForm;
