import type { Quote } from '@/shared/payment/checkout';
import { formatMoney } from '@/lib/format';
import { Alert } from '@/ui/Alert';

interface Props {
  /** Why the price changed, in the server's words. */
  reason: string;
  /** The new price; null while it is being fetched. */
  quote: Pick<Quote, 'dueNow' | 'switch'> | null;
}

/** Tells that the price has changed and that nothing was charged. */
export function PriceNotice({ reason, quote }: Props) {
  return (
    <Alert>
      <p>{reason}</p>
      <p>
        {quote
          ? `Nothing has been charged. Due today: ${formatMoney(quote.switch?.chargedNow ?? quote.dueNow)}.`
          : 'Nothing has been charged. We are fetching the new price.'}
      </p>
    </Alert>
  );
}
