import { describe, expect, it } from 'vitest';
import { safeRedirect } from '@/lib/redirect';

const HERE = 'https://pith.example';
const go = (target: string | null | undefined) => safeRedirect(target, HERE);

describe('a redirect', () => {
  it.each(['/', '/home', '/books/?sort=newest', '/books/meditations#idea', '/login?redirect=%2Fhome', '/a//b', '/ä'])('may lead to %s', (target) => {
    expect(go(target)).toBe(new URL(target, HERE).href.slice(HERE.length));
  });

  it.each([
    null,
    undefined,
    '',
    'home',
    'https://evil.example',
    'https://pith.example/home',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' /home',
    '/.//evil.example',
    '/a/..//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'HTTPS:evil.example',
    '@evil.example',
    ':80',
  ])('may not lead to %j', (target) => {
    expect(go(target)).toBeNull();
  });

  it('never leaves the origin, whatever path is made of the usual tricks', () => {
    const parts = ['/', '//', '\\', '.', '..', '%2f', '%5c', '@', ':', 'evil.example', '\t', '\u0000', ' ', '?', '#', 'x'];
    for (const a of parts)
      for (const b of parts)
        for (const c of parts)
          for (const d of parts) {
            const target = go(a + b + c + d);
            if (target !== null) expect(new URL(target, HERE).origin, a + b + c + d).toBe(HERE);
          }
  });
});
