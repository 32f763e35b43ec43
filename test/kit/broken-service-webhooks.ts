import type { Behaviour, Hands, Mutation } from './broken-service.ts';
import {
  answering,
  fieldsIn,
  isSubmission,
  sending,
  submitting,
  without,
  type Fields,
} from './broken-service-parts.ts';

/** The address that the good service calls instead of a submission's webhook. */
type Deliver = (call: { url: string; body: string; attempt: number }, hands: Hands) => Promise<number>;

/** Calls the webhook instead of the good service. The good service gets the result of `deliver`. */
function delivering(deliver: Deliver): () => Behaviour {
  return () => async (exchange, hands) => {
    const body = isSubmission(exchange) ? fieldsIn(exchange.body.toString('utf8')) : null;
    const url = body?.['webhook'];
    if (body === null || typeof url !== 'string') return hands.forward();
    let attempt = 0;
    const relay = await hands.listen((_request, text) => {
      attempt += 1;
      const payload = fieldsIn(text) ?? {};
      return deliver(
        { url, body: JSON.stringify('webhook' in payload ? { ...payload, webhook: url } : payload), attempt },
        hands,
      );
    });
    return hands.forward({ body: Buffer.from(JSON.stringify({ ...body, webhook: relay })) });
  };
}

const JSON_TYPE = { 'content-type': 'application/json' };

function post(
  { send }: Hands,
  url: string,
  body: string,
  headers: Record<string, string> = JSON_TYPE,
): Promise<number> {
  return send('POST', url, headers, body);
}

/** Calls with another payload. */
function paying(change: (payload: Fields) => Fields): () => Behaviour {
  return delivering(({ url, body }, hands) => post(hands, url, JSON.stringify(change(fieldsIn(body) ?? {}))));
}

/** Makes `count` attempts itself, `pauseMs` apart, until one succeeds. */
function attempting(count: number, pauseMs: number, isSuccess: (status: number) => boolean): () => Behaviour {
  return delivering(async ({ url, body }, hands) => {
    let left = count;
    const attempt = async (): Promise<void> => {
      left -= 1;
      const status = await post(hands, url, body).catch(() => 0);
      if (left > 0 && !isSuccess(status)) hands.clock.setTimeout(() => void attempt(), pauseMs);
    };
    await attempt();
    return 200;
  });
}

/** Defects of webhook calls. */
export const webhookMutations: readonly Mutation[] = [
  {
    name: 'the webhook is never called',
    breaks: 'webhook.completed',
    behave: submitting((body) => without(body, 'webhook')),
  },
  {
    name: 'the webhook is called for completed jobs only',
    breaks: 'webhook.failed',
    behave: delivering(({ url, body }, hands) =>
      /"FAILED"/.test(body) ? Promise.resolve(200) : post(hands, url, body),
    ),
  },
  {
    name: 'the webhook is not called for timeouts',
    breaks: 'webhook.timed-out',
    behave: delivering(({ url, body }, hands) =>
      /"TIMED_OUT"/.test(body) ? Promise.resolve(200) : post(hands, url, body),
    ),
  },
  {
    name: 'the webhook is called once for a job, however often it ends',
    breaks: 'webhook.retried',
    behave: delivering(({ url, body, attempt }, hands) =>
      attempt > 1 ? Promise.resolve(200) : post(hands, url, body),
    ),
  },
  {
    name: 'runsync forgets its webhook',
    breaks: 'webhook.runsync',
    behave: sending('runsync', ({ body }) => ({
      body: Buffer.from(JSON.stringify(without(fieldsIn(body.toString('utf8')) ?? {}, 'webhook'))),
    })),
  },
  {
    name: 'the webhook is called with PUT',
    breaks: 'webhook.method',
    behave: delivering(({ url, body }, { send }) => send('PUT', url, JSON_TYPE, body)),
  },
  {
    name: 'the payload is sent as a form',
    breaks: 'webhook.content-type',
    behave: delivering(({ url, body }, hands) =>
      post(hands, url, body, { 'content-type': 'application/x-www-form-urlencoded' }),
    ),
  },
  {
    name: 'the payload is only the id and the status',
    breaks: 'webhook.payload.record',
    behave: paying(({ id, status }) => ({ id, status })),
  },
  {
    name: 'the payload has no input',
    breaks: 'webhook.payload.input',
    behave: paying((payload) => without(payload, 'input')),
  },
  {
    name: 'the payload has no webhook',
    breaks: 'webhook.payload.webhook',
    behave: paying((payload) => without(payload, 'webhook')),
  },
  {
    name: 'the webhook is called with the key of the submission',
    breaks: 'webhook.no-key',
    behave: () => (exchange, hands) =>
      delivering(({ url, body }) =>
        post(hands, url, body, { ...JSON_TYPE, authorization: exchange.headers['authorization'] ?? '' }),
      )()(exchange, hands),
  },
  {
    name: 'the webhook is called at submission, too',
    breaks: 'webhook.not-before',
    behave: answering('run', async (reply, exchange, hands) => {
      const webhook = fieldsIn(exchange.body.toString('utf8'))?.['webhook'];
      if (typeof webhook === 'string') await post(hands, webhook, reply.text);
      return reply;
    }),
  },
  { name: 'a successful call is made again', breaks: 'webhook.once', behave: attempting(3, 10_000, () => false) },
  { name: 'a failed call is not made again', breaks: 'webhook.retries', behave: attempting(1, 10_000, () => true) },
  {
    name: 'a failed call is made 3 more times',
    breaks: 'webhook.retries',
    behave: attempting(4, 10_000, (status) => status === 200),
  },
  {
    name: 'any 2xx is a success',
    breaks: 'webhook.retries.201',
    behave: attempting(3, 10_000, (status) => status < 300),
  },
  {
    name: 'a 4xx is not tried again',
    breaks: 'webhook.retries.404',
    behave: attempting(3, 10_000, (status) => status < 500),
  },
  {
    name: 'attempts go on after a success',
    breaks: 'webhook.retries.stop',
    behave: attempting(3, 10_000, () => false),
  },
  {
    name: 'attempts are 5 seconds apart',
    breaks: 'webhook.pause',
    behave: attempting(3, 5_000, (status) => status === 200),
  },
];
