import { mustBeAccepted, mustBeRefused } from '../answers.ts';
import { rule, type Rule } from '../rule.ts';

const MIB = 2 ** 20;
const limits = [
  { operation: 'run', mib: 10 },
  { operation: 'runsync', mib: 20 },
] as const;

/** A submission of exactly this many bytes. */
function bodyOf(bytes: number): Buffer {
  const start = '{"input":{"mock_return":1,"padding":"';
  const end = '"}}';
  const body = Buffer.alloc(bytes, 'x');
  body.write(start, 0, 'utf8');
  body.write(end, bytes - end.length, 'utf8');
  return body;
}

/** How large a submission may be (spec: Limits; ruling 16: measured in 2^20 bytes, refused with 400). */
export const payloadRules: readonly Rule[] = limits.flatMap(({ operation, mib }) => [
  rule(
    {
      id: `payload.${operation}.at-limit`,
      says: `${operation} accepts a body of ${mib} MB.`,
      source: 'spec: Limits, ruling 16',
    },
    async (service) => {
      const answer = await service.call(operation, { body: bodyOf(mib * MIB) });
      mustBeAccepted(answer, `${operation} with ${mib} MB`);
    },
  ),
  rule(
    {
      id: `payload.${operation}.over`,
      says: `${operation} refuses a body of one byte more than ${mib} MB.`,
      source: 'spec: Limits, ruling 16',
    },
    async (service) => {
      const answer = await service.call(operation, { body: bodyOf(mib * MIB + 1) });
      mustBeRefused(answer, 400, `${operation} with one byte more than ${mib} MB`);
    },
  ),
  rule(
    {
      id: `payload.${operation}.over.closing`,
      says: `A client of ${operation} that closes its connection with the answer sees the refusal, too.`,
      source: 'spec: Limits, ruling 6',
    },
    async (service) => {
      const answer = await service.call(operation, { body: bodyOf(2 * mib * MIB), headers: { connection: 'close' } });
      mustBeRefused(answer, 400, `${operation} with ${2 * mib} MB and connection: close`);
    },
  ),
  rule(
    {
      id: `payload.${operation}.announced`,
      says: `${operation} refuses a body that is announced too large without reading it.`,
      source: 'ruling 16',
    },
    async (service) => {
      const { http, bearer } = service;
      const headers = { authorization: bearer, 'content-type': 'application/json' };
      const open = http.startUpload(
        { method: 'POST', url: service.address(operation), headers },
        500 * MIB,
        Buffer.from('{'),
      );
      mustBeRefused(await open.answer.finally(() => open.drop()), 400, `${operation} announcing 500 MB`);
    },
  ),
]);
