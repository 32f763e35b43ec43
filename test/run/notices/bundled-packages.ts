import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** A package that a bundle contains code or files of. */
export interface BundledPackage {
  name: string;
  version: string;
  /** Its installation folder. */
  folder: string;
}

/**
 * Writes the folders of all packages that are part of a bundle to the file `path`, for bundledPackages() to read after
 * the build.
 */
export function noteBundledPackages(path: string): Plugin {
  const folders = new Set<string>();
  return {
    name: 'note-bundled-packages',
    // Files that become no code appear only here: styles and the fonts they name.
    transform(_code, id) {
      if (!/\.css(\?|$)/.test(id)) return;
      const folder = packageFolder(id);
      if (folder !== null) folders.add(folder);
    },
    generateBundle(_options, output) {
      for (const part of Object.values(output)) {
        if (part.type !== 'chunk') continue;
        for (const id of part.moduleIds) {
          const folder = packageFolder(id);
          if (folder !== null) folders.add(folder);
        }
      }
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify([...folders].sort(), null, 2));
    },
  };
}

/** The folder of the package that a module is in. Null for a module of the project or of the bundler. */
export function packageFolder(id: string): string | null {
  return /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/'))?.[1] ?? null;
}

/** The packages that the last build noted in this folder, each once. Errors: throws if nothing is built. */
export function bundledPackages(notesFolder: string): BundledPackage[] {
  const folders = new Set<string>(
    readdirSync(notesFolder).flatMap((file) => {
      const noted: string[] = JSON.parse(readFileSync(join(notesFolder, file), 'utf8'));
      return noted;
    }),
  );
  return [...folders].map(packageAt).sort((one, other) => one.name.localeCompare(other.name));
}

/** The package that is installed in this folder. */
export function packageAt(folder: string): BundledPackage {
  const { name, version }: { name: string; version: string } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  return { name, version, folder };
}
