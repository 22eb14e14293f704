import { readdirSync } from 'node:fs';
import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';

const eslint = new ESLint();

interface Restricted {
  rules: { 'no-restricted-imports'?: [number, { patterns: { regex: string }[] }] };
}

/** Whether ESLint allows a file in this folder of src/ to import `module`. */
async function mayImport(folder: string, module: string): Promise<boolean> {
  const { rules } = (await eslint.calculateConfigForFile(`src/${folder}/file.ts`)) as Restricted;
  const patterns = rules['no-restricted-imports']?.[1].patterns;
  if (!patterns) throw new Error(`Nothing says what src/${folder} may import.`);
  return !patterns.some(({ regex }) => new RegExp(regex, 'u').test(module));
}

const features = readdirSync('src/features');

describe('the import law', () => {
  it.each(features)('the feature %s may import itself and what is shared, and no other feature', async (feature) => {
    expect(await mayImport(`features/${feature}/pages`, `@/features/${feature}/queries`)).toBe(true);
    for (const shared of ['@/shared/session/account', '@/api/client', '@/ui/Button', '@/lib/format', '@/paths', 'react']) {
      expect(await mayImport(`features/${feature}`, shared)).toBe(true);
    }
    for (const other of features.filter((name) => name !== feature)) expect(await mayImport(`features/${feature}`, `@/features/${other}/queries`)).toBe(false);
    expect(await mayImport(`features/${feature}`, '@/app/router')).toBe(false);
    expect(await mayImport(`features/${feature}`, '../../app/router')).toBe(false);
  });

  it.each([
    ['api', '@/ui/toast', false],
    ['api', '@/shared/session/account', false],
    ['api', '@/paths', false],
    ['lib', '@/api/client', false],
    ['lib', '@/shared/reader/theme', false],
    ['ui', '@/lib/format', true],
    ['ui', '@/api/types', true],
    ['ui', '@/api/client', false],
    ['ui', '@/shared/session/account', false],
    ['shared', '@/ui/toast', true],
    ['shared', '@/features/reading-progress/reading/queries', false],
    ['app', '@/features/reading-progress/reading/queries', true],
  ])('%s/ may import %s: %s', async (folder, module, expected) => {
    expect(await mayImport(folder, module)).toBe(expected);
  });
});
