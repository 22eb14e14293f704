import { useState } from 'react';
import { call } from '@/api/client';
import { ApiError, messageOf } from '@/api/errors';
import { readAddresses } from '@/shared/payment/addresses';
import { plural } from '@/lib/format';
import { TextArea } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { toast } from '@/ui/toast';
import { text, useForm } from '@/ui/useForm';

interface Props {
  /** Codes of the seats that were not sent yet. */
  codes: readonly string[];
  /** E-mail addresses that already have a seat. */
  taken: readonly string[];
  /** Called after some seats were sent: their states have changed. */
  onSent: () => Promise<unknown>;
  onClose: () => void;
}

const fieldError = (message: string) => new ApiError({ status: 0, code: 'validation', message, field: 'emails' });

/** The e-mail addresses in pasted text; throws an error that names those that can't have a seat. */
function addressesOf(pasted: string, { codes, taken }: Pick<Props, 'codes' | 'taken'>): string[] {
  const { addresses, invalid } = readAddresses(pasted);
  if (invalid.length > 0) {
    throw fieldError(invalid.length === 1 ? `This is not an email address: ${invalid[0] ?? ''}` : `These are not email addresses: ${invalid.join(', ')}`);
  }
  const seated = new Set(taken.map((address) => address.toLowerCase()));
  const twice = addresses.filter((address) => seated.has(address.toLowerCase()));
  if (twice.length > 0) throw fieldError(`A seat was already sent to: ${twice.join(', ')}`);
  if (addresses.length > codes.length) {
    throw fieldError(`There are ${plural(addresses.length, 'address', 'addresses')} for ${plural(codes.length, 'unused seat')}. Please leave some out.`);
  }
  return addresses;
}

/** Sends one seat to each address of a pasted list (billing.team-seats). Addresses that failed stay in the field, with the reason. */
export function SeatList({ codes, taken, onSent, onClose }: Props) {
  const [pasted, setPasted] = useState('');
  const [at, setAt] = useState<{ done: number; of: number } | null>(null);
  const form = useForm({
    required: { emails: 'An email address is missing.' },
    scroll: false,
    submit: async (data) => {
      const addresses = addressesOf(text(data, 'emails'), { codes, taken });
      const refused: { email: string; why: string }[] = [];
      for (const [i, email] of addresses.entries()) {
        setAt({ done: i + 1, of: addresses.length });
        try {
          await call('POST /api/teams/seats/send', { body: { code: codes[i] ?? '', email } });
        } catch (error) {
          refused.push({ email, why: messageOf(error) });
        }
      }
      setAt(null);
      await onSent();
      const sent = addresses.length - refused.length;
      if (refused.length === 0) {
        onClose();
        toast(sent === 1 ? 'The code is on its way.' : `${plural(sent, 'code')} are on their way.`);
        return;
      }
      setPasted(refused.map(({ email }) => email).join('\n'));
      throw fieldError(
        `${sent === 0 ? 'Nothing was sent.' : `${plural(sent, 'code')} sent.`} Not sent: ${refused.map(({ email, why }) => `${email} (${why})`).join(', ')}`,
      );
    },
  });
  return (
    <form className="form" {...form.props}>
      <p>{`We will email each address one of your ${plural(codes.length, 'unused seat')}, with a link that starts the year.`}</p>
      <FormAlert form={form} />
      <TextArea
        label="Email addresses"
        name="emails"
        rows={6}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint="Separated by commas, spaces or lines."
        value={pasted}
        onChange={({ target }) => setPasted(target.value)}
        error={form.wrong('emails')}
      />
      <SubmitButton form={form} busyText={at ? `Sending ${at.done} of ${at.of}` : 'Sending'}>
        Send the codes
      </SubmitButton>
    </form>
  );
}
