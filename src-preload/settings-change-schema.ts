import { z } from 'zod';
import { notifyCells, notifyChoices, notifySubject } from './notification-schema.ts';
import { preset } from './preset-schema.ts';
import { batchColumn, jsonColumnWidth, paneWidthsPx, savedView, settings, tableColumn } from './settings-schema.ts';

const id = z.string().min(1).max(64);
const endpointId = z.string().max(200);
/** A place in a list, counted from 0. Null: after all others. */
const place = z.number().int().min(0).nullable();

/** One change of the saved views. Nothing changes if the view is not there, or with `add` if it is. */
const savedViewEdit = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('add'), item: savedView, place }),
  z.object({ kind: z.literal('rename'), id, name: savedView.shape.name }),
  /** `beforeId` null: after all others. */
  z.object({ kind: z.literal('move'), id, beforeId: id.nullable() }),
  z.object({ kind: z.literal('remove'), id }),
]);

/** One change of the presets. Nothing changes if the preset is not there, or with `add` if it is. */
const presetEdit = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('add'), item: preset, place }),
  z.object({ kind: z.literal('rename'), id, name: preset.shape.name }),
  z.object({ kind: z.literal('overwrite'), id, ...preset.pick({ savedAtMs: true, fields: true }).shape }),
  /** A submission was made from it. */
  z.object({ kind: z.literal('count-use'), id }),
  z.object({ kind: z.literal('remove'), id }),
]);

/** One change of the rules of notification. Nothing changes if the row is not there, or with `add` if it is. */
const notifyEdit = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('choose-for-all'), choices: notifyChoices.partial() }),
  z.object({ kind: z.literal('add'), of: notifySubject, cells: notifyCells, place }),
  z.object({ kind: z.literal('choose'), of: notifySubject, cells: notifyCells.partial() }),
  /** `before` null: after all others. */
  z.object({ kind: z.literal('move'), of: notifySubject, before: notifySubject.nullable() }),
  z.object({ kind: z.literal('remove'), of: notifySubject }),
]);

const { quietHours, digest, globalShortcuts, updates, plainOutput } = settings.shape;

/**
 * A change of the settings, as windows ask for it. A setting that is one value is replaced. What consists of several
 * choices is changed in one of them, so that a change made elsewhere at the same time stays (decision 157).
 */
export const settingsChange = settings.partial().extend({
  paneWidthsPx: z.partialRecord(paneWidthsPx.keyof(), paneWidthsPx.shape.list.unwrap().nullable()).optional(),
  quietHours: quietHours.partial().optional(),
  digest: digest.partial().optional(),
  globalShortcuts: globalShortcuts.partial().optional(),
  updates: updates.partial().optional(),
  plainOutput: plainOutput.partial().optional(),
  notify: notifyEdit.optional(),
  /** One column of the table. */
  tableColumns: tableColumn.partial().required({ column: true }).optional(),
  /** The width of one column; null for the usual one. */
  jsonColumnWidths: jsonColumnWidth.extend({ widthPx: jsonColumnWidth.shape.widthPx.nullable() }).optional(),
  /** The view of one endpoint's batches. */
  batchViews: z.object({ endpointId, view: z.enum(['list', 'table', 'images']) }).optional(),
  /** One column of an endpoint's batches. `column` null: all of them as usual. */
  batchColumns: z.union([batchColumn, z.object({ endpointId, column: z.null() })]).optional(),
  savedViews: savedViewEdit.optional(),
  presets: presetEdit.optional(),
});
