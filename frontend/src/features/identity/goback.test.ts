import { expect, it } from 'vitest';
import { safeGoback } from '@/features/identity/goback';

const OWN = 'https://pith.example';
const TRUSTED = ['https://accounts.example'];

it.each([
  ['/library?a=1', { path: '/library?a=1' }],
  ['https://pith.example/library', { path: '/library' }],
  ['https://accounts.example/o?x=1', { away: 'https://accounts.example/o?x=1' }],
  ['HTTPS://ACCOUNTS.example/o', { away: 'https://accounts.example/o' }],
  [null, null],
  ['', null],
  ['//evil.example', null],
  ['/\\evil.example', null],
  ['https://evil.example/', null],
  ['http://accounts.example/o', null],
  ['https://accounts.example:444/o', null],
  ['https://accounts.example.evil.example/', null],
  ['https://accounts.example@evil.example/', null],
  ['https://who@accounts.example/', null],
  ['https://accounts.example\\@evil.example/', null],
  ['https://pith.example//evil.example', null],
  ['https://acc\tounts.example/', null],
  [' https://accounts.example/', null],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
])('%j leads to %j', (target, where) => {
  expect(safeGoback(target, TRUSTED, OWN)).toEqual(where);
});
