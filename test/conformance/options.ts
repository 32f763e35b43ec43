import { parseArgs } from 'node:util';
import type { Rule } from './rule.ts';
import { RULES, selectRules } from './rules/index.ts';
import type { Dialect } from './service.ts';

export interface SuiteOptions {
  baseUrl: string;
  restUrl: string;
  apiKey: string;
  endpoint: string;
  otherEndpoint: string | null;
  dialect: Dialect;
  timeScale: number;
  maxWaitS: number;
  pods: string[];
  templates: string[];
  rules: readonly Rule[];
  isJson: boolean;
}

export type Parsed =
  | { kind: 'run'; options: SuiteOptions }
  | { kind: 'list'; rules: readonly Rule[]; isJson: boolean }
  | { kind: 'help' }
  | { kind: 'refused'; message: string };

export const HELP = `Checks a service against every rule of the specification, one line per rule:
pass, fail or not observable. Exit 0: nothing failed, 1: something failed, 2: the command line.

  --base-url URL       where the queue interface is; a slash or /v2 at its end is taken off
  --rest-url URL       where the management interface is; a slash or /v1 at its end is taken off
                       (default: the base URL)
  --api-key KEY        the key for both; left out: JOBDECK_KEY of the environment; - reads it from the input.
                       The command line itself is for everybody on this computer to read
  --endpoint ID        the endpoint that is used; it should have no other jobs
  --other-endpoint ID  a second one, for the rules that two are apart
  --dialect D          spec (default) or observed
  --time-scale X       how many times faster than this machine's clock the service's time runs (default 1)
  --max-wait-s N       the longest that one rule may wait, in real seconds (default 90)
  --pod ID,...         pods that are read
  --template ID,...    templates that are read and changed; the first is put back where a pod shows it
  --only RULE,...      these rules, or all whose names begin so: auth,run.policy
  --list               lists the rules and runs none
  --json               one JSON object per line instead of text
`;

function listed(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** An address without spaces, slashes and the version at its end (ruling 28); null where it is none. */
function addressOf(typed: string, version: 'v1' | 'v2'): string | null {
  const text = typed.trim();
  if (!/^https?:\/\//i.test(text) || /[?#]/.test(text) || !URL.canParse(text)) return null;
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname.replace(new RegExp(`(?:/+${version})*/*$`), '')}`;
}

/** Where a key may come from besides the command line. */
interface KeySource {
  environmentKey: string | undefined;
  firstLine(): string;
}

/** Reads the command line (without node and the script); a refusal is one sentence. */
export function parseOptions(args: readonly string[], source: KeySource): Parsed {
  const refused = (message: string): Parsed => ({ kind: 'refused', message });
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        'base-url': { type: 'string' },
        'rest-url': { type: 'string' },
        'api-key': { type: 'string' },
        endpoint: { type: 'string' },
        'other-endpoint': { type: 'string' },
        dialect: { type: 'string', default: 'spec' },
        'time-scale': { type: 'string', default: '1' },
        'max-wait-s': { type: 'string', default: '90' },
        pod: { type: 'string' },
        template: { type: 'string' },
        only: { type: 'string' },
        list: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    return refused(error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error));
  }
  if (values.help) return { kind: 'help' };

  const only = listed(values.only);
  const unknown = only.filter((name) => selectRules([name]).length === 0);
  if (unknown.length > 0) return refused(`There is no rule ${unknown.join(', ')}; --list shows them all.`);
  const rules = values.only === undefined ? RULES : selectRules(only);
  if (values.list) return { kind: 'list', rules, isJson: values.json };

  for (const name of ['base-url', 'endpoint'] as const) {
    if ((values[name] ?? '').trim() === '') return refused(`--${name} is needed.`);
  }
  const typedKey = values['api-key'] ?? source.environmentKey ?? '';
  const apiKey = (typedKey === '-' ? source.firstLine() : typedKey).trim();
  if (apiKey === '') return refused('--api-key or JOBDECK_KEY is needed.');
  const baseUrl = addressOf(values['base-url'] ?? '', 'v2');
  if (baseUrl === null) return refused('--base-url must be an http or https URL, without a query.');
  const restUrl = addressOf(values['rest-url'] ?? baseUrl, 'v1');
  if (restUrl === null) return refused('--rest-url must be an http or https URL, without a query.');
  const { dialect } = values;
  if (dialect !== 'spec' && dialect !== 'observed')
    return refused(`--dialect must be spec or observed, not "${dialect}".`);
  const timeScale = Number(values['time-scale']);
  if (!(timeScale >= 1 && timeScale <= 10_000)) return refused('--time-scale must be a number from 1 to 10000.');
  const maxWaitS = Number(values['max-wait-s']);
  if (!(maxWaitS >= 0 && maxWaitS <= 604_800))
    return refused('--max-wait-s must be a number of seconds from 0 to 604800.');

  return {
    kind: 'run',
    options: {
      baseUrl,
      restUrl,
      apiKey,
      endpoint: values.endpoint ?? '',
      otherEndpoint: values['other-endpoint'] ?? null,
      dialect,
      timeScale,
      maxWaitS,
      pods: listed(values.pod),
      templates: listed(values.template),
      rules,
      isJson: values.json,
    },
  };
}
