import type { Behaviour, Exchange, Hands, Mutation, Reply } from './broken-service.ts';
import {
  answering,
  answeringFields,
  fieldsIn,
  isSubmission,
  json,
  partOf,
  restating,
  sending,
  submitting,
  submittingPolicy,
  without,
  type Fields,
} from './broken-service-parts.ts';

const MINUTE_MS = 60_000;

/** Jobs with their submissions, when they came, and their last status. */
interface Kept {
  body: Fields;
  operation: string;
  submittedMs: number;
  completedMs: number | null;
  lastText: string;
}

/** A service that remembers jobs. `answer` may replace the reply to a status request. */
function remembering(
  answer: (job: Kept, reply: Reply, exchange: Exchange, hands: Hands) => Reply | Promise<Reply>,
): () => Behaviour {
  return () => {
    const jobs = new Map<string, Kept>();
    return async (exchange, hands) => {
      const { operation, subject } = exchange;
      const body = isSubmission(exchange) ? fieldsIn(exchange.body.toString('utf8')) : null;
      const submittedMs = hands.clock.now();
      const reply = await hands.forward();
      if (body !== null) {
        const { id, status } = fieldsIn(reply.text) ?? {};
        const completedMs = status === 'COMPLETED' ? hands.clock.now() : null;
        jobs.set(String(id), { body, operation, submittedMs, completedMs, lastText: reply.text });
      }
      const job = jobs.get(subject);
      if (job === undefined || operation !== 'status') return reply;
      if (reply.status === 200) {
        job.lastText = reply.text;
        if (fieldsIn(reply.text)?.['status'] === 'COMPLETED') job.completedMs ??= hands.clock.now();
      }
      return answer(job, reply, exchange, hands);
    };
  };
}

const GONE = json(404, { error: 'The job is gone.' });

/** Keeps a result for this long after completion, whether the good service still has it or not. */
function keptFor(ms: number, since: 'completion' | 'submission' = 'completion', of = 'run'): () => Behaviour {
  return remembering((job, reply, _exchange, hands) => {
    if (job.operation !== of || job.completedMs === null) return reply;
    const fromMs = since === 'completion' ? job.completedMs : job.submittedMs;
    return hands.clock.now() - fromMs < ms
      ? { status: 200, headers: { 'content-type': 'application/json' }, text: job.lastText }
      : GONE;
  });
}

/** A job that its ttl would delete shows its last state instead, if that is one of these. */
function outliving(...states: string[]): () => Behaviour {
  return remembering((job, reply) => {
    const { status } = fieldsIn(job.lastText) ?? {};
    return reply.status === 404 && states.includes(String(status))
      ? { status: 200, headers: {}, text: job.lastText }
      : reply;
  });
}

function ttlOf({ body }: Kept): number {
  return Number(partOf(body, 'policy')['ttl'] ?? 0);
}

/** The ttl begins again when the job is first seen running. */
const ttlFromStart = remembering(async (job, reply, exchange, hands) => {
  if (/IN_PROGRESS/.test(reply.text) && ttlOf(job) > 0 && !job.body['isRenewed']) {
    job.body['isRenewed'] = true;
    await hands.ask('GET', `${exchange.path}?ttl=${ttlOf(job)}`);
  }
  return reply;
});

const renewedByStatus = remembering(async (job, reply, exchange, hands) => {
  if (reply.status === 200 && ttlOf(job) > 0) await hands.ask('GET', `${exchange.path}?ttl=${ttlOf(job)}`);
  return reply;
});

function policyOf(body: Fields, change: (policy: Fields) => Fields): Fields {
  return { ...body, policy: change(partOf(body, 'policy')) };
}

/** The result of a runsync goes when its wait would have ended. */
const waitIsRetention = remembering((job, reply, _exchange, hands) =>
  job.operation === 'runsync' && hands.clock.now() - job.submittedMs > 1_000 ? GONE : reply,
);

const gone = (operation: string): (() => Behaviour) =>
  answering(operation, (reply, { subject }) =>
    reply.status === 404 ? json(200, { id: subject, status: 'CANCELLED' }) : reply,
  );

/** Defects that show only over time. */
export const timeMutations: readonly Mutation[] = [
  {
    name: 'ttl counts as seconds',
    breaks: 'ttl.waiting',
    behave: submittingPolicy((policy) => ({ ...policy, ttl: Math.min(604_800_000, Number(policy['ttl']) * 1_000) })),
  },
  { name: 'a running job outlives its ttl', breaks: 'ttl.running', behave: outliving('IN_PROGRESS') },
  { name: 'a finished job outlives its ttl', breaks: 'ttl.finished', behave: outliving('COMPLETED') },
  { name: 'a cancelled job outlives its ttl', breaks: 'ttl.cancelled', behave: outliving('CANCELLED') },
  { name: 'a failed job outlives its ttl', breaks: 'ttl.failed', behave: outliving('FAILED') },
  { name: 'ttl counts from the start of the execution', breaks: 'ttl.from-submission', behave: ttlFromStart },
  { name: 'reading status renews the ttl', breaks: 'ttl.status-alone', behave: renewedByStatus },
  { name: 'a job past its ttl is answered 410', breaks: 'ttl.error-form', behave: restating('status', 404, 410) },
  {
    name: 'stream ignores the ttl',
    breaks: 'ttl.gone.stream',
    behave: answering('stream', (reply) => (reply.status === 404 ? json(200, []) : reply)),
  },
  { name: 'cancel ignores the ttl', breaks: 'ttl.gone.cancel', behave: gone('cancel') },
  { name: 'retry ignores the ttl', breaks: 'ttl.gone.retry', behave: gone('retry') },
  {
    name: 'without ttl a job lives a week',
    breaks: 'ttl.default',
    behave: submitting((body) => policyOf(body, (policy) => ({ ttl: 604_800_000, ...policy }))),
  },
  {
    name: 'the ttl of a status query is ignored',
    breaks: 'status.ttl-query.extends',
    behave: sending('status', () => ({ query: '' })),
  },
  {
    name: 'a job that has its ttl behind it is still in progress',
    breaks: 'ttl.counts',
    behave: answeringFields('health', (health) => ({ ...health, jobs: { ...partOf(health, 'jobs'), inProgress: 1 } })),
  },

  {
    name: 'a timeout is FAILED',
    breaks: 'timeout.state',
    behave: answeringFields('status', (fields) =>
      fields['status'] === 'TIMED_OUT' ? { ...fields, status: 'FAILED' } : fields,
    ),
  },
  {
    name: 'a timeout is TIMED_OUT in the observed dialect',
    breaks: 'timeout.state',
    dialect: 'observed',
    behave: answeringFields('status', (fields) =>
      fields['status'] === 'FAILED' ? { ...without(fields, 'error'), status: 'TIMED_OUT' } : fields,
    ),
  },
  {
    name: 'executionTimeout is ignored',
    breaks: 'timeout.not-after',
    behave: submittingPolicy((policy) => ({ ...policy, executionTimeout: 604_800_000 })),
  },
  {
    name: 'executionTimeout ends at half of it',
    breaks: 'timeout.not-before',
    behave: submittingPolicy((policy) => ({ ...policy, executionTimeout: Number(policy['executionTimeout']) / 2 })),
  },
  {
    name: 'executionTimeout counts the queue',
    breaks: 'timeout.execution-only',
    behave: submittingPolicy((policy) =>
      Number(policy['executionTimeout']) < 60_000 ? { ...policy, ttl: policy['executionTimeout'] } : policy,
    ),
  },
  {
    name: 'without a policy executionTimeout is an hour',
    breaks: 'timeout.default',
    behave: submitting((body) => policyOf(body, (policy) => ({ executionTimeout: 60 * MINUTE_MS, ...policy }))),
  },
  {
    name: 'a timeout counts for all jobs',
    breaks: 'timeout.that-job-only',
    behave: submitting((body) => policyOf(body, (policy) => ({ executionTimeout: 5_000, ...policy }))),
  },
  {
    name: 'runsync of a job that times out is answered 500',
    breaks: 'timeout.runsync',
    behave: answering('runsync', (reply) =>
      /TIMED_OUT/.test(reply.text) ? json(500, { error: 'The job timed out.' }) : reply,
    ),
  },

  {
    name: 'lowPriority is ignored',
    breaks: 'scaling.low-priority',
    behave: submittingPolicy((policy) => without(policy, 'lowPriority')),
  },
  {
    name: 'no worker is ever added',
    breaks: 'scaling.normal',
    behave: submittingPolicy((policy) => ({ ...policy, lowPriority: true })),
  },

  { name: 'results of run are kept 10 minutes', breaks: 'retention.run.kept', behave: keptFor(10 * MINUTE_MS) },
  { name: 'results of run are kept an hour', breaks: 'retention.run.gone', behave: keptFor(60 * MINUTE_MS) },
  {
    name: 'the 30 minutes begin at submission',
    breaks: 'retention.run.from-completion',
    behave: keptFor(30 * MINUTE_MS, 'submission'),
  },
  {
    name: 'results of runsync are kept 30 seconds',
    breaks: 'retention.runsync.kept',
    behave: keptFor(MINUTE_MS / 2, 'completion', 'runsync'),
  },
  {
    name: 'results of runsync are kept as those of run',
    breaks: 'retention.runsync.at-most',
    behave: keptFor(30 * MINUTE_MS, 'completion', 'runsync'),
  },
  { name: 'wait is how long a runsync result is kept', breaks: 'runsync.wait.not-retention', behave: waitIsRetention },
  {
    name: 'stream does not expire',
    breaks: 'retention.stream',
    behave: answering('stream', (reply) => (reply.status === 404 ? json(200, []) : reply)),
  },
];
