import type { AuthorizationForm } from '../../src-preload/connection.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { languagesOf, type JobRequest, type JobRequestLanguage } from '../../src-preload/request-code.ts';
import { addressOf } from './address.ts';
import { requestCodeText } from '../messages/service/requests.ts';

/** What the code of a request about an accepted job is made of. */
export interface JobRequestParts {
  baseUrl: string;
  endpointId: string;
  jobId: string;
  authorization: AuthorizationForm;
  request: JobRequest;
}

/**
 * A request about a job as code. The key is read from the variable JOBDECK_KEY; it is not known here. Returns a
 * sentence if an id cannot be in an address, or the language has no such request.
 */
export function codeForJobRequest(parts: JobRequestParts, language: JobRequestLanguage): Result<string, string> {
  const { baseUrl, endpointId, jobId, request } = parts;
  const url = addressOf(baseUrl, ['v2', endpointId, request, jobId]);
  if (!url.ok) return failed(url.failure);
  if (!languagesOf(request).includes(language)) return failed(requestCodeText.notInLanguage(request));
  const { href } = url.value;
  const method = request === 'cancel' || request === 'retry' ? 'POST' : 'GET';
  const bearer = parts.authorization === 'bearer' ? 'Bearer ' : '';
  switch (language) {
    case 'curl':
      return ok(`curl -X ${method} '${href.replaceAll("'", '%27')}' \\\n  -H "authorization: ${bearer}$JOBDECK_KEY"`);
    case 'powershell':
      return ok(
        [
          `Invoke-RestMethod -Method ${method === 'POST' ? 'Post' : 'Get'} \``,
          `  -Uri '${href.replaceAll("'", '%27')}' \``,
          `  -Headers @{ authorization = "${bearer}$env:JOBDECK_KEY" }`,
        ].join('\n'),
      );
    case 'fetch':
      return ok(
        [
          `const response = await fetch(${JSON.stringify(href)}, {`,
          `  method: '${method}',`,
          `  headers: { authorization: \`${bearer}\${process.env.JOBDECK_KEY}\` },`,
          '});',
          'console.log(await response.json());',
        ].join('\n'),
      );
    case 'python':
      return ok(
        [
          'import os',
          '',
          'import requests',
          '',
          `response = requests.${method.toLowerCase()}(`,
          `    ${JSON.stringify(href)},`,
          `    headers={"authorization": ${bearer === '' ? '' : '"Bearer " + '}os.environ["JOBDECK_KEY"]},`,
          ')',
          'print(response.json())',
        ].join('\n'),
      );
    case 'sdk-js':
      return ok(sdkJs(parts));
  }
}

function sdkJs({ baseUrl, endpointId, jobId, request }: JobRequestParts): string {
  const id = JSON.stringify(jobId);
  return [
    "import runpodSdk from 'runpod-sdk';",
    '',
    `const runpod = runpodSdk(process.env.JOBDECK_KEY, { baseUrl: ${JSON.stringify(`${baseUrl}/v2`)} });`,
    `const endpoint = runpod.endpoint(${JSON.stringify(endpointId)});`,
    request === 'stream'
      ? `for await (const chunk of endpoint.stream(${id})) console.log(chunk);`
      : `console.log(await endpoint.${request}(${id}));`,
  ].join('\n');
}
