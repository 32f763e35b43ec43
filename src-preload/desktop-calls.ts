import { maxImages } from './base64-images.ts';
import { z } from 'zod';
import { call } from './call-spec.ts';
import { maxCompared, plainPanes } from './destination.ts';
import { jobView } from './history-schema.ts';
import type { GatheredNotifications, NotificationPage, Ongoing } from './notification.ts';
import type { UpdateState } from './update.ts';

const id = z.string().min(1).max(64);
const endpointId = z.string().min(1).max(200);
const ofOutput = z.object({ key: id, attempt: z.number().int().min(1).nullable() });

/** What became of an output that the user wanted to save. */
export type SavedOutput = { kind: 'saved'; path: string } | { kind: 'empty' } | { kind: 'cancelled' };

/** The calls of the contract about notifications and windows. */
export const desktopCalls = {
  /**
   * Copies an image to the clipboard. Errors: `refused` for bytes that are not a PNG, the only format that every
   * clipboard accepts.
   */
  'app:copyImage': call<null>()(z.object({ png: z.instanceof(Uint8Array) })),
  /**
   * Copies a job's whole output to the clipboard: as the service sent it, the text of a string or, if chunks are saved,
   * that of the chunks. `attempt` null: the newest. `isEmpty`: there is none, and nothing was copied. Errors: `refused`
   * if it is longer than `maxCopiedChars`.
   */
  'app:copyOutput': call<{ isEmpty: boolean }>()(ofOutput),
  /**
   * Asks for a place and saves the same output there, part by part: as `.json` if it is JSON as the service sent it, or
   * as `.txt`. `name` is without that ending.
   */
  'app:saveOutput': call<SavedOutput>()(ofOutput.extend({ name: z.string().max(200) })),
  /** Opens a copy of the same output, as `app:openInEditor` does. `isEmpty`: there is none, and nothing was opened. */
  'app:openOutput': call<{ isEmpty: boolean }>()(ofOutput.extend({ name: z.string().max(200) })),
  /** Asks for a place and writes a file there. Returns its path, or null if the user cancels. */
  'app:saveFile': call<string | null>()(z.object({ name: z.string().max(200), bytes: z.instanceof(Uint8Array) })),
  /**
   * Asks for a folder and writes files into it, each under its name or, if that is taken, a numbered one: nothing is
   * overwritten. Returns their paths, or null if the user cancels.
   */
  'app:saveFiles': call<string[] | null>()(
    z.object({
      files: z
        .array(z.object({ name: z.string().max(200), bytes: z.instanceof(Uint8Array) }))
        .min(1)
        .max(maxImages),
    }),
  ),
  /**
   * Opens a read-only copy of a text with the system's program for .json or .txt files. The copy is deleted when
   * Jobdeck quits. Errors: `storage` if it cannot be written, or no program opens it.
   */
  'app:openInEditor': call<null>()(
    z.object({ name: z.string().max(200), format: z.enum(['json', 'txt']), bytes: z.instanceof(Uint8Array) }),
  ),
  /** Shows a file in the file manager. Errors: `refused` unless Jobdeck saved it in this run or a notice names it. */
  'app:showPath': call<null>()(z.object({ path: z.string().max(4_000) })),

  /** All notifications, newest first: those before `beforeId` or, with null, from the newest. */
  'notification:list': call<NotificationPage>()(
    z.object({ beforeId: z.number().int().nullable(), limit: z.number().int().min(1).max(500) }),
  ),
  'notification:unseen': call<{ unseen: number }>()(z.undefined()),
  /** Everything that continues: refusals, firing alerts, streams being read, unknown outcomes. */
  'notification:ongoing': call<Ongoing[]>()(z.undefined()),
  /** What waits for the next digest. */
  'notification:gathered': call<GatheredNotifications>()(z.undefined()),
  /** Shows a notification, so that the user sees whether the desktop shows them. */
  'notification:test': call<{ isShown: boolean }>()(z.undefined()),

  /** What is known of an update. Sends no request. */
  'update:state': call<UpdateState>()(z.undefined()),
  /** Requests the newest version from the feed. */
  'update:check': call<UpdateState>()(z.undefined()),
  /** Downloads the available version and verifies it. It is installed when Jobdeck quits. */
  'update:download': call<UpdateState>()(z.undefined()),
  /** Quits after everything is saved, and starts the downloaded version. */
  'update:restart': call<null>()(z.undefined()),

  'window:minimize': call<null>()(z.undefined()),
  'window:toggleMaximize': call<null>()(z.undefined()),
  'window:close': call<null>()(z.undefined()),
  /** Opens a job's own window, or brings it to the front. */
  'window:openJob': call<null>()(z.object({ key: z.string().min(1).max(64) })),
  /** Opens the main window at a place, or brings it to the front. Called by the other windows. */
  'window:openMain': call<null>()(
    z.object({
      destination: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('home') }),
        z.object({ kind: z.literal('new-job') }),
        z.object({ kind: z.literal('notifications') }),
        z.object({ kind: z.literal('job'), key: id }),
        z.object({ kind: z.literal('batch'), id }),
        z.object({ kind: z.literal('connection'), id }),
        z.object({
          kind: z.literal('list'),
          view: jobView,
          endpointId: endpointId.nullable(),
          tokens: z.string().max(4_000),
          text: z.string().max(500),
        }),
        z.object({ kind: z.literal('pane'), pane: z.enum(plainPanes) }),
        z.object({
          kind: z.literal('compare'),
          sides: z
            .array(z.object({ key: id, attempt: z.int().min(1).nullable() }))
            .min(1)
            .max(maxCompared),
        }),
        z.object({ kind: z.literal('health'), connectionId: id, endpointId: endpointId.nullable() }),
      ]),
    }),
  ),
  /** Opens the sandbox's own window, or brings it to the front. */
  'window:openSandbox': call<null>()(z.undefined()),
  /**
   * Opens a health window, or brings it to the front: of one endpoint or, with null, of all endpoints of the connection
   * together.
   */
  'window:openHealth': call<null>()(z.object({ connectionId: id, endpointId: endpointId.nullable() })),
  /** Opens the window of a pod or a template, or brings it to the front. */
  'window:openResource': call<null>()(
    z.object({ connectionId: id, kind: z.enum(['pod', 'template']), id: z.string().min(1).max(200) }),
  ),
} as const;
