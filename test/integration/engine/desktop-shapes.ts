import { z } from 'zod';
import { notificationKinds, notificationDeliveries } from '../../../src-preload/notification.ts';
import { statusKinds } from '../../../src-preload/job.ts';
import { keyPlace } from '../../../src-preload/connection-schema.ts';

const count = z.number().int().nonnegative();

/** Where keys are saved, as windows get it. */
export const keyStorage = z.strictObject({
  kind: keyPlace,
  explanation: z.string().min(20),
  isWaiting: z.boolean(),
  places: z.array(z.strictObject({ kind: keyPlace, secrets: count, problem: z.string().nullable() })).length(3),
});

/** The result of reaching an address. */
const networkCheck = z.strictObject({
  proxy: z.string().nullable(),
  silent: z.array(z.string()),
  authorities: count,
  tookMs: count,
  problem: z.string().nullable(),
});

/** Past notifications. */
const notificationPage = z.strictObject({
  notifications: z
    .array(
      z.strictObject({
        id: count.positive(),
        about: z.string().min(1),
        kind: z.enum(notificationKinds),
        statusKind: z.enum(statusKinds).nullable(),
        title: z.string().min(1),
        body: z.string().min(1),
        atMs: count,
        connectionId: z.string().min(1),
        endpointId: z.string().nullable(),
        jobKey: z.string().nullable(),
        batchId: z.string().nullable(),
        hasOutput: z.boolean(),
        delivery: z.enum(notificationDeliveries),
        deliveredAtMs: count.nullable(),
        togetherId: count.nullable(),
        isSeen: z.boolean(),
      }),
    )
    .min(1),
  hasMore: z.boolean(),
});

/** What is not over yet. */
export const ongoing = z.strictObject({
  id: z.string().min(1),
  kind: z.enum(['refusal', 'alert', 'stream', 'unknown']),
  title: z.string().min(1),
  text: z.string().min(1),
  sinceMs: count,
  jobs: z.array(z.unknown()),
  connectionId: z.string().min(1),
  endpointId: z.string().nullable(),
});

const offered = z.strictObject({
  version: z.string().min(1),
  releasedAtMs: z.number().nullable(),
  notes: z.string().nullable(),
});
const updateState = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['not-installed', 'unchecked', 'checking']) }),
  z.strictObject({ kind: z.literal('newest'), checkedAtMs: z.number() }),
  z.strictObject({ kind: z.literal('available'), offered }),
  z.strictObject({ kind: z.literal('downloading'), offered, share: z.number().min(0).max(1) }),
  z.strictObject({ kind: z.literal('ready'), offered }),
  z.strictObject({
    kind: z.literal('failed'),
    during: z.enum(['check', 'download']),
    message: z.string().min(1),
    atMs: z.number(),
  }),
]);

/** Answers to the calls about notifications, windows and the system. */
export const desktopAnswers = {
  'window:openMain': z.null(),
  'window:minimize': z.null(),
  'window:toggleMaximize': z.null(),
  'window:close': z.null(),
  'window:openJob': z.null(),
  'window:openSandbox': z.null(),
  'window:openHealth': z.null(),
  'window:openResource': z.null(),
  'update:state': updateState,
  'update:check': updateState,
  'update:download': updateState,
  'update:restart': z.null(),
  'app:showInFolder': z.null(),
  'app:menuEntry': z.strictObject({ isAdded: z.boolean() }).nullable(),
  'app:setMenuEntry': z.null(),
  'app:quit': z.null(),
  'app:openExternal': z.null(),
  'app:copyText': z.null(),
  'app:copyOutput': z.strictObject({ isEmpty: z.boolean() }),
  'app:saveOutput': z.strictObject({ kind: z.literal('saved'), path: z.string().min(1) }),
  'app:openOutput': z.strictObject({ isEmpty: z.boolean() }),
  'app:copyImage': z.null(),
  'app:copySandboxEnvironment': z.null(),
  'app:addSandboxHandler': z.null(),
  'app:openInEditor': z.null(),
  'app:showPath': z.null(),
  'app:diagnostics': z.strictObject({ text: z.string().min(1) }),
  'app:saveFile': z.string().nullable(),
  'app:saveFiles': z.array(z.string().min(1)).nullable(),
  'keys:move': keyStorage,
  'network:check': networkCheck,
  'network:setProxyPassword': z.null(),
  'notification:list': notificationPage,
  'notification:unseen': z.strictObject({ unseen: count }),
  'notification:markSeen': z.strictObject({ atMs: z.number(), jobKeys: z.array(z.string()) }),
  'notification:markUnseen': z.null(),
  'notification:gathered': z.strictObject({ count, dueAtMs: z.number().nullable() }),
  'notification:test': z.strictObject({ isShown: z.boolean() }),
} as const;
