import { describe, expect, it } from 'vitest';
import { clearPreferences } from '@/shared/study/studyFlags';
import { rememberDailyMax, storedDailyMax } from '@/shared/study/dailyMax';

describe('the daily maximum (study.daily-maximum)', () => {
  it('is remembered for its member', () => {
    expect(storedDailyMax(7)).toBeNull();
    rememberDailyMax(7, 35);
    expect(storedDailyMax(7)).toBe(35);
    expect(storedDailyMax(8)).toBeNull();
  });

  it('is forgotten with the other preferences', () => {
    rememberDailyMax(7, 35);
    clearPreferences();
    expect(storedDailyMax(7)).toBeNull();
  });

  it.each(['', '7/4', '7/201', '7/x', '35'])('is unknown when %j is stored', (value) => {
    localStorage.setItem('study-daily-max', value);
    expect(storedDailyMax(7)).toBeNull();
  });
});
