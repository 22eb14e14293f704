import '@/shared/payment/payment.css';
import { Icon } from '@/ui/Icon';

/** Shown on every page that takes money, while payments are simulated (billing.sandbox-marked). */
export function SandboxNotice() {
  return (
    <p className="sandbox-notice">
      <Icon name="info" />
      <span>
        <strong>Sandbox.</strong> Payments on this site are simulated: no money moves. Do not use a real card.
      </span>
    </p>
  );
}
