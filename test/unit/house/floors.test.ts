import { describe, expect, it } from 'vitest';
import { buildings, misplaced, type Building } from '../../run/house/floors.ts';

const small: Building = {
  folder: 'src',
  parts: { ground: [], upper: ['ground'], beside: ['ground'], 'top.ts': ['upper'] },
};
const standing = [
  { path: 'src/ground/a.ts', imports: ['src/ground/b.ts', 'other/x.ts'] },
  { path: 'src/upper/deep/a.ts', imports: ['src/ground/a.ts'] },
  { path: 'src/beside/a.ts', imports: [] },
  { path: 'src/top.ts', imports: ['src/upper/deep/a.ts'] },
];

describe('the floors of a folder', () => {
  it('let a part import itself, what its line names, and everything outside the folder', () => {
    expect(misplaced(standing, small)).toEqual([]);
  });

  it('refuse an import upwards, beside, or past what the line names', () => {
    const files = standing.concat(
      { path: 'src/ground/up.ts', imports: ['src/upper/deep/a.ts'] },
      { path: 'src/upper/side.ts', imports: ['src/beside/a.ts'] },
    );
    expect(misplaced(files, small)).toEqual([
      'src/ground/up.ts -> src/upper/deep/a.ts',
      'src/upper/side.ts -> src/beside/a.ts',
    ]);
  });

  it('refuse a new folder without a line, and a line whose folder is gone', () => {
    const files = standing.slice(1).concat({ path: 'src/new/a.ts', imports: [] });
    expect(misplaced(files, small)).toEqual(['src/new: not in the table', 'src/ground: only in the table']);
  });

  it('refuse a line that names a part below it', () => {
    const turned: Building = { folder: 'src', parts: { ...small.parts, ground: ['upper'] } };
    expect(misplaced(standing, turned)).toEqual(['src/ground: stands on upper, which is not above it in the table']);
  });

  it.each([
    ['src-main/job/thing.ts', 'src-main/history/history.ts', true],
    ['src-main/job/thing.ts', 'src-main/service/reply.ts', true],
    ['src-main/job/thing.ts', 'src-main/connection/connections.ts', false],
    ['src-main/job/schedule/thing.ts', 'src-main/connection/connections.ts', false],
    ['src-main/job/schedule/thing.ts', 'src-main/job/forecast/forecasts.ts', true],
    ['src-main/alerts/thing.ts', 'src-main/health/diagnosis/diagnose.ts', false],
    ['src-main/notifications/thing.ts', 'src-main/alerts/rules.ts', false],
    ['src-main/history/thing.ts', 'src-main/sandbox/sandbox.ts', false],
    ['src-main/log.ts', 'src-main/secret/vault.ts', false],
    ['src-main/sandbox/thing.ts', 'src-main/service/http.ts', false],
    ['src-renderer/design/thing.ts', 'src-renderer/data/jobs-store.ts', false],
    ['src-renderer/data/thing.ts', 'src-renderer/design/button.tsx', true],
    ['src-renderer/data/thing.ts', 'src-renderer/navigation/go.ts', false],
    ['src-renderer/data/thing.ts', 'src-renderer/json/json-view.tsx', false],
    ['src-renderer/navigation/thing.ts', 'src-renderer/data/jobs-store.ts', true],
    ['src-renderer/navigation/thing.ts', 'src-renderer/compare/compare.tsx', false],
    ['src-renderer/composer/bulk/thing.ts', 'src-renderer/navigation/go.ts', true],
    ['src-renderer/composer/bulk/thing.ts', 'src-renderer/windows/sidebar.tsx', false],
    ['src-renderer/jobs/thing.ts', 'src-renderer/commands/keyboard.ts', false],
    ['src-renderer/commands/thing.ts', 'src-renderer/jobs/row-actions.ts', true],
    ['src-renderer/commands/thing.ts', 'src-renderer/windows/sidebar.tsx', false],
    ['src-renderer/windows/thing.ts', 'src-renderer/commands/keyboard.ts', true],
  ])('%s may import %s: %s', (path, imported, isAllowed) => {
    const refused = buildings.flatMap((building) => misplaced([{ path, imports: [imported] }], building));
    expect(refused.includes(`${path} -> ${imported}`)).toBe(!isAllowed);
  });
});
