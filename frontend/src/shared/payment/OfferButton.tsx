import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { useSignedIn } from '@/api/session';
import { sendTryFree } from '@/shared/payment/TryFree';
import { productQuery } from '@/shared/payment/product';
import type { ProductPage } from '@/shared/payment/product';
import { loginFor, paths, plansFor, signupFor, trialFor, withRedirect } from '@/paths';
import { Button, LinkButton } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Icon } from '@/ui/Icon';
import { SkeletonText } from '@/ui/Skeleton';

interface Props extends Pick<ComponentProps<typeof Button>, 'kind' | 'large' | 'className'> {
  /** What the control does for members with a plan. */
  label: string;
  /** A sentence that says what the plan unlocks here. */
  text: string;
}

/** A control that needs a plan: shows a lock, and opens a dialog with price and trial. */
export function OfferButton({ label, text, ...style }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button {...style} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="lock" />
        {label}
      </Button>
      <OfferDialog open={open} onClose={() => setOpen(false)} text={text} />
    </>
  );
}

/** The dialog of a locked control: what a plan unlocks, with prices and trial. */
export function OfferDialog({ open, onClose, text }: { open: boolean; onClose: () => void; text: string }) {
  return (
    <Dialog open={open} onClose={onClose} title="With a plan" className="plan-offer">
      <p className="plan-offer__text">{text}</p>
      <Plans />
    </Dialog>
  );
}

/** The plans with a trial, each with its price and what is charged when. */
function Plans() {
  const signedIn = useSignedIn();
  const { data, isError } = useQuery(productQuery('try'));
  const here = window.location.pathname + window.location.search;
  return (
    <>
      {data ? <PlanList offers={data.page.offers} target={here} /> : isError ? null : <SkeletonText width={80} />}
      <div className="plan-offer__actions">
        <LinkButton kind="primary" large wide to={signedIn ? plansFor(here) : trialFor(here)}>
          Try 3 days free
        </LinkButton>
        {signedIn ? null : (
          <p className="plan-offer__account">
            Three summaries are free with an account:{' '}
            <LinkButton kind="quiet" to={signupFor(here)} onClick={sendTryFree}>
              Try it free
            </LinkButton>
            <LinkButton kind="quiet" to={loginFor(here)}>
              Log in
            </LinkButton>
          </p>
        )}
      </div>
    </>
  );
}

/** The plans with their prices and what is charged when; after a purchase the member returns to `target`. */
export function PlanList({ offers, target }: { offers: ProductPage['offers']; target: string }) {
  return (
    <ul className="plan-offer__plans">
      {offers.map(({ planId, name, priceText, per, terms }) => (
        <li key={planId} className="plan-offer__plan">
          <p className="plan-offer__price">
            <Link className="link" to={withRedirect(paths.payment(planId), target)}>
              {name}
            </Link>
            <span className="tabular">{`${priceText} ${per}`}</span>
          </p>
          <p className="plan-offer__terms">{terms}</p>
        </li>
      ))}
    </ul>
  );
}
