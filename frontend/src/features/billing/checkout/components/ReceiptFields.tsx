import { Link, useSearchParams } from 'react-router';
import { useSignedIn } from '@/api/session';
import type { Purchase } from '@/features/billing/checkout/usePurchase';
import { loginFor, paths } from '@/paths';
import { EmailField } from '@/ui/Field';
import { SkeletonText } from '@/ui/Skeleton';

interface Props {
  planId: string;
  purchase: Purchase;
  /** Called when a guest has typed an e-mail address. */
  onEmail: (email: string) => void;
}

/** Where the receipt is sent: a guest types an e-mail address. */
export function ReceiptFields({ planId, purchase: { user, form, draft }, onEmail }: Props) {
  const [params] = useSearchParams();
  const signedIn = useSignedIn();
  return (
    <fieldset className="checkout__group">
      <legend className="checkout__legend">Receipt</legend>
      {signedIn ? (
        <p className="checkout__receipt">{user ? <>Your receipt goes to {user.email}.</> : <SkeletonText width={60} />}</p>
      ) : (
        <EmailField
          label="Email"
          name="email"
          autoComplete="email"
          defaultValue={draft['email']}
          onBlur={(event) => {
            if (event.target.validity.valid) onEmail(event.target.value.trim());
          }}
          hint={
            <>
              Your receipt goes there. Already a member?{' '}
              <Link className="link" to={loginFor(`${paths.payment(planId)}?${params.toString()}`)}>
                Log in
              </Link>
            </>
          }
          error={form.wrong('email')}
        />
      )}
    </fieldset>
  );
}
