import { describe, expect, it } from 'vitest';
import { attachFile } from '../../../../src-renderer/composer/attach-file.ts';

describe('attachFile', () => {
  it('refuses an input that is not an object, and a file that no operation accepts', async () => {
    const small = new File(['x'], 'x.bin');
    expect(await attachFile('[1]', small)).toMatchObject({ ok: false, failure: { field: 'input' } });
    const large = new File([new Uint8Array(16_000_000)], 'reel.flac', { type: 'audio/flac' });
    expect(await attachFile('{}', large)).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('reel.flac is 16.0 MB') },
    });
  });
});
