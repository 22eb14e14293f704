import { useQuery } from '@tanstack/react-query';
import { giftCardQuery } from '@/shared/payment/gifts';

/** The giver and message of the gift code in the URL. Renders nothing when the code is unknown or not a gift's. */
export function GiftWords({ code }: { code: string }) {
  const { data: gift } = useQuery(giftCardQuery(code));
  if (!gift) return null;
  const { senderName, recipientName, message } = gift;
  const from = senderName.trim() === '' ? 'A gift for you' : `A gift from ${senderName.trim()}`;
  return (
    <figure className="redeem__gift" aria-label={from}>
      <figcaption className="redeem__giver">{recipientName.trim() === '' ? from : `${from}, for ${recipientName.trim()}`}</figcaption>
      {message.trim() === '' ? null : <blockquote className="redeem__message">{message}</blockquote>}
    </figure>
  );
}
