import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../test/support/free-port';
import { PICTURE } from './labelled-picture-folder';

/**
 * Creates the dataset as the documentation recommends for large ones: with picture sizes, an index on the labels and a similarity index of the
 * vectors. Then serves the App, and for each input line sorts by the picture of that name, or resets the order for an empty line.
 */
const PROGRAM = `
import atexit, importlib.util, json, os, subprocess, sys
import numpy as np
work, folder, dimension, port, database, width, height = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
# By itself FiftyOne joins a server that runs already, with the datasets of people.
place, os.environ['FIFTYONE_DATABASE_URI'] = os.path.join(work, 'database'), 'mongodb://127.0.0.1:%d' % database
os.mkdir(place)
mongod = os.path.join(importlib.util.find_spec('fiftyone').submodule_search_locations[0], 'db', 'bin', 'mongod')
flags = ['--dbpath', place, '--logpath', place + '/log', '--bind_ip', '127.0.0.1', '--port', str(database), '--nounixsocket']
server = subprocess.Popen([mongod, *flags], stdout=subprocess.DEVNULL)
atexit.register(server.terminate)
import fiftyone as fo, fiftyone.brain as fob, fiftyone.constants as foc, fiftyone.core.odm.dataset as food
with open(os.path.join(work, 'media.json')) as file:
    media = json.load(file)
vectors = np.fromfile(os.path.join(work, 'vectors'), dtype=np.float32).reshape(-1, dimension)
dataset = fo.Dataset('pictures')
dataset.add_samples(
    (
        fo.Sample(
            filepath=os.path.join(folder, name),
            metadata=fo.ImageMetadata(mime_type='image/jpeg', width=width, height=height, num_channels=3),
            ground_truth=fo.Classification(label=label),
            name=name,
        )
        for name, label in media
    ),
    progress=False,
    num_samples=len(media),
)
dataset.create_index('ground_truth.label')
fob.compute_similarity(dataset, embeddings=vectors, brain_key='similarity', backend='sklearn', progress=False)
# So that tiles say which picture they show.
dataset.app_config.active_fields = food.ActiveFields(paths=['ground_truth', 'name'])
dataset.save()
ids = dict(zip(*dataset.values(['name', 'id'])))
session = fo.launch_app(dataset, remote=True, address='127.0.0.1', port=port)
print(json.dumps({'version': foc.VERSION}), flush=True)
for line in sys.stdin:
    name = line.strip()
    session.view = None if name == '' else dataset.sort_by_similarity(ids[name], brain_key='similarity', k=int(os.environ['NEAREST']))
session.close()
`;

/** The default of the App's button. */
const NEAREST = 25;

export interface VectorsOfPictures {
  /** Each picture with its label. */
  readonly media: readonly (readonly [name: string, label: string])[];
  readonly dimension: number;
  /** In the order of the media. */
  readonly vectors: Float32Array;
}

/** FiftyOne with a dataset of the pictures in a folder. Runs the Python at `python`, with a separate MongoDB. */
export class FiftyOneApp {
  private constructor(
    private readonly child: ChildProcess,
    private readonly work: string,
    readonly url: string,
    readonly version: string,
  ) {}

  static async start(python: string, folder: string, pictures: VectorsOfPictures): Promise<FiftyOneApp> {
    const work = await mkdtemp(join(tmpdir(), 'fiftyone-'));
    const { media, vectors, dimension } = pictures;
    await writeFile(join(work, 'media.json'), JSON.stringify(media));
    await writeFile(join(work, 'vectors'), new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength));
    const port = await freePort();
    const numbers = [dimension, port, await freePort(), PICTURE.width, PICTURE.height].map(String);
    const child = spawn(python, ['-c', PROGRAM, work, folder, ...numbers], {
      env: {
        PATH: process.env['PATH'],
        HOME: work,
        NEAREST: String(NEAREST),
        // The MongoDB packages for Linux are older than the version that it requires.
        FIFTYONE_DATABASE_VALIDATION: 'false',
        FIFTYONE_DO_NOT_TRACK: 'true',
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const version = await versionWhenReady(child).catch(async (error: unknown) => {
      await rm(work, { recursive: true, force: true });
      throw error;
    });
    return new FiftyOneApp(child, work, `http://127.0.0.1:${port}`, version);
  }

  /** Uses the Python session, which updates the open pages. */
  sortBy(name: string): void {
    this.child.stdin?.write(`${name}\n`);
  }

  showAll(): void {
    this.child.stdin?.write('\n');
  }

  async stop(): Promise<void> {
    this.child.stdin?.end();
    if (this.child.exitCode === null) await once(this.child, 'exit');
    await rm(this.work, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
}

/** The version is preceded by a page of hints. */
async function versionWhenReady(child: ChildProcess): Promise<string> {
  for await (const line of createInterface(child.stdout!))
    if (line.startsWith('{')) {
      child.stdout!.resume();
      return (JSON.parse(line) as { version: string }).version;
    }
  throw new Error('FiftyOne exited before its App was served');
}
