import { providerName } from '@/shared/session/signInProviders';
import type { Provider } from '@/shared/session/signInProviders';
import { AuthFrame } from '@/features/identity/components/AuthFrame';

/** Shown while a provider's code is exchanged. */
export function ProviderReturnNotice({ provider }: { provider: Provider }) {
  return (
    <AuthFrame title="One moment">
      <p className="auth__subtitle" role="status">
        {`Checking with ${providerName(provider)}.`}
      </p>
    </AuthFrame>
  );
}
