import { AskedThread } from '../../platform/concurrency/asked-thread';
import type { AttributeTests } from './attribute-tests';
import type { AttributeRequest } from './attributes.thread';
import type { PackedPictures } from './segment';

/** Tests attributes in a thread, because the annotations have to be decompressed and parsed for it. */
export class AttributeThread {
  private thread: AskedThread | undefined;

  /** For each annotation of the pictures, in their order: 1 if it has all of the attributes. */
  test(blocks: readonly PackedPictures[], tests: AttributeTests): Promise<Uint8Array> {
    this.thread ??= new AskedThread({
      folder: __dirname,
      name: 'attributes.thread',
      onEnd: () => (this.thread = undefined),
    });
    return this.thread.ask((job): AttributeRequest => ({ job, blocks, tests }));
  }

  async onModuleDestroy(): Promise<void> {
    await this.thread?.end();
  }
}
