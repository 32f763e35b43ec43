import { parseArgs } from 'node:util';
import { DIALECTS } from './dialect.ts';
import { RUNSYNC_RETENTION_MS } from './limits.ts';
import type { SandboxOptions } from './sandbox.ts';
import type { Checked } from './queue/validation.ts';

function wholeNumber(flag: string, raw: string, min: number, max: number): Checked<number> {
  const value = Number(raw);
  if (/^\d+$/.test(raw) && value >= min && value <= max) return { ok: true, value };
  return { ok: false, message: `${flag} must be a whole number from ${min} to ${max}, not "${raw}".` };
}

/** Reads the command line (without node and the script); a refusal is one line for stderr. */
export function readCliOptions(args: readonly string[]): Checked<SandboxOptions> {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '0' },
        'api-key': { type: 'string' },
        dialect: { type: 'string', default: 'spec' },
        'sync-retention-ms': { type: 'string', default: String(RUNSYNC_RETENTION_MS.default) },
        'stream-replay': { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error) };
  }

  const port = wholeNumber('--port', values.port, 0, 65_535);
  if (!port.ok) return port;
  const syncRetentionMs = wholeNumber('--sync-retention-ms', values['sync-retention-ms'], 1, RUNSYNC_RETENTION_MS.max);
  if (!syncRetentionMs.ok) return syncRetentionMs;
  const dialect = DIALECTS.find((known) => known === values.dialect);
  if (dialect === undefined) return { ok: false, message: `--dialect must be spec or observed, not "${values.dialect}".` };
  const apiKey = values['api-key'];
  if (apiKey?.trim() === '') return { ok: false, message: '--api-key must not be empty.' };

  return {
    ok: true,
    value: {
      port: port.value,
      dialect,
      syncRetentionMs: syncRetentionMs.value,
      isStreamReplayed: values['stream-replay'],
      ...(apiKey === undefined ? {} : { apiKey }),
    },
  };
}
