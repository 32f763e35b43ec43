import type { Dice } from './dice.ts';
import { objectText, oddValue, type Fields } from './json-text.ts';

/** Where requests may go, and what the service said is there. */
export interface Grounds {
  endpoints: readonly [string, ...string[]];
  pods: readonly string[];
  templates: readonly string[];
  /** Recently answered ids, with their endpoint. */
  jobs: readonly { endpointId: string; jobId: string }[];
}

export type Area = 'queue' | 'management' | 'control';

/** A request before it is serialised. `bodyText` null: none. */
export interface RequestSketch {
  area: Area;
  operation: string;
  method: string;
  segments: string[];
  query: [name: string, value: string][];
  bodyText: string | null;
}

/** The sketch's path and query as a careful client writes them. */
export function targetOf({ segments, query }: RequestSketch): string {
  const path = `/${segments.map(encodeURIComponent).join('/')}`;
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query).toString()}`;
}

const ODDNESS = 0.15;

/** A request of this area that is valid or nearly so: only its body may have something odd. */
export function sketchRequest(dice: Dice, area: Area, grounds: Grounds): RequestSketch {
  if (area === 'management') return sketchManagement(dice, grounds);
  if (area === 'control') return sketchControl(dice, grounds);
  return sketchQueue(dice, grounds);
}

const newestJobs = 3;

function sketchQueue(dice: Dice, { endpoints, jobs }: Grounds): RequestSketch {
  const operation = dice.pick([
    'run',
    'run',
    'run',
    'runsync',
    'status',
    'status',
    'status',
    'stream',
    'stream',
    'status-sync',
    'cancel',
    'retry',
    'health',
    'purge-queue',
    'openai',
    'requests',
  ]);
  // Only a job that is not over can be cancelled, which is most likely for the newest.
  const among = operation === 'cancel' ? jobs.slice(-newestJobs) : jobs;
  const job = among[dice.between(0, Math.max(0, among.length - 1))];
  const namesJob = ['status', 'stream', 'status-sync', 'cancel', 'retry'].includes(operation);
  const endpointId = namesJob && job !== undefined ? job.endpointId : dice.pick(endpoints);
  const sketch: RequestSketch = {
    area: 'queue',
    operation,
    method: 'POST',
    segments: ['v2', endpointId, operation],
    query: [],
    bodyText: null,
  };
  if (namesJob) sketch.segments.push(job?.jobId ?? 'none');
  if (['status', 'stream', 'status-sync', 'health', 'requests'].includes(operation)) sketch.method = 'GET';
  if (operation === 'openai') sketch.segments.push('v1', dice.pick(['models', 'completions']));
  if (operation === 'run' || operation === 'runsync') sketch.bodyText = submissionText(dice, endpointId);
  if (operation === 'runsync' || operation === 'status-sync')
    sketch.query.push(['wait', dice.pick(['1000', '2000', '5000'])]);
  if (operation === 'stream' && dice.chance(0.5)) sketch.query.push(['wait', dice.pick(['0', '1', '1000', '3000'])]);
  if (operation === 'status' && dice.chance(0.2))
    sketch.query.push(['ttl', dice.pick(['10000', '86400000', '9999', '604800000'])]);
  return sketch;
}

function inputFields(dice: Dice, endpointId: string): Fields {
  if (endpointId === 'text')
    return [
      ['prompt', '"Write a haiku"'],
      ['max_tokens', String(dice.between(1, 40))],
      ['tokens_per_second', '100000'],
    ];
  if (endpointId === 'image')
    return [
      ['prompt', '"a lake"'],
      ['width', '64'],
      ['height', '64'],
      ['seed', '1'],
    ];
  if (endpointId !== 'mock')
    return [
      ['prompt', '"hello"'],
      ['list', '[1,2,3]'],
    ];
  switch (dice.between(0, 9)) {
    case 0:
      return [['mock_error', '"it failed"']];
    case 1:
      return [['mock_error', '{"error_type":"X","error_message":"y"}']];
    case 2:
      return [
        ['mock_stream', '["a","b",{"c":1}]'],
        ['mock_delay', '1'],
      ];
    case 3:
      return [
        ['mock_progress', '[1,2]'],
        ['mock_return', '"done"'],
      ];
    case 4:
      return dice.chance(0.05)
        ? [['mock_crash', 'true']]
        : [
            ['mock_delay', '5000'],
            ['mock_return', '1'],
          ];
    default:
      return [['mock_return', '{"ok":true}']];
  }
}

function submissionText(dice: Dice, endpointId: string): string {
  const fields: [string, string][] = [['input', objectText(dice, inputFields(dice, endpointId), ODDNESS)]];
  // Closed ports of this machine: a webhook that is called goes nowhere.
  if (dice.chance(0.15))
    fields.push(['webhook', dice.pick(['"http://127.0.0.1:1/hook"', '"http://127.0.0.1:9/a?b=c#d"'])]);
  if (dice.chance(0.3)) {
    fields.push([
      'policy',
      objectText(
        dice,
        [
          ['executionTimeout', dice.pick(['5000', '60000', '604800000'])],
          ['lowPriority', dice.pick(['true', 'false'])],
          ['ttl', dice.pick(['10000', '3600000'])],
        ],
        ODDNESS,
      ),
    ]);
  }
  if (dice.chance(0.15)) {
    fields.push([
      's3Config',
      objectText(
        dice,
        [
          ['accessId', '"id"'],
          ['accessSecret', '"secret"'],
          ['bucketName', '"b"'],
          ['endpointUrl', '"https://s3.example.test"'],
        ],
        ODDNESS,
      ),
    ]);
  }
  if (dice.chance(0.1)) fields.push(['webhookV2', oddValue(dice)]);
  return objectText(dice, fields, ODDNESS / 3);
}

function sketchManagement(dice: Dice, { pods, templates }: Grounds): RequestSketch {
  const sketch: RequestSketch = {
    area: 'management',
    operation: 'get-pod',
    method: 'GET',
    segments: ['v1', 'pods', pods[dice.between(0, Math.max(0, pods.length - 1))] ?? 'none'],
    query: [],
    bodyText: null,
  };
  // Each accepted update replaces workers, so updates are rarer.
  if (!dice.chance(0.12)) {
    for (const flag of [
      'includeMachine',
      'includeNetworkVolume',
      'includeSavingsPlans',
      'includeTemplate',
      'includeWorkers',
    ]) {
      if (dice.chance(0.3))
        sketch.query.push([
          flag,
          dice.chance(0.9) ? dice.pick(['true', 'false']) : dice.pick(['1', '', 'TRUE', 'yes']),
        ]);
    }
    return sketch;
  }
  const templateId = templates[dice.between(0, Math.max(0, templates.length - 1))] ?? 'none';
  const every: [string, string][] = [
    ['containerDiskInGb', '40'],
    ['containerRegistryAuthId', '"auth1"'],
    ['dockerEntrypoint', '["/bin/sh"]'],
    ['dockerStartCmd', '["-c","true"]'],
    ['env', '{"KEY":"value"}'],
    ['imageName', '"runpod/base:1"'],
    ['isPublic', 'false'],
    ['name', JSON.stringify(dice.pick(['a name', dice.word(6)]))],
    ['ports', '["8888/http","22/tcp"]'],
    ['readme', '"# Read me"'],
    ['volumeInGb', '20'],
    ['volumeMountPath', '"/workspace"'],
  ];
  const fields = every.filter(() => dice.chance(0.4));
  return {
    ...sketch,
    operation: 'update-template',
    method: 'POST',
    segments: ['v1', 'templates', templateId, 'update'],
    bodyText: objectText(dice, fields, 0.4),
  };
}

function sketchControl(dice: Dice, { endpoints }: Grounds): RequestSketch {
  const sketch: RequestSketch = {
    area: 'control',
    operation: 'stats',
    method: 'GET',
    segments: ['_sandbox', 'stats'],
    query: [],
    bodyText: null,
  };
  const since: [string, string][] = dice.chance(0.7)
    ? [['since', dice.pick(['0', '1', '1000', '-1', '1e9', '999999999999999', '99999999999999999999', 'x', ''])]]
    : [];
  switch (dice.between(0, 7)) {
    case 0:
      return { ...sketch, operation: 'requests', segments: ['_sandbox', 'requests'], query: since };
    case 1:
      return { ...sketch, operation: 'faults', segments: ['_sandbox', 'faults'] };
    case 2:
      return { ...sketch, operation: 'faults', method: 'DELETE', segments: ['_sandbox', 'faults'] };
    case 3: {
      const rule = (): string =>
        objectText(
          dice,
          [
            ['kind', dice.pick(['"status"', '"delay"', '"hang"', '"html"', '"reset"'])],
            ['operation', '"run"'],
            ['endpointId', '"echo"'],
            ['probability', '0.5'],
            ['status', '503'],
            ['delayMs', '10'],
            ['times', '2'],
          ],
          ODDNESS,
        );
      const rules = Array.from({ length: dice.between(0, 3) }, rule).join(',');
      return {
        ...sketch,
        operation: 'faults',
        method: 'PUT',
        segments: ['_sandbox', 'faults'],
        bodyText: dice.pick([
          `[${rules}]`,
          `{"faults":[${rules}]}`,
          '["status:503@0.2","kind=delay,delay=5,op=run,x"]',
          rule(),
          oddValue(dice),
        ]),
      };
    }
    case 4:
      return {
        ...sketch,
        operation: 'time-scale',
        method: dice.pick(['GET', 'PUT']),
        segments: ['_sandbox', 'time-scale'],
        bodyText: objectText(
          dice,
          [['timeScale', dice.pick(['1', '100', '10000', '0', '-5', '10001', '1e999'])]],
          ODDNESS,
        ),
      };
    case 5:
      return {
        ...sketch,
        operation: 'workers',
        method: dice.pick(['GET', 'PUT']),
        segments: ['_sandbox', 'endpoints', dice.pick(endpoints), 'workers'],
        bodyText: objectText(
          dice,
          [
            ['minWorkers', dice.pick(['0', '1'])],
            ['maxWorkers', dice.pick(['0', '1', '3'])],
            ['coldStartMs', '0'],
            ['idleTimeoutMs', '10000'],
            ['throttledWorkers', '0'],
          ],
          ODDNESS,
        ),
      };
    default:
      return { ...sketch, query: since };
  }
}
