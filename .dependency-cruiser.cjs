/** Started by name, so nothing imports them. */
const ENTRIES = '^src/(main|commands/[a-z-]+)\\.ts$|(\\.thread|\\.reader|-child)\\.ts$';

/** Folders of ingestion that its operations share; every other one is an operation, or stands above them. */
const SHARED_BY_OPERATIONS = 'persistence|sources|uploads';

/** Walls between the rooms of the house; each rule says what to do instead. */
module.exports = {
  forbidden: [
    {
      name: 'common-knows-no-domain',
      comment:
        'common is technology: move what needs a module into that module, or let the module pass a plain value or a port.',
      severity: 'error',
      from: { path: '^src/common/' },
      to: { path: '^(src/modules|sample)/' },
    },
    {
      name: 'sample-knows-no-program',
      comment: 'The sample is a package of its own: pass it a plain value, or call it from the program.',
      severity: 'error',
      from: { path: '^sample/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/' },
    },
    {
      name: 'sample-has-one-door',
      comment: "Import '#sample', which is sample/index.ts, and export there what you need.",
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^sample/(?!index\\.ts$)' },
    },
    {
      name: 'platform-knows-no-engine',
      comment: 'platform is below the engine: pass it a plain value or a port, or move what both need into platform.',
      severity: 'error',
      from: { path: '^src/common/platform/' },
      to: { path: '^src/common/engine/' },
    },
    {
      name: 'engine-speaks-no-http',
      comment: 'The engine works for jobs and requests alike: let the module that answers a request translate.',
      severity: 'error',
      from: { path: '^src/common/engine/' },
      to: { path: '^src/common/platform/(http|jobs|database)/' },
    },
    {
      name: 'engine-knows-no-nest',
      comment: 'Children and threads run the engine without Nest: provide its classes in a *.module.ts.',
      severity: 'error',
      from: { path: '^src/common/engine/', pathNot: '\\.module\\.ts$' },
      to: { path: '(^|/)node_modules/@nestjs/' },
    },
    {
      name: 'vectors-and-similarity-stand-apart',
      comment: 'Move code that both need below them, into arithmetic, and code that calls both above them.',
      severity: 'error',
      from: { path: '^src/common/engine/(arithmetic|vectors|similarity)/' },
      to: { path: '^src/common/engine/(vectors|similarity)/', pathNot: '^src/common/engine/$1/' },
    },
    {
      name: 'modules-have-one-door',
      comment: "Import the other module's index.ts, and export there the narrow read model or use case that you need.",
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: {
        path: '^src/modules/([^/]+)/(?!(index|records|formats)\\.ts$)',
        pathNot: ['^src/modules/$1/', '^src/modules/datasets/for-operations\\.ts$'],
      },
    },
    {
      name: 'operations-change-datasets',
      comment:
        "Only operations change a dataset's pointer and status: declare one (src/modules/tasks/operations), and start, complete and fail it there.",
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/modules/tasks/operations/' },
      to: { path: '^src/modules/datasets/for-operations\\.ts$' },
    },
    {
      name: 'modules-point-down',
      comment:
        'events, audit, settings, workspaces and datasets stand below the other modules: let those register a handler or read through a port.',
      severity: 'error',
      from: { path: '^src/modules/(events|audit|settings|datasets|workspaces)/' },
      to: { path: '^src/modules/(?!events/|audit/|settings/|datasets/|workspaces/)' },
    },
    {
      name: 'tables-stand-below-operations',
      comment:
        'tables makes and changes media tables for every operation: let the operation pass a plain value or a function, or register a handler.',
      severity: 'error',
      from: { path: '^src/modules/tables/' },
      to: { path: '^src/modules/(?!(tables|datasets|tasks|settings|versions)/)' },
    },
    {
      name: 'versions-know-no-search',
      comment:
        'versions opens, keeps and scans published versions for the modules above it: let search, or whoever asks, pass it rows, columns or plain conditions.',
      severity: 'error',
      from: { path: '^src/modules/versions/' },
      to: {
        path: '^src/modules/(?!(events|audit|settings|datasets|workspaces|versions)/)',
        pathNot: '^src/modules/(snapshots|evaluation)/records\\.ts$',
      },
    },
    {
      name: 'ingestion-shares-below',
      comment:
        'Code that several operations of ingestion need is below them: move it into the shared folder that fits, or let the operation pass it.',
      severity: 'error',
      from: { path: `^src/modules/ingestion/(${SHARED_BY_OPERATIONS})/` },
      to: { path: `^src/modules/ingestion/(?!(${SHARED_BY_OPERATIONS})/)[^/]+/` },
    },
    {
      name: 'ingestion-operations-stand-apart',
      comment: 'One operation of ingestion knows no other: move code that both need into a shared folder.',
      severity: 'error',
      from: {
        path: '^src/modules/ingestion/([^/]+)/',
        pathNot: `^src/modules/ingestion/(${SHARED_BY_OPERATIONS}|pipeline|sweeps)/`,
      },
      to: { path: '^src/modules/ingestion/[^/]+/', pathNot: `^src/modules/ingestion/($1|${SHARED_BY_OPERATIONS})/` },
    },
    {
      name: 'domain-is-plain',
      comment:
        'domain/ holds rules only: no Nest, no TypeORM, no I/O. Move the rest into a use case, a repository or an adapter.',
      severity: 'error',
      from: { path: '^src/modules/.+/domain/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: [
          '^src/modules/.+/(http|persistence|jobs)/',
          '(^|/)node_modules/(@nestjs|typeorm|pg|minio|@lancedb|multer)',
          '^(node:)?(fs|net|http|child_process)(/|$)',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'sql-lives-in-persistence',
      comment: 'Put the query into a repository or read model under persistence/.',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: '/persistence/|\\.spec\\.ts$' },
      to: { path: '(^|/)node_modules/(typeorm|pg)/' },
    },
    {
      name: 'repositories-stay-in-persistence',
      comment:
        'Inject repositories of entities into classes under persistence/; <name>.module.ts declares the entities.',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: '/persistence/|\\.module\\.ts$|\\.spec\\.ts$' },
      to: { path: '(^|/)node_modules/@nestjs/typeorm/' },
    },
    {
      name: 'controllers-ask-use-cases',
      comment: 'Let the controller ask a use case, a reader or a read model, and let that one know the repository.',
      severity: 'error',
      from: { path: '^src/modules/.+/http/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^src/modules/.+/persistence/',
        pathNot: '\\.read-model\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'parquet-stands-alone',
      comment: 'export/parquet writes files and does not know their subject: pass it columns and plain values.',
      severity: 'error',
      from: { path: '^src/modules/export/parquet/' },
      to: { path: '^src/', pathNot: '^src/modules/export/parquet/' },
    },
    {
      name: 'packages-have-one-door',
      comment: 'Internals of a package may change without notice: use its exports, or write the code here.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '(^|/)node_modules/hyparquet[^/]*/(src|types)/(?!(index|node|hyparquet)\\.)' },
    },
    {
      name: 'everything-is-used',
      comment:
        'Nothing of the program reaches this file: register it where its kind is listed (the providers or controllers of its module, its jobs, MODEL_RUNTIMES, FILES), or delete it.',
      severity: 'error',
      from: { path: ENTRIES },
      to: { path: '^(src|sample)/', pathNot: ['(\\.spec|\\.contract|\\.d)\\.ts$', ENTRIES], reachable: false },
    },
    {
      name: 'no-cycles',
      comment: 'Break the cycle: move code that both need below both, or let one register itself with the other.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
