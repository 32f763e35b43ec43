import { describe, expect, it } from 'vitest';
import { readCliOptions } from '../../../src-main/sandbox/cli-options.ts';
import { BUILT_IN_ENDPOINTS, type EndpointDefinition } from '../../../src-main/sandbox/endpoint.ts';
import type { SandboxOptions } from '../../../src-main/sandbox/sandbox-options.ts';

const PLACE = {
  folder: '/home/someone',
  isFile: (path: string) => ['/home/someone/handler.mjs', '/home/someone/notes.txt'].includes(path),
  environmentKey: undefined,
  firstLine: () => 'from the input',
};

function read(...args: string[]): SandboxOptions {
  const options = readCliOptions(args, PLACE);
  if (!options.ok || options.value === 'help') throw new Error(options.ok ? 'help' : options.message);
  return options.value;
}

function endpoint(id: string, ...args: string[]): EndpointDefinition | undefined {
  return read(...args).endpoints?.find((one) => one.id === id);
}

describe('a key', () => {
  it('comes from the environment or the input, where other programs cannot read it', () => {
    const place = { ...PLACE, environmentKey: 'from the environment' };
    expect(readCliOptions([], place)).toMatchObject({ value: { apiKey: 'from the environment' } });
    expect(readCliOptions(['--api-key', '-'], place)).toMatchObject({ value: { apiKey: 'from the input' } });
    expect(readCliOptions(['--api-key', 'typed'], place)).toMatchObject({ value: { apiKey: 'typed' } });
  });
});

describe('command line options', () => {
  it('have defaults', () => {
    expect(read()).toEqual({
      port: 0,
      dialect: 'spec',
      syncRetentionMs: 60_000,
      isStreamReplayed: false,
      timeScale: 1,
      limits: 'on',
      requestsPerWorker: 0,
      faults: [],
      faultSeed: 1,
      stateFile: null,
      templateOmitted: 'reset',
      endpoints: BUILT_IN_ENDPOINTS,
    });
  });

  it.each([
    [['--port', '8080'], { port: 8_080 }],
    [['--api-key', 'k'], { apiKey: 'k' }],
    [['--dialect', 'observed'], { dialect: 'observed' }],
    [['--sync-retention-ms', '300000'], { syncRetentionMs: 300_000 }],
    [['--stream-replay'], { isStreamReplayed: true }],
    [['--time-scale', '2.5'], { timeScale: 2.5 }],
    [['--limits', 'off'], { limits: 'off' }],
    [['--limits=off'], { limits: 'off' }],
    [['--requests-per-worker', '50'], { requestsPerWorker: 50 }],
    [
      ['--fault', 'status:503@0.2', '--fault', 'hang,endpoint=echo'],
      {
        faults: [
          { kind: 'status', status: 503, probability: 0.2 },
          { kind: 'hang', endpointId: 'echo' },
        ],
      },
    ],
    [['--fault-seed', '9'], { faultSeed: 9 }],
    [['--state', 'kept.sqlite'], { stateFile: '/home/someone/kept.sqlite' }],
    [['--state', '/elsewhere/kept.sqlite'], { stateFile: '/elsewhere/kept.sqlite' }],
    [['--template-omitted', 'keep'], { templateOmitted: 'keep' }],
  ])('%j', (args, expected) => {
    expect(read(...args)).toMatchObject(expected);
  });

  it('serve a handler beside the built-in endpoints, from the folder where the command was entered', () => {
    expect(read('--handler', 'my-llm=./handler.mjs').endpoints?.map(({ id }) => id)).toEqual([
      'echo',
      'text',
      'image',
      'mock',
      'my-llm',
    ]);
    expect(endpoint('my-llm', '--handler', 'my-llm=handler.mjs')).toMatchObject({
      handler: { moduleUrl: 'file:///home/someone/handler.mjs' },
      minWorkers: 1,
      maxWorkers: 3,
    });
  });

  it('scale all endpoints, or a single one, which takes precedence', () => {
    const all = [
      '--min-workers',
      '2',
      '--max-workers',
      '4',
      '--cold-start-ms',
      '0',
      '--idle-timeout-ms',
      '500',
      '--handler',
      'own=handler.mjs',
    ];
    const scaling = { minWorkers: 2, maxWorkers: 4, coldStartMs: 0, idleTimeoutMs: 500 };
    expect(
      read(...all).endpoints?.every((one) =>
        Object.entries(scaling).every(([field, value]) =>
          Object.entries(one).some(([name, own]) => name === field && own === value),
        ),
      ),
    ).toBe(true);
    const own = ['--workers', 'own:max=8,min=1', '--workers', 'echo:cold-start-ms=7,idle-timeout-ms=9'];
    expect(endpoint('own', ...all, ...own)).toMatchObject({ ...scaling, minWorkers: 1, maxWorkers: 8 });
    expect(endpoint('echo', ...all, ...own)).toMatchObject({ ...scaling, coldStartMs: 7, idleTimeoutMs: 9 });
  });

  it('set for all endpoints how often a job is retried after its worker crashed', () => {
    expect(
      read('--crash-retries', '2', '--handler', 'own=handler.mjs').endpoints?.map(({ crashRetries }) => crashRetries),
    ).toEqual([2, 2, 2, 2, 2]);
    expect(read('--crash-retries', '0').endpoints).toEqual(BUILT_IN_ENDPOINTS);
  });

  it('are not read if help is requested', () => {
    expect(readCliOptions(['--port', 'x', '--help'], PLACE)).toEqual({ ok: true, value: 'help' });
    expect(readCliOptions(['-h'], PLACE)).toEqual({ ok: true, value: 'help' });
  });

  it.each([
    [['--nope'], /--nope/],
    [['extra'], /extra/],
    [['--port'], /--port/],
    [['--port', '65536'], /--port must be/],
    [['--port', 'x'], /--port must be/],
    [['--api-key', ''], /--api-key must not be empty/],
    [['--dialect', 'latin'], /--dialect must be spec or observed/],
    [['--sync-retention-ms', '300001'], /--sync-retention-ms must be/],
    [['--stream-replay=yes'], /--stream-replay/],
    [['--time-scale', '0.5'], /--time-scale must be a number from 1 to 10000/],
    [['--time-scale', 'fast'], /--time-scale must be/],
    [['--limits', 'none'], /--limits must be on or off/],
    [['--crash-retries', '101'], /--crash-retries must be a whole number from 0 to 100/],
    [['--requests-per-worker', '-1'], /--requests-per-worker/],
    [['--requests-per-worker', '1.5'], /--requests-per-worker must be/],
    [['--fault', 'status:9'], /--fault status:9: status of a fault must be/],
    [['--fault', 'hang,endpoint=nowhere'], /no endpoint nowhere, only echo, text, image, mock/],
    [['--fault-seed', 'x'], /--fault-seed must be/],
    [['--state', ''], /--state must name a file/],
    [['--template-omitted', 'drop'], /--template-omitted must be reset or keep/],
    [['--handler', 'handler.mjs'], /--handler is written as ID=PATH/],
    [['--handler', 'a b=handler.mjs'], /--handler is written as ID=PATH/],
    [['--handler', 'own='], /--handler is written as ID=PATH/],
    [['--handler', 'own=missing.mjs'], /there is no file \/home\/someone\/missing\.mjs/],
    [['--handler', 'own=notes.txt'], /the file of a handler ends in \.py, .*; \/home\/someone\/notes\.txt does not/],
    [['--handler', 'echo=handler.mjs'], /there is an endpoint echo already/],
    [['--min-workers', 'x'], /--min-workers must be/],
    [['--max-workers', '257'], /--max-workers must be a whole number from 0 to 256/],
    [['--min-workers', '5'], /a minimum of 5 and a maximum of 3 workers: set both/],
    [['--cold-start-ms', '1e3'], /--cold-start-ms must be/],
    [['--idle-timeout-ms', ''], /--idle-timeout-ms must be/],
    [['--workers', 'echo'], /--workers is written as ID:max=8,min=1/],
    [['--workers', 'nowhere:max=1'], /there is no endpoint nowhere/],
    [['--workers', 'echo:most=1'], /--workers echo takes min, max/],
    [['--workers', 'echo:max=many'], /--workers echo: max must be/],
  ])('%j is refused in one line', (args, expected) => {
    const options = readCliOptions(args, PLACE);
    expect(options).toMatchObject({ ok: false, message: expect.stringMatching(expected) });
    expect(options.ok ? '' : options.message).not.toContain('\n');
  });
});
