import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { benches, benchList } from '../../bench/benches.ts';

/** Files of the folder that are no benches. */
const others = ['benches.ts', 'run.ts'];

it('lists every bench with what it measures', () => {
  const files = readdirSync(new URL('../../bench', import.meta.url)).filter((name) => name.endsWith('.ts'));
  const names = files.filter((name) => !others.includes(name)).map((name) => name.slice(0, -'.ts'.length));
  expect(Object.keys(benches).toSorted()).toEqual(names.toSorted());
});

it('says how long a bench takes where that is known', () => {
  expect(benchList().split('\n')).toContain(
    '  idle           processor time and timers of the built app while no job is active (over three minutes)',
  );
});
