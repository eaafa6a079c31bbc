// Applies a graph model to a picture: node run-with-tensorflow-js.cjs PACKAGES FOLDER SIDE NODE…
// FOLDER has `graph`, `weights` and `image` (float32 of rows, columns and channels). Each node is written to a file by its position.
const { readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');

const [packages, folder, side, ...nodes] = process.argv.slice(2);
const load = createRequire(join(packages, 'package.json'));
const read = (name) => {
  const bytes = readFileSync(join(folder, name));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
};

async function run() {
  const tf = load('@tensorflow/tfjs-core');
  load('@tensorflow/tfjs-backend-cpu');
  const { loadGraphModel } = load('@tensorflow/tfjs-converter');
  await tf.setBackend('cpu');
  const { modelTopology, format, signature, weightsManifest } = JSON.parse(readFileSync(join(folder, 'graph'), 'utf8'));
  const weightSpecs = weightsManifest.flatMap(({ weights }) => weights);
  const model = await loadGraphModel({
    load: () => Promise.resolve({ modelTopology, format, signature, weightSpecs, weightData: read('weights') }),
  });
  const image = tf.tensor(new Float32Array(read('image')), [1, Number(side), Number(side), 3]);
  const outputs = model.execute(image, nodes);
  for (const [at, output] of outputs.entries()) writeFileSync(join(folder, String(at)), output.dataSync());
}

void run();
