import type {
  EncodedPicture,
  ModelOptions,
  PictureFindings,
  PictureModelType,
  RemotePictureModel,
  TokenCount,
} from '../picture-model';
import type { ModelServer } from '../servers/model-server';
import { parseAnswer, usageOf } from './answers';

const JSON_CONTENT = { 'content-type': 'application/json' };

/** What a model of one type asks, and how it reads the answer. */
export interface OpenAiDialogue<Type extends PictureModelType> {
  readonly path: 'chat/completions' | 'embeddings';
  /** The fields of the request. */
  ask(picture: EncodedPicture, options: ModelOptions): object;
  /** Throws UnreadableAnswerError or PictureRefusedError. */
  read(answer: unknown, picture: EncodedPicture): PictureFindings[Type];
}

/** A model at a server with OpenAI's HTTP API. */
export class OpenAiModel<Type extends PictureModelType> implements RemotePictureModel<Type> {
  readonly runsIn = 'service';
  private counted: TokenCount = { prompt: 0, completion: 0 };

  constructor(
    private readonly server: ModelServer,
    private readonly dialogue: OpenAiDialogue<Type>,
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
    const { path } = this.dialogue;
    const body = JSON.stringify(this.dialogue.ask(picture, options));
    return this.server.ask(
      { method: 'POST', path, headers: JSON_CONTENT, body, isAboutPicture: true },
      (text) => {
        const answer = parseAnswer(text);
        this.count(answer);
        return this.dialogue.read(answer, picture);
      },
      signal,
    );
  }

  /** Nothing is held between requests. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  private count(answer: unknown): void {
    const usage = usageOf(answer);
    if (usage === undefined) return;
    const { prompt, completion } = this.counted;
    this.counted = { prompt: prompt + usage.prompt, completion: completion + usage.completion };
  }
}
