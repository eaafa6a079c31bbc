/** Walls of the console; each rule says what to do instead. */
module.exports = {
  forbidden: [
    {
      name: 'console-is-a-client',
      comment:
        'The console uses the public API through the TypeScript SDK alone, so that anybody could have written it.',
      severity: 'error',
      from: { path: '^web/src/' },
      to: { path: '^(src|test|bench|sdk)/', pathNot: '^sdk/typescript/src/index\\.ts$' },
    },
    {
      name: 'features-stand-apart',
      comment: 'A feature knows no other: what both need belongs into design, api or media.',
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/' },
      to: { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
    },
    {
      name: 'shared-below-features',
      comment: 'design, api, media and texts are shared: pass them what a feature knows.',
      severity: 'error',
      from: { path: '^web/src/(design|api|media|texts)/' },
      to: { path: '^web/src/(features|app)/' },
    },
    {
      name: 'design-knows-no-api',
      comment: 'The pieces of the design show what they are given: let a feature ask the service.',
      severity: 'error',
      from: { path: '^web/src/design/' },
      to: { path: '^(web/src/(api|media)|sdk)/' },
    },
    {
      name: 'everything-is-used',
      comment: 'Nothing reaches this file: use it or delete it.',
      severity: 'error',
      from: { path: '^web/src/main\\.tsx$' },
      to: { path: '^web/src/', pathNot: '\\.(css|(d|spec)\\.ts)$', reachable: false },
    },
    {
      name: 'no-cycles',
      comment: 'Break the ring: move what both need below both, or let one register itself with the other.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: '(^|/)node_modules/|^sdk/' },
    tsConfig: { fileName: 'web/tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.css'],
    },
  },
};
