import type { Keytar } from './keychain.ts';

/**
 * Not written into the import, so that neither the type check nor the bundler needs an optional dependency to be there.
 */
const packageName = 'keytar';

/**
 * keytar, when it was installed and its native part loads on this computer; rejects otherwise.
 * It is archived upstream and optional, hence loaded only here and only when asked for.
 */
export async function loadKeytar(): Promise<Keytar> {
  const loaded: unknown = await import(/* @vite-ignore */ packageName);
  // A CommonJS package: its functions may stand on the namespace or on its default export.
  for (const candidate of [loaded, defaultOf(loaded)]) if (isKeytar(candidate)) return candidate;
  throw new Error('keytar was found without its functions');
}

function defaultOf(loaded: unknown): unknown {
  return typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : null;
}

function isKeytar(candidate: unknown): candidate is Keytar {
  if (typeof candidate !== 'object' || candidate === null) return false;
  const names = ['getPassword', 'setPassword', 'deletePassword'];
  return names.every((name) => name in candidate && typeof Reflect.get(candidate, name) === 'function');
}
