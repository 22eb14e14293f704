import { expect, test } from 'vitest';
import { FIELDS, fieldName, jobName } from '@/features/admin/words';

test('jobs and fields are named in words, also those of a newer server', () => {
  expect(jobName('stop_renewal')).toBe('Stop a renewal');
  expect(jobName('count_sheep')).toBe('Count sheep');
  expect(fieldName('comingSoon')).toBe('coming soon');
  expect(fieldName('newField')).toBe('new field');
});

test('no name is a word of the machine', () => {
  for (const words of Object.values(FIELDS)) expect(words).not.toMatch(/_|[a-z][A-Z]/);
});
