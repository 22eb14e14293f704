import { beforeEach, describe, expect, it } from 'vitest';
import { applyType, chooseType, currentType, preferredType } from '@/shared/reader/typeSettings';

const { dataset } = document.documentElement;
const PLAIN = { face: 'serif', leading: 'normal', margins: 'normal', ground: 'paper' } as const;

beforeEach(() => {
  localStorage.clear();
  applyType(PLAIN);
});

describe('the type settings', () => {
  it('are plain without a choice, and leave no mark on the page', () => {
    expect(preferredType()).toEqual(PLAIN);
    expect(Object.keys(dataset)).not.toEqual(expect.arrayContaining(['face']));
  });

  it('are kept by device, each for itself', () => {
    chooseType({ face: 'dyslexic' });
    chooseType({ leading: 'loose' });
    expect(currentType()).toEqual({ ...PLAIN, face: 'dyslexic', leading: 'loose' });
    applyType(PLAIN);
    applyType(preferredType());
    expect([dataset['face'], dataset['leading'], dataset['margins']]).toEqual(['dyslexic', 'loose', undefined]);
  });

  it.each(['no json', '7', 'null', '{"face":"comic","ground":3}'])('survive a storage that says %s', (stored) => {
    localStorage.setItem('pith-type', stored);
    expect(preferredType()).toEqual(PLAIN);
  });
});
