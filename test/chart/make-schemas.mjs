// Generates the JSON schemas for kubeconform from the API description of Kubernetes and from custom resource definitions.
// Usage: make-schemas.mjs SWAGGER CRD_FOLDER OUTPUT_FOLDER
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';

const [swagger, crds, output] = process.argv.slice(2);
const { definitions } = JSON.parse(readFileSync(swagger, 'utf8'));
const PREFIX = '#/definitions/';

/** Rejects unknown fields, and allows text or number for quantities and ports. */
function strict(schema) {
  if (Array.isArray(schema)) return schema.map(strict);
  if (schema === null || typeof schema !== 'object') return schema;
  if (schema.format === 'int-or-string' || schema['x-kubernetes-int-or-string']) return { type: ['string', 'integer'] };
  const entries = Object.entries(schema).filter(([key]) => key !== 'format');
  const copy = Object.fromEntries(entries.map(([key, value]) => [key, strict(value)]));
  const isOpen = copy.additionalProperties !== undefined || copy['x-kubernetes-preserve-unknown-fields'] === true;
  return copy.properties === undefined || isOpen ? copy : { ...copy, additionalProperties: false };
}

function definitionsOf(name, found = {}) {
  if (found[name] !== undefined) return found;
  const isQuantity = name.endsWith('.resource.Quantity');
  found[name] = isQuantity ? { type: ['string', 'number'] } : strict(definitions[name]);
  for (const [, next] of JSON.stringify(found[name]).matchAll(/"#\/definitions\/([^"]+)"/g)) definitionsOf(next, found);
  return found;
}

function write({ group, version, kind }, schema) {
  const suffix = [group.split('.')[0], version].filter((part) => part !== '').join('-');
  writeFileSync(join(output, `${kind.toLowerCase()}-${suffix}.json`.toLowerCase()), JSON.stringify(schema));
}

for (const [name, definition] of Object.entries(definitions)) {
  const [kind, ...others] = definition['x-kubernetes-group-version-kind'] ?? [];
  if (kind === undefined || others.length > 0 || definition.properties?.metadata === undefined) continue;
  write(kind, { $ref: PREFIX + name, definitions: definitionsOf(name) });
}
for (const file of readdirSync(crds)) {
  const { spec } = load(readFileSync(join(crds, file), 'utf8'));
  for (const { name, schema } of spec.versions) {
    const made = strict(schema.openAPIV3Schema);
    made.properties.metadata = { type: 'object' };
    write({ group: spec.group, version: name, kind: spec.names.kind }, made);
  }
}
