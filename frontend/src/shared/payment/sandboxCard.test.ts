import { describe, expect, it } from 'vitest';
import { INVALID_CARD, formatCardNumber, formatExpiry, isExpiryValid, newPayingNumber, sandboxToken } from '@/shared/payment/sandboxCard';

const NOW = new Date(2026, 10, 22);

function form(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries({ cardNumber: '4242 4242 4242 4242', cardExpiry: '12 / 30', cardCvc: '123', ...fields })) data.set(name, value);
  return data;
}

describe('the sandbox’s cards', () => {
  it.each([
    ['4242 4242 4242 4242', 'pm_card_visa'],
    ['4000000000000002', 'pm_card_chargeDeclined'],
    ['4000 0027 6000 3184', 'pm_card_authenticationRequired'],
  ])('%s is %s', (cardNumber, token) => {
    expect(sandboxToken(form({ cardNumber }), NOW)).toBe(token);
  });

  it('takes any valid number that begins with 4242, each with a token of its own that does not carry it', () => {
    const tokens = ['4242 4200 0000 0018', '4242420000010009', '4242424200000000'].map((cardNumber) => sandboxToken(form({ cardNumber }), NOW));
    expect(tokens).toEqual(['pm_card_visa_0018_6ecc8baec736752a', 'pm_card_visa_0009_778e1e7a1fd5b293', 'pm_card_visa_0000_284e09d306c6e405']);
  });

  it('makes up a number that pays, another one each time', () => {
    const tokens = [newPayingNumber(), newPayingNumber()].map((cardNumber) => sandboxToken(form({ cardNumber }), NOW));
    expect(tokens).toEqual([expect.stringMatching(/^pm_card_visa_\d{4}_[0-9a-f]{16}$/), expect.stringMatching(/^pm_card_visa_/)]);
    expect(new Set(tokens).size).toBe(2);
  });

  it.each(['', '4111 1111 1111 1111', '4242', '4242 4242 4242 4243', '4242 4242 4242'])('refuses the number %j at its field', (cardNumber) => {
    expect(() => sandboxToken(form({ cardNumber }), NOW)).toThrow(expect.objectContaining({ message: INVALID_CARD, field: 'cardNumber' }) as Error);
  });

  it('refuses a card that is over, and a security code that is none', () => {
    expect(() => sandboxToken(form({ cardExpiry: '10 / 26' }), NOW)).toThrow(expect.objectContaining({ field: 'cardExpiry' }) as Error);
    expect(() => sandboxToken(form({ cardCvc: '12' }), NOW)).toThrow(expect.objectContaining({ field: 'cardCvc' }) as Error);
  });

  it('counts the month in which a card expires as the last', () => {
    expect([isExpiryValid('11 / 26', NOW), isExpiryValid('10 / 26', NOW), isExpiryValid('13 / 30', NOW), isExpiryValid('1', NOW)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('groups what is typed', () => {
    expect(formatCardNumber('42424242x424')).toBe('4242 4242 424');
    expect([formatExpiry('1'), formatExpiry('123'), formatExpiry('12 / 304')]).toEqual(['1', '12 / 3', '12 / 30']);
  });
});
