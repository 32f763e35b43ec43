import { setTimeout as pause } from 'node:timers/promises';
import runpodSdk from 'runpod-sdk';
import { contend, openResults } from './contender.ts';

/** The official SDK's runSync for each job: it submits, then reads status-sync until the job is over. */
contend(async (task, submitted) => {
  const endpoint = runpodSdk(task.apiKey, { baseUrl: `${task.baseUrl}/v2` }).endpoint(task.endpointId);
  if (endpoint === null) throw new Error('No endpoint.');
  const results = openResults(task.folder);
  let lost = 0;
  submitted();
  await Promise.all(
    task.inputs.map(async (input) => {
      for (let tries = 0; tries < 60; tries += 1) {
        try {
          const record = await endpoint.runSync({ input });
          if (record.status !== 'COMPLETED') break;
          return results.keep(record.id, record);
        } catch {
          await pause(1_000);
        }
      }
      lost += 1;
    }),
  );
  results.close();
  return { savedAtMs: results.savedAtMs, lost, loopDelayP99Ms: null, ageP95Ms: null };
});
