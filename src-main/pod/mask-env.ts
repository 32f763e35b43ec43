import { hiddenValue } from '../../src-preload/pod-look.ts';

/** Names under which replies carry variables: `env`, and what other services of the kind call it. */
const envName = /^env(?:s|ironment)?(?:[-_ ]?var(?:iable)?s?)?$/i;

/** Whether a field of this name holds variables, whose values may be secrets (field notes: env of pods and workers). */
export function isEnvName(name: string): boolean {
  return envName.test(name);
}

const token = /"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:]/g;

/** What is open now: an object or array, whether all in it is hidden, and the key that the next value belongs to. */
interface Level {
  isObject: boolean;
  isHidden: boolean;
  key: string | null;
}

/**
 * The JSON text with every value inside an `env` hidden, at any depth and whatever its form; names, everything else and
 * the spelling of both stay as they came. Works on the text, so that doubled keys cannot carry one past. Takes valid JSON.
 */
export function maskEnv(json: string): string {
  const levels: Level[] = [];
  let isEnvNext = false;
  return json.replaceAll(token, (part) => {
    const level = levels.at(-1);
    const isHidden = level?.isHidden === true || isEnvNext;
    switch (part) {
      case '{':
      case '[':
        levels.push({ isObject: part === '{', isHidden, key: null });
        isEnvNext = false;
        return part;
      case '}':
      case ']':
        levels.pop();
        return part;
      case ',':
        if (level !== undefined) level.key = null;
        return part;
      case ':':
        return part;
      default:
    }
    if (level?.isObject === true && level.key === null) {
      level.key = decoded(part);
      isEnvNext = !level.isHidden && isEnvName(level.key);
      return part;
    }
    isEnvNext = false;
    // Null is no value: that a variable or all of env is not set is worth seeing.
    return isHidden && part !== 'null' ? JSON.stringify(hiddenValue) : part;
  });
}

/** Every value that `maskEnv` would hide, as plain text: for the log to hide as well. Takes valid JSON. */
export function envValues(json: string): string[] {
  const values: string[] = [];
  const walk = (value: unknown, isHidden: boolean): void => {
    if (typeof value !== 'object' || value === null) {
      if (isHidden && (typeof value === 'string' || typeof value === 'number')) values.push(String(value));
      return;
    }
    for (const [name, member] of Object.entries(value)) walk(member, isHidden || (!Array.isArray(value) && isEnvName(name)));
  };
  const value: unknown = JSON.parse(json);
  walk(value, false);
  return values;
}

function decoded(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}
