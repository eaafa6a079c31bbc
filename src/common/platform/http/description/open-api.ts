import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { SERVICE_VERSION } from '../../config/version';
import { describeExamples } from './describe-examples';
import { describeOperations, type Operation } from './describe-operations';
import { docsSearch } from './docs-search';
import { declaredRoutes, operationIdOf } from './routes';
import { SECURITY_SCHEMES, USUAL_SECURITY } from './security';
import { simplifySchemas } from './simplify-schemas';
import { TAGS } from './tags';

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

/** As it is kept in the file `openapi.json`. */
export const descriptionText = (description: unknown): string => `${JSON.stringify(description, null, 2)}\n`;
