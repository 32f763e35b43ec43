import { readFile, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The ways a secret may stand somewhere: as it is, as JSON (once and twice) writes it, in an address, encoded. */
function formsOf(secret: string): Buffer[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const texts = [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(secret, 'utf8').toString('hex'),
  ];
  // Base64 of the secret as part of something longer begins at any of three places.
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), Buffer.from(secret, 'utf8')])
      .toString('base64')
      .slice(shift + 1, -4),
  );
  return [...texts, ...base64].map((text) => Buffer.from(text, 'utf8')).concat(Buffer.from(secret, 'utf16le'));
}

/** True when `where` holds the secret in any form. */
export function holds(where: Buffer | string, secret: string): boolean {
  const bytes = typeof where === 'string' ? Buffer.from(where, 'utf8') : where;
  return formsOf(secret).some((form) => bytes.includes(form));
}

/** Every file under `folder` that holds any of `secrets`, by its name there. */
export async function filesHolding(folder: string, secrets: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    if (secrets.some((secret) => holds(bytes, secret))) found.push(relative(folder, path));
  }
  return found;
}
