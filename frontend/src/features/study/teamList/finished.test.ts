import { describe, expect, it } from 'vitest';
import { finishedBy, finishedCount, memberName, seatsText } from '@/features/study/teamList/finished';

const member = (name: string, completed: number[] = [1], isYou = false) => ({ name, completed, isYou });

describe('who has finished a book', () => {
  it('are named, the viewer last', () => {
    expect(finishedBy([member('Anna')], 1)).toBe('Finished by Anna');
    expect(finishedBy([member('Eve', [1], true), member('Anna'), member('Ben', [2])], 1)).toBe('Finished by Anna and you');
    expect(finishedBy([member('Eve', [1], true)], 1)).toBe('Finished by you');
    expect(finishedBy([member('Anna'), member('Ben'), member('Carl')], 1)).toBe('Finished by Anna, Ben, and Carl');
    expect(finishedBy([member('Anna', [2])], 1)).toBeNull();
  });

  it('are three at most, and the number of the others', () => {
    const four = ['Anna', 'Ben', 'Carl', 'Dora'].map((name) => member(name));
    expect(finishedBy(four, 1)).toBe('Finished by Anna, Ben, and 2 others');
    expect(finishedBy([...four.slice(1), member('Eve', [1], true)], 1)).toBe('Finished by Ben, Carl, 1 other, and you');
  });

  it('may have no name', () => {
    expect(finishedBy([member('')], 1)).toBe('Finished by a member');
    expect([member(''), member('Anna'), member('Eve', [], true)].map(memberName)).toEqual(['A member', 'Anna', 'You']);
  });

  it('are counted of those who share', () => {
    const three = [member('Anna'), member('Ben'), member('Carl', [2])];
    expect(finishedCount(three, 1)).toBe('2 of 3 who share have finished');
    expect(finishedCount(three, 2)).toBe('1 of 3 who share has finished');
    expect(finishedCount(three, 3)).toBeNull();
    expect(finishedCount(three.slice(0, 1), 1)).toBeNull();
  });
});

it('says how many seats share', () => {
  expect(seatsText(2, 24)).toBe('2 of 24 seats share what they finish.');
  expect(seatsText(1, 24)).toBe('1 of 24 seats shares what they finish.');
  expect(seatsText(0, 24)).toBe('Nobody shares what they finish yet. 24 seats are in use.');
  expect(seatsText(0, 1)).toBe('Nobody shares what they finish yet. 1 seat is in use.');
  expect(seatsText(0, 0)).toBe('No seat of your team is in use yet.');
});
