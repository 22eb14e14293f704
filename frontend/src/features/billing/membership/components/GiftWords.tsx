import { useQuery } from '@tanstack/react-query';
import { giftCardQuery } from '@/shared/payment/gifts';

/** Who gives the code of the address, and their message. Nothing where the code is no gift's, or is not known. */
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
