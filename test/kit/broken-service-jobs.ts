import type { Behaviour, Exchange, Mutation, Reply } from './broken-service.ts';
import {
  answering,
  answeringFields,
  doing,
  fieldsIn,
  json,
  partOf,
  restating,
  sending,
  sibling,
  without,
  type Fields,
} from './broken-service-parts.ts';

/** Changes one field of every status record. */
const recorded = (change: (fields: Fields) => Fields): (() => Behaviour) => answeringFields('status', change);

function renamed(operation: string, from: string, to: string): () => Behaviour {
  return answeringFields(operation, (fields) => (fields['status'] === from ? { ...fields, status: to } : fields));
}

/** Changes the list of chunks in every reply of stream. */
function streaming(change: (chunks: unknown[], exchange: Exchange) => unknown): () => Behaviour {
  return answering('stream', (reply, exchange) => {
    if (reply.status !== 200) return reply;
    const chunks: unknown[] = JSON.parse(reply.text);
    return json(200, change(chunks, exchange));
  });
}

function repeatedStream(): Behaviour {
  const seen = new Map<string, unknown[]>();
  return streaming((chunks, { subject }) => {
    const all = [...(seen.get(subject) ?? []), ...chunks];
    seen.set(subject, all);
    return all;
  })();
}

/** A result can be read only once. */
function readOnce(): Behaviour {
  const read = new Set<string>();
  return async (exchange, hands) => {
    const reply = await hands.forward();
    if (exchange.operation !== 'status' || fieldsIn(reply.text)?.['status'] !== 'COMPLETED') return reply;
    if (read.has(exchange.subject)) return json(404, { error: 'The result has been read already.' });
    read.add(exchange.subject);
    return reply;
  };
}

/** Two submissions of the same body are treated as one. */
function deduplicating(): Behaviour {
  const known = new Map<string, Reply>();
  return async (exchange, hands) => {
    if (exchange.operation !== 'run') return hands.forward();
    const body = exchange.body.toString('utf8');
    const reply = known.get(body) ?? (await hands.forward());
    known.set(body, reply);
    return reply;
  };
}

/** Jobs that were submitted through this service. */
function remembering(
  act: (exchange: Exchange, jobs: Set<string>, hands: Parameters<Behaviour>[1]) => Promise<Reply>,
): () => Behaviour {
  return () => {
    const jobs = new Set<string>();
    return async (exchange, hands) => {
      const reply = await act(exchange, jobs, hands);
      const id = exchange.operation === 'run' ? fieldsIn(reply.text)?.['id'] : undefined;
      if (typeof id === 'string') jobs.add(id);
      return reply;
    };
  };
}

/** The last record of each job that was not waiting. */
function keepingOutput(): Behaviour {
  const last = new Map<string, Fields>();
  return async (exchange, hands) => {
    const reply = await hands.forward();
    const fields = exchange.operation === 'status' ? fieldsIn(reply.text) : null;
    if (fields === null || reply.status !== 200) return reply;
    if (fields['status'] === 'IN_QUEUE') return json(200, { ...last.get(exchange.subject), ...fields });
    last.set(exchange.subject, fields);
    return reply;
  };
}

/** Reads of a stream that come while another is answered get its answer. */
function sharedStream(): Behaviour {
  const reads = new Map<string, Promise<Reply>>();
  return (exchange, hands) => {
    if (exchange.operation !== 'stream') return hands.forward();
    const read = reads.get(exchange.subject) ?? hands.forward().finally(() => reads.delete(exchange.subject));
    reads.set(exchange.subject, read);
    return read;
  };
}

/** The stream of a retried job begins with what it had streamed before. */
function keepingStream(): Behaviour {
  const retried = new Set<string>();
  const old = new Map<string, unknown[]>();
  const base = streaming((chunks, { subject }) => {
    if (retried.has(subject)) return [...(old.get(subject) ?? []), ...chunks];
    old.set(subject, [...(old.get(subject) ?? []), ...chunks]);
    return chunks;
  })();
  return (exchange, hands) => {
    if (exchange.operation === 'retry') retried.add(exchange.subject);
    return base(exchange, hands);
  };
}

/** A retry runs another input: the old id then names a new job. */
function forgettingInput(): Behaviour {
  const aliases = new Map<string, string>();
  return async (exchange, hands) => {
    const { operation, subject } = exchange;
    if (operation === 'retry') {
      const { id } =
        fieldsIn((await hands.ask('POST', sibling(exchange, 'run'), { input: { mock_error: 'no input' } })).text) ?? {};
      aliases.set(subject, String(id));
      return json(200, { id: subject, status: 'IN_QUEUE' });
    }
    const alias = aliases.get(subject);
    return hands.forward(alias === undefined ? {} : { path: sibling(exchange, `${operation}/${alias}`) });
  };
}

/** Purges jobs beyond the queue. */
function purgingToo(states: readonly string[]): () => Behaviour {
  const purged = new Set<string>();
  return remembering(async (exchange, jobs, hands) => {
    if (exchange.operation === 'purge-queue') {
      for (const job of jobs) {
        const { status } = fieldsIn((await hands.ask('GET', sibling(exchange, `status/${job}`))).text) ?? {};
        if (!states.includes(String(status))) jobs.delete(job);
        else if (status === 'IN_PROGRESS') await hands.ask('POST', sibling(exchange, `cancel/${job}`));
      }
      jobs.forEach((job) => purged.add(job));
    }
    const isGone = exchange.operation === 'status' && purged.has(exchange.subject);
    return isGone ? json(404, { error: 'The job was purged.' }) : hands.forward();
  });
}
function healthJobs(change: (jobs: Fields) => Fields): () => Behaviour {
  return answeringFields('health', (health) => ({ ...health, jobs: change(partOf(health, 'jobs')) }));
}

function healthWorkers(change: (workers: Fields) => Fields): () => Behaviour {
  return answeringFields('health', (health) => ({ ...health, workers: change(partOf(health, 'workers')) }));
}

/** A refused submission counts as a failed job. */
function countingRefusals(): Behaviour {
  let refusals = 0;
  const base = answeringFields('health', (health) => {
    const jobs = partOf(health, 'jobs');
    return { ...health, jobs: { ...jobs, failed: Number(jobs['failed']) + refusals } };
  })();
  return async (exchange, hands) => {
    const reply = await base(exchange, hands);
    if (exchange.operation === 'run' && reply.status === 400) refusals += 1;
    return reply;
  };
}

/** Defects of jobs: records, streams, cancel, retry, purge and health. */
export const jobMutations: readonly Mutation[] = [
  {
    name: 'run answers IN_PROGRESS immediately',
    breaks: 'run.reply.status',
    behave: renamed('run', 'IN_QUEUE', 'IN_PROGRESS'),
  },
  {
    name: 'the reply of run has times',
    breaks: 'run.reply.fields',
    behave: answeringFields('run', (fields) => ({ ...fields, delayTime: 0 })),
  },
  {
    name: 'the id is called jobId',
    breaks: 'run.reply.id',
    behave: answeringFields('run', ({ id, status }) => ({ jobId: id, status })),
  },
  { name: 'equal submissions are one job', breaks: 'run.duplicate-jobs', behave: deduplicating },
  {
    name: 'input loses non-ASCII characters',
    breaks: 'run.input-intact',
    behave: sending('run', ({ body }) => ({ body: Buffer.from(body.toString('utf8').replace(/[^\0-\x7f]/gu, '?')) })),
  },
  { name: 'a refused submission is counted', breaks: 'run.refusal-makes-no-job', behave: countingRefusals },

  {
    name: 'a running job is RUNNING',
    breaks: 'status.in-progress',
    behave: renamed('status', 'IN_PROGRESS', 'RUNNING'),
  },
  { name: 'a waiting job is QUEUED', breaks: 'status.in-queue', behave: renamed('status', 'IN_QUEUE', 'QUEUED') },
  { name: 'a failed job is ERROR', breaks: 'status.failed', behave: renamed('status', 'FAILED', 'ERROR') },
  {
    name: 'status words are in lower case',
    breaks: 'status.completed',
    behave: renamed('status', 'COMPLETED', 'completed'),
  },
  {
    name: 'a cancelled job is CANCELED',
    breaks: 'status.cancelled',
    behave: renamed('status', 'CANCELLED', 'CANCELED'),
  },
  { name: 'status records have no id', breaks: 'status.id', behave: recorded((fields) => without(fields, 'id')) },
  {
    name: 'output is JSON in a text',
    breaks: 'status.output.object',
    behave: recorded((fields) =>
      'output' in fields ? { ...fields, output: JSON.stringify(fields['output']) } : fields,
    ),
  },
  {
    name: 'a missing output is null',
    breaks: 'status.output.none',
    behave: recorded((fields) => ({ output: null, ...fields })),
  },
  {
    name: 'an array as output is wrapped',
    breaks: 'status.output.array',
    behave: recorded((fields) =>
      Array.isArray(fields['output']) ? { ...fields, output: { data: fields['output'] } } : fields,
    ),
  },
  {
    name: 'delayTime is in seconds',
    breaks: 'status.delay-time.unit',
    behave: recorded((fields) => ({ ...fields, delayTime: Math.round(Number(fields['delayTime'] ?? 0) / 1_000) })),
  },
  {
    name: 'executionTime is missing',
    breaks: 'status.execution-time.integer',
    behave: recorded((fields) => without(fields, 'executionTime')),
  },
  {
    name: 'executionTime counts the queue',
    breaks: 'status.execution-time.unit',
    behave: recorded((fields) => ({
      ...fields,
      executionTime: Number(fields['executionTime'] ?? 0) + Number(fields['delayTime'] ?? 0),
    })),
  },
  {
    name: 'delayTime is a fraction',
    breaks: 'status.delay-time.integer',
    behave: recorded((fields) => ({ ...fields, delayTime: Number(fields['delayTime'] ?? 0) + 0.25 })),
  },
  {
    name: 'status records name the worker',
    breaks: 'status.fields',
    behave: recorded((fields) => ({ ...fields, workerId: 'worker' })),
  },
  { name: 'a result can be read once', breaks: 'status.again', behave: readOnce },
  {
    name: 'a wrong ttl of a query is ignored',
    breaks: 'status.ttl-query.refused.text',
    behave: sending('status', () => ({ query: '' })),
  },
  {
    name: 'errors of handlers are dropped',
    breaks: 'status.error-detail',
    behave: recorded((fields) => without(fields, 'error')),
  },

  {
    name: 'runsync answers as run does',
    breaks: 'runsync.record',
    behave: answeringFields('runsync', ({ id, status }) => ({ id, status })),
  },
  {
    name: 'a failed runsync is answered 500',
    breaks: 'runsync.failed',
    behave: answering('runsync', (reply) =>
      fieldsIn(reply.text)?.['status'] === 'FAILED' ? { ...reply, status: 500 } : reply,
    ),
  },
  {
    name: 'wait below its minimum is raised',
    breaks: 'runsync.wait.below',
    behave: sending('runsync', ({ query }) => ({ query: query.replace('=999', '=1000') })),
  },
  {
    name: 'wait above its maximum is cut',
    breaks: 'runsync.wait.above',
    behave: sending('runsync', ({ query }) => ({ query: query.replace('=300001', '=300000') })),
  },
  {
    name: 'wait must be above its minimum',
    breaks: 'runsync.wait.min',
    behave: doing('runsync', async ({ query }, hands) =>
      query === '?wait=1000' ? json(400, { error: 'wait is too short.' }) : hands.forward(),
    ),
  },
  {
    name: 'a wait that is not a number counts as absent',
    breaks: 'runsync.wait.text',
    behave: sending('runsync', ({ query }) => ({ query: query.replace('?wait=long', '') })),
  },
  {
    name: 'without wait a runsync waits 30 seconds',
    breaks: 'runsync.wait.default',
    behave: sending('runsync', ({ query }) => ({ query: query || '?wait=30000' })),
  },
  { name: 'wait is ignored', breaks: 'runsync.wait.given', behave: sending('runsync', () => ({ query: '' })) },
  {
    name: 'the end of wait is answered 408',
    breaks: 'runsync.wait.ends-first',
    behave: answering('runsync', (reply) =>
      /IN_(QUEUE|PROGRESS)/.test(reply.text) ? { ...reply, status: 408 } : reply,
    ),
  },
  {
    name: 'the end of wait cancels the job',
    breaks: 'runsync.wait.goes-on',
    behave: answering('runsync', async (reply, exchange, hands) => {
      const { id, status } = fieldsIn(reply.text) ?? {};
      if (status === 'IN_PROGRESS' || status === 'IN_QUEUE')
        await hands.ask('POST', sibling(exchange, `cancel/${String(id)}`));
      return reply;
    }),
  },

  {
    name: 'stream is wrapped',
    breaks: 'stream.form',
    behave: streaming((chunks) => ({ status: 'COMPLETED', stream: chunks })),
  },
  {
    name: 'stream is bare in the observed dialect',
    breaks: 'stream.form',
    dialect: 'observed',
    behave: answering('stream', (reply) =>
      reply.status === 200 ? json(200, fieldsIn(reply.text)?.['stream']) : reply,
    ),
  },
  {
    name: 'chunks are bare outputs',
    breaks: 'stream.chunk.output',
    behave: streaming((chunks) => chunks.map((chunk) => partOf({ chunk }, 'chunk')['output'])),
  },
  {
    name: 'metrics are dropped',
    breaks: 'stream.chunk.metrics',
    behave: streaming((chunks) => chunks.map((chunk) => without(partOf({ chunk }, 'chunk'), 'metrics'))),
  },
  {
    name: 'the newest chunk comes first',
    breaks: 'stream.order',
    behave: streaming((chunks) => [...chunks].reverse()),
  },
  {
    name: 'equal chunks count as one',
    breaks: 'stream.equal-chunks',
    behave: streaming((chunks) =>
      [...new Set(chunks.map((chunk) => JSON.stringify(chunk)))].map((text): unknown => JSON.parse(text)),
    ),
  },
  { name: 'reads of stream repeat', breaks: 'stream.drains', behave: repeatedStream },
  { name: 'readers at the same time get the same', breaks: 'stream.readers', behave: sharedStream },
  { name: 'runsync of a purged job is answered 200', breaks: 'runsync.purged', behave: restating('runsync', 404, 200) },
  {
    name: 'only the last chunk is kept',
    breaks: 'stream.while-running',
    behave: streaming((chunks) => chunks.slice(-1).map(() => ({ output: 'f' }))),
  },
  {
    name: 'chunks are not split',
    breaks: 'stream.split',
    behave: streaming((chunks) => [
      { output: chunks.map((chunk) => String(partOf({ chunk }, 'chunk')['output'])).join('') },
    ]),
  },
  {
    name: 'text that does not fit into a chunk is lost',
    breaks: 'stream.split.whole',
    behave: streaming((chunks) => chunks.slice(0, 1)),
  },
  {
    name: 'characters are torn apart',
    breaks: 'stream.split.unicode',
    behave: streaming((chunks) =>
      chunks.map((chunk) => ({ output: String(partOf({ chunk }, 'chunk')['output']).replace(/.$/u, '\ufffd') })),
    ),
  },

  { name: 'cancel says CANCELED', breaks: 'cancel.reply', behave: renamed('cancel', 'CANCELLED', 'CANCELED') },
  {
    name: 'the reply of cancel has times',
    breaks: 'cancel.reply.fields',
    behave: answeringFields('cancel', (fields) => ({ ...fields, executionTime: 5 })),
  },
  {
    name: 'a finished job can be cancelled',
    breaks: 'cancel.completed',
    behave: answering('cancel', (reply, { subject }) =>
      reply.status === 400 ? json(200, { id: subject, status: 'CANCELLED' }) : reply,
    ),
  },
  { name: 'cancel of a finished job is answered 409', breaks: 'cancel.failed', behave: restating('cancel', 400, 409) },
  {
    name: 'cancel does not stop a running job',
    breaks: 'cancel.running',
    behave: doing('cancel', async ({ subject }) => json(200, { id: subject, status: 'CANCELLED' })),
  },
  {
    name: 'a cancelled job stays in the queue',
    breaks: 'cancel.waiting',
    behave: doing('cancel', async (exchange, hands) => {
      const { status } = fieldsIn((await hands.ask('GET', sibling(exchange, `status/${exchange.subject}`))).text) ?? {};
      return status === 'IN_QUEUE' ? json(200, { id: exchange.subject, status: 'CANCELLED' }) : hands.forward();
    }),
  },
  {
    name: 'cancel stops every job',
    breaks: 'cancel.others',
    behave: remembering(async (exchange, jobs, hands) => {
      if (exchange.operation === 'cancel')
        for (const job of jobs)
          if (job !== exchange.subject) await hands.ask('POST', sibling(exchange, `cancel/${job}`));
      return hands.forward();
    }),
  },

  {
    name: 'retry gives a new id',
    breaks: 'retry.reply.id',
    behave: answeringFields('retry', (fields) => ({ ...fields, id: `${String(fields['id'])}-2` })),
  },
  { name: 'retry says IN_PROGRESS', breaks: 'retry.reply.status', behave: renamed('retry', 'IN_QUEUE', 'IN_PROGRESS') },
  {
    name: 'the reply of retry is the whole record',
    breaks: 'retry.reply.fields',
    behave: answeringFields('retry', (fields) => ({ ...fields, delayTime: 0, executionTime: 0 })),
  },
  { name: 'retry keeps the old output', breaks: 'retry.output-removed', behave: keepingOutput },
  { name: 'retry keeps the old stream', breaks: 'stream.retried', behave: keepingStream },
  { name: 'retry forgets the input', breaks: 'retry.original-input', behave: forgettingInput },
  {
    name: 'a retry is not queued',
    breaks: 'retry.queued',
    behave: doing('retry', async ({ subject }) => json(200, { id: subject, status: 'IN_QUEUE' })),
  },
  {
    name: 'a completed job can be retried',
    breaks: 'retry.refused.completed',
    behave: answering('retry', (reply, { subject }) =>
      reply.status === 400 ? json(200, { id: subject, status: 'IN_QUEUE' }) : reply,
    ),
  },
  {
    name: 'retry of a running job is answered 409',
    breaks: 'retry.refused.in-progress',
    behave: restating('retry', 400, 409),
  },
  {
    name: 'an expired job can be retried',
    breaks: 'retry.expired',
    behave: answering('retry', (reply, { subject }) =>
      reply.status === 404 ? json(200, { id: subject, status: 'IN_QUEUE' }) : reply,
    ),
  },

  {
    name: 'removed counts one too many',
    breaks: 'purge.removed',
    behave: answeringFields('purge-queue', (fields) => ({ ...fields, removed: Number(fields['removed']) + 1 })),
  },
  {
    name: 'purge says COMPLETED',
    breaks: 'purge.status',
    behave: answeringFields('purge-queue', (fields) => ({ ...fields, status: 'COMPLETED' })),
  },
  {
    name: 'purge lists the jobs',
    breaks: 'purge.fields',
    behave: answeringFields('purge-queue', (fields) => ({ ...fields, jobs: [] })),
  },
  { name: 'purge stops running jobs, too', breaks: 'purge.running', behave: purgingToo(['IN_QUEUE', 'IN_PROGRESS']) },
  { name: 'purge removes finished jobs, too', breaks: 'purge.finished', behave: purgingToo(['IN_QUEUE', 'COMPLETED']) },
  {
    name: 'a purged job is CANCELLED',
    breaks: 'purge.gone',
    behave: answering('status', (reply, { subject }) =>
      reply.status === 404 ? json(200, { id: subject, status: 'CANCELLED' }) : reply,
    ),
  },
  {
    name: 'purge does nothing',
    breaks: 'purge.queue-empty',
    behave: doing('purge-queue', async () => json(200, { removed: 2, status: 'completed' })),
  },

  {
    name: 'health does not count retries',
    breaks: 'health.jobs.retried',
    behave: healthJobs((jobs) => without(jobs, 'retried')),
  },
  {
    name: 'counts are texts',
    breaks: 'health.jobs.completed',
    behave: healthJobs((jobs) => ({ ...jobs, completed: String(jobs['completed']) })),
  },
  {
    name: 'inQueue counts running jobs',
    breaks: 'health.counts.inQueue',
    behave: healthJobs((jobs) => ({ ...jobs, inQueue: Number(jobs['inQueue']) + Number(jobs['inProgress']) })),
  },
  {
    name: 'failed jobs count as completed',
    breaks: 'health.counts.failed',
    behave: healthJobs((jobs) => ({
      ...jobs,
      completed: Number(jobs['completed']) + Number(jobs['failed']),
      failed: 0,
    })),
  },
  {
    name: 'the retried counter does not change',
    breaks: 'health.counts.retried',
    behave: healthJobs((jobs) => ({ ...jobs, retried: 0 })),
  },
  {
    name: 'health shows more than the table',
    breaks: 'health.form',
    behave: healthWorkers((workers) => ({ ...workers, throttled: 0 })),
  },
  {
    name: 'idle workers count as running',
    breaks: 'health.running-workers',
    behave: healthWorkers((workers) => ({ ...workers, running: Number(workers['running']) + Number(workers['idle']) })),
  },
  {
    name: 'busy workers count as idle',
    breaks: 'health.idle-workers',
    behave: healthWorkers((workers) => ({ ...workers, idle: Number(workers['running']) + Number(workers['idle']) })),
  },
];
