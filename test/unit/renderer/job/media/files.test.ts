import { describe, expect, it } from 'vitest';
import { fileFacts } from '../../../../../src-preload/file-bytes.ts';
import { hexLines } from '../../../../../src-renderer/job/media/files-view.tsx';
import {
  blobOf,
  fileSaveName,
  findImages,
  firstBytes,
  type FoundFile,
} from '../../../../../src-renderer/job/media/find-images.ts';
import { readOutput } from '../../../../../src-renderer/job/output-views.ts';
import { drained } from '../../stream/drained.ts';

const padded = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat([
    ...parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
    Buffer.alloc(60),
  ]);
const wav = padded('RIFF', [36, 0, 0, 0], 'WAVEfmt ');
const beginnings: [string, Buffer][] = [
  ['wav', wav],
  ['avi', padded('RIFF', [36, 0, 0, 0], 'AVI LIST')],
  ['flac', padded('fLaC')],
  ['ogg', padded('OggS')],
  ['mp3', padded('ID3', [4])],
  ['mp3', padded([0xff, 0xfb, 0x90, 0x64])],
  ['m4a', padded([0, 0, 0, 0x1c], 'ftypM4A ')],
  ['mov', padded([0, 0, 0, 0x14], 'ftypqt  ')],
  ['mp4', padded([0, 0, 0, 0x20], 'ftypisom')],
  ['heic', padded([0, 0, 0, 0x18], 'ftypheic\0\0\0\0mif1heic')],
  ['tiff', padded([0x49, 0x49, 0x2a, 0])],
  ['tiff', padded([0x4d, 0x4d, 0, 0x2a])],
  ['webm', padded([0x1a, 0x45, 0xdf, 0xa3, 0x9f])],
  ['pdf', padded('%PDF-1.7')],
  ['zip', padded([0x50, 0x4b, 3, 4])],
  ['gz', padded([0x1f, 0x8b, 8, 0])],
  ['zst', padded([0x28, 0xb5, 0x2f, 0xfd])],
  ['npy', padded([0x93], 'NUMPY')],
  ['glb', padded('glTF')],
  ['parquet', padded('PAR1')],
  ['gguf', padded('GGUF')],
];
const found = (output: unknown): FoundFile[] => drained(findImages(output)).files;

describe('a file of an output', () => {
  it.each(beginnings)('%s is recognised by its bytes, in base64 at any depth', (extension, bytes) => {
    const data = bytes.toString('base64');
    expect(found({ results: [{ deep: { data, name: 'take 1' } }] })).toMatchObject([
      { path: 'results[0].deep.data', extension, bytes: bytes.length, filename: 'take 1' },
    ]);
    expect(found(data)).toHaveLength(1);
  });

  it('follows its bytes, whatever a data URL declares; unknown but declared bytes are a file', () => {
    expect(found(`data:text/html;base64,${wav.toString('base64')}`)).toMatchObject([
      { kind: 'audio', extension: 'wav' },
    ]);
    expect(
      found(`data:text/html;base64,${Buffer.from('<script>alert(1)</script>'.repeat(4)).toString('base64')}`),
    ).toMatchObject([{ kind: 'file', type: 'application/octet-stream', extension: 'bin' }]);
  });

  it('is not text that begins alike', () => {
    for (const text of [
      '//comment that goes on for quite a while and says nothing at all of any sound',
      'JVBER is not the beginning of anything but this one sentence about nothing much',
      'H4sI',
    ])
      expect(found({ text })).toEqual([]);
    expect(fileFacts(Buffer.from('plain words'))).toBeNull();
  });

  it('is not shown in the text of the output, and images beside it are still images', () => {
    const { text, images } = drained(readOutput(JSON.stringify(wav.toString('base64')), false));
    expect([text, images.files.length, images.found.length]).toEqual([null, 1, 0]);
  });

  it('is saved with an extension that its bytes decide, with its own bytes', async () => {
    const [file] = found({ file_name: '../../run.html', data: wav.toString('base64') });
    if (file === undefined) throw new Error('The file was not found.');
    expect(fileSaveName(file, 0, 'job')).toBe('run.html.wav');
    expect(fileSaveName({ ...file, filename: null }, 1, 'job')).toBe('job-file-2.wav');
    expect(fileSaveName({ ...file, filename: 'out/Stück.WAV' }, 1, 'job')).toBe('Stück.WAV');
    const blob = drained(blobOf(file.base64, file.type));
    expect(Buffer.from(await (blob ?? new Blob()).arrayBuffer())).toEqual(wav);
    expect(Buffer.from(firstBytes(file, 20) ?? [])).toEqual(wav.subarray(0, 20));
  });

  it('is shown in hex, sixteen bytes per line with their letters', () => {
    expect(hexLines(wav.subarray(0, 18))).toBe(
      '00000000  52 49 46 46 24 00 00 00 57 41 56 45 66 6d 74 20  RIFF$...WAVEfmt \n' +
        '00000010  00 00                                            ..',
    );
  });
});
