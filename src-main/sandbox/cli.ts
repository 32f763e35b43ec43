import { statSync } from 'node:fs';
import { CLI_HELP } from './cli-help.ts';
import { readCliOptions } from './cli-options.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';

/**
 * Runs the sandbox alone: `npm run -s sandbox -- --port 0 --api-key K`. Prints one JSON line on
 * stdout when ready and serves until SIGINT or SIGTERM. Exit 2: the command line, 1: the start.
 */

function stop(message: string, exitCode: number): never {
  process.stderr.write(`sandbox: ${message}\n`);
  process.exit(exitCode);
}

const options = readCliOptions(process.argv.slice(2), {
  // npm runs scripts in the folder of the package, and names the one that the command was typed in.
  folder: process.env['INIT_CWD'] ?? process.cwd(),
  isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
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
