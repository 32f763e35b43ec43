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

const options = readCliOptions(process.argv.slice(2));
if (!options.ok) stop(options.message, 2);

let sandbox: Sandbox;
try {
  sandbox = await createSandbox({
    ...options.value,
    onHandlerLog: ({ endpointId, text }) => process.stderr.write(`[${endpointId}] ${text}`),
  });
} catch (error) {
  stop(error instanceof Error ? error.message : String(error), 1);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
}

const { baseUrl, restUrl, apiKey, endpoints } = sandbox;
process.stdout.write(`${JSON.stringify({ base_url: baseUrl, rest_url: restUrl, api_key: apiKey, endpoints })}\n`);
