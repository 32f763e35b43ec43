import { bodyBytes } from './json-text.ts';
import type { Dice } from './dice.ts';
import type { FuzzRequest, RequestOptions } from './fuzz-request.ts';
import { garbage, misframed } from './misframed-requests.ts';
import { addOddHeaders, mutatedTarget, spoilAuthorization, spoilHost } from './mutations.ts';
import { sketchRequest, targetOf } from './valid-requests.ts';
import { cut, write, type Header } from './wire.ts';

/** One request, valid or mutated; the same for the same dice and grounds. */
export function makeRequest(dice: Dice, options: RequestOptions): FuzzRequest {
  const kind = dice.between(0, 99);
  if (kind < 4) return garbage(dice, options);
  if (kind < 14) return misframed(dice, options);
  if (kind < 17) return burst(dice, options);
  return wellFramed(dice, options, dice.chance(0.7));
}

function wellFramed(dice: Dice, options: RequestOptions, isMutated: boolean): FuzzRequest {
  const { number, area, grounds, apiKey, port } = options;
  const sketch = sketchRequest(dice, area, grounds);
  const endpointId = sketch.segments[1] ?? '';
  const headers: Header[] = [
    ['host', `127.0.0.1:${port}`],
    ['authorization', `Bearer ${apiKey}`],
  ];
  let mustBeRefused = false;
  let body = sketch.bodyText === null ? null : bodyBytes(dice, sketch.bodyText, isMutated ? 0.12 : 0);
  if (body !== null) headers.push(['content-type', 'application/json']);
  let target = targetOf(sketch);
  if (isMutated) {
    if (dice.chance(0.15))
      sketch.method = dice.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'HEAD']);
    if (dice.chance(0.3)) target = mutatedTarget(dice, sketch, apiKey);
    if (dice.chance(0.12)) mustBeRefused = spoilAuthorization(dice, headers, area, apiKey);
    if (dice.chance(0.06)) mustBeRefused = spoilHost(dice, headers) || mustBeRefused;
    if (dice.chance(0.3)) addOddHeaders(dice, headers, apiKey);
    if (body === null && dice.chance(0.15)) body = bodyBytes(dice, '{"input":{}}', 0.3);
  }
  const isExpecting = headers.some(([name]) => name === 'expect');
  const bytes = write(dice, sketch.method, target, headers, body, isMutated && dice.chance(0.2));
  return {
    number,
    area,
    operation: sketch.operation,
    method: sketch.method,
    endpointId,
    form: isExpecting || sketch.method === 'HEAD' || sketch.method === 'TRACE' ? 'closing' : 'kept',
    pieces: dice.chance(0.1) ? cut(dice, bytes) : [bytes],
    answers: 1,
    ending: 'open',
    mustBeRefused,
  };
}

/** Several whole requests in one write. */
function burst(dice: Dice, options: RequestOptions): FuzzRequest {
  const requests = Array.from({ length: dice.between(2, 6) }, () => wellFramed(dice, options, false));
  const [first] = requests;
  return {
    number: options.number,
    area: options.area,
    operation: first?.operation ?? '',
    method: 'POST',
    endpointId: first?.endpointId ?? '',
    form: 'burst',
    pieces: [Buffer.concat(requests.flatMap(({ pieces }) => pieces))],
    answers: requests.length,
    ending: 'open',
    mustBeRefused: false,
  };
}
