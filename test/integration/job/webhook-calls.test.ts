import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../src-main/log.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { createWebhookReceiver } from '../../../src-main/webhook/receiver.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import type { WebhookReceiver } from '../../../src-main/webhook/receiver.ts';
import type { WebhookCall } from '../../../src-preload/webhook.ts';
import type { VirtualClock } from '../../kit/clock.ts';
import { removeEngineFolders, startEngine, startStillEngine, to } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { createScriptedService } from './scripted-service.ts';
import type { ScriptedService } from './scripted-service.ts';

let engine: TestEngine | null = null;
let sandbox: Sandbox | null = null;
let service: ScriptedService | null = null;
let receiver: WebhookReceiver | null = null;
afterEach(async () => {
  await engine?.close();
  await receiver?.stop();
  await sandbox?.close();
  await service?.close();
  engine = null;
  sandbox = null;
  service = null;
  receiver = null;
});
afterAll(removeEngineFolders);

/** As in the app: what goes out with a submission is an address of its own. */
const callbackFor = (webhook: string, jobKey: string): string => receiver?.callbackFor(webhook, jobKey) ?? webhook;

async function listening(onHint: (hint: WebhookCall) => void): Promise<string> {
  receiver = createWebhookReceiver({
    place: async () => null,
    savePlace: async () => undefined,
    onHint,
    log: createLog({ write: () => undefined, now: () => 0 }),
  });
  const started = await receiver.start();
  if (!started.ok) throw new Error(started.failure.message);
  return started.value;
}

/** Lets happen what needs next to no time, until what is wanted is there: long before polling would look first. */
async function atOnce<T>(clock: VirtualClock, wanted: Promise<T>): Promise<T> {
  const came: T[] = [];
  void wanted.then((value) => came.push(value));
  const beganAtMs = clock.now();
  while (came.length === 0) {
    if (clock.now() - beganAtMs > 400) throw new Error('It took so long that polling may have brought it.');
    await clock.advance(clock.pending() > 0 && (clock.nextAtMs() ?? 0) <= clock.now() + 1 ? 1 : 0);
  }
  return await wanted;
}

const asked = (operation: string): number =>
  (sandbox?.requests() ?? [])
    .filter((entry) => entry.operation === operation)
    .reduce((sum, { count }) => sum + count, 0);

describe('webhooks (ruling 25)', () => {
  it('trigger a status read immediately: with almost no time passing, the result is saved', async () => {
    sandbox = await startSandbox();
    const still = await startStillEngine({ connections: to(sandbox) });
    ({ engine } = still);
    const webhook = await listening((hint) => engine?.jobs.noteWebhookCall(hint));
    const job = await engine.submit({ endpointId: 'mock', input: { mock_return: { answer: 42 } }, webhook });
    const ended = await atOnce(still.clock, engine.untilEnd(job.key));
    expect(ended).toMatchObject({ phase: 'finished', status: 'COMPLETED', isResultSaved: true });
    expect(await engine.output(job.key)).toEqual({ answer: 42 });
    expect(asked('status')).toBe(1);
  });

  it('only name the job to read; nothing else in the call is trusted', async () => {
    service = await createScriptedService({ status: [{ body: { id: 'job-1', status: 'IN_PROGRESS' } }] });
    const still = await startStillEngine({ connections: to(service) });
    ({ engine } = still);
    const webhook = await listening((hint) => engine?.jobs.noteWebhookCall(hint));
    const job = await engine.submit({ webhook });
    await atOnce(
      still.clock,
      engine.until(job.key, ({ phase }) => phase === 'active'),
    );
    await fetch(webhook, {
      method: 'POST',
      body: JSON.stringify({ id: 'job-1', status: 'COMPLETED', output: 'forged' }),
    });
    const seen = await atOnce(
      still.clock,
      engine.until(job.key, ({ status }) => status === 'IN_PROGRESS'),
    );
    expect(seen).toMatchObject({ phase: 'active', isResultSaved: false });
    expect(await engine.output(job.key)).toBeUndefined();
  });

  it('do not cause constant reads, however often one is repeated, and the last one counts', async () => {
    service = await createScriptedService({ status: [{ body: { id: 'job-1', status: 'IN_PROGRESS' } }] });
    const still = await startStillEngine({ connections: to(service) });
    ({ engine } = still);
    const { jobs, settle, submit } = engine;
    const { key } = await submit({});
    await atOnce(
      still.clock,
      engine.until(key, ({ phase }) => phase === 'active'),
    );
    for (let call = 0; call < 20; call += 1) {
      jobs.noteWebhookCall({ jobId: 'job-1', jobKey: null });
      await still.clock.advance(20);
      await settle();
    }
    expect(service.count('status')).toBe(1);
    await still.clock.advance(600);
    await settle();
    expect(service.count('status')).toBe(2);
  });

  it('count even if they arrive before the reply to the submission', async () => {
    service = await createScriptedService({
      status: [{ body: { id: 'job-1', status: 'COMPLETED', output: 'early' } }],
      stream: [{ body: [] }],
    });
    const still = await startStillEngine({ connections: to(service) });
    ({ engine } = still);
    engine.jobs.noteWebhookCall({ jobId: 'job-1', jobKey: null });
    const job = await engine.submit({});
    await atOnce(still.clock, engine.untilEnd(job.key));
    expect(await engine.output(job.key)).toBe('early');
  });
});

describe('a webhook about a job that is not known here', () => {
  const strayIds = (): string[] | undefined => engine?.unknownJobs.map(({ jobId }) => jobId);

  it('is reported with its id, newest first, until the job is added', async () => {
    sandbox = await startSandbox();
    engine = await startEngine({ connections: to(sandbox) });
    const webhook = await listening((hint) => engine?.jobs.noteWebhookCall(hint));
    const submit = async (input: object): Promise<string> => {
      const reply = await fetch(`${sandbox?.baseUrl}/v2/mock/run`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sandbox?.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ input, webhook }),
      });
      return ((await reply.json()) as { id: string }).id;
    };
    const first = await submit({ mock_return: 'elsewhere' });
    await engine.eventually(() => strayIds()?.[0] === first);
    const second = await submit({});
    await engine.eventually(() => strayIds()?.[0] === second);
    expect(strayIds()).toEqual([second, first]);

    const adopted = await engine.jobs.followExternal({ connectionId: 'main', endpointId: 'mock', jobIds: [first] });
    if (!adopted.ok) throw new Error(adopted.failure.message);
    expect(strayIds()).toEqual([second]);
    await engine.untilEnd(adopted.value[0]?.key ?? '');
    expect(await engine.output(adopted.value[0]?.key ?? '')).toBe('elsewhere');
  });

  it('is not reported if the job is known and over, or if its submission is about to be answered', async () => {
    service = await createScriptedService({
      run: [
        { body: { id: 'job-1', status: 'COMPLETED', output: 1 } },
        { body: { id: 'job-2', status: 'COMPLETED', output: 2 } },
      ],
      stream: [{ body: [] }],
    });
    engine = await startEngine({ connections: to(service) });
    await engine.untilEnd((await engine.submit({})).key);
    engine.jobs.noteWebhookCall({ jobId: 'job-2', jobKey: null });
    await engine.eventually(() => strayIds()?.length === 1);
    engine.jobs.noteWebhookCall({ jobId: 'job-1', jobKey: null });
    await engine.untilEnd((await engine.submit({})).key);
    expect(strayIds()).toEqual([]);
  });

  it('is remembered up to a hundred times', async () => {
    service = await createScriptedService({});
    engine = await startEngine({ connections: to(service) });
    for (let index = 0; index < 150; index += 1) engine.jobs.noteWebhookCall({ jobId: `stray-${index}`, jobKey: null });
    await engine.eventually(() => strayIds()?.[0] === 'stray-149');
    expect(strayIds()).toEqual(Array.from({ length: 100 }, (_, index) => `stray-${149 - index}`));
  });
});

describe('a submission whose reply was lost', () => {
  it('counts as arrived once a webhook calls its own path, and is tracked when the user confirms', async () => {
    sandbox = await startSandbox();
    engine = await startEngine({ connections: to(sandbox), callbackFor });
    const webhook = await listening((hint) => engine?.jobs.noteWebhookCall(hint));
    sandbox.setFault({ kind: 'drop-after-accept', operation: 'run', times: 1 });
    const lost = await engine.submit({ endpointId: 'mock', inputText: '{ "mock_return": {"b": 2, "a": 1} }', webhook });
    const mentioned = await engine.until(lost.key, ({ phase, jobId }) => phase === 'outcome-unknown' && jobId !== null);
    expect(sandbox.transitions()[0]?.jobId).toBe(mentioned.jobId);
    expect(mentioned.isResultSaved).toBe(false);
    expect(await engine.jobs.confirmSubmission(lost.key)).toMatchObject({
      ok: true,
      value: { phase: 'active', jobId: mentioned.jobId },
    });
    expect(await engine.untilEnd(lost.key)).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
    expect(await engine.output(lost.key)).toEqual({ b: 2, a: 1 });
    expect(asked('run')).toBe(1);
    expect(await engine.jobs.confirmSubmission(lost.key)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
  });

  /** Two submissions of one input to two endpoints, both without a reply, and what went out with them as webhook. */
  async function twoLost(): Promise<{ keys: [string, string]; webhooks: string[] }> {
    service = await createScriptedService({ run: [{ status: 500, body: { error: 'broke' } }] });
    engine = await startEngine({ connections: to(service), callbackFor });
    const webhook = await listening((hint) => engine?.jobs.noteWebhookCall(hint));
    const first = await engine.submit({ endpointId: 'one', input: { same: true }, webhook });
    await engine.until(first.key, ({ phase }) => phase === 'outcome-unknown');
    const second = await engine.submit({ endpointId: 'two', input: { same: true }, webhook });
    await engine.until(second.key, ({ phase }) => phase === 'outcome-unknown');
    return { keys: [first.key, second.key], webhooks: service.requests.map(({ body }) => webhookIn(body)) };
  }

  const call = (webhook: string | undefined, body: object): Promise<Response> =>
    fetch(webhook ?? '', { method: 'POST', body: JSON.stringify(body) });
  const jobIdOf = async (key: string): Promise<string | null | undefined> =>
    (await engine?.history.get(key))?.job.jobId;

  it('is the one that was called, however many others have its input', async () => {
    const {
      keys: [first, second],
      webhooks,
    } = await twoLost();
    expect(webhooks[0]).not.toBe(webhooks[1]);
    expect((await call(webhooks[1], { id: 'of-two', input: { same: true }, status: 'COMPLETED' })).status).toBe(200);
    expect(await engine?.until(second, ({ jobId }) => jobId !== null)).toMatchObject({
      jobId: 'of-two',
      phase: 'outcome-unknown',
    });
    expect(await jobIdOf(first)).toBeNull();
    expect(engine?.unknownJobs).toEqual([]);
  });

  it('keeps the id that was named first, and is not changed by a call on the general path', async () => {
    const {
      keys: [first, second],
      webhooks,
    } = await twoLost();
    await call(receiver?.url() ?? '', { id: 'stray', input: { same: true } });
    await engine?.eventually(() => engine?.unknownJobs.length === 1);
    expect([await jobIdOf(first), await jobIdOf(second)]).toEqual([null, null]);
    await call(webhooks[0], { id: 'named-first' });
    await engine?.until(first, ({ jobId }) => jobId !== null);
    await call(webhooks[0], { id: 'named-later' });
    await call(webhooks[1], { id: 'of-two' });
    await engine?.until(second, ({ jobId }) => jobId !== null);
    expect(await jobIdOf(first)).toBe('named-first');
    expect(engine?.unknownJobs.map(({ jobId }) => jobId)).toEqual(['stray']);
  });

  it('is recognised by the call that came before its reply was lost', async () => {
    const lostReply = Promise.withResolvers<undefined>();
    service = await createScriptedService({
      run: [() => ({ kind: 'held', until: lostReply.promise, body: 'no record' })],
    });
    engine = await startEngine({ connections: to(service), callbackFor });
    const webhook = await listening((hint) => engine?.jobs.noteWebhookCall(hint));
    const { key } = await engine.submit({ webhook });
    await call(webhookIn((await service.received(0)).body), { id: 'early' });
    expect(await jobIdOf(key)).toBeNull();
    lostReply.resolve(undefined);
    expect(await engine.until(key, ({ jobId }) => jobId !== null)).toMatchObject({
      jobId: 'early',
      phase: 'outcome-unknown',
    });
  });

  it('is never sent again if it counted as not accepted and the service calls back about it', async () => {
    service = await createScriptedService({
      run: [() => ({ kind: 'reply', status: 429, body: {}, headers: { 'retry-after': '3600' } })],
    });
    engine = await startEngine({ connections: to(service), callbackFor });
    const webhook = await listening((hint) => engine?.jobs.noteWebhookCall(hint));
    const { key } = await engine.submit({ webhook });
    await engine.until(key, ({ phase }) => phase === 'waiting');
    await call(webhookIn((await service.received(0)).body), { id: 'taken' });
    expect(await engine.until(key, ({ jobId }) => jobId !== null)).toMatchObject({
      jobId: 'taken',
      phase: 'outcome-unknown',
    });
  });
});

describe('a submission that has ended here, when the service calls back about it', () => {
  it.each([
    ['was refused', 400, 'refused'],
    ['was withdrawn after a try', 429, 'waiting'],
  ] as const)('and that %s, can be tracked: its result is saved', async (_, status, phase) => {
    service = await createScriptedService({
      run: [() => ({ kind: 'reply', status, body: { error: 'No.' }, headers: { 'retry-after': '3600' } })],
      status: [{ body: { id: 'taken', status: 'COMPLETED', output: 'paid for' } }],
      stream: [{ body: [] }],
    });
    engine = await startEngine({ connections: to(service), callbackFor });
    const webhook = await listening((hint) => engine?.jobs.noteWebhookCall(hint));
    const { key } = await engine.submit({ webhook });
    await engine.until(key, (job) => job.phase === phase);
    if (phase === 'waiting') await engine.jobs.withdraw(key);
    await fetch(webhookIn((await service.received(0)).body), { method: 'POST', body: JSON.stringify({ id: 'taken' }) });
    expect(await engine.until(key, ({ jobId }) => jobId !== null)).toMatchObject({
      jobId: 'taken',
      phase: 'outcome-unknown',
      status: null,
    });
    expect(engine.jobs.trackerState().outcomeUnknown).toBe(1);
    await engine.jobs.confirmSubmission(key);
    await engine.untilEnd(key);
    expect(await engine.output(key)).toBe('paid for');
    expect(service.count('run')).toBe(1);
  });
});

describe('the webhook address sent with a submission', () => {
  it('is unique each time it is sent, even when it is sent again, and the saved one stays general', async () => {
    service = await createScriptedService({});
    engine = await startEngine({ connections: to(service), callbackFor });
    const webhook = await listening(() => undefined);
    const { key } = await engine.submit({ webhook });
    await service.received(0);
    await engine.until(key, ({ phase }) => phase === 'active');
    expect(await engine.jobs.resubmit(key)).toMatchObject({ ok: true });
    const batch = await engine.jobs.batches.submit({
      name: 'Rows',
      inputs: ['{}', '{}'],
      draft: { connectionId: 'main', endpointId: 'echo', operation: 'run', webhook },
    });
    expect(batch).toMatchObject({ ok: true, value: { kind: 'accepted' } });
    await engine.eventually(() => service?.count('run') === 4);
    const sent = service.requests.filter(({ path }) => path.endsWith('/run')).map(({ body }) => webhookIn(body));
    expect(new Set([webhook, ...sent]).size).toBe(5);
    const page = await engine.history.list(emptyFilter, null, 10);
    const kept = await Promise.all(
      page.jobs.map(async (job) => (await engine?.history.get(job.key))?.submission.webhook),
    );
    expect(kept).toEqual(Array.from({ length: 4 }, () => webhook));
    expect(await engine.jobs.draftOf(key)).toMatchObject({ ok: true, value: { webhook } });
  });

  it('is the entered one if that is not the receiver’s', async () => {
    service = await createScriptedService({});
    engine = await startEngine({ connections: to(service), callbackFor });
    await listening(() => undefined);
    await engine.submit({ webhook: 'https://example.test/hook?a=1' });
    expect(webhookIn((await service.received(0)).body)).toBe('https://example.test/hook?a=1');
  });
});

function webhookIn(body: string): string {
  const sent: unknown = JSON.parse(body);
  return typeof sent === 'object' && sent !== null && 'webhook' in sent && typeof sent.webhook === 'string'
    ? sent.webhook
    : '';
}

describe('a stream that does not exist', () => {
  it('is not read at the end, once three jobs of the endpoint had none', async () => {
    sandbox = await startSandbox();
    engine = await startEngine({ connections: to(sandbox) });
    for (let job = 0; job < 3; job += 1)
      await engine.untilEnd((await engine.submit({ endpointId: 'mock', input: { mock_return: { job } } })).key);
    const before = asked('stream');
    expect(before).toBeGreaterThanOrEqual(3);
    for (let job = 0; job < 3; job += 1) {
      const { key } = await engine.submit({ endpointId: 'mock', input: { mock_return: { job } } });
      expect(await engine.untilEnd(key)).toMatchObject({ phase: 'finished', isResultSaved: true });
      expect(await engine.output(key)).toEqual({ job });
    }
    expect(asked('stream')).toBe(before);
  });

  it('is still read if the output is the list that a stream leaves', async () => {
    sandbox = await startSandbox();
    engine = await startEngine({ connections: to(sandbox) });
    for (let job = 0; job < 4; job += 1)
      await engine.untilEnd((await engine.submit({ endpointId: 'mock', input: { mock_return: { job } } })).key);
    const { key } = await engine.submit({ endpointId: 'mock', input: { mock_stream: ['one', 'two'] } });
    await engine.untilEnd(key);
    expect((await engine.chunks(key)).map(({ outputJson }) => outputJson)).toEqual(['"one"', '"two"']);
  });
});
