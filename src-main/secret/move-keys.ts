import type { KeyPlace, KeyStorage } from '../../src-preload/connection.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { secretText } from '../messages/secret.ts';
import type { SecretStore } from './secret-store.ts';

/**
 * Chooses the place for keys, saves the choice, and moves the keys there. The failure says whether nothing was changed,
 * or how many keys are still where they were.
 */
export async function moveKeys(
  secrets: Pick<SecretStore, 'move' | 'storage'>,
  to: KeyPlace,
  savePlace: (place: KeyPlace) => Promise<Result<unknown>>,
): Promise<Result<KeyStorage>> {
  const result = await secrets.move(to, () => savePlace(to));
  if (!result.ok) return result;
  const { moved, notMoved, problem } = result.value;
  if (problem === null) return ok(secrets.storage);
  const message =
    notMoved === 0
      ? secretText.copyLeft(problem.message)
      : secretText.someNotMoved(notMoved, moved + notMoved, problem.message);
  return failed({ ...problem, message });
}
