// Lint rules, and the import law: which folder of src/ may import which.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import js from '@eslint/js';
import globals from 'globals';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const foldersOf = (folder) =>
  readdirSync(path.join(import.meta.dirname, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/**
 * What each folder of src/ may import of src/ besides itself. The order is the direction: api and lib know nothing else,
 * app knows everything. A folder that is missing here stops the lint.
 */
const MAY_IMPORT = {
  api: [], // transport, typed client, errors: no screens, no toasts, no redirects
  lib: [], // small pure helpers: no network, no storage
  sw: ['lib/'], // the service worker: a program of its own, without the page
  ui: ['lib/', 'paths$', 'api/types$', 'api/errors$'],
  shared: ['api/', 'lib/', 'ui/', 'paths$'], // what several features share, a folder for each: it may use network and storage
  features: ['shared/', 'api/', 'lib/', 'ui/', 'paths$'],
  app: ['features/', 'shared/', 'api/', 'lib/', 'ui/', 'paths$'],
};

const INTL_AT_LOAD = {
  selector: ":matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator > NewExpression[callee.object.name='Intl']",
  message: 'A formatter made while the module loads delays the first page: onFirstUse.',
};

/** A handler's function that runs later: React has reset a controlled element by then, and `currentTarget` is null. */
const LATE_TARGET = {
  selector:
    'JSXAttribute[name.name=/^on[A-Z]/] > JSXExpressionContainer > :function :function MemberExpression[property.name=/^(value|checked|files|currentTarget|target)$/]' +
    ':matches([object.name=/^(target|currentTarget|event)$/], [object.property.name=/^(target|currentTarget)$/])',
  message: 'Read the event before the work that runs later.',
};

const NO_BARRELS = { selector: 'ExportAllDeclaration', message: 'No barrels.' };

/** The law of one folder: the imports of src/ that are not allowed, static and dynamic. */
function lawOf(folder, allowed) {
  const forbidden = `^@/(?!${[`${folder}/`, ...allowed].join('|')})`;
  const message = `${folder}/ may import only itself, packages and: ${allowed.join(', ').replaceAll('$', '') || 'nothing else'} (eslint.config.mjs).`;
  const imports = [
    { regex: forbidden, message },
    // Except for test data that the server's tests share.
    { regex: '^\\.(?!.*/crates/)', message: 'Import by @/….' },
  ];
  const dynamic = { selector: `ImportExpression[source.value=/${forbidden.replaceAll('/', '\\/')}/]`, message };
  return [
    {
      files: [`src/${folder}/**/*.{ts,tsx}`],
      rules: { 'no-restricted-imports': ['error', { patterns: imports }], 'no-restricted-syntax': ['error', NO_BARRELS, INTL_AT_LOAD, LATE_TARGET, dynamic] },
    },
  ];
}

const unknown = foldersOf('src').filter((folder) => !(folder in MAY_IMPORT));
if (unknown.length > 0) throw new Error(`Say in eslint.config.mjs what these folders of src/ may import: ${unknown.join(', ')}.`);

const importLaw = Object.entries(MAY_IMPORT).flatMap(([folder, allowed]) =>
  folder === 'features' ? foldersOf('src/features').flatMap((feature) => lawOf(`features/${feature}`, allowed)) : lawOf(folder, allowed),
);

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
  ...importLaw,
);
