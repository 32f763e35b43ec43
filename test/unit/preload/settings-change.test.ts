import { describe, expect, test } from 'vitest';
import { withSettingsChange, type SettingsChange } from '../../../src-preload/settings-change.ts';
import { settingsChange } from '../../../src-preload/settings-change-schema.ts';
import { settingsDefaults, type Settings } from '../../../src-preload/settings.ts';

/** The settings after changes, each of which main would accept. */
function after(now: Settings, ...changes: SettingsChange[]): Settings {
  for (const change of changes) expect(settingsChange.parse(change)).toEqual(change);
  return changes.reduce(withSettingsChange, now);
}

const tag = (name: string) => ({ kind: 'tag', tag: name }) as const;
const asAbove = { completed: null, failed: null, timedOut: null, alerts: null };

describe('the rules of notification', () => {
  const add = (name: string, place: number | null = null): SettingsChange => ({
    notify: { kind: 'add', of: tag(name), cells: asAbove, place },
  });
  const three = after(settingsDefaults, add('a'), add('b'), add('c'));
  const tags = ({ notify }: Settings): string[] => notify.rows.map(({ of }) => (of.kind === 'tag' ? of.tag : '?'));

  test('are added once, at the end or at their former place', () => {
    expect(tags(three)).toEqual(['a', 'b', 'c']);
    expect(tags(after(three, add('A'), add('d', 1)))).toEqual(['a', 'd', 'b', 'c']);
  });

  test('are moved before another one or to the end, and stay where they are if that one is gone', () => {
    const move = (of: string, before: string | null): SettingsChange => ({
      notify: { kind: 'move', of: tag(of), before: before === null ? null : tag(before) },
    });
    expect(tags(after(three, move('c', 'a')))).toEqual(['c', 'a', 'b']);
    expect(tags(after(three, move('a', null)))).toEqual(['b', 'c', 'a']);
    expect(tags(after(three, move('c', 'gone'), move('gone', 'a')))).toEqual(['a', 'b', 'c']);
  });

  test('are chosen cell by cell, and deleted', () => {
    const changed = after(
      three,
      { notify: { kind: 'choose', of: tag('b'), cells: { failed: 'with-sound' } } },
      { notify: { kind: 'choose', of: tag('b'), cells: { completed: 'off' } } },
      { notify: { kind: 'choose-for-all', choices: { alerts: 'off' } } },
      { notify: { kind: 'remove', of: tag('a') } },
    );
    expect(changed.notify).toEqual({
      all: { ...settingsDefaults.notify.all, alerts: 'off' },
      rows: [
        { of: tag('b'), cells: { ...asAbove, failed: 'with-sound', completed: 'off' } },
        { of: tag('c'), cells: asAbove },
      ],
    });
  });
});

test('the width of a pane leaves those of the others, and null is that of the design', () => {
  const widths = after(settingsDefaults, { paneWidthsPx: { sidebar: 300 } }, { paneWidthsPx: { list: 500 } });
  expect(widths.paneWidthsPx).toEqual({ sidebar: 300, list: 500 });
  expect(after(widths, { paneWidthsPx: { sidebar: null } }).paneWidthsPx).toEqual({ list: 500 });
});

test('the columns of an endpoint’s batches become the usual ones, those of another endpoint stay', () => {
  const chosen = after(
    settingsDefaults,
    { batchColumns: { endpointId: 'e', column: 'seed', isShown: true } },
    { batchColumns: { endpointId: 'f', column: 'seed', isShown: true } },
    { batchColumns: { endpointId: 'e', column: 'seed', isShown: false } },
  );
  expect(chosen.batchColumns).toEqual([
    { endpointId: 'f', column: 'seed', isShown: true },
    { endpointId: 'e', column: 'seed', isShown: false },
  ]);
  expect(after(chosen, { batchColumns: { endpointId: 'e', column: null } }).batchColumns).toHaveLength(1);
});

test('the usual width of a column of a JSON table is not saved', () => {
  const width = { endpointId: 'e', column: 'title' };
  const wide = after(settingsDefaults, { jsonColumnWidths: { ...width, widthPx: 300 } });
  expect(wide.jsonColumnWidths).toEqual([{ ...width, widthPx: 300 }]);
  expect(after(wide, { jsonColumnWidths: { ...width, widthPx: null } }).jsonColumnWidths).toEqual([]);
});
