import type { CodeLanguage } from '../../src-preload/request-code.ts';
import { curlForSubmission, submissionAddress, submissionBody, type CurlParts } from './curl.ts';

/**
 * Code that submits a job's input again. The key is read from the variable JOBDECK_KEY and an s3 secret from
 * JOBDECK_S3_SECRET; neither is known here. The body is one string, so that large numbers keep their digits and nothing
 * in it is code.
 */
export function codeForSubmission(parts: CurlParts, language: CodeLanguage): string {
  switch (language) {
    case 'curl':
      return curlForSubmission(parts);
    case 'powershell':
      return powerShell(parts);
    case 'fetch':
      return fetchCode(parts);
    case 'sdk-js':
      return sdkJs(parts);
    case 'sdk-python':
      return sdkPython(parts);
  }
}

function powerShell(parts: CurlParts): string {
  const bearer = parts.authorization === 'bearer' ? 'Bearer ' : '';
  const secret = "' + ($env:JOBDECK_S3_SECRET | ConvertTo-Json).Trim('\"') + '";
  const body = `'${submissionBody(parts).map(inPowerShell).join(secret)}'`;
  return [
    `$body = ${body}`,
    'Invoke-RestMethod -Method Post `',
    `  -Uri '${inPowerShell(submissionAddress(parts))}' \``,
    `  -Headers @{ authorization = "${bearer}$env:JOBDECK_KEY" } \``,
    "  -ContentType 'application/json' `",
    '  -Body ([System.Text.Encoding]::UTF8.GetBytes($body))',
  ].join('\n');
}

/** In single quotes only they are special. PowerShell treats typographic ones in the same way. */
function inPowerShell(text: string): string {
  return text.replaceAll(/['\u2018-\u201b]/g, '$&$&');
}

/** The output of JSON.stringify is a valid string in JavaScript and in Python. */
function literal(parts: CurlParts, secret: string): string {
  return submissionBody(parts)
    .map((text) => JSON.stringify(text))
    .join(` + ${secret} + `);
}

const secretInJs = 'JSON.stringify(process.env.JOBDECK_S3_SECRET).slice(1, -1)';

function fetchCode(parts: CurlParts): string {
  const bearer = parts.authorization === 'bearer' ? 'Bearer ' : '';
  return [
    `const response = await fetch(${JSON.stringify(submissionAddress(parts))}, {`,
    "  method: 'POST',",
    '  headers: {',
    `    authorization: \`${bearer}\${process.env.JOBDECK_KEY}\`,`,
    "    'content-type': 'application/json',",
    '  },',
    `  body: ${literal(parts, secretInJs)},`,
    '});',
    'console.log(await response.json());',
  ].join('\n');
}

function sdkJs(parts: CurlParts): string {
  const request = `JSON.parse(${literal(parts, secretInJs)})`;
  const call =
    parts.operation === 'run'
      ? ['const { id } = await endpoint.run(request);', 'console.log(id);']
      : [`const result = await endpoint.runSync(request${waitArgument(parts)});`, 'console.log(result.output);'];
  return [
    "import runpodSdk from 'runpod-sdk';",
    '',
    `const runpod = runpodSdk(process.env.JOBDECK_KEY, { baseUrl: ${JSON.stringify(`${parts.baseUrl}/v2`)} });`,
    `const endpoint = runpod.endpoint(${JSON.stringify(parts.endpointId)});`,
    `const request = ${request};`,
    ...call,
  ].join('\n');
}

function waitArgument({ waitMs }: CurlParts): string {
  return waitMs === undefined || waitMs === null ? '' : `, ${waitMs}`;
}

function sdkPython(parts: CurlParts): string {
  const request = literal(parts, 'json.dumps(os.environ["JOBDECK_S3_SECRET"])[1:-1]');
  const seconds =
    parts.waitMs === undefined || parts.waitMs === null ? '' : `, timeout=${Math.ceil(parts.waitMs / 1_000)}`;
  const call =
    parts.operation === 'run'
      ? ['job = endpoint.run(request)', 'print(job.job_id)']
      : [`output = endpoint.run_sync(request${seconds})`, 'print(output)'];
  return [
    'import json',
    'import os',
    '',
    'import runpod',
    '',
    'runpod.api_key = os.environ["JOBDECK_KEY"]',
    `runpod.endpoint_url_base = ${JSON.stringify(`${parts.baseUrl}/v2`)}`,
    `endpoint = runpod.Endpoint(${JSON.stringify(parts.endpointId)})`,
    `request = json.loads(${request})`,
    ...call,
  ].join('\n');
}
