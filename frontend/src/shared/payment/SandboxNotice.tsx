import '@/shared/payment/payment.css';
import { Icon } from '@/ui/Icon';

/** Shown on every page that takes money, while payments are simulated (billing.sandbox-marked). */
export function SandboxNotice() {
  return (
    <p className="sandbox-notice">
      <Icon name="info" />
      <span>
        <strong>Sandbox.</strong> Payments on this site are simulated: no card is charged and no money moves. Please do not type a real card number.
      </span>
    </p>
  );
}
