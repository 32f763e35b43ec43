import { describe, expect, it } from 'vitest';
import { codeForJobRequest, type JobRequestParts } from '../../../src-main/service/job-request-code.ts';
import { jobRequestOf, languagesOf } from '../../../src-preload/request-code.ts';

const parts: JobRequestParts = {
  baseUrl: 'https://queue.example.test',
  endpointId: 'w3k9',
  jobId: "a'b $x-e1",
  authorization: 'bearer',
  request: 'status',
};
const address = 'https://queue.example.test/v2/w3k9';
const codeOf = (patch: Partial<JobRequestParts>, language: Parameters<typeof codeForJobRequest>[1]): string => {
  const code = codeForJobRequest({ ...parts, ...patch }, language);
  return code.ok ? code.value : `refused: ${code.failure}`;
};

describe('a request about a job as code', () => {
  it('reads by GET, changes by POST, and never lets an id end a quote', () => {
    expect(codeOf({}, 'curl')).toBe(
      `curl -X GET '${address}/status/a%27b%20%24x-e1' \\\n  -H "authorization: Bearer $JOBDECK_KEY"`,
    );
    expect(codeOf({ request: 'cancel', jobId: 'j1' }, 'powershell')).toContain(
      `-Method Post \`\n  -Uri '${address}/cancel/j1'`,
    );
    expect(codeOf({ request: 'retry', jobId: 'j1' }, 'fetch')).toContain("method: 'POST'");
    expect(codeOf({ request: 'stream', jobId: 'j1' }, 'fetch')).toContain("method: 'GET'");
  });

  it('is written for the requests library of Python, with the key from the environment', () => {
    expect(codeOf({ request: 'cancel', jobId: 'j"1' }, 'python')).toBe(
      [
        'import os',
        '',
        'import requests',
        '',
        'response = requests.post(',
        `    "${address}/cancel/j%221",`,
        '    headers={"authorization": "Bearer " + os.environ["JOBDECK_KEY"]},',
        ')',
        'print(response.json())',
      ].join('\n'),
    );
    expect(codeOf({ authorization: 'bare' }, 'python')).toContain(
      'headers={"authorization": os.environ["JOBDECK_KEY"]},',
    );
    expect(languagesOf('retry')).toContain('python');
  });

  it('sends the bare key if the connection does', () => {
    expect(codeOf({ authorization: 'bare' }, 'curl')).toContain('"authorization: $JOBDECK_KEY"');
  });

  it('is offered only if the SDK supports it', () => {
    expect(codeOf({ request: 'stream' }, 'sdk-js')).toContain('endpoint.stream("a\'b $x-e1")');
    expect(codeOf({ request: 'retry' }, 'sdk-js')).toMatch(/^refused: /);
    expect(languagesOf('retry')).not.toContain('sdk-js');
    expect([jobRequestOf('cancel'), jobRequestOf('run')]).toEqual(['cancel', null]);
  });

  it('does not exist if the id cannot be part of an address', () => {
    expect(codeOf({ jobId: '..' }, 'curl')).toBe('refused: ".." is not an id.');
  });
});
