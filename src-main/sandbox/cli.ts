import { readSync, statSync } from 'node:fs';
import { readCliOptions } from './cli-options.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';

/*
 * Runs the sandbox alone: `JOBDECK_SANDBOX_KEY=K npm run -s sandbox -- --port 0`. Prints one JSON line on stdout when
 * ready, and serves until SIGINT or SIGTERM. Exit code 2: invalid command line, 1: the start failed.
 */

/** What `--help` prints. */
export const CLI_HELP = `Runs the job service of the specification on 127.0.0.1, for as long as it is left running.
Prints one JSON line when ready: base_url, rest_url, api_key, endpoints, pods, templates.

  --port N                   0, the default, takes a free port
  --api-key KEY              left out: JOBDECK_SANDBOX_KEY of the environment, else a random one; - reads it
                             from the input. The command line itself is for everybody on this computer to read
  --dialect spec|observed    answers as specified (default), or as the public service was seen to
  --time-scale X             time runs X times faster, 1 to 10000 (default 1)
  --state FILE               keeps jobs and templates over restarts (SQLite); left out: in memory

Workers
  --handler ID=PATH          serves the handler at PATH (JavaScript, TypeScript or Python) as endpoint ID, reloaded
                             on change; repeatable
  --min-workers N            for all endpoints
  --max-workers N            for all endpoints
  --cold-start-ms N          for all endpoints
  --idle-timeout-ms N        for all endpoints
  --workers ID:FIELDS        for one endpoint: max=8,min=1,cold-start-ms=500,idle-timeout-ms=9000; repeatable
  --crash-retries N          how often a job whose worker crashed goes back into the queue, 0 to 100 (default 0)

Rules of the service
  --limits on|off            the table of rate limits (default on)
  --requests-per-worker N    for the dynamic rule of the rate limits (default 0: the base limits)
  --sync-retention-ms N      how long results of runsync are kept, 1 to 300000 (default 60000)
  --stream-replay            reads of stream repeat from the first chunk instead of draining
  --template-omitted reset|keep
                             what a template update does to fields left out that have a default (default reset)

Faults
  --fault RULE               makes requests go wrong; repeatable, tried in order. For example
                             status:503@0.2
                             kind=status,status=429,retry-after=2,op=run,endpoint=echo,p=0.5,times=3,delay=200
                             html:404,from=60000,for=10000 begins after a minute and lasts ten seconds
                             status:409,processed=yes is answered once the request was done
                             kinds: status html reset hang delay invalid-json truncated-json drop-after-accept
                             deep large huge compressed (size=BYTES) late-in-progress unknown-status
                             duplicate-chunks replay-chunks drop-webhook clock-skew (skew=MS)
  --fault-seed N             the same seed gives the same run (default 1)

  --help, -h                 prints this
`;

function stop(message: string, exitCode: number): never {
  process.stderr.write(`sandbox: ${message}\n`);
  process.exit(exitCode);
}

/** The first line of the input, which may stay open: a terminal's has no end. */
function firstLine(): string {
  const byte = Buffer.alloc(1);
  const line: number[] = [];
  while (readByte(byte) && byte[0] !== 0x0a) line.push(byte[0] ?? 0);
  return Buffer.from(line).toString('utf8').trim();
}

/** False at the end of the input. */
function readByte(into: Buffer): boolean {
  for (;;)
    try {
      return readSync(0, into) === 1;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      // On Windows the end of a pipe is an error.
      if (code === 'EOF') return false;
      if (code !== 'EAGAIN') throw error;
      // Nothing was written yet.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
}

// The reader of the output may have ended (`| head`). The jobs stay.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

const environmentKey = process.env['JOBDECK_SANDBOX_KEY'];
// Handlers get the environment, and may report it.
delete process.env['JOBDECK_SANDBOX_KEY'];

const options = readCliOptions(process.argv.slice(2), {
  // npm runs scripts in the package's folder, and passes the user's folder in this variable.
  folder: process.env['INIT_CWD'] ?? process.cwd(),
  isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
  environmentKey,
  firstLine,
});
if (!options.ok) stop(options.message, 2);
if (options.value === 'help') {
  process.stdout.write(CLI_HELP);
  process.exit(0);
}

let sandbox: Sandbox;
try {
  sandbox = await createSandbox({
    ...options.value,
    onHandlerLog: ({ endpointId, jobId, line }) =>
      process.stderr.write(`[${jobId === null ? endpointId : `${endpointId} ${jobId}`}] ${line}\n`),
    onStateTrouble: (sentence) =>
      process.stderr.write(`sandbox: ${sentence ?? 'The state file is written again; nothing is missing from it.'}\n`),
  });
} catch (error) {
  const isPortTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  stop(
    isPortTaken
      ? `Port ${options.value.port} is in use: name another one, or leave --port out to take a free one.`
      : error instanceof Error
        ? error.message
        : String(error),
    1,
  );
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
}

const { baseUrl, restUrl, apiKey, endpoints, pods, templates } = sandbox;
process.stdout.write(
  `${JSON.stringify({ base_url: baseUrl, rest_url: restUrl, api_key: apiKey, endpoints, pods, templates })}\n`,
);
