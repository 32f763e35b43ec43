import { updatableFields } from '../../src-preload/template.ts';
import type { OutcomeDifference, Template, TemplateUpdate } from '../../src-preload/template.ts';
import type { ServiceFailure } from '../../src-preload/failure.ts';

/** Kinds of failure that say that the service took nothing. */
const refusals: ReadonlySet<ServiceFailure['kind']> = new Set<ServiceFailure['kind']>([
  'invalid',
  'unauthorized',
  'not-found',
  'too-large',
  'rate-limited',
]);

/** Whether a failed update certainly changed nothing; otherwise its outcome is not known (ruling 9). */
export function isRefusal(failure: ServiceFailure): boolean {
  return refusals.has(failure.kind) || !failure.mayHaveArrived;
}

/**
 * What a reply tells otherwise than it was asked, and what changed that nobody asked for. A field the reply leaves out
 * is only told of where it was sent. Values of variables are never in it, only their names; where the former values are
 * lost, nothing but names can be compared.
 */
export function outcomeDifferences(
  former: Template | null,
  sent: TemplateUpdate,
  reply: Template,
  isEnvLost = false,
): OutcomeDifference[] {
  return updatableFields.flatMap((field): OutcomeDifference[] => {
    const wasSent = Object.hasOwn(sent, field);
    const got = reply[field];
    if (got === undefined)
      return wasSent
        ? [{ field, asked: field === 'env' ? namesOf(sent.env) : JSON.stringify(sent[field]), got: null }]
        : [];
    if (field === 'env')
      return envDifference(wasSent ? sent.env : former?.env, reply.env, {
        wasSent,
        isNamesOnly: isEnvLost && !wasSent,
      });
    // Without a former copy nobody knows what changed besides.
    const expected = wasSent ? sent[field] : former?.[field];
    if (expected === undefined || JSON.stringify(expected) === JSON.stringify(got)) return [];
    return [{ field, asked: wasSent ? JSON.stringify(expected) : null, got: JSON.stringify(got) }];
  });
}

type Env = Template['env'];

function envDifference(
  expected: Env,
  got: Env,
  { wasSent, isNamesOnly }: { wasSent: boolean; isNamesOnly: boolean },
): OutcomeDifference[] {
  if (expected === undefined || expected === null) return [];
  const reply = got ?? {};
  const names = new Set([...Object.keys(expected), ...Object.keys(reply)]);
  const other = [...names]
    .filter((name) =>
      isNamesOnly ? Object.hasOwn(expected, name) !== Object.hasOwn(reply, name) : expected[name] !== reply[name],
    )
    .sort();
  if (other.length === 0) return [];
  const tell = (env: Record<string, string>): string =>
    other.map((name) => `${name} ${env[name] === undefined ? 'absent' : 'set'}`).join(', ');
  const told = tell(reply);
  return [
    {
      field: 'env',
      asked: wasSent ? tell(expected) : null,
      got: wasSent && told === tell(expected) ? `another value of ${other.join(', ')}` : told,
    },
  ];
}

function namesOf(env: Env): string {
  return Object.keys(env ?? {}).join(', ');
}
