import { setTimeout as pause } from 'node:timers/promises';
import runpodSdk from 'runpod-sdk';
import { contend, openResults } from './contender.ts';

/** The official SDK as in its README: run, then a status loop once a second for each job. */
contend(async (task, submitted) => {
  const endpoint = runpodSdk(task.apiKey, { baseUrl: `${task.baseUrl}/v2` }).endpoint(task.endpointId);
  if (endpoint === null) throw new Error('No endpoint.');
  const results = openResults(task.folder);
  let lost = 0;
  let open = task.inputs.length;

  /** The README does not mention errors. A typical user tries again a second later. */
  async function retrying<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch {
        await pause(1_000);
      }
    }
  }

  await Promise.all(
    task.inputs.map(async (input) => {
      const { id } = await retrying(() => endpoint.run({ input }));
      open -= 1;
      if (open === 0) submitted();
      for (;;) {
        const record = await retrying(() => endpoint.status(id));
        if (record.status === 'COMPLETED') return results.keep(id, record);
        if (record.status === 'FAILED') {
          lost += 1;
          return;
        }
        await pause(1_000);
      }
    }),
  );
  results.close();
  return { savedAtMs: results.savedAtMs, lost, loopDelayP99Ms: null, ageP95Ms: null };
});
