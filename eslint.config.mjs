import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import hooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: ['**/dist/**', 'dist-web/**', 'node_modules/**', 'data/**', 'coverage/**', 'sdk/**/*.ts', 'sdk/**/*.mts'],
  },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Options objects of the framework are typed by classes.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
    },
  },
  {
    files: ['web/**/*.tsx', 'web/**/*.ts'],
    plugins: { 'react-hooks': hooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
    },
  },
  {
    files: ['web/src/**/*.{ts,tsx}'],
    ignores: ['**/*.spec.ts'],
    rules: { 'max-lines-per-function': ['error', 50] },
  },
  {
    // Texts of strangers: an expression takes time in proportion to the length of what it reads.
    files: ['src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: true, ignorePartial: false }],
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.property.name='normalize'][arguments.0.value=/^NF/]",
          message:
            'Use normalForm of common/platform/text: normalising is quadratic in the combining marks of a letter.',
        },
        {
          selector: "CallExpression[callee.property.name='terminate']",
          message:
            'Use endThread of common/platform/concurrency: terminating a thread in native code aborts the process.',
        },
      ],
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'module',
          'globalThis',
          'require',
          '__dirname',
          'URL',
          'Buffer',
          'fetch',
          'setTimeout',
          'setInterval',
          'clearInterval',
          'clearTimeout',
          'AbortSignal',
          'AbortController',
          'Blob',
          'File',
          'FormData',
          'Response',
        ].map((g) => [g, 'readonly']),
      ),
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/common/platform/config/**', '**/*.spec.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read configuration through common/platform/config.' },
      ],
    },
  },
  {
    files: ['src/modules/**/*.ts'],
    ignores: ['**/persistence/**', '**/*.module.ts', '**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'typeorm', message: 'SQL and TypeORM live in persistence/.' },
            { name: '@nestjs/typeorm', message: 'SQL and TypeORM live in persistence/.' },
          ],
        },
      ],
    },
  },
  {
    files: ['src/modules/**/persistence/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'typeorm', importNames: ['DataSource'] },
            { name: '@nestjs/typeorm', importNames: ['InjectDataSource'] },
          ].map((path) => ({
            ...path,
            message: 'Inject a repository: statements of the data source itself run outside the current transaction.',
          })),
        },
      ],
    },
  },
  prettier,
);
