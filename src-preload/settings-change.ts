import type { z } from 'zod';
import { batchTableBounds, jsonColumnWidthBounds } from './bounds.ts';
import { isSameSubject, type NotifyRules } from './notification.ts';
import type { settingsChange } from './settings-change-schema.ts';
import type { Preset, SavedView, Settings } from './settings.ts';

/** A change of the settings: values that are replaced, and edits of those that consist of several choices. */
export type SettingsChange = z.infer<typeof settingsChange>;
/** A change of one setting. */
type Edit<Name extends keyof SettingsChange> = NonNullable<SettingsChange[Name]>;

/**
 * The settings after a change. Main applies it to the newest ones. A window applies it to those that it knows, until
 * main answers: what is in them already is not changed twice, except for `count-use`, which counts each time. Pure.
 */
export function withSettingsChange(now: Settings, change: SettingsChange): Settings {
  const { quietHours, digest, globalShortcuts, updates, plainOutput, paneWidthsPx, notify, ...rest } = change;
  const { tableColumns, jsonColumnWidths, batchViews, batchColumns, savedViews, presets, ...values } = rest;
  return {
    ...merged(now, values),
    quietHours: merged(now.quietHours, quietHours),
    digest: merged(now.digest, digest),
    globalShortcuts: merged(now.globalShortcuts, globalShortcuts),
    updates: merged(now.updates, updates),
    plainOutput: merged(now.plainOutput, plainOutput),
    paneWidthsPx: edited(now.paneWidthsPx, paneWidthsPx, withPaneWidths),
    notify: edited(now.notify, notify, withNotifyEdit),
    tableColumns: edited(now.tableColumns, tableColumns, withTableColumn),
    jsonColumnWidths: edited(now.jsonColumnWidths, jsonColumnWidths, withJsonColumnWidth),
    batchViews: edited(now.batchViews, batchViews, withBatchView),
    batchColumns: edited(now.batchColumns, batchColumns, withBatchColumn),
    savedViews: edited(now.savedViews, savedViews, withSavedViewEdit),
    presets: edited(now.presets, presets, withPresetEdit),
  };
}

/** An object with the fields of a change. Those that are undefined stay. */
function merged<T extends object>(now: T, change: { [K in keyof T]?: T[K] | undefined } | undefined): T {
  return { ...now, ...Object.fromEntries(Object.entries(change ?? {}).filter(([, value]) => value !== undefined)) };
}

/** A value after an edit, if there is one. */
function edited<T, E>(now: T, edit: E | undefined, apply: (now: T, edit: E) => T): T {
  return edit === undefined ? now : apply(now, edit);
}

function withPaneWidths(now: Settings['paneWidthsPx'], edit: Edit<'paneWidthsPx'>): Settings['paneWidthsPx'] {
  return Object.fromEntries(Object.entries({ ...now, ...edit }).filter(([, px]) => px !== null));
}

function withNotifyEdit(rules: NotifyRules, edit: Edit<'notify'>): NotifyRules {
  if (edit.kind === 'choose-for-all') return { ...rules, all: merged(rules.all, edit.choices) };
  return { ...rules, rows: withRuleEdit(rules.rows, edit) };
}

function withRuleEdit(
  rows: NotifyRules['rows'],
  edit: Exclude<Edit<'notify'>, { kind: 'choose-for-all' }>,
): NotifyRules['rows'] {
  const isIt = ({ of }: NotifyRules['rows'][number]): boolean => isSameSubject(of, edit.of);
  switch (edit.kind) {
    case 'add':
      return withAdded(rows, { of: edit.of, cells: edit.cells }, isIt, edit.place);
    case 'choose':
      return rows.map((row) => (isIt(row) ? { ...row, cells: merged(row.cells, edit.cells) } : row));
    case 'move': {
      const { before } = edit;
      return withMoved(rows, isIt, before === null ? null : ({ of }) => isSameSubject(of, before));
    }
    case 'remove':
      return rows.filter((row) => !isIt(row));
  }
}

function withTableColumn(columns: Settings['tableColumns'], edit: Edit<'tableColumns'>): Settings['tableColumns'] {
  const isIt = ({ column }: { column: string }): boolean => column === edit.column;
  const former = columns.find(isIt) ?? { column: edit.column, widthPx: null, isShown: true };
  return [...columns.filter((one) => !isIt(one)), merged(former, edit)];
}

/** Beyond the limit, the oldest width is dropped. */
function withJsonColumnWidth(
  widths: Settings['jsonColumnWidths'],
  { endpointId, column, widthPx }: Edit<'jsonColumnWidths'>,
): Settings['jsonColumnWidths'] {
  const others = widths.filter((one) => one.endpointId !== endpointId || one.column !== column);
  return widthPx === null ? others : [...others, { endpointId, column, widthPx }].slice(-jsonColumnWidthBounds.max);
}

/** Beyond the limit, the oldest choice is dropped. */
function withBatchView(
  views: Settings['batchViews'],
  { endpointId, view }: Edit<'batchViews'>,
): Settings['batchViews'] {
  const others = views.filter((one) => one.endpointId !== endpointId);
  return view === 'list' ? others : [...others, { endpointId, view }].slice(-batchTableBounds.maxEndpoints);
}

/** Beyond the limit, the oldest choice is dropped. */
function withBatchColumn(columns: Settings['batchColumns'], edit: Edit<'batchColumns'>): Settings['batchColumns'] {
  const { endpointId } = edit;
  if (edit.column === null) return columns.filter((one) => one.endpointId !== endpointId);
  const others = columns.filter((one) => one.endpointId !== endpointId || one.column !== edit.column);
  return [...others, edit].slice(-batchTableBounds.maxColumns);
}

function withSavedViewEdit(views: readonly SavedView[], edit: Edit<'savedViews'>): SavedView[] {
  switch (edit.kind) {
    case 'add':
      return withAdded(views, edit.item, hasId(edit.item.id), edit.place);
    case 'rename':
      return views.map((view) => (view.id === edit.id ? { ...view, name: edit.name } : view));
    case 'move':
      return withMoved(views, hasId(edit.id), edit.beforeId === null ? null : hasId(edit.beforeId));
    case 'remove':
      return views.filter(({ id }) => id !== edit.id);
  }
}

function withPresetEdit(presets: readonly Preset[], edit: Edit<'presets'>): Preset[] {
  if (edit.kind === 'add') return withAdded(presets, edit.item, hasId(edit.item.id), edit.place);
  if (edit.kind === 'remove') return presets.filter(({ id }) => id !== edit.id);
  return presets.map((preset) => (preset.id === edit.id ? changedPreset(preset, edit) : preset));
}

function changedPreset(
  preset: Preset,
  edit: Extract<Edit<'presets'>, { kind: 'rename' | 'overwrite' | 'count-use' }>,
): Preset {
  switch (edit.kind) {
    case 'rename':
      return { ...preset, name: edit.name };
    case 'overwrite':
      return { ...preset, savedAtMs: edit.savedAtMs, fields: edit.fields };
    case 'count-use':
      return { ...preset, usedCount: preset.usedCount + 1 };
  }
}

const hasId =
  (wanted: string) =>
  ({ id }: { id: string }): boolean =>
    id === wanted;

/** A list with an item at a place (null: after all others), unless `isIt` finds it there already. */
function withAdded<T>(items: readonly T[], item: T, isIt: (one: T) => boolean, place: number | null): T[] {
  return items.some(isIt) ? [...items] : items.toSpliced(place ?? items.length, 0, item);
}

/** A list with an item before another one, or with null after all. Unchanged if either is not in it. */
function withMoved<T>(items: readonly T[], isIt: (one: T) => boolean, isNext: ((one: T) => boolean) | null): T[] {
  const item = items.find(isIt);
  const others = items.filter((one) => !isIt(one));
  const to = isNext === null ? others.length : others.findIndex(isNext);
  return item === undefined || to === -1 ? [...items] : others.toSpliced(to, 0, item);
}
