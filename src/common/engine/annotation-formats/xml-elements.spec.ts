import { Readable } from 'node:stream';
import { elementsIn, type FoundElement } from './xml-elements';

const DOCUMENT = `<?xml version="1.0"?>
<annotations>
  <meta>
  </meta>
  <image name="a"><box>
  </image>
  <!-- é --><image name="b"/>

  <track id="1"></track>
</annotations>
`;

async function foundIn(text: string, chunkBytes: number): Promise<FoundElement[]> {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, at) =>
    bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes),
  );
  const found: FoundElement[] = [];
  const member = { name: 'a.xml', bytes: Readable.from(chunks) };
  for await (const each of elementsIn(member, ['meta', 'image', 'track'])) found.push(each);
  return found;
}

describe('elements of XML', () => {
  it.each([1, 2, 7, 64, 10_000])('are found with their line in chunks of %d bytes', async (chunkBytes) => {
    expect(await foundIn(DOCUMENT, chunkBytes)).toEqual([
      { name: 'meta', line: 3, element: { '#text': '' } },
      { name: 'image', line: 5, fault: expect.stringMatching(/^it is not XML in line 6: .*box/) as string },
      { name: 'image', line: 7, element: { '@name': 'b' } },
      { name: 'track', line: 9, element: { '@id': '1' } },
    ]);
  });

  it('that do not end are named', async () => {
    await expect(foundIn(DOCUMENT.slice(0, DOCUMENT.indexOf('</image>')), 7)).rejects.toThrow(
      'a.xml ends in the middle of line 6',
    );
  });
});
