import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { binPathOf } from '../../src-main/history/bin/bin.ts';
import { indexPathOf } from '../../src-main/history/file/index-file.ts';

/** The forms in which a secret may appear: unchanged, in JSON (once and twice), in an address, encoded. */
function formsOf(secret: string): Buffer[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const texts = [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(secret, 'utf8').toString('hex'),
  ];
  // In base64, a secret that is part of a longer text begins at any of three offsets.
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), Buffer.from(secret, 'utf8')])
      .toString('base64')
      .slice(shift + 1, -4),
  );
  const forAddresses = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [...texts, ...base64, ...forAddresses]
    .map((text) => Buffer.from(text, 'utf8'))
    .concat(Buffer.from(secret, 'utf16le'));
}

/** Whether `where` contains the secret in any form. */
export function holds(where: Buffer | string, secret: string): boolean {
  const bytes = typeof where === 'string' ? Buffer.from(where, 'utf8') : where;
  return formsOf(secret).some((form) => bytes.includes(form));
}

/** The names of all files under `folder` that contain any of `secrets`. */
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

const zstdMark = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/**
 * Every column of a history, of its search index and, if there is one, of its bin that contains any of `secrets`, read back from the tables.
 * Compressed values are unpacked, and each indexed word is checked. For databases that are not open.
 */
export function columnsHolding(historyPath: string, secrets: readonly string[]): string[] {
  const paths = [historyPath, indexPathOf(historyPath), binPathOf(historyPath)];
  return paths.filter((path) => existsSync(path)).flatMap((path) => columnsIn(path, secrets));
}

function columnsIn(path: string, secrets: readonly string[]): string[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const found = new Set<string>();
    const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
    for (const { name } of tables) {
      const table = String(name);
      const rows = db.prepare(`SELECT * FROM "${table}"`);
      rows.setReadBigInts(true);
      for (const row of rows.iterate())
        for (const [column, value] of Object.entries(row))
          if (secrets.some((secret) => holds(unpacked(value), secret))) found.add(`${table}.${column}`);
      if (table === 'search' && indexedWords(db).some((word) => longWordsOf(secrets).some((one) => word.includes(one))))
        found.add('search.words');
    }
    return [...found];
  } finally {
    db.close();
  }
}

function indexedWords(db: DatabaseSync): string[] {
  db.exec("CREATE VIRTUAL TABLE temp.terms USING fts5vocab (main, 'search', 'row')");
  return db
    .prepare('SELECT term FROM temp.terms')
    .all()
    .map(({ term }) => String(term));
}

/** Words that are long enough to be unique, in the index's normal form. */
function longWordsOf(secrets: readonly string[]): string[] {
  return secrets.flatMap((secret) => secret.toLowerCase().match(/[a-z0-9]{12,}/g) ?? []);
}

function unpacked(value: unknown): Buffer {
  if (!(value instanceof Uint8Array)) return Buffer.from(String(value), 'utf8');
  const bytes = Buffer.from(value);
  return bytes.subarray(0, zstdMark.length).equals(zstdMark) ? zstdDecompressSync(bytes) : bytes;
}
