// WebAuthn (passkeys): takes the server's options as JSON and returns the credential as JSON for the server.

/** The browser or its user cancelled. `already`: this device already has a passkey of this account. */
export class PasskeyRefused extends Error {
  override readonly name = 'PasskeyRefused';
  readonly already: boolean;

  constructor(already: boolean) {
    super(already ? 'This device already has a passkey for your account.' : 'No passkey was used. You can try again.');
    this.already = already;
  }
}

/** A credential as JSON, opaque to the app: the browser creates it and the server reads it. */
type CredentialJson = Record<string, never>;

interface Builder {
  parseCreationOptionsFromJSON?: unknown;
  parseRequestOptionsFromJSON?: unknown;
  isConditionalMediationAvailable?: () => Promise<boolean>;
}

const builder = (): Builder | null => (window as { PublicKeyCredential?: Builder }).PublicKeyCredential ?? null;

/** Whether this browser supports passkeys: only in secure contexts, and not in old browsers. */
export const supportsPasskeys = (): boolean =>
  typeof builder()?.parseCreationOptionsFromJSON === 'function' && typeof builder()?.parseRequestOptionsFromJSON === 'function';

/** Whether passkeys can be offered in the e-mail field's autofill list. */
export const supportsPasskeyAutofill = async (): Promise<boolean> => supportsPasskeys() && ((await builder()?.isConditionalMediationAvailable?.()) ?? false);

/** The server's options, which may be nested under `publicKey`. */
const inner = (options: unknown): unknown => (typeof options === 'object' && options !== null && 'publicKey' in options ? options.publicKey : options);

/** Creates a passkey on this device or security key. */
export async function createPasskey(options: unknown): Promise<CredentialJson> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(inner(options) as PublicKeyCredentialCreationOptionsJSON);
  return answer(() => navigator.credentials.create({ publicKey }));
}

/** Requests a passkey: at once, or with `conditional` when the user chooses one from a field's autofill list. */
export async function askPasskey(
  options: unknown,
  { conditional = false, signal }: { conditional?: boolean; signal?: AbortSignal } = {},
): Promise<CredentialJson> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(inner(options) as PublicKeyCredentialRequestOptionsJSON);
  return answer(() => navigator.credentials.get({ publicKey, ...(conditional && { mediation: 'conditional' as const }), ...(signal && { signal }) }));
}

async function answer(ask: () => Promise<Credential | null>): Promise<CredentialJson> {
  try {
    const credential = await ask();
    if (credential) return (credential as PublicKeyCredential).toJSON() as CredentialJson;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (error.name === 'AbortError') throw error; // the caller aborted it
    throw new PasskeyRefused(error.name === 'InvalidStateError');
  }
  throw new PasskeyRefused(false);
}
