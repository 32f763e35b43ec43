import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stableId } from '../../../src-main/sandbox/management/field-forms.ts';
import type { Connection, ConnectionDraft } from '../../../src-preload/connection.ts';
import { calls, dispatch } from '../../../src-preload/contract.ts';
import type { CallInput, CallName } from '../../../src-preload/contract.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import type { Job } from '../../../src-preload/job.ts';
import { answerShapes, jobShape } from './answer-shapes.ts';
import { closeApps, openApp, removeAppFolders } from './app-scene.ts';
import type { App } from './app-scene.ts';

interface Scene {
  app: App;
  sandbox: Connection;
  /** Streamed text. */
  completed: Job;
  failed: Job;
}

let scene: Scene;
beforeAll(async () => {
  const app = await openApp();
  const sandbox = await app.answer('connection:openSandbox', undefined);
  const [completed, failed] = await Promise.all([
    app.submit({
      connectionId: sandbox.id,
      endpointId: 'text',
      tags: ['first'],
      input: { prompt: 'A short note', tokens_per_second: 2_000, max_tokens: 30 },
    }),
    app.submit({
      connectionId: sandbox.id,
      input: {
        mock_error: { error_type: 'ValueError', error_message: 'no such style', error_traceback: 'Traceback: line 1' },
      },
    }),
  ]);
  scene = { app, sandbox, completed: await app.untilEnd(completed.key), failed: await app.untilEnd(failed.key) };
});
afterAll(async () => {
  await closeApps();
  await removeAppFolders();
});

const trainingPodId = stableId('pod', 'training');

const elsewhere: ConnectionDraft = {
  name: 'Elsewhere',
  baseUrl: 'http://127.0.0.1:9/v2/',
  restUrl: '',
  authorization: 'bare',
  endpoints: [],
};

/** A job that runs until it is cancelled. */
async function longJob({ app, sandbox }: Scene): Promise<Job> {
  const job = await app.submit({ connectionId: sandbox.id, input: { mock_delay: 600_000 } });
  return app.untilJob(job.key, ({ phase }) => phase === 'active');
}
async function newConnection({ app }: Scene): Promise<Connection> {
  return (await app.answer('connection:save', { draft: elsewhere, key: 'a-key-0123456789' })).connection;
}

/** A batch of one row that fails and one that does not; its id. */
async function aBatch({ app, sandbox }: Scene): Promise<string> {
  const submission = await app.answer('batch:submit', {
    name: 'Two rows',
    inputs: ['{"mock_error": "broken"}', '{"mock_delay": 20}'],
    draft: { connectionId: sandbox.id, endpointId: 'mock', operation: 'run' },
  });
  if (submission.kind !== 'accepted') throw new Error('The rows were refused.');
  return submission.batch.id;
}

/** The key of a job that was deleted. */
async function aBinnedJob({ app, sandbox }: Scene): Promise<string> {
  const { key } = await app.submit({ connectionId: sandbox.id, input: { mock_delay: 1 } });
  await app.untilEnd(key);
  await app.answer('job:delete', { keys: [key] });
  return key;
}

/** A pod of the sandbox's catalogue, read once. */
async function aPod({ app, sandbox }: Scene): Promise<{ connectionId: string; podId: string }> {
  const of = { connectionId: sandbox.id, podId: trainingPodId };
  await app.answer('pod:read', { ...of, include: ['includeMachine'] });
  return of;
}

/** A template of the sandbox's catalogue, read from that pod: its copy's number with it. */
async function aTemplate({
  app,
  sandbox,
}: Scene): Promise<{ at: { connectionId: string; templateId: string }; seq: number }> {
  const at = { connectionId: sandbox.id, templateId: stableId('template', 'pytorch') };
  const { known } = await app.answer('template:readFromPod', { ...at, podId: trainingPodId });
  return { at, seq: known?.seq ?? 0 };
}
/** A cause that a job failed by; those are sorted in idle moments. */
async function aCause({ app, sandbox }: Scene): Promise<number> {
  for (;;) {
    const { causes } = await app.answer('failure:causes', { connectionId: sandbox.id, sinceMs: 0 });
    if (causes[0] !== undefined) return causes[0].id;
  }
}
const newImage = (): { imageName: string } => ({ imageName: `pytorch:${Math.random()}` });

/** An input for every call, with what it needs made first. A call of the contract without a case fails below. */
const inputs: { [N in CallName]: (scene: Scene) => CallInput<N> | Promise<CallInput<N>> } = {
  'app:info': () => undefined,
  'app:preparation': () => undefined,
  'app:diagnostics': () => undefined,
  'app:showInFolder': () => ({ file: 'history' }),
  'app:menuEntry': () => undefined,
  'app:setMenuEntry': () => ({ isAdded: true }),
  'app:quit': () => undefined,
  'update:state': () => undefined,
  'update:check': () => undefined,
  'update:download': async ({ app }) => void (await app.answer('update:check', undefined)),
  'update:restart': async ({ app }) => {
    const state = await app.answer('update:check', undefined);
    if (state.kind === 'available') await app.answer('update:download', undefined);
  },
  'app:openExternal': () => ({ url: 'https://example.test/' }),
  'app:copyText': () => ({ text: 'copied' }),
  'app:copyOutput': ({ completed }) => ({ key: completed.key, attempt: null }),
  'app:saveOutput': ({ completed }) => ({ key: completed.key, attempt: null, name: 'output' }),
  'app:openOutput': ({ completed }) => ({ key: completed.key, attempt: null, name: 'output' }),
  'app:copyImage': () => ({ png: new Uint8Array([0x89]) }),
  'app:copySandboxEnvironment': () => undefined,
  'app:addSandboxHandler': () => undefined,
  'app:saveFile': () => ({ name: 'a.txt', bytes: new Uint8Array([97]) }),
  'app:saveFiles': () => ({ files: [{ name: 'a.txt', bytes: new Uint8Array([97]) }] }),
  'app:openInEditor': () => ({ name: 'output', format: 'json', bytes: new Uint8Array([49]) }),
  'app:showPath': ({ app }) => ({ path: app.dataDir }),
  'notice:dismiss': () => ({ id: 'nothing' }),
  'storage:use': () => undefined,
  'storage:wouldForget': () => ({ afterDays: 30, areInputsDeleted: true, maxBytes: 1_000_000_000 }),
  'storage:clockDoubt': () => undefined,
  'storage:confirmClock': () => undefined,
  'storage:compact': () => undefined,
  'settings:get': () => undefined,
  'settings:change': () => ({ theme: 'dark', rateShare: 0.5 }),
  'network:setProxyPassword': async ({ app }) => {
    await app.answer('settings:change', { proxy: { kind: 'manual', url: 'http://127.0.0.1:9', name: 'me' } });
    return { password: 'of a proxy' };
  },
  'network:check': () => ({ url: 'http://127.0.0.1:9' }),
  'keys:move': () => ({ to: 'session' as const }),
  'window:minimize': () => undefined,
  'window:toggleMaximize': () => undefined,
  'window:close': () => undefined,
  'window:openJob': ({ completed }) => ({ key: completed.key }),
  'window:openMain': () => ({ destination: { kind: 'home' as const } }),
  'window:openSandbox': () => undefined,
  'window:openHealth': ({ sandbox }) => ({ connectionId: sandbox.id, endpointId: null }),
  'window:openResource': ({ sandbox }) => ({ connectionId: sandbox.id, kind: 'pod', id: 'mock' }),
  'health:series': ({ sandbox }) => ({ connectionId: sandbox.id, endpointId: null, sinceMs: 0 }),
  'health:timings': ({ sandbox }) => ({ connectionId: sandbox.id, endpointId: null, sinceMs: 0 }),
  'health:diagnoses': ({ sandbox }) => ({ connectionId: sandbox.id }),
  'health:mute': ({ sandbox }) => ({ connectionId: sandbox.id, endpointId: 'mock', untilMs: null }),
  'connection:list': () => undefined,
  'connection:save': () => ({ draft: elsewhere, key: 'a-key-0123456789' }),
  'connection:remove': async (at) => ({ connectionId: (await newConnection(at)).id }),
  'connection:deleteKey': async (at) => ({ connectionId: (await newConnection(at)).id }),
  'connection:addressNeeds': ({ sandbox }) => ({
    connectionId: sandbox.id,
    baseUrl: 'http://10.0.0.7:8080/v2',
    restUrl: '',
  }),
  'connection:check': ({ sandbox }) => ({ connectionId: sandbox.id }),
  'connection:openSandbox': () => undefined,
  's3:list': () => undefined,
  's3:save': () => ({
    draft: { name: 'Results', accessId: 'AKIA', bucketName: 'results', endpointUrl: 'https://s3.example.test' },
    secret: 'a-secret-0123456789',
  }),
  's3:remove': async ({ app }) => ({
    id: (await app.answer('s3:save', { draft: { name: 'Gone soon', accessId: '', bucketName: '', endpointUrl: '' } }))
      .id,
  }),
  'sandbox:state': () => undefined,
  'sandbox:stop': () => undefined,
  'sandbox:setTimeScale': () => ({ timeScale: 1 }),
  'sandbox:printed': () => undefined,
  'sandbox:removeHandler': () => ({ endpointId: 'none' }),
  'sandbox:setFaults': () => ({
    faults: [
      {
        id: 'f1',
        isOn: false,
        kind: 'status',
        operation: 'status',
        endpointId: null,
        status: 503,
        probability: 0.5,
        times: 3,
        forMs: null,
        isProcessed: false,
        delayMs: null,
      },
    ],
  }),
  'sandbox:watch': () => ({ isWatching: true }),
  'sandbox:requests': async ({ app, sandbox }) => {
    await app.answer('sandbox:watch', { isWatching: true });
    await app.answer('health:refresh', { connectionId: sandbox.id });
    await app.untilEvent('sandbox:requestsSeen', ({ requests }) => requests.length > 0);
    return undefined;
  },
  'webhook:state': () => undefined,
  'job:followExternal': ({ sandbox, completed }) => ({
    connectionId: sandbox.id,
    endpointId: 'mock',
    jobIds: [completed.jobId ?? '', 'not-known-here'],
  }),
  'job:confirmSubmission': async ({ app, sandbox }) => {
    await app.answer('settings:change', { isWebhookReceiverOn: true });
    const { url } = await app.untilEvent('webhook:changed', (state) => state.url !== null);
    await app.answer('sandbox:setFaults', {
      faults: [
        {
          id: 'f2',
          isOn: true,
          kind: 'drop-after-accept',
          operation: 'run',
          endpointId: null,
          status: null,
          probability: 1,
          times: 1,
          forMs: null,
          isProcessed: false,
          delayMs: null,
        },
      ],
    });
    const { key } = await app.submit({
      connectionId: sandbox.id,
      endpointId: 'echo',
      input: { lost: true },
      webhook: url ?? '',
    });
    await app.untilJob(key, ({ phase, jobId }) => phase === 'outcome-unknown' && jobId !== null);
    return { key };
  },
  'job:submit': ({ sandbox }) => ({
    connectionId: sandbox.id,
    endpointId: 'echo',
    operation: 'runsync',
    inputText: '{"a":1}',
    waitMs: 5_000,
    policy: { ttl: 60_000, lowPriority: true },
    title: 'NotificationRow',
    tags: ['x'],
  }),
  'job:list': () => ({ filter: { ...emptyFilter, text: 'note' }, beforeKey: null, limit: 10 }),
  'job:count': () => ({ filter: emptyFilter }),
  'job:keys': () => ({ filter: emptyFilter }),
  'job:some': ({ completed, failed }) => ({ keys: [failed.key, 'not there', completed.key] }),
  'job:counts': () => undefined,
  'job:get': ({ failed }) => ({ key: failed.key }),
  'job:body': ({ completed }) => ({ key: completed.key, part: 'output', attempt: null, isWhole: false }),
  'job:chunks': ({ completed }) => ({ key: completed.key, attempt: 1, fromSeq: 2, limit: 3 }),
  'job:findChunks': ({ completed }) => ({ key: completed.key, attempt: 1, fromSeq: 0, text: 'e' }),
  'job:streamPage': ({ completed }) => ({ key: completed.key, attempt: 1, fromSeq: 2, withMedia: false, run: null }),
  'job:requests': ({ completed }) => ({ key: completed.key }),
  'job:printedLines': ({ completed }) => ({ key: completed.key }),
  'job:runTimes': ({ sandbox }) => ({ connectionId: sandbox.id }),
  'job:cancel': async (at) => ({ key: (await longJob(at)).key }),
  'job:withdraw': ({ completed }) => ({ key: completed.key }),
  'job:retry': ({ failed }) => ({ key: failed.key }),
  'job:resubmit': ({ completed }) => ({ key: completed.key }),
  'job:draft': ({ completed }) => ({ key: completed.key }),
  'job:extendTtl': async (at) => ({ key: (await longJob(at)).key, ttlMs: 120_000 }),
  'job:checkNow': async (at) => ({ key: (await longJob(at)).key }),
  'job:stopWaiting': ({ completed }) => ({ key: completed.key }),
  'job:watch': ({ completed }) => ({ openKey: null, rowKeys: [completed.key] }),
  'job:markSeen': ({ failed }) => ({ keys: [failed.key] }),
  'job:markUnseen': ({ failed }) => ({ keys: [failed.key], atMs: 1 }),
  'job:star': ({ completed }) => ({ key: completed.key, isStarred: true }),
  'job:tag': ({ completed }) => ({ key: completed.key, add: ['kept'], remove: [] }),
  'job:rename': ({ completed }) => ({ key: completed.key, title: ' Another\ntitle ' }),
  'job:judge': ({ completed }) => ({ key: completed.key, change: { mark: 5, label: 'sharp' } }),
  'job:note': ({ completed }) => ({ key: completed.key, text: '**Keep** this one.' }),
  'job:inputs': ({ completed: { connectionId, endpointId } }) => ({ connectionId, endpointId, text: '', limit: 10 }),
  'job:learnedInputs': ({ completed: { connectionId, endpointId } }) => ({ connectionId, endpointId }),
  'job:labels': () => undefined,
  'job:tags': () => undefined,
  'failure:causes': ({ sandbox }) => ({ connectionId: sandbox.id, sinceMs: 0 }),
  'failure:byWorker': async (at) => {
    await aCause(at);
    return { connectionId: at.sandbox.id, sinceMs: 0 };
  },
  'failure:names': async (at) => {
    await aCause(at);
    return { connectionId: at.sandbox.id };
  },
  'failure:cause': async (at) => ({ id: await aCause(at) }),
  'failure:ofJob': async (at) => {
    await aCause(at);
    return { key: at.failed.key };
  },
  'failure:mute': async (at) => ({ id: await aCause(at), mute: { untilMs: null, isUntilRise: true, reason: 'Known' } }),
  'job:dataset': ({ completed }) => ({ keys: [completed.key] }),
  'job:delete': async (at) => {
    const over = await at.app.submit({ connectionId: at.sandbox.id, input: { mock_delay: 1 } });
    await at.app.untilEnd(over.key);
    // Active for a while, and no longer: the calls that follow need its worker.
    const active = await at.app.submit({ connectionId: at.sandbox.id, input: { mock_delay: 2_000 } });
    return { keys: [over.key, active.key] };
  },
  'bin:use': () => undefined,
  'bin:list': () => ({ after: null, limit: 10 }),
  'bin:restore': async (at) => ({ keys: [await aBinnedJob(at), 'nobody'] }),
  'bin:delete': async (at) => ({ keys: [await aBinnedJob(at)] }),
  'job:export': async (at) => ({ source: { kind: 'batch', id: await aBatch(at) }, format: 'csv' }),
  'backup:write': () => undefined,
  'backup:cancel': () => undefined,
  'backup:open': () => undefined,
  'backup:merge': () => undefined,
  'backup:close': () => undefined,
  'backup:restored': () => undefined,
  'backup:undoRestore': () => undefined,
  'backup:restore': async ({ app }) => void (await app.answer('backup:open', undefined)),
  'job:curl': ({ completed }) => ({ key: completed.key }),
  'job:code': ({ completed }) => ({ key: completed.key, language: 'sdk-python' }),
  'job:requestCode': ({ completed }) => ({ key: completed.key, request: 'status', language: 'curl' }),
  'batch:stage': () => ({ isFirst: true, inputs: ['{"staged": 1}'] }),
  'batch:submit': ({ sandbox }) => ({
    isStaged: true,
    name: 'One row',
    inputs: ['{"a": 1}'],
    draft: { connectionId: sandbox.id, endpointId: 'echo', operation: 'run', tags: ['x'] },
  }),
  'batch:list': async (at) => {
    await aBatch(at);
    return { connectionId: at.sandbox.id };
  },
  'batch:cells': ({ completed }) => ({ keys: [completed.key] }),
  'batch:image': ({ completed }) => ({ key: completed.key }),
  'table:save': ({ completed }) => ({
    keys: [completed.key],
    columns: [{ kind: 'fact', fact: 'status' }],
    format: 'json',
    name: 'Table',
  }),
  'batch:pair': async (at) => ({ batchId: await aBatch(at), withId: await aBatch(at), at: null }),
  'batch:rename': async (at) => ({ id: await aBatch(at), name: 'Renamed' }),
  'batch:pause': async (at) => ({ id: await aBatch(at) }),
  'batch:resume': async (at) => ({ id: await aBatch(at) }),
  'batch:withdraw': async (at) => ({ id: await aBatch(at) }),
  'batch:submitFailed': async (at) => {
    const id = await aBatch(at);
    await at.app.untilEvent('job:changed', ({ batches }) =>
      batches.some((batch) => batch.id === id && batch.counts.failed === 1),
    );
    return { id };
  },
  'stream:subscribe': ({ completed }) => ({ key: completed.key, subscriptionId: 's1', attempt: 1 }),
  'draft:load': async ({ app }) => {
    await app.answer('draft:save', { slot: 'composer', text: '{"typed": true}' });
    return { slot: 'composer' };
  },
  'draft:save': () => ({ slot: 'other', text: '' }),
  'health:latest': async ({ app, sandbox }) => {
    await app.answer('health:refresh', { connectionId: sandbox.id });
    await app.untilSeen(() => app.told['health:changed'].length >= sandbox.endpoints.length);
    return { connectionId: sandbox.id };
  },
  'health:refresh': ({ sandbox }) => ({ connectionId: sandbox.id }),
  'health:watch': ({ sandbox }) => ({ connectionId: sandbox.id, endpointIds: ['mock'] }),
  'pod:list': async (at) => {
    await aPod(at);
    return { connectionId: at.sandbox.id };
  },
  'pod:open': aPod,
  'pod:read': async (at) => ({
    ...(await aPod(at)),
    include: ['includeMachine', 'includeNetworkVolume', 'includeSavingsPlans', 'includeTemplate', 'includeWorkers'],
  }),
  'pod:pin': async (at) => ({ ...(await aPod(at)), isPinned: true }),
  'pod:forget': aPod,
  'pod:reveal': async (at) => ({ ...(await aPod(at)), name: 'RUN_NAME' }),
  'pod:copyEnv': async (at) => ({ ...(await aPod(at)), name: 'RUN_NAME' }),
  'pod:openPort': async (at) => ({ ...(await aPod(at)), port: 8888 }),
  'pod:curl': async (at) => ({ ...(await aPod(at)), include: ['includeMachine'] }),
  'purge:preview': ({ sandbox }) => ({ connectionId: sandbox.id, endpointId: 'echo', isFresh: true }),
  'purge:send': ({ sandbox }) => ({ connectionId: sandbox.id, endpointId: 'image', typed: 'image', expected: 0 }),
  'purge:log': ({ sandbox }) => ({ connectionId: sandbox.id, endpointId: 'image' }),
  'purge:dismiss': () => ({ id: 'never-sent' }),
  'purge:submitAgain': async ({ app, sandbox }) => {
    // As many as can run at once, and one more that waits.
    for (let number = 0; number < 3; number += 1) {
      const busy = await app.submit({
        connectionId: sandbox.id,
        endpointId: 'text',
        input: { prompt: 'long', tokens_per_second: 1, max_tokens: 600 },
      });
      await app.untilJob(busy.key, ({ startedSeenAtMs }) => startedSeenAtMs !== null);
    }
    const waiting = await app.submit({ connectionId: sandbox.id, endpointId: 'text', input: { prompt: 'purged' } });
    await app.untilJob(waiting.key, ({ phase }) => phase === 'active');
    const { id } = await app.answer('purge:send', {
      connectionId: sandbox.id,
      endpointId: 'text',
      typed: 'text',
      expected: 1,
    });
    await app.untilJob(waiting.key, ({ goneReason }) => goneReason === 'purged');
    return { id, as: 'jobs' };
  },
  'cost:list': async ({ app, sandbox }) => {
    await app.answer('cost:setRate', {
      connectionId: sandbox.id,
      endpointId: 'mock',
      creditsPerHour: 1.5,
      source: { kind: 'typed' },
    });
    return { connectionId: sandbox.id };
  },
  'cost:setRate': ({ sandbox }) => ({
    connectionId: sandbox.id,
    endpointId: 'text',
    creditsPerHour: 0.69,
    source: { kind: 'pod', podId: 'p1', readAtMs: 1_000, field: 'adjustedCostPerHr' },
  }),
  'cost:setLimits': ({ sandbox }) => ({
    connectionId: sandbox.id,
    endpointId: 'text',
    limits: { perJob: 0.5, perDay: null },
  }),
  'cost:ofFilter': ({ sandbox }) => ({ filter: { ...emptyFilter, connectionId: sandbox.id } }),
  'cost:ofEndpoint': ({ sandbox }) => ({ connectionId: sandbox.id, endpointId: 'mock' }),
  'alert:list': ({ sandbox }) => ({ connectionId: sandbox.id }),
  'alert:saveRule': ({ sandbox }) => ({
    connectionId: sandbox.id,
    endpointId: 'mock',
    condition: { kind: 'long-wait', overMs: 60_000 },
  }),
  'alert:removeRule': ({ sandbox }) => ({ connectionId: sandbox.id, ruleId: `${sandbox.id}:no-worker` }),
  'alert:restoreRule': ({ sandbox }) => ({
    connectionId: sandbox.id,
    rule: {
      id: 'restored',
      connectionId: sandbox.id,
      endpointId: null,
      isOn: true,
      exceptions: {},
      condition: { kind: 'long-wait', overMs: 60_000 },
    },
    place: 0,
  }),
  'alert:setOn': ({ sandbox }) => ({
    connectionId: sandbox.id,
    ruleId: `${sandbox.id}:slow-runs`,
    endpointId: 'mock',
    isOn: false,
  }),
  'alert:history': async ({ app, sandbox }) => {
    await app.submit({ connectionId: sandbox.id, input: { mock_error: 'broken' } });
    await app.answer('alert:saveRule', {
      connectionId: sandbox.id,
      endpointId: 'mock',
      condition: { kind: 'failure-burst', overFailures: 0, withinMs: 3_600_000 },
    });
    await app.untilEvent('alert:changed', ({ ruleStates }) => ruleStates.some(({ phase }) => phase === 'firing'));
    return { connectionId: sandbox.id, endpointId: null, beforeId: null, limit: 10 };
  },
  'notification:list': async ({ app, sandbox }) => {
    const { key } = await app.submit({ connectionId: sandbox.id, input: { mock_error: 'broken' } });
    await app.untilEnd(key);
    await app.untilEvent('notification:changed', ({ unseen }) => unseen > 0);
    return { beforeId: null, limit: 10 };
  },
  'notification:unseen': () => undefined,
  'notification:ongoing': () => undefined,
  'notification:markSeen': () => ({ upToId: 1 }),
  'notification:markUnseen': () => ({ upToId: 1, atMs: 1, jobKeys: [] }),
  'notification:gathered': () => undefined,
  'notification:test': () => undefined,
  'template:list': async (at) => ({ connectionId: (await aTemplate(at)).at.connectionId }),
  'template:view': async (at) => (await aTemplate(at)).at,
  'template:readFromPod': async (at) => ({ ...(await aTemplate(at)).at, podId: trainingPodId }),
  'template:reveal': async (scene) => {
    const { at, seq } = await aTemplate(scene);
    return { ...at, seq, name: 'JUPYTER_PASSWORD' };
  },
  'template:saveDraft': async (scene) => {
    const { at, seq } = await aTemplate(scene);
    return { ...at, draft: { baseSeq: seq, edits: { env: [{ name: 'A', value: 'typed' }] } } };
  },
  'template:update': async (scene) => {
    const { at, seq } = await aTemplate(scene);
    return { ...at, baseSeq: seq, edits: newImage(), confirmedWith: null };
  },
  'template:undo': async (scene) => {
    const { at, seq } = await aTemplate(scene);
    await scene.app.answer('template:update', { ...at, baseSeq: seq, edits: newImage(), confirmedWith: null });
    return { ...at, toSeq: null };
  },
  'template:forget': async (at) => (await aTemplate(at)).at,
  'tracker:state': () => undefined,
  'tracker:pause': () => undefined,
  'tracker:resume': () => undefined,
  'tracker:tryNow': () => undefined,
};

/** Those that would take something away from the others come last. */
const names = Object.keys(inputs).filter((name) => name !== 'sandbox:stop' && name !== 'tracker:pause');

async function answersAsItSays(name: CallName): Promise<void> {
  const input: unknown = await inputs[name](scene);
  const result = await dispatch(scene.app.handlers, name, input, { windowId: 1 });
  expect(result).toMatchObject({ ok: true });
  if (result.ok) expect(answerShapes[name].safeParse(result.value).error?.issues ?? []).toEqual([]);
}

describe('every call of the contract', () => {
  it('has a case here', () => {
    expect(Object.keys(inputs).sort()).toEqual(Object.keys(calls).sort());
    expect(Object.keys(answerShapes).sort()).toEqual(Object.keys(calls).sort());
  });

  it.each([...names, 'tracker:pause', 'tracker:resume', 'sandbox:stop', 'connection:openSandbox'] as CallName[])(
    '%s answers what its type says',
    answersAsItSays,
  );

  it('reports what does not exist, and never throws', async () => {
    const key = 'nobody';
    const connectionId = 'nobody';
    const asked: [CallName, unknown][] = [
      ['job:get', { key }],
      ['job:body', { key, part: 'input', attempt: null, isWhole: true }],
      ['job:cancel', { key }],
      ['job:withdraw', { key }],
      ['job:retry', { key }],
      ['job:resubmit', { key }],
      ['job:draft', { key }],
      ['job:extendTtl', { key, ttlMs: 10_000 }],
      ['job:star', { key, isStarred: true }],
      ['job:tag', { key, add: [], remove: [] }],
      ['job:judge', { key, change: { mark: 1 } }],
      ['job:note', { key, text: 'x' }],
      ['job:curl', { key }],
      ['connection:remove', { connectionId }],
      ['connection:deleteKey', { connectionId }],
      ['connection:check', { connectionId }],
      ['connection:addressNeeds', { connectionId, baseUrl: '', restUrl: '' }],
      ['batch:rename', { id: 'nobody', name: 'Renamed' }],
      ['batch:pause', { id: 'nobody' }],
      ['batch:resume', { id: 'nobody' }],
      ['batch:withdraw', { id: 'nobody' }],
      ['batch:submitFailed', { id: 'nobody' }],
      ['pod:read', { connectionId, podId: 'p1', include: [] }],
      ['pod:pin', { connectionId, podId: 'p1', isPinned: true }],
      ['pod:reveal', { connectionId, podId: 'p1', name: 'A' }],
      ['pod:curl', { connectionId, podId: 'p1', include: [] }],
      ['s3:remove', { id: 'nobody' }],
      ['alert:list', { connectionId }],
      ['alert:removeRule', { connectionId, ruleId: 'nobody' }],
      ['alert:setOn', { connectionId, ruleId: 'nobody', endpointId: null, isOn: true }],
      ['health:refresh', { connectionId }],
    ];
    for (const [name, input] of asked) {
      expect([name, await dispatch(scene.app.handlers, name, input, { windowId: 1 })]).toEqual([
        name,
        { ok: false, failure: { kind: 'absent', message: expect.stringMatching(/^[A-Z].{10,}\.$/) } },
      ]);
    }
    expect(await scene.app.answer('job:chunks', { key, attempt: 1, fromSeq: 0, limit: 10 })).toEqual([]);
    expect(await scene.app.answer('job:requests', { key })).toEqual([]);
  });

  it.each(Object.keys(calls) as CallName[])('%s answers a refusal to an input of another shape', async (name) => {
    for (const input of [
      null,
      7,
      'text',
      [],
      {
        key: 7,
        connectionId: {},
        id: [],
        slot: 1,
        url: 0,
        text: {},
        path: 1,
        draft: 'x',
        filter: 1,
        keys: 'x',
        theme: 'pink',
      },
    ]) {
      const result = await dispatch(scene.app.handlers, name, input, { windowId: 1 });
      if (!result.ok) expect(result.failure).toMatchObject({ kind: 'refused', message: expect.stringMatching(/./) });
      // A call whose fields may all be left out takes an object without them.
      else expect(['connection:check', 'settings:change']).toContain(name);
    }
  });
});

describe('an event about jobs', () => {
  it('has jobs of the same shape as the answers of calls', () => {
    const told = scene.app.told['job:changed'].flatMap(({ jobs }) => jobs);
    expect(told.length).toBeGreaterThan(10);
    expect(told.flatMap((job) => jobShape.safeParse(job).error?.issues ?? [])).toEqual([]);
  });
});
