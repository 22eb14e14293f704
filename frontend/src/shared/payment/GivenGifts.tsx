import { useQuery } from '@tanstack/react-query';
import { copyText } from '@/shared/referral/copyText';
import { deliveryText, giftsQuery } from '@/shared/payment/gifts';
import type { GivenGift } from '@/shared/payment/gifts';
import { formatDay } from '@/lib/format';
import { IconButton } from '@/ui/IconButton';
import { ErrorState } from '@/ui/State';

/** The gifts that the member has given, under /teams: recipient, day, whether redeemed (billing.gift-delivery). Renders nothing without any. */
export function GivenGifts() {
  const { data, error, refetch } = useQuery(giftsQuery());
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data || data.gifts.length === 0) return null;
  return (
    <section className="seats" aria-labelledby="gifts-title">
      <div className="section__head">
        <h2 className="section__title" id="gifts-title">
          Your gifts
        </h2>
      </div>
      <p className="seats__used">Each gift is good for one year of Premium and works once.</p>
      <ul className="seats__list">
        {data.gifts.map((given) => (
          <li key={`${given.boughtAt} ${given.gift.deliverAt} ${given.gift.recipientEmail ?? given.gift.code ?? ''}`} className="seats__seat">
            <div className="seats__text">
              <span>{deliveryText(given.gift)}</span>
              {given.gift.code === null ? null : <code className={isOpen(given) ? 'seats__code' : 'seats__code seats__code--used'}>{given.gift.code}</code>}
              <span className="seats__state">{stateOf(given)}</span>
            </div>
            {given.gift.code !== null && isOpen(given) ? (
              <div className="seats__actions">
                <IconButton icon="copy" label={`Copy ${given.gift.code}`} onClick={() => void copyText(given.gift.code ?? '', 'Code copied.')} />
              </div>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

const isOpen = ({ redeemedAt, revoked, suspended }: GivenGift): boolean => redeemedAt === null && !revoked && !suspended;

function stateOf({ redeemedAt, revoked, suspended, boughtAt }: GivenGift): string {
  if (revoked) return 'No longer valid: it was refunded';
  if (suspended) return 'On hold while we check the payment';
  return redeemedAt === null ? `Not redeemed yet. Bought on ${formatDay(boughtAt)}` : `Redeemed on ${formatDay(redeemedAt)}`;
}
