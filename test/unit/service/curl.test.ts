import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curlForSubmission } from '../../../src-main/service/curl.ts';
import type { CurlParts } from '../../../src-main/service/curl.ts';
import { buildSubmissionBody } from '../../../src-main/service/submission-body.ts';

const parts: CurlParts = {
  baseUrl: 'https://queue.example.test',
  endpointId: 'w3k9',
  operation: 'run',
  authorization: 'bearer',
  inputText: '{"a":1}',
};

/**
 * A stand-in for curl that prints its arguments, and its input when it is asked for. The shell that runs it is real.
 */
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobdeck-curl-'));
  writeFileSync(
    join(folder, 'curl'),
    '#!/bin/sh\nfor arg in "$@"; do printf "%s\\0" "$arg"; done\n[ "$arg" != "@-" ] || cat\n',
    { mode: 0o755 },
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What curl gets when a shell runs the command. */
function given(command: string): { args: string[]; input: string } {
  const printed = execFileSync('/bin/sh', {
    input: command,
    env: { PATH: `${folder}:${process.env['PATH'] ?? ''}`, JOBDECK_KEY: 'the-key', JOBDECK_S3_SECRET: 'the-secret' },
    encoding: 'utf8',
    maxBuffer: 10_000_000,
  }).split('\0');
  return { args: printed.slice(0, -1), input: printed.at(-1) ?? '' };
}

describe('the curl command', () => {
  it('reads as the composer shows it, with the key as a variable', () => {
    expect(curlForSubmission({ ...parts, operation: 'runsync', waitMs: 120_000 })).toBe(
      'curl -X POST \'https://queue.example.test/v2/w3k9/runsync?wait=120000\' \\\n  -H "authorization: Bearer $JOBDECK_KEY" \\\n  -H \'content-type: application/json\' \\\n  --data-binary \'{"input":{"a":1}}\'',
    );
    expect(curlForSubmission({ ...parts, authorization: 'bare' })).toContain('-H "authorization: $JOBDECK_KEY"');
  });

  it('passes exactly the method, address, headers and body to curl, in a real shell', () => {
    expect(given(curlForSubmission({ ...parts, endpointId: "a'b $(id)" }))).toEqual({
      args: [
        '-X',
        'POST',
        "https://queue.example.test/v2/a'b%20%24(id)/run",
        '-H',
        'authorization: Bearer the-key',
        '-H',
        'content-type: application/json',
        '--data-binary',
        '{"input":{"a":1}}',
      ],
      input: '',
    });
  });

  it('keeps any text safe from the shell', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme' }),
          fc
            .array(fc.constantFrom("'", '"', '$HOME', '`id`', '\\', '\n', '!', '$(id)', ' ', '%', 'JOBDECK_BODY'))
            .map((texts) => texts.join('')),
        ),
        (text) => {
          const inputText = JSON.stringify({ text }, null, 2);
          expect(given(curlForSubmission({ ...parts, inputText })).args.at(-1)).toBe(
            buildSubmissionBody({ inputText }),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  it('passes a long body by a here-document, unchanged', () => {
    const inputText = JSON.stringify({ text: `${'x'.repeat(150_000)} $HOME \`id\` \\ 'q' \n` }, null, 2);
    const { args, input } = given(curlForSubmission({ ...parts, inputText }));
    expect(args.at(-1)).toBe('@-');
    expect(input).toBe(`${buildSubmissionBody({ inputText })}\n`);
  });

  it.each(['{"a":1}', JSON.stringify({ text: 'x'.repeat(150_000) })])(
    'names a variable for the s3 secret',
    (inputText) => {
      const command = curlForSubmission({ ...parts, inputText, s3Config: { accessId: 'id', bucketName: 'b' } });
      const { args, input } = given(command);
      expect(JSON.parse(input === '' ? (args.at(-1) ?? '') : input)).toMatchObject({
        s3Config: { accessId: 'id', accessSecret: 'the-secret', bucketName: 'b' },
      });
      expect(command).not.toContain('the-secret');
    },
  );
});
