import { describe, expect, it } from 'vitest';
import { orStorageFailure, storageFailure } from '../../../src-main/history/storage-failure.ts';
import { createLog } from '../../../src-main/log.ts';
import { ok } from '../../../src-preload/failure.ts';

const error = new Error('could not write {"apiKey":"topsecret-1234"}');

function aLog() {
  const lines: string[] = [];
  const log = createLog({ write: (line) => lines.push(line), now: () => 0 });
  log.hide('topsecret-1234');
  return { log, lines };
}

describe('a failure of storage', () => {
  it('has the message for the user, and the error without secrets as its detail; it is logged', () => {
    const { log, lines } = aLog();
    const failure = storageFailure(log, 'Could not save.', error);
    expect(failure).toMatchObject({ kind: 'storage', message: 'Could not save.' });
    expect(failure).toMatchObject({ detail: expect.stringContaining('could not write') });
    expect(lines).toHaveLength(1);
    expect(JSON.stringify([failure, lines])).not.toContain('topsecret');
  });

  it('is the result of work that throws, in the words of the error if there are no others', async () => {
    const { log } = aLog();
    const thrown = (): Promise<never> => Promise.reject(error);
    expect(await orStorageFailure(log, 'Could not read.', thrown)).toMatchObject({
      ok: false,
      failure: { kind: 'storage', message: 'Could not read.' },
    });
    const unworded = await orStorageFailure(log, null, thrown);
    expect(unworded).toMatchObject({ failure: { message: expect.stringContaining('could not write') } });
    expect(JSON.stringify(unworded)).not.toContain('topsecret');
    expect(await orStorageFailure(log, null, async () => ok(1))).toEqual(ok(1));
  });
});
