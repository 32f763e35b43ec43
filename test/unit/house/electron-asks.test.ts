import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../kit/electron-binary.ts';

const read = (path: string): string => readFileSync(join(projectDir, path), 'utf8');
const names = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '');

const [, answers = ''] = read('test/electron-stand-in/real-electron-recorder.cjs').split('jobdeckRecorder = {');
/** What real Electron can be asked. */
const recorded = new Set(names(answers, /^ {2}(\w+)(?=[:(])/gm));

/** What a spec asks before anything in it says that it runs on the stand-in alone. */
function unguarded(spec: string): string[] {
  const [, ...tests] = spec.split(/^ *test\(/m);
  return tests.flatMap((body) => {
    const [free = ''] = body
      .replaceAll(/^( *)if \(.*kind === 'stand-in'.*\) \{\n[\s\S]*?\n\1\}/gm, '')
      .replaceAll(/^.*kind === 'stand-in'.*$/gm, '')
      .split(/kind !== 'stand-in'(?:,|\) return|.*\) return)/);
    return names(free, /\bask\('(\w+)'/g);
  });
}

describe('requests of specs to the app', () => {
  it('work with real Electron too, or the spec says that it needs the stand-in', () => {
    const folder = join(projectDir, 'test', 'e2e');
    const missing = readdirSync(folder)
      .filter((file) => file.endsWith('.spec.ts'))
      .flatMap((file) =>
        unguarded(read(`test/e2e/${file}`))
          .filter((name) => !recorded.has(name))
          .map((name) => `${file}: ${name}`),
      );
    expect(missing).toEqual([]);
  });

  it('by the app’s own methods are answered by real Electron', () => {
    const asked = names(read('test/kit/launch.ts'), /=> ask\('(\w+)'/g);
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.filter((name) => !recorded.has(name))).toEqual([]);
  });

  it('are reported where a guard is missing', () => {
    expect(unguarded("test('a', async () => {\n  await app.ask('crashWindow', 1);\n});")).toEqual(['crashWindow']);
    const guarded =
      "test('a', async () => {\n  test.skip(app.kind !== 'stand-in', why);\n  await app.ask('x', 1);\n});";
    expect(unguarded(guarded)).toEqual([]);
  });
});
