import { providerName } from '@/domain/signInProviders';
import type { Provider } from '@/domain/signInProviders';
import { AuthFrame } from '@/features/identity/components/AuthFrame';

/** Shown while what a provider sent along is exchanged. */
export function Returning({ provider }: { provider: Provider }) {
  return (
    <AuthFrame title="One moment">
      <p className="auth__subtitle" role="status">
        {`Checking with ${providerName(provider)}.`}
      </p>
    </AuthFrame>
  );
}
