import { z } from 'zod';
import { call } from './call-spec.ts';
import type { GatheredNotifications, NotificationPage, Ongoing } from './notification.ts';
import type { UpdateState } from './update.ts';

const id = z.string().min(1).max(64);

/** The calls of the contract about notifications and windows. */
export const desktopCalls = {
  /** Puts an image on the clipboard. Errors: `refused` for bytes that are no PNG, all that every clipboard accepts. */
  'app:copyImage': call<null>()(z.object({ png: z.instanceof(Uint8Array) })),
  /** Asks where a file is to go and writes it there; answers its path, null where the user cancels. */
  'app:saveFile': call<string | null>()(z.object({ name: z.string().max(200), bytes: z.instanceof(Uint8Array) })),
  /**
   * Asks for a folder and writes files into it, each under its name or, where that is taken, a numbered one: nothing
   * is overwritten. Answers their paths, null where the user cancels.
   */
  'app:saveFiles': call<string[] | null>()(
    z.object({
      files: z
        .array(z.object({ name: z.string().max(200), bytes: z.instanceof(Uint8Array) }))
        .min(1)
        .max(200),
    }),
  ),
  /** Shows a file in the file manager. Errors: `refused` unless Jobdeck saved it in this run or a notice names it. */
  'app:showPath': call<null>()(z.object({ path: z.string().max(4_000) })),

  /** Everything Jobdeck said, newest first; those before `beforeId`, null: from the newest. */
  'notification:list': call<NotificationPage>()(
    z.object({ beforeId: z.number().int().nullable(), limit: z.number().int().min(1).max(500) }),
  ),
  'notification:unseen': call<{ unseen: number }>()(z.undefined()),
  /** What is not over yet: refusals, alerts that fire, streams that are still fetched, unknown outcomes. */
  'notification:ongoing': call<Ongoing[]>()(z.undefined()),
  'notification:markSeen': call<null>()(
    z.union([z.object({ upToId: z.number().int() }), z.object({ ids: z.array(z.number().int()).min(1).max(10_000) })]),
  ),
  /** What waits for the next digest. */
  'notification:gathered': call<GatheredNotifications>()(z.undefined()),
  /** Shows a notification like any other, so that its user sees whether the desktop does. */
  'notification:test': call<{ isShown: boolean }>()(z.undefined()),

  /** What is known of a newer version. Sends no request. */
  'update:state': call<UpdateState>()(z.undefined()),
  /** Asks the feed for its newest version. */
  'update:check': call<UpdateState>()(z.undefined()),
  /** Downloads the version that is available and checks it; it is installed when Jobdeck quits. */
  'update:download': call<UpdateState>()(z.undefined()),
  /** Quits, once everything is written, and starts the version that was downloaded. */
  'update:restart': call<null>()(z.undefined()),

  'window:minimize': call<null>()(z.undefined()),
  'window:toggleMaximize': call<null>()(z.undefined()),
  'window:close': call<null>()(z.undefined()),
  /** Opens (or brings forward) a window of its own for a job. */
  'window:openJob': call<null>()(z.object({ key: z.string().min(1).max(64) })),
  /** Opens (or brings forward) the main window at a place; the tray's popover asks. */
  'window:openMain': call<null>()(
    z.object({
      destination: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('home') }),
        z.object({ kind: z.literal('new-job') }),
        z.object({ kind: z.literal('notifications') }),
        z.object({ kind: z.literal('job'), key: z.string().min(1).max(64) }),
      ]),
    }),
  ),
  /** Opens (or brings forward) the sandbox's own window. */
  'window:openSandbox': call<null>()(z.undefined()),
  /**
   * Opens (or brings forward) a health window: of one endpoint, or with null of all endpoints of the connection
   * together.
   */
  'window:openHealth': call<null>()(z.object({ connectionId: id, endpointId: z.string().min(1).max(200).nullable() })),
  /** Opens (or brings forward) a window of its own for a pod or a template. */
  'window:openResource': call<null>()(
    z.object({ connectionId: id, kind: z.enum(['pod', 'template']), id: z.string().min(1).max(200) }),
  ),
} as const;
