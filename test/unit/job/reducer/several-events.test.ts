import { expect, it } from 'vitest';
import { reduceAll } from '../../../../src-main/job/reducer/reducer.ts';
import { aFailure, drained, queued, status } from '../records.ts';

it('several events are one commit: changed if one of them changed something, with the bodies and the log of all', () => {
  const malformed = {
    kind: 'malformed',
    failure: aFailure({ kind: 'malformed', message: 'Not JSON.', rawReply: '{"id": ' }),
  } as const;
  const all = reduceAll(
    queued(),
    [malformed, status({ status: 'COMPLETED', outputJson: '1' }), drained(), status({ status: 'FAILED' })],
    4_000,
  );
  expect(all).toMatchObject({
    isChanged: true,
    job: { phase: 'finished' },
    log: 'Not JSON.; FAILED came after COMPLETED and was ignored',
    bodies: [
      { part: 'reply', text: '{"id": ' },
      { part: 'output', text: '1' },
    ],
  });
  const first = reduceAll(all, [status({ status: 'COMPLETED' })], 5_000);
  expect(first).toMatchObject({ isChanged: false, log: null, bodies: [] });
  expect(reduceAll(queued(), [], 5_000)).toMatchObject({ isChanged: false, log: null });
  expect(reduceAll(queued(), [drained(), status({ status: 'IN_PROGRESS' })], 5_000)).toMatchObject({
    isChanged: true,
    log: null,
  });
});
