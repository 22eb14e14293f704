import { AuthFrame } from '@/features/identity/components/AuthFrame';
import { providerName } from '@/lib/providers';
import type { Provider } from '@/lib/providers';

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
