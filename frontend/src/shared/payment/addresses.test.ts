import { expect, it } from 'vitest';
import { readAddresses } from '@/shared/payment/addresses';

it.each([
  ['', [], []],
  ['ada@example.com', ['ada@example.com'], []],
  ['ada@example.com, bob@example.com;eve@example.com', ['ada@example.com', 'bob@example.com', 'eve@example.com'], []],
  ['ada@example.com bob@example.com\r\n\n\teve@example.com,', ['ada@example.com', 'bob@example.com', 'eve@example.com'], []],
  ['Ada@example.com ada@EXAMPLE.com', ['Ada@example.com'], []],
  ['ada@ bob@example.com @example.com nobody eve@localhost', ['bob@example.com'], ['ada@', '@example.com', 'nobody', 'eve@localhost']],
  ['Ada Reader <ada@example.com>, Bob <bob@example.com>', ['ada@example.com', 'bob@example.com'], []],
  ['a@b@example.com eve@example..com', [], ['a@b@example.com', 'eve@example..com']],
])('%j', (text, addresses, invalid) => {
  expect(readAddresses(text)).toEqual({ addresses, invalid });
});
