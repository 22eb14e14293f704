import { formatNumber } from '@/lib/format';

/** As the server counts a list: exactly up to 10,000 (admin.list-totals). */
export interface ListTotal {
  count: number;
  /** There are more than `count`. */
  countCapped: boolean;
}

/** '1,234', or '10,000+' where the server stopped counting. */
export const totalText = ({ count, countCapped }: ListTotal): string => `${formatNumber(count)}${countCapped ? '+' : ''}`;
