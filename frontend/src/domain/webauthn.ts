// Passkeys, as the browser offers them: JSON of the server in, JSON for the server out.

/** The browser, or the person at it, did not go through with it. `already`: this device has a passkey of this account. */
export class PasskeyRefused extends Error {
  override readonly name = 'PasskeyRefused';
  readonly already: boolean;

  constructor(already: boolean) {
    super(already ? 'This device has a passkey for your account already.' : 'No passkey was used. You can try again.');
    this.already = already;
  }
}

/** An object whose inside is between the browser and the server: the API's description leaves it open. */
type Sealed = Record<string, never>;

interface Builder {
  parseCreationOptionsFromJSON?: unknown;
  parseRequestOptionsFromJSON?: unknown;
  isConditionalMediationAvailable?: () => Promise<boolean>;
}

const builder = (): Builder | null => (window as { PublicKeyCredential?: Builder }).PublicKeyCredential ?? null;

/** Whether this browser can make and use passkeys: only in secure contexts, and not in the oldest ones. */
export const passkeysWork = (): boolean => typeof builder()?.parseCreationOptionsFromJSON === 'function' && typeof builder()?.parseRequestOptionsFromJSON === 'function';

/** Whether passkeys can be offered in the list that the e-mail field opens. */
export const passkeysFillIn = async (): Promise<boolean> => passkeysWork() && ((await builder()?.isConditionalMediationAvailable?.()) ?? false);

/** What the server gave may stand under `publicKey`, as the standard's calls take it. */
const inner = (options: unknown): unknown => (typeof options === 'object' && options !== null && 'publicKey' in options ? options.publicKey : options);

/** Makes a passkey on this device or key. */
export async function createPasskey(options: unknown): Promise<Sealed> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(inner(options) as PublicKeyCredentialCreationOptionsJSON);
  return answer(() => navigator.credentials.create({ publicKey }));
}

/** Asks for a passkey: at once, or (`conditional`) when one is chosen from the list of a field. */
export async function askPasskey(options: unknown, { conditional = false, signal }: { conditional?: boolean; signal?: AbortSignal } = {}): Promise<Sealed> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(inner(options) as PublicKeyCredentialRequestOptionsJSON);
  return answer(() => navigator.credentials.get({ publicKey, ...(conditional && { mediation: 'conditional' as const }), ...(signal && { signal }) }));
}

async function answer(ask: () => Promise<Credential | null>): Promise<Sealed> {
  try {
    const credential = await ask();
    if (credential) return (credential as PublicKeyCredential).toJSON() as Sealed;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (error.name === 'AbortError') throw error; // whoever aborted knows
    throw new PasskeyRefused(error.name === 'InvalidStateError');
  }
  throw new PasskeyRefused(false);
}
