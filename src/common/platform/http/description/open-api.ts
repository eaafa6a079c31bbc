import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { SERVICE_VERSION } from '../../config/version';
import { describeExamples, simplifySchemas } from './describe-examples';
import { describeOperations, type Operation } from './describe-operations';
import { declaredRoutes, operationIdOf, SECURITY_SCHEMES, USUAL_SECURITY } from './routes';

interface List<T> {
  readonly size: number;
  filter(keep: (value: T) => boolean): List<T>;
}

/** An operation or a group in the data of Swagger UI. */
interface Entry {
  getIn(path: readonly string[], otherwise: string): string;
  get(name: 'operations'): List<Entry>;
  set(name: 'operations', operations: List<Entry>): Entry;
}

interface Groups {
  map(change: (group: Entry, name: string) => Entry): Groups;
  filter(keep: (group: Entry) => boolean): Groups;
}

/** The groups of routes, in the order of the description. */
const TAGS: readonly (readonly [name: string, description: string])[] = [
  ['Datasets', 'Create, list, grow and delete datasets.'],
  ['Ingestion', 'Upload files into a new dataset.'],
  ['Tasks', 'Long-running operations on datasets.'],
  ['Search', 'Explore, filter and search the media of a dataset.'],
  ['Media', 'The bytes of images and videos.'],
  ['Tags', 'Names that people give to media and clusters.'],
  ['Saved views', 'Searches that are evaluated for each added batch.'],
  ['Notifications', 'What happened, for the caller, as a list and as a stream.'],
  ['Webhooks', 'Events of a dataset, posted to a URL.'],
  ['Snapshots', 'Keep, compare, restore and clone the state of a dataset.'],
  ['Subsets', 'Make a new dataset of some media, or remove media from a dataset.'],
  ['Export', 'Archives of metadata and images.'],
  ['Enrichment', 'Captions, labels, objects and vectors by models.'],
  ['Label suggestions', 'Labels that look wrong, and what people decided about them.'],
  ['Duplicates', 'Groups of near duplicates, and what people decided about them.'],
  ['Review', 'Queues of media and annotations that people answer a question about.'],
  ['Evaluation', 'What one source of annotations says compared with what another one says, in figures.'],
  ['Annotations', 'Labels and captions that people give to media that are there.'],
  ['Embeddings', 'Image vectors that people bring.'],
  ['Sharing', 'Who has access to a dataset.'],
  ['Sign-in', 'Sessions of browsers.'],
  ['Credentials', 'API keys of programs.'],
  ['Workspaces and organizations', 'Workspaces, their members and their organizations.'],
  ['User management', 'Users of the identity provider.'],
  ['Administration', 'Settings and the audit log.'],
  ['Pipeline', 'For scripts of the operator.'],
];

export const DOCS_PATH = 'api/v1/docs';

const DESCRIPTION = `Index, explore, search, enrich, watch, snapshot and export datasets of images and videos.

Errors have the form \`{"detail": ...}\`. Times are ISO 8601 in UTC, without a zone. Every response names the version of the service in the
header \`X-DMS-Version\`. Where nobody signs in (\`AUTH_MODE=none\`) no credentials are needed.

Later versions may add operations, optional parameters, and properties and values of responses: clients should ignore those that they do not know.
Changes that break clients come with another first number of the version, or before 1.0.0 with another second number.`;

/** The API description, generated from the validation schemas when first requested. */
export function serveOpenApi(app: INestApplication): void {
  SwaggerModule.setup(DOCS_PATH, app, () => describeApi(app), {
    jsonDocumentUrl: 'api/v1/openapi.json',
    raw: ['json'],
    customSiteTitle: 'Dataset Media Service API',
    swaggerOptions: { filter: true, docExpansion: 'none', defaultModelsExpandDepth: 0, plugins: [docsSearch] },
  });
}

export function describeApi(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Dataset Media Service')
    .setDescription(DESCRIPTION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .setVersion(SERVICE_VERSION)
    .addServer('/', 'The service that this description comes from.');
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const settings = { ...builder.build(), security: [...USUAL_SECURITY] };
  const document = SwaggerModule.createDocument(app, settings, { operationIdFactory: operationIdOf });
  describeTexts(document);
  describeOperations(document, declaredRoutes(app));
  document.components = { ...document.components, securitySchemes: { ...SECURITY_SCHEMES } };
  const simplified = simplifySchemas(document);
  describeExamples(simplified);
  return simplified;
}

/** A query parameter with a format of its own, such as JSON, is described by `content`; a schema alone would mean plain text. */
function describeTexts(document: OpenAPIObject): void {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item) as Operation[]);
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    if (!('schema' in parameter)) continue;
    const { contentMediaType, ...schema } = parameter.schema as { contentMediaType?: string };
    if (contentMediaType === undefined) continue;
    delete parameter.schema;
    parameter.content = { [contentMediaType]: { schema } };
  }
}

/** The content of the file `openapi.json`. */
export const descriptionText = (description: unknown): string => `${JSON.stringify(description, null, 2)}\n`;

/**
 * A plugin of Swagger UI whose filter searches for all words in paths, ids and texts. It runs in the browser, so it must not refer to variables
 * outside of this function.
 */
const docsSearch = () => ({
  fn: {
    opsFilter: (groups: Groups, phrase: string): Groups => {
      const words = phrase
        .toLowerCase()
        .split(' ')
        .filter((word) => word !== '');
      const textOf = (operation: Entry): string =>
        [['path'], ['method'], ['operation', 'operationId'], ['operation', 'summary'], ['operation', 'description']]
          .map((path) => operation.getIn(path, ''))
          .join(' ');
      const hasWords = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
      return groups
        .map((group, name) =>
          group.set(
            'operations',
            group.get('operations').filter((operation) => hasWords(`${name} ${textOf(operation)}`)),
          ),
        )
        .filter((group) => group.get('operations').size > 0);
    },
  },
});
