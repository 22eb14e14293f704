import type { ProductPage } from '@/shared/payment/product';
import { withRedirect } from '@/paths';
import { LinkButton } from '@/ui/Button';

/** The plans side by side, one of them highlighted, each with what is charged and when. `target`: where the checkout returns to. */
export function Offers({ offers, target }: { offers: ProductPage['offers']; target: string | null }) {
  return (
    <section aria-labelledby="offers-title">
      <h2 className="visually-hidden" id="offers-title">
        Plans
      </h2>
      <ul className="offers">
        {offers.map((offer) => (
          <li key={offer.planId} className={offer.recommended ? 'offer offer--recommended' : 'offer'}>
            <div className="offer__head">
              <h3 className="offer__name">{offer.name}</h3>
              {offer.badge === null ? null : <span className="offer__badge">{offer.badge}</span>}
            </div>
            <p className="offer__price">
              <span className="offer__sum">{offer.priceText}</span> <span className="offer__per">{offer.per}</span>
            </p>
            <p className="offer__note">{offer.note}</p>
            <LinkButton
              kind={offer.recommended ? 'primary' : 'secondary'}
              large
              wide
              to={withRedirect(offer.link.href, target)}
              aria-label={`${offer.link.text}: ${offer.name}`}
            >
              {offer.link.text}
            </LinkButton>
            <p className="offer__terms">{offer.terms}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
