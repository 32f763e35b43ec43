import type { Vault } from '../secret/vault.ts';
import type { KnownSecrets } from '../secret/known-secrets.ts';
import { secretsForResults } from '../service/mask-env.ts';

/**
 * The same vault, which notes the secrets in what it seals and opens: from then on they are in memory, and no reply
 * about a job may carry them into the history. `isEnv`: its texts are the variables themselves, not replies that hold
 * some.
 */
export function learningVault(vault: Vault, known: Pick<KnownSecrets, 'add'>, isEnv: boolean): Vault {
  const learn = (json: string): void =>
    secretsForResults(json, isEnv).forEach((secret) => known.add(secret, '[secret]'));
  return {
    seal(text) {
      learn(text);
      return vault.seal(text);
    },
    async open(sealed) {
      const opened = await vault.open(sealed);
      if (opened.ok && opened.value !== null) learn(opened.value);
      return opened;
    },
    isLasting: vault.isLasting,
  };
}
