import { describe, expect, it } from 'vitest';
import { guessFlavour } from '../../../src-main/engine/endpoint-flavours.ts';

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...Array.from({ length: 60 }, () => 1)]);
const wav = Buffer.concat([Buffer.from('RIFF1234WAVEfmt '), Buffer.alloc(60)]);
const webp = Buffer.concat([Buffer.from('RIFF1234WEBPVP8 '), Buffer.alloc(60)]);
const mp3 = Buffer.concat([Buffer.from('ID3'), Buffer.alloc(60)]);

describe('the flavour of an endpoint, by its output', () => {
  it.each([
    ['image', { images: [png.toString('base64')] }],
    ['image', { image: `data:image/png;base64,${png.toString('base64')}` }],
    ['image', [webp.toString('base64')]],
    ['audio', { audio: wav.toString('base64'), text: 'hello' }],
    ['audio', mp3.toString('base64')],
    ['embedding', { data: [{ embedding: Array.from({ length: 384 }, (_, at) => Math.sin(at)) }] }],
    ['text', [{ choices: [{ tokens: ['Hello'] }] }]],
    ['text', { generated_text: 'Hello' }],
    ['text', 'A long answer that goes on and on, as those of language models do, to the end of the line.'],
  ])('is %s', (flavour, output) => {
    expect(guessFlavour(JSON.stringify(output), false)).toBe(flavour);
  });

  it.each([7, null, 'ok', { sum: 7 }, [1, 2, 3], {}, ''])('is unknown from %j', (output) => {
    expect(guessFlavour(JSON.stringify(output), false)).toBeNull();
  });

  it('is text if words come in chunks', () => {
    expect(guessFlavour('["Hel", "lo"]', true)).toBe('text');
    expect(guessFlavour('["Hel", "lo"]', false)).toBeNull();
  });
});
