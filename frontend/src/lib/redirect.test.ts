import { describe, expect, it } from 'vitest';
import { safeRedirect } from '@/lib/redirect';
import cases from '../../../crates/identity/src/redirect_paths.json';

const HERE = 'https://pith.example';
const go = (target: string | null | undefined) => safeRedirect(target, HERE);

describe('a redirect', () => {
  it.each(cases.allowed)('may lead to %s', (target) => {
    expect(go(target)).toBe(new URL(target, HERE).href.slice(HERE.length));
  });

  it.each([null, undefined, ...cases.refused])('may not lead to %j', (target) => {
    expect(go(target)).toBeNull();
  });

  it('has 2,000 bytes at most', () => {
    expect(go(`/${'a'.repeat(1999)}`)).not.toBeNull();
    expect(go(`/${'a'.repeat(2000)}`)).toBeNull();
    expect(go(`/${'é'.repeat(1000)}`)).toBeNull();
  });

  it('never leaves the origin, whatever path is made of the usual tricks', () => {
    const parts = ['/', '//', '\\', '.', '..', '%2e', '%2f', '%5c', '@', ':', 'evil.example', '\t', '\u0000', ' ', '?', '#', 'x'];
    for (const a of parts)
      for (const b of parts)
        for (const c of parts)
          for (const d of parts) {
            const target = go(a + b + c + d);
            if (target !== null) expect(new URL(target, HERE).origin, a + b + c + d).toBe(HERE);
          }
  });
});
