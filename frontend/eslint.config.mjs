// The import law and the rest. Features know api, ui, lib, paths; never each other. ui and lib know no feature.
import js from '@eslint/js';
import globals from 'globals';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const features = ['account', 'identity', 'catalogue', 'reading', 'progress', 'site', 'support', 'referral', 'admin', 'listening'];
const law = (patterns) => ({ 'no-restricted-imports': ['error', { patterns }] });

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'src/api/schema.gen.ts', 'playwright-report/**', 'test-results/**'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked.map((c) => ({ ...c, files: ['**/*.ts', '**/*.tsx'] })),
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname }, globals: globals.browser },
    plugins: { 'react-hooks': reactHooks },
    rules: {
      ...reactHooks.configs.recommended.rules,
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/only-throw-error': 'off', // react-router's loaders throw responses
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-non-null-assertion': 'error',
      'no-console': 'error',
    },
  },
  { ...jsxA11y.flatConfigs.strict, files: ['src/**/*.tsx'] },
  { files: ['**/*.mjs', 'e2e/**/*.ts'], languageOptions: { globals: globals.node }, rules: { 'no-console': 'off' } },
  ...features.map((feature) => ({
    files: [`src/features/${feature}/**/*.{ts,tsx}`],
    rules: law([
      { group: features.filter((f) => f !== feature).map((f) => `@/features/${f}/**`), message: 'No feature imports another feature: lift it to ui, lib or api.' },
      { group: ['@/app/**'], message: 'A feature does not know the app that carries it.' },
      { group: ['../../**'], message: 'Reach outside the feature by @/….' },
    ]),
  })),
  { files: ['src/ui/**/*.{ts,tsx}', 'src/lib/**/*.{ts,tsx}'], rules: law([{ group: ['@/features/**', '@/app/**'], message: 'ui and lib know no feature.' }]) },
  { files: ['src/api/**/*.{ts,tsx}'], rules: law([{ group: ['@/features/**', '@/app/**', '@/ui/**'], message: 'api is transport: no screens, no toasts, no redirects.' }]) },
  { files: ['src/**/*.{ts,tsx}'], ignores: ['**/*.test.*'], rules: { 'no-restricted-syntax': ['error', { selector: 'ExportAllDeclaration', message: 'No barrels.' }] } },
);
