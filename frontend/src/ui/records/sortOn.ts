// The sort order of a table after a press on one of its headers.
import type { Sort } from '@/ui/records/DataTable';

/** The sort order after a press on the header of `by`: first ascending, but descending for fields with Date or Count in their name (admin.sort-orders). */
export const sortOn = (now: Sort, by: string): Sort => (now.by === by ? { by, descending: !now.descending } : { by, descending: /Date|Count/.test(by) });
