import { describe, expect, it } from 'vitest';
import { contextOf, destinationOf, withContext } from '@/shared/session/context';

describe('the free trial in the address of a sign-in (identity.free-trial)', () => {
  it.each([
    ['', null],
    ['redirect=%2Flibrary', '/library'],
    ['free-trial', '/payment/yearly'],
    ['free-trial=true', '/payment/yearly'],
    ['free-trial=true&redirect=%2Fbooks%2Fwalden', '/payment/yearly?redirect=%2Fbooks%2Fwalden'],
    ['free-trial=true&redirect=%2Fpayment%2Fmonthly', '/payment/monthly'],
    ['free-trial=true&redirect=https%3A%2F%2Fevil.example', '/payment/yearly'],
  ])('"%s" leads to %s', (query, destination) => {
    expect(destinationOf(contextOf(new URLSearchParams(query)))).toBe(destination);
  });

  it('stays in the links between the pages, with the target that it leads back to', () => {
    expect(withContext('/login', contextOf(new URLSearchParams('free-trial&redirect=%2Fbooks%2Fwalden')))).toBe(
      '/login?redirect=%2Fbooks%2Fwalden&free-trial=true',
    );
  });
});
