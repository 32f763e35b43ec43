import { openHistory } from '../../../src-main/history/open-history.ts';
import { aJob } from '../../kit/a-job.ts';

/**
 * A process that writes as fast as it can and reports to its parent everything that was promised to be saved, until the
 * parent kills it: `node writer.ts PATH ROUND`.
 */
const [path = '', round = '0'] = process.argv.slice(2);
const { history } = await openHistory({ path, now: Date.now });
const tell = (promised: { key: string; seqs: number[] } | { key: string; status: string; output: string }): void => {
  process.send?.(promised);
};

async function stream(lane: number): Promise<void> {
  const key = `r${round}-lane${lane}`;
  await history.commit([
    { job: aJob({ key }), submission: { inputText: '{}', policy: {}, webhook: null, waitMs: null, s3ProfileId: null } },
  ]);
  for (let at = 0; ; at += 1) {
    const chunks = Array.from({ length: 1 + (at % 5) }, (_, index) => ({
      outputJson: JSON.stringify(`${key}:${at}:${index} word${at}`),
      metricsJson: null,
    }));
    void history.appendChunks(key, 1, chunks, at).then((placed) => tell({ key, seqs: placed.map(({ seq }) => seq) }));
    if (at % 4 === 0) {
      const done = { key: `${key}-done${at}`, status: 'COMPLETED', output: `output ${at} `.repeat(at % 300) };
      await history.commit([
        {
          job: aJob({ key: done.key, phase: 'finished', status: done.status }),
          bodies: [{ part: 'output', attempt: 1, text: done.output }],
        },
      ]);
      tell(done);
    }
  }
}

await Promise.all([stream(1), stream(2)]);
