// Adding a passkey: a separate chunk, because most visits of the account page don't need it.
import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { PasskeyRefused, createPasskey } from '@/shared/session/webauthn';
import { useFreshProof } from '@/shared/session/FreshProof';
import { SettingError } from '@/shared/account/Setting';
import { invalidateSecurity } from '@/features/identity/account/queries';
import { TextField } from '@/ui/Field';
import { SubmitButton } from '@/ui/Form';
import { toast } from '@/ui/toast';
import { text, useForm } from '@/ui/useForm';

/** A default name for the passkey, from the kind of device. */
function deviceName(): string {
  const agent = navigator.userAgent;
  const known: [RegExp, string][] = [
    [/iPhone/, 'My iPhone'],
    [/iPad/, 'My iPad'],
    [/Android/, 'My Android phone'],
    [/Macintosh/, 'My Mac'],
    [/Windows/, 'My Windows computer'],
    [/CrOS/, 'My Chromebook'],
    [/Linux/, 'My Linux computer'],
  ];
  return known.find(([pattern]) => pattern.test(agent))?.[1] ?? 'My passkey';
}

export default function AddPasskey({ onDone }: { onDone: () => void }) {
  const { withProof, dialog } = useFreshProof();
  const form = useForm({
    scroll: false,
    required: { name: 'A name is missing.' },
    submit: async (typed) => {
      const name = text(typed, 'name').trim();
      const { ceremony, options } = await withProof(() => call('POST /api/user/passkeys/options'));
      let credential: Awaited<ReturnType<typeof createPasskey>>;
      try {
        credential = await createPasskey(options);
      } catch (error) {
        if (!(error instanceof PasskeyRefused)) throw error;
        const message = error.already ? error.message : 'No passkey was created. You can try again.';
        throw new ApiError({ status: 0, code: 'passkey_refused', message });
      }
      await call('POST /api/user/passkeys', { body: { ceremony, name, credential } });
      await invalidateSecurity();
      onDone();
      toast('The passkey was added. You can log in with it from now on.');
    },
  });
  return (
    <>
      <form className="form" {...form.props}>
        <p>Your device will ask for your fingerprint, your face or its passcode, and will store the passkey.</p>
        <SettingError form={form} />
        <TextField
          label="Name of the passkey"
          name="name"
          defaultValue={deviceName()}
          maxLength={60}
          autoComplete="off"
          required
          hint="So you can recognize it in your list."
          error={form.wrong('name')}
        />
        <SubmitButton form={form} busyText="Waiting for your device">
          Continue
        </SubmitButton>
      </form>
      {dialog}
    </>
  );
}
