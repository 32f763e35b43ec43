import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepestBase64 } from '../../../../../src-preload/base64.ts';
import { hasImage, maxImages } from '../../../../../src-preload/base64-images.ts';
import { fileNameOf } from '../../../../../src-main/desktop/files/file-name.ts';
import { findImages, saveName } from '../../../../../src-renderer/job/media/find-images.ts';
import { imageFacts } from '../../../../../src-preload/image-bytes.ts';
import { drained } from '../../stream/drained.ts';

/** A real PNG header and body, as far as dimensions need it. */
function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(25);
  header.writeUInt32BE(13, 0);
  header.write('IHDR', 4, 'ascii');
  header.writeUInt32BE(width, 8);
  header.writeUInt32BE(height, 12);
  header.set([8, 2, 0, 0, 0], 16);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    header,
    deflateSync(Buffer.alloc(64)),
  ]);
}
const gif = Buffer.concat([Buffer.from('GIF89a', 'ascii'), Buffer.from([0x20, 0x03, 0x58, 0x02]), Buffer.alloc(60)]);
const jpeg = Buffer.concat([
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc2, 0, 17, 8, 0x02, 0x58, 0x03, 0x20, 3]),
  Buffer.alloc(60),
]);
function webp(kind: 'VP8 ' | 'VP8L' | 'VP8X', rest: number[]): Buffer {
  return Buffer.concat([
    Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'),
    Buffer.from(kind, 'ascii'),
    Buffer.from(rest),
    Buffer.alloc(60),
  ]);
}

function bmp(): Buffer {
  const bytes = Buffer.alloc(80);
  bytes.write('BM', 0, 'ascii');
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(800, 18);
  bytes.writeInt32LE(-600, 22);
  return bytes;
}
const avif = Buffer.concat([
  Buffer.from([0, 0, 0, 0x1c]),
  Buffer.from('ftypmif1\0\0\0\0mif1avifmiaf', 'latin1'),
  Buffer.from([0, 0, 0, 0x14]),
  Buffer.from('ispe\0\0\0\0', 'latin1'),
  Buffer.from([0, 0, 0x03, 0x20, 0, 0, 0x02, 0x58]),
  Buffer.alloc(40),
]);

describe('image facts', () => {
  it.each([
    ['png', png(1024, 768), { format: 'png', width: 1024, height: 768 }],
    ['gif', gif, { format: 'gif', width: 800, height: 600 }],
    ['bmp', bmp(), { format: 'bmp', width: 800, height: 600 }],
    ['avif', avif, { format: 'avif', width: 800, height: 600 }],
    ['progressive jpeg', jpeg, { format: 'jpeg', width: 800, height: 600 }],
    [
      'lossy webp',
      webp('VP8 ', [0, 0, 0, 0, 0, 0, 0, 0x9d, 0x01, 0x2a, 0x20, 0x03, 0x58, 0x02]),
      { format: 'webp', width: 800, height: 600 },
    ],
    [
      'lossless webp',
      webp('VP8L', [0, 0, 0, 0, 0x2f, 0x1f, 0xc3, 0x95, 0x00]),
      { format: 'webp', width: 800, height: 600 },
    ],
    [
      'extended webp',
      webp('VP8X', [10, 0, 0, 0, 0, 0, 0, 0, 0x1f, 0x03, 0x00, 0x57, 0x02, 0x00]),
      { format: 'webp', width: 800, height: 600 },
    ],
  ])('of a %s come from its bytes', (_name, bytes, facts) => {
    expect(imageFacts(bytes)).toEqual(facts);
  });

  it('are none for other bytes, and without a size for a truncated header', () => {
    expect(imageFacts(Buffer.from('%PDF-1.7 and more'))).toBeNull();
    expect(imageFacts(Buffer.alloc(0))).toBeNull();
    expect(imageFacts(png(10, 10).subarray(0, 12))).toEqual({ format: 'png', width: null, height: null });
    expect(imageFacts(jpeg.subarray(0, 8))).toEqual({ format: 'jpeg', width: null, height: null });
  });
});

describe('finding images', () => {
  const base64 = png(640, 480).toString('base64');

  it('recognises data URLs, plain base64 and files, wherever they are', () => {
    const output = {
      message: `data:image/png;base64,${base64}`,
      images: [{ type: 'base64', filename: 'ridge.png', data: base64, seed: 7744 }],
      deep: [[{ image: gif.toString('base64') }]],
    };
    const { found, isCapped } = drained(findImages(output));
    expect(found.map((image) => [image.path, image.format, image.width, image.height])).toEqual([
      ['message', 'png', 640, 480],
      ['images[0].data', 'png', 640, 480],
      ['deep[0][0].image', 'gif', 800, 600],
    ]);
    expect(found[1]).toMatchObject({ filename: 'ridge.png', facts: [['seed', '7744']], bytes: png(640, 480).length });
    expect(isCapped).toBe(false);
  });

  it('are found in base64 that is in base64, once or twice, at the place of the outer one', () => {
    const again = (text: string): string => Buffer.from(text).toString('base64');
    const json = JSON.stringify({ image: base64, note: 'größer' });
    const output = {
      json: again(json),
      pretty: again(JSON.stringify({ image: base64 }, null, 2)),
      list: again(JSON.stringify([base64])),
      url: again(`data:image/png;base64,${base64}`),
      twice: again(base64),
      jsonTwice: again(again(json)),
      tooDeep: again(again(again(json))),
      jsonTwiceWithJson: again(JSON.stringify({ inner: again(json) })),
      jsonTooDeep: again(JSON.stringify({ inner: again(JSON.stringify({ inner: again(json) })) })),
      token: `${again('{"alg":"HS256","typ":"JWT","kid":"of no image, but long enough"}')}.${again(json)}.x`,
    };
    const { found } = drained(findImages(output));
    expect(found.map(({ path, width }) => [path, width])).toEqual([
      ['json.image', 640],
      ['pretty.image', 640],
      ['list[0]', 640],
      ['url', 640],
      ['twice', 640],
      ['jsonTwice.image', 640],
      ['jsonTwiceWithJson.inner.image', 640],
    ]);
  });

  it('are found exactly where `has:images` finds them, however base64 and JSON are in each other', () => {
    type Wrap = 'list' | 'object' | 'json text' | 'base64';
    const wrapped = (value: unknown, wrap: Wrap): unknown => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      switch (wrap) {
        case 'list':
          return [value];
        case 'object':
          return { note: 'an image', image: value };
        case 'json text':
          return typeof value === 'string' ? JSON.stringify([value]) : text;
        case 'base64':
          return Buffer.from(text).toString('base64');
      }
    };
    const image = fc.constantFrom(base64, `data:image/png;base64,${base64}`, jpeg.toString('base64'));
    const wraps = fc.array(fc.constantFrom<Wrap>('list', 'object', 'json text', 'base64', 'base64'), { maxLength: 7 });
    const seen = { found: 0, tooDeep: 0 };
    fc.assert(
      fc.property(image, wraps, (data, all) => {
        const output = [all.reduce<unknown>(wrapped, data)];
        const isFound = drained(findImages(output)).found.length > 0;
        expect(hasImage(JSON.stringify(output))).toBe(isFound);
        if (isFound) seen.found += 1;
        else if (all.filter((wrap) => wrap === 'base64').length > deepestBase64) seen.tooDeep += 1;
      }),
      { numRuns: 500 },
    );
    expect(Math.min(seen.found, seen.tooDeep)).toBeGreaterThan(50);
  });

  it('trusts the bytes, not the name', () => {
    expect(
      drained(
        findImages(
          `data:image/png;base64,${Buffer.from('not a picture at all, only words that are long enough').toString('base64')}`,
        ),
      ).found,
    ).toEqual([]);
    expect(drained(findImages(`iVBORw0KGgo${'!'.repeat(60)}`)).found).toEqual([]);
    expect(drained(findImages(`data:image/png;base64,${gif.toString('base64')}`)).found[0]?.format).toBe('gif');
  });

  it('only names addresses of images', () => {
    expect(
      drained(findImages({ url: 'https://example.test/a/b.png?x=1', page: 'https://example.test/' })),
    ).toMatchObject({ found: [], links: [{ path: 'url', url: 'https://example.test/a/b.png?x=1' }] });
  });

  it('names addresses of files by their extension, or because they are signed', () => {
    const urls = ['https://a.test/clip.mp4', 'https://a.test/b.wav?x=1', 'https://a.test/o/7?X-Amz-Signature=ab'];
    const { links, fileLinks } = drained(findImages([...urls, 'https://a.test/c.avif', 'https://a.test/']));
    expect(fileLinks.map(({ url }) => url)).toEqual(urls);
    expect(links.map(({ url }) => url)).toEqual(['https://a.test/c.avif']);
  });

  it('searches JSON that is text in a string', () => {
    const nested = JSON.stringify({ images: [{ data: base64 }], note: 'x'.repeat(50) });
    expect(drained(findImages({ result: nested })).found).toMatchObject([{ path: 'result.images[0].data' }]);
    expect(drained(findImages([bmp().toString('base64'), avif.toString('base64')])).found).toMatchObject([
      { format: 'bmp' },
      { format: 'avif' },
    ]);
  });

  it('stops at its limit and says so', () => {
    const images = drained(findImages(Array.from({ length: maxImages + 5 }, () => base64)));
    expect(images.found).toHaveLength(maxImages);
    expect(images.isCapped).toBe(true);
  });

  it('generates names that are safe to save under', () => {
    const image = drained(findImages({ filename: '../../etc/pa:ss?wd', data: base64 })).found[0];
    expect(image).toBeDefined();
    if (image === undefined) return;
    expect(fileNameOf(saveName(image, 0, 'job'))).toBe('pa-ss-wd.png');
    expect(fileNameOf(saveName({ ...image, filename: 'C:\\out\\café 花 (2).png' }, 0, 'job'))).toBe('café 花 -2-.png');
    expect(fileNameOf(saveName({ ...image, filename: '. .png' }, 0, 'job'))).toBe('png.png');
    expect(fileNameOf(saveName({ ...image, filename: '..' }, 0, 'job'))).toBe('job-1.png');
    expect(saveName({ ...image, filename: null, format: 'jpeg' }, 2, 'e20c94b7')).toBe('e20c94b7-3.jpg');
    expect(saveName({ ...image, filename: 'a.webp' }, 0, 'job')).toBe('a.webp');
    // The worker names it: a picture must not land on the disk as something that runs when it is opened.
    for (const filename of ['run.exe', 'page.html', 'a.png.bat', 'x.svg', 'x.desktop', 'x.exe.'])
      expect(saveName({ ...image, filename }, 0, 'job')).toBe(`${filename}.png`);
  });
});
