import type { QueueApi, RequestOptions } from '../service/reply.ts';

/**
 * The same operations, with those that take something off the service or change it let go on for `graceMs` after they
 * are called off: a read of a stream drains it, so that a reply nobody waits for is lost (ruling 2), and a submission
 * whose reply nobody waits for has an unknown outcome (ruling 9). Plain reads end at once.
 */
export function patientApi(api: QueueApi, graceMs: number): QueueApi {
  async function inGrace<T>(
    options: RequestOptions | undefined,
    call: (options: RequestOptions) => Promise<T>,
  ): Promise<T> {
    const signal = options?.signal;
    if (signal === undefined || signal.aborted) return await call(options ?? {});
    const controller = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const callOff = (): void => {
      timer = setTimeout(() => controller.abort(), graceMs);
    };
    signal.addEventListener('abort', callOff, { once: true });
    try {
      return await call({ ...options, signal: controller.signal });
    } finally {
      // The signal is the whole engine's and outlives the call.
      signal.removeEventListener('abort', callOff);
      clearTimeout(timer);
    }
  }

  return {
    ...api,
    run: (endpointId, body, options) => inGrace(options, (patient) => api.run(endpointId, body, patient)),
    runsync: (endpointId, body, waitMs, options) =>
      inGrace(options, (patient) => api.runsync(endpointId, body, waitMs, patient)),
    stream: (endpointId, jobId, options) => inGrace(options, (patient) => api.stream(endpointId, jobId, patient)),
    cancel: (endpointId, jobId, options) => inGrace(options, (patient) => api.cancel(endpointId, jobId, patient)),
    retry: (endpointId, jobId, options) => inGrace(options, (patient) => api.retry(endpointId, jobId, patient)),
    purgeQueue: (endpointId, options) => inGrace(options, (patient) => api.purgeQueue(endpointId, patient)),
  };
}
