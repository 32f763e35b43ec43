import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { copyBodies } from '../../../../src-main/history/backup/merge-rows.ts';
import { readBody } from '../../../../src-main/history/jobs/bodies.ts';
import { commit, requireJob } from '../../../../src-main/history/jobs/jobs.ts';
import { aNewJob, aDatabase, bodiesBesideTheirRows } from '../a-database.ts';

it('the bodies of another history are copied, in rows and in pieces, unless they exist here', () => {
  // Random, so that compression does not make it fit in one piece.
  const long = JSON.stringify(randomBytes(900_000).toString('hex'));
  const [theirs, mine] = [aDatabase(), aDatabase()];
  commit(theirs, [
    { ...aNewJob({ key: 'k1' }), bodies: [{ part: 'output', attempt: 1, text: '"of a former version"' }] },
  ]);
  bodiesBesideTheirRows(theirs);
  commit(theirs, [
    {
      ...aNewJob({ key: 'k2' }),
      bodies: [
        { part: 'output', attempt: 1, text: '"short"' },
        { part: 'reply', attempt: 1, text: long },
      ],
    },
  ]);
  commit(mine, [
    aNewJob({ key: 'k1' }),
    { ...aNewJob({ key: 'k2' }), bodies: [{ part: 'reply', attempt: 1, text: '""' }] },
  ]);
  const copied = (key: string): boolean =>
    copyBodies(mine, requireJob(mine, key).id, theirs, requireJob(theirs, key).id);
  const textOf = (key: string, part: 'output' | 'reply'): string | undefined =>
    readBody(mine, requireJob(mine, key).id, { part, attempt: 1 })?.text;
  expect([copied('k1'), copied('k2')]).toEqual([true, true]);
  expect(textOf('k1', 'output')).toBe('"of a former version"');
  expect(textOf('k2', 'output')).toBe('"short"');
  expect(textOf('k2', 'reply') === long).toBe(true);
  expect([copied('k1'), copied('k2')]).toEqual([false, false]);
});
