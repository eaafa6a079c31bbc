import type {
  EncodedPicture,
  ModelOptions,
  PictureFindings,
  PictureModelType,
  RemotePictureModel,
  TextSide,
  TokenCount,
} from '../picture-model';
import type { ModelServer } from '../servers/model-server';
import { parseAnswer, usageOf } from './answers';

const JSON_CONTENT = { 'content-type': 'application/json' };

/** The request to a model of one type, and how to read its response. */
export interface OpenAiDialogue<Type extends PictureModelType> {
  readonly path: 'chat/completions' | 'embeddings';
  /** The fields of the request. */
  ask(picture: EncodedPicture, options: ModelOptions): object;
  /** Throws UnreadableAnswerError or PictureRefusedError. */
  read(answer: unknown, picture: EncodedPicture): PictureFindings[Type];
}

/** A model on a server with OpenAI's HTTP API. */
export class OpenAiModel<Type extends PictureModelType> implements RemotePictureModel<Type> {
  readonly runsIn = 'service';
  private counted: TokenCount = { prompt: 0, completion: 0 };

  constructor(
    protected readonly server: ModelServer,
    protected readonly dialogue: OpenAiDialogue<Type>,
  ) {}

  get longestSide(): number {
    return this.server.settings.longestSide;
  }

  get atOnce(): number {
    return this.server.settings.atOnce;
  }

  get tokens(): TokenCount {
    return this.counted;
  }

  apply(picture: EncodedPicture, options: ModelOptions, signal: AbortSignal): Promise<PictureFindings[Type]> {
    return this.post(
      'picture',
      this.dialogue.ask(picture, options),
      (answer) => this.dialogue.read(answer, picture),
      signal,
    );
  }

  /** Nothing to close: there is no state between requests. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  protected post<T>(
    about: 'picture' | 'text',
    fields: object,
    read: (answer: unknown) => T,
    signal: AbortSignal,
  ): Promise<T> {
    const { path } = this.dialogue;
    return this.server.ask(
      { method: 'POST', path, headers: JSON_CONTENT, body: JSON.stringify(fields), about },
      (text) => {
        const answer = parseAnswer(text);
        this.count(answer);
        return read(answer);
      },
      signal,
    );
  }

  private count(answer: unknown): void {
    const usage = usageOf(answer);
    if (usage === undefined) return;
    const { prompt, completion } = this.counted;
    this.counted = { prompt: prompt + usage.prompt, completion: completion + usage.completion };
  }
}

/** The dialogue of a model that also encodes texts. */
export interface OpenAiEmbeddingDialogue extends OpenAiDialogue<'MULTIMODEL_IMAGE_ENCODING'> {
  askText(text: string): object;
  readText(answer: unknown): Float32Array;
}

export class OpenAiEncoder extends OpenAiModel<'MULTIMODEL_IMAGE_ENCODING'> implements TextSide {
  constructor(
    server: ModelServer,
    protected override readonly dialogue: OpenAiEmbeddingDialogue,
  ) {
    super(server, dialogue);
  }

  embedTexts(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const { dialogue } = this;
    const embed = (text: string): Promise<Float32Array> =>
      this.post('text', dialogue.askText(text), (answer) => dialogue.readText(answer), signal);
    return Promise.all(texts.map(embed));
  }
}
