import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src-renderer/commands/command.ts';
import { recentOf, withRecent } from '../../../../src-renderer/commands/recent-commands.ts';

const command = (id: string, more: Partial<Command> = {}): Command => ({
  id,
  group: 'go',
  label: id,
  icon: null,
  run: () => {},
  ...more,
});

describe('the commands that were run last', () => {
  it('are kept without a repetition, the newest first, and are 20 at most', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 40 }).map(String)), (run) => {
        const ids = run.reduce<string[]>(withRecent, []);
        expect(ids).toEqual([...new Set(run.toReversed())].slice(0, 20));
      }),
    );
  });

  it('are shown only if they exist and can be run now, and act on no job', () => {
    const commands = [
      command('go.health'),
      command('go.pods', { refusal: 'No connection' }),
      command('job.cancel', { group: 'job' }),
      command('run.new', { group: 'run' }),
    ];
    const ids = ['gone', 'job.cancel', 'go.pods', 'run.new', 'go.health'];
    expect(recentOf(commands, ids, 3).map(({ id }) => id)).toEqual(['run.new', 'go.health']);
    expect(recentOf(commands, ids, 1).map(({ id }) => id)).toEqual(['run.new']);
  });
});
