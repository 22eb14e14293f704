// The sandbox's test cards (billing.sandbox-cards): the numbers that its form accepts, and the provider's test ids for them.
import { ApiError } from '@/api/errors';
import { text } from '@/ui/useForm';

export const INVALID_CARD = 'There was an error processing your request. Please make sure your card number is valid.';

export const TEST_CARDS = [
  { number: '4242 4242 4242 4242', token: 'pm_card_visa', outcome: 'Succeeds' },
  { number: '4000 0000 0000 0002', token: 'pm_card_chargeDeclined', outcome: 'Is declined' },
  { number: '4000 0027 6000 3184', token: 'pm_card_authenticationRequired', outcome: 'Asks for authentication' },
] as const;

/** A valid card number that pays, whatever follows the first four digits. */
const PAYING = /^4242\d{9,15}$/;

const digitsOf = (value: string) => value.replace(/\D/g, '');

/** Whether the last digit is the Luhn check digit. */
function hasCheckDigit(digits: string): boolean {
  const weights = Array.from(digits)
    .reverse()
    .map((digit, place) => {
      const doubled = Number(digit) * (place % 2 === 1 ? 2 : 1);
      return doubled > 9 ? doubled - 9 : doubled;
    });
  return weights.reduce((sum, weight) => sum + weight, 0) % 10 === 0;
}

/** Short digest of a number (FNV-1a, 64 bits), as at the server: the token must not contain the number. */
const fnv1a = (digits: string): string =>
  Array.from(digits)
    .reduce((hash, digit) => BigInt.asUintN(64, (hash ^ BigInt(digit.charCodeAt(0))) * 0x100000001b3n), 0xcbf29ce484222325n)
    .toString(16)
    .padStart(16, '0');

/** The token of a card number; null: the sandbox refuses the number. The server derives the same one (`sandbox/cards.rs`). */
export function tokenOf(number: string): string | null {
  const digits = digitsOf(number);
  const card = TEST_CARDS.find((one) => digitsOf(one.number) === digits);
  if (card) return card.token;
  return PAYING.test(digits) && hasCheckDigit(digits) ? `pm_card_visa_${digits.slice(-4)}_${fnv1a(digits)}` : null;
}

/** A random card number that pays, almost certainly unused. */
export function newPayingNumber(): string {
  const digits = `4242${String(crypto.getRandomValues(new Uint32Array(1))[0])
    .padStart(11, '0')
    .slice(-11)}`;
  const check = Array.from('0123456789').find((digit) => hasCheckDigit(digits + digit));
  return formatCardNumber(`${digits}${check ?? ''}`);
}

/** '4242424242424242' → '4242 4242 4242 4242' */
export const formatCardNumber = (value: string): string =>
  digitsOf(value)
    .slice(0, 19)
    .replace(/(\d{4})(?=\d)/g, '$1 ');

/** '1230' → '12 / 30'. A slash that was just deleted stays deleted. */
export function formatExpiry(value: string): string {
  const digits = digitsOf(value).slice(0, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits;
}

const wrong = (field: string, message: string) => new ApiError({ status: 422, code: 'validation', message, field });

/** Whether the expiry date ('12 / 30') is this month or later. */
export function isExpiryValid(value: string, now: Date): boolean {
  const digits = digitsOf(value);
  const month = Number(digits.slice(0, 2));
  if (digits.length !== 4 || month < 1 || month > 12) return false;
  return new Date(2000 + Number(digits.slice(2)), month, 1) > now;
}

/** The token of the typed card; throws an error that names the invalid field. */
export function sandboxToken(form: FormData, now = new Date()): string {
  const token = tokenOf(text(form, 'cardNumber'));
  if (token === null) throw wrong('cardNumber', INVALID_CARD);
  if (!isExpiryValid(text(form, 'cardExpiry'), now)) throw wrong('cardExpiry', 'Please check the card’s expiration date.');
  if (!/^\d{3,4}$/.test(text(form, 'cardCvc').trim())) throw wrong('cardCvc', 'Please check the card’s security code.');
  return token;
}
