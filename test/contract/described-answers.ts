import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';

interface Content {
  readonly schema?: unknown;
}

interface DescribedResponse {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Content>>;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

export interface ApiDescription {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, DescribedResponse>> };
  readonly tags: readonly { readonly name: string }[];
}

export interface Answered {
  readonly status: number;
  readonly type: string;
  readonly body: unknown;
}

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** Compares responses with their schemas in the API description. */
export class DescribedAnswers {
  /** Formats are described by patterns too. */
  private readonly schemas = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(readonly description: ApiDescription) {
    this.schemas.addSchema({ ...description, $id: 'description' });
  }

  /** The errors of a response; empty if it matches the description. */
  problemsOf(method: string, route: string, { status, type, body }: Answered): string[] {
    const operation = this.description.paths[route]?.[method.toLowerCase()];
    const response = operation?.responses[String(status)];
    if (response === undefined) return [`${method} ${route} is not described with status ${status}`];
    const { at, content } = this.located(method, route, status, response);
    if (content === undefined)
      return body === '' ? [] : [`${method} ${route} ${status} has a body, which is not described`];
    const described = content[type] === undefined ? '*/*' : type;
    if (content[described] === undefined) return [`${method} ${route} ${status} is not described as ${type}`];
    if (type !== 'application/json') return [];
    const validate = this.validator(`description#${at}/content/${escaped(described)}/schema`);
    if (validate(body)) return [];
    return (validate.errors ?? []).map(
      (each) => `${each.instancePath || '/'} ${each.message} ${JSON.stringify(each.params)}`,
    );
  }

  private located(method: string, route: string, status: number, response: DescribedResponse) {
    if (response.$ref === undefined)
      return { at: `/paths/${escaped(route)}/${method.toLowerCase()}/responses/${status}`, content: response.content };
    const name = response.$ref.slice('#/components/responses/'.length);
    return { at: `/components/responses/${name}`, content: this.description.components.responses[name]?.content };
  }

  private validator(reference: string): ValidateFunction {
    const known = this.compiled.get(reference);
    if (known !== undefined) return known;
    const made = this.schemas.compile({ $ref: encodeURI(reference) });
    this.compiled.set(reference, made);
    return made;
  }
}
