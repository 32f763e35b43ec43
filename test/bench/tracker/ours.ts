import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isLive } from '../../../src-preload/job.ts';
import { systemClock } from '../../../src-main/job/clock.ts';
import { createLog } from '../../../src-main/log.ts';
import { createWebhookReceiver } from '../../../src-main/webhook/receiver.ts';
import { startEngine } from '../../kit/engine.ts';
import { contend, nowMs } from './contender.ts';

/** The app's job engine over its real database: a result counts when its commit is told. */
contend(async (task, submitted) => {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const savedAtMs: Record<string, number> = {};
  const wanted = new Set<string>();
  let isAllSubmitted = false;
  let lost = 0;
  const engine = await startEngine({
    connections: { main: { baseUrl: task.baseUrl, apiKey: task.apiKey } },
    dataDir: task.folder,
    clock: systemClock,
    random: Math.random,
    share: { rateShare: task.rateShare, concurrencyShare: task.concurrencyShare },
  });
  const receiver = createWebhookReceiver({
    place: async () => null, keepPlace: async () => undefined,
    onHint: engine.jobs.hint,
    log: createLog({ write: () => undefined, now: Date.now }),
  });
  const started = task.hasWebhooks ? await receiver.start() : null;
  const webhook = started?.ok === true ? started.value : null;
  delay.enable();

  let told = 0;
  const done = engine.eventually(() => {
    for (const job of engine.changes.slice(told)) {
      if (isLive(job) || !wanted.delete(job.key)) continue;
      if (job.phase === 'finished' && job.isResultSaved && job.jobId !== null) savedAtMs[job.jobId] = nowMs();
      else lost += 1;
    }
    told = engine.changes.length;
    return isAllSubmitted && wanted.size === 0;
  });
  for (const input of task.inputs) {
    const job = await engine.submit({ endpointId: task.endpointId, input, ...(webhook === null ? {} : { webhook }) });
    wanted.add(job.key);
  }
  isAllSubmitted = true;
  await engine.eventually(() => engine.jobs.trackerState().waitingToSend === 0);
  submitted();
  await done;
  delay.disable();
  await receiver.stop();
  await engine.close();
  return { savedAtMs, lost, loopDelayP99Ms: Math.round((delay.percentile(99) / 1e6 - 5) * 100) / 100 };
});
