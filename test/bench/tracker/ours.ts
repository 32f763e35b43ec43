import { monitorEventLoopDelay } from 'node:perf_hooks';
import { dispatch } from '../../../src-preload/contract.ts';
import type { Result } from '../../../src-preload/failure.ts';
import { isLive } from '../../../src-preload/job.ts';
import type { Job } from '../../../src-preload/job.ts';
import { openEngine } from '../../../src-main/engine/engine.ts';
import { percentile } from '../../../src-main/history/jobs/run-times.ts';
import { createNews } from '../../../src-main/engine/engine-events.ts';
import { systemClock } from '../../../src-main/time/clock.ts';
import { createLog } from '../../../src-main/log.ts';
import { createWatchers } from '../../kit/watchers.ts';
import { contend, nowMs } from './contender.ts';

const thread = (path: string): URL => new URL(`../../../src-main/${path}`, import.meta.url);

/**
 * The app's whole engine over its real database, including alerts, costs and diagnosis. A result counts when windows
 * are notified that it is saved.
 */
contend(async (task, submitted) => {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const savedAtMs: Record<string, number> = {};
  const wanted = new Set<string>();
  const ended = new Map<string, Job>();
  let isAllSubmitted = false;
  let webhook: string | null = null;
  let lost = 0;
  const watchers = createWatchers();
  const news = createNews((error) => {
    throw error;
  });
  const engine = await openEngine({
    dataDir: task.folder,
    clock: systemClock,
    news,
    threads: {
      history: thread('history/history-thread.ts'),
      backup: thread('history/backup/backup-thread.ts'),
      replies: thread('service/reply-thread.ts'),
      sandbox: thread('sandbox/sandbox-thread.ts'),
      sandboxHandler: thread('sandbox/workers/handler-thread.ts'),
    },
    loadKeytar: () => Promise.reject(new Error('There is no keychain in a bench.')),
    safeStorage: null,
    isSandboxAllowed: false,
    log: createLog({ write: () => undefined, now: Date.now }),
  });
  const { handlers } = engine;
  const us = { windowId: 1 };
  engine.setWindowVisible(task.isWindowVisible);

  let isShowing = false;
  /** As in the window's list, once for everything that changes in one turn. */
  const showRows = (): void => {
    if (isShowing) return;
    isShowing = true;
    setTimeout(() => {
      isShowing = false;
      void handlers['job:watch']({ openKey: null, rowKeys: [...wanted].slice(0, 200) }, us);
    }, 0);
  };
  const take = (job: Job): void => {
    if (!wanted.delete(job.key)) return;
    if (job.phase === 'finished' && job.isResultSaved && job.jobId !== null) savedAtMs[job.jobId] = nowMs();
    else lost += 1;
  };
  news.listen((name, payload) => {
    if (name === 'job:changed' && 'jobs' in payload)
      for (const job of payload.jobs)
        if (!isLive(job)) {
          // It may end before the answer to its submission is here.
          if (!isAllSubmitted && !wanted.has(job.key)) ended.set(job.key, job);
          take(job);
        }
    if (name === 'webhook:changed' && 'calls' in payload) webhook = payload.url;
    watchers.notify();
    if (task.liveOnScreen !== null) showRows();
  });
  const ages: number[] = [];
  const sampling = setInterval(() => {
    if (task.liveOnScreen === null) return;
    for (const { phase, acceptedAtMs, statusReadAtMs } of engine.liveJobs())
      if (phase === 'active' && acceptedAtMs !== null)
        ages.push(Date.now() - Math.max(acceptedAtMs, statusReadAtMs ?? 0));
  }, 50);

  valueOf(
    await dispatch(
      handlers,
      'settings:change',
      { rateShare: task.rateShare, concurrencyShare: task.concurrencyShare, isWebhookReceiverOn: task.hasWebhooks },
      us,
    ),
  );
  const { connection } = valueOf(
    await dispatch(
      handlers,
      'connection:save',
      {
        draft: {
          name: 'Bench',
          baseUrl: task.baseUrl,
          restUrl: '',
          authorization: 'bearer',
          endpoints: [{ id: task.endpointId, label: '', flavour: 'other' }],
        },
        key: task.apiKey,
      },
      us,
    ),
  );
  if (task.hasWebhooks) await watchers.until(() => webhook !== null);
  delay.enable();

  for (const input of task.inputs) {
    if (task.liveOnScreen !== null) {
      const max = task.liveOnScreen;
      await watchers.until(() => wanted.size < max);
    }
    const job = valueOf(
      await dispatch(
        handlers,
        'job:submit',
        {
          connectionId: connection.id,
          endpointId: task.endpointId,
          operation: 'run',
          inputText: JSON.stringify(input),
          ...(webhook === null ? {} : { webhook }),
        },
        us,
      ),
    );
    wanted.add(job.key);
    const early = ended.get(job.key);
    if (early !== undefined) take(early);
  }
  isAllSubmitted = true;
  await watchers.until(() => engine.trackerState().waitingToSend === 0);
  submitted();
  await watchers.until(() => wanted.size === 0);
  delay.disable();
  clearInterval(sampling);
  await engine.close();
  return {
    savedAtMs,
    lost,
    loopDelayP99Ms: Math.round((delay.percentile(99) / 1e6 - 5) * 100) / 100,
    ageP95Ms: percentile(ages, 0.95),
  };
});

/** The value. Ends the bench if there is none. */
function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}
