import { Additions } from '../../support/additions';
import { cosine, FORMAT_FIXTURES, readJson } from '../../support/format-fixtures';
import { runningApp } from '../../support/test-app';

interface Listed {
  readonly id: string;
  readonly type: string;
  readonly status: string;
}

const idIn = async (folder: string): Promise<string> =>
  (await readJson<{ id: string }>(FORMAT_FIXTURES, folder, 'manifest.json')).id;

describe('models that run in the compute children', () => {
  const running = runningApp({ MODELS_DIR: FORMAT_FIXTURES });
  const additions = new Additions(running);

  it('caption and label the media of a copy, and become available with their folder', async () => {
    const source = await additions.indexed('Local', await additions.writeFolder('local', [0, 1, 2]));
    const [captioner, tagger] = [await idIn('vit-gpt2'), await idIn('vit')];
    const listed = await additions.api.must<Listed[]>(200, 'GET', `/api/v1/enrichment/${source}/list_models`);
    expect(listed).toContainEqual(expect.objectContaining({ id: captioner, type: 'CAPTION_IMAGES', status: 'Active' }));
    const copy = await additions.api.enriched(source, { CAPTION_IMAGES: captioner, IMAGE_TAGGING: tagger });
    const rows = await additions.rows(copy);
    expect(rows).toHaveLength(3);
    for (const { generatedCaption, generatedLabels } of rows) {
      expect(generatedCaption).toEqual(expect.any(String));
      expect(generatedLabels).not.toBeNull();
    }
  });

  it.each(['clip', 'siglip-split'])('compare texts with pictures, with %s', async (name) => {
    const model = await idIn(name);
    const source = await additions.indexed(name, await additions.writeFolder(name, [0, 1, 2]));
    const copy = await additions.api.enriched(source, { MULTIMODEL_IMAGE_ENCODING: model });
    const reference = await readJson<{ texts: string[]; text_embeddings: number[][] }>(
      FORMAT_FIXTURES,
      name,
      'reference.json',
    );
    const [text, vector] = [reference.texts[0]!, reference.text_embeddings[0]!];
    const { results } = await additions.api.must<{ results: { file_name: string; relevance_score: number }[] }>(
      200,
      'POST',
      `/api/v1/vector_search/${copy}`,
      { text, entity_type: 'IMAGES' },
    );
    const expected = (await additions.rows(copy))
      .map(({ fileName, multimodalEmbedding }) => [fileName, 1 - cosine(multimodalEmbedding!, vector)] as const)
      .sort(([, a], [, b]) => a - b);
    expect(results.map(({ file_name: file, relevance_score: score }) => [file, score])).toEqual(
      expected.map(([file, distance]): [string, unknown] => [file, expect.closeTo(distance, 3)]),
    );
  });

  it.each(['detr', 'yolos', 'owlvit', 'ultralytics'])('find objects with %s, which are also encoded', async (name) => {
    const source = await additions.indexed(name, await additions.writeFolder(name, [0, 1, 2]));
    const [encoder, detector] = [await idIn('clip'), await idIn(name)];
    const copy = await additions.api.enriched(source, {
      MULTIMODEL_IMAGE_ENCODING: encoder,
      OBJECT_DETECTION: detector,
    });
    const rows = await additions.rows(copy);
    const pictures = new Set(rows.flatMap(({ kind, id }) => (kind === 'IMAGE' ? [id] : [])));
    const objects = rows.filter(({ kind }) => kind === 'OBJECT');
    expect(objects.length).toBeGreaterThan(0);
    for (const { parentId, embedding, multimodalEmbedding, labels, generatedLabels } of objects) {
      expect(pictures.has(parentId!)).toBe(true);
      expect([embedding, multimodalEmbedding]).not.toContain(null);
      expect(generatedLabels!.map(({ label }) => label)).toEqual(labels);
    }
  });
});
