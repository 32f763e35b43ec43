import { call, ofConnection } from './call-spec.ts';
import { type KnownPod, type RememberedPod, podIdProblem } from './pod-reading.ts';
import { templateEdits, templateText } from './template-schema.ts';
import type { TemplateSummary, TemplateUndo, TemplateUpdateRecord, TemplateView } from './template.ts';
import { z } from 'zod';
import { podIncludes } from './pod.ts';

/** What main checks pod calls with. The types are in pod.ts and pod-reading.ts. */
const podId = z
  .string()
  .trim()
  .check((context) => {
    const problem = podIdProblem(context.value);
    if (problem !== null) context.issues.push({ code: 'custom', message: problem, input: context.value });
  });

/** The flags that are on, each at most once. */
export const podInclude = z
  .array(z.enum(podIncludes))
  .max(podIncludes.length)
  .refine((flags) => new Set(flags).size === flags.length, 'A flag can appear only once');

/** The name of a variable. Services allow nearly any text. */
const variableName = z.string().min(1).max(32_000);

const portNumber = z.number().int().min(1).max(65_535);

const ofPod = ofConnection.extend({ podId });
const ofTemplate = ofConnection.extend({
  templateId: z
    .string()
    .trim()
    .min(1, 'The id of a template is empty')
    .max(200)
    .refine((id) => id.isWellFormed(), 'The template id contains a broken character'),
});
const copySeq = z.number().int().min(1);

/** The calls of the contract about pods and templates. */
export const podCalls = {
  /** Pods that were opened before, the last one first. Null for all connections. */
  'pod:list': call<RememberedPod[]>()(z.object({ connectionId: z.string().max(64).nullable() })),
  /** What is known of a pod on this computer. Sends no request. */
  'pod:open': call<KnownPod>()(ofPod),
  /** Reads a pod once (spec: Get a pod). Env values are hidden. Within 60 management requests a minute (ruling 20). */
  'pod:read': call<KnownPod>()(ofPod.extend({ include: podInclude })),
  'pod:pin': call<null>()(ofPod.extend({ isPinned: z.boolean() })),
  'pod:forget': call<null>()(ofPod),
  /** One env value of the last reading, to be shown for a moment. */
  'pod:reveal': call<{ value: string }>()(ofPod.extend({ name: variableName })),
  /** Copies one env value to the clipboard. It goes from the engine to the clipboard, never through a window. */
  'pod:copyEnv': call<null>()(ofPod.extend({ name: variableName })),
  /** Opens `http://ip:port` of a mapped http port in the browser, by the last reading of the pod. */
  'pod:openPort': call<null>()(ofPod.extend({ port: portNumber })),
  /** A curl command that reads the pod. The key is written as $JOBDECK_KEY. */
  'pod:curl': call<{ command: string }>()(ofPod.extend({ include: podInclude })),
  /** Templates that were seen through a connection, and those with a draft (ruling 23). */
  'template:list': call<TemplateSummary[]>()(ofConnection),
  /** What is known of a template on this computer. Sends no request. */
  'template:view': call<TemplateView>()(ofTemplate),
  /** Reads a pod with its template. Refused if the pod has another template. */
  'template:readFromPod': call<TemplateView>()(
    ofTemplate.extend({ podId: z.string().trim().min(1, 'The id of a pod is empty').max(200) }),
  ),
  /** The value of one variable of a copy, to be shown for a moment. */
  'template:reveal': call<{ value: string }>()(
    ofTemplate.extend({ seq: copySeq, name: z.string().min(1).max(10_000) }),
  ),
  /** Saves the draft, with entered values sealed. Null deletes it. */
  'template:saveDraft': call<null>()(
    ofTemplate.extend({
      draft: z
        .strictObject({ baseSeq: copySeq.nullable(), edits: templateEdits, pastedEnv: templateText.optional() })
        .nullable(),
    }),
  ),
  /**
   * Sends an update once, journalled before (rulings 9, 22, 31). `baseSeq` is the copy the user saw. A refusal by the
   * service, or an unknown outcome, is in the record.
   */
  'template:update': call<TemplateUpdateRecord>()(
    ofTemplate.extend({
      baseSeq: copySeq.nullable(),
      edits: templateEdits,
      confirmedWith: z.string().max(1_000).nullable(),
    }),
  ),
  /** The edits that restore a former copy. Null: the state before the last update. Nothing is sent. */
  'template:undo': call<TemplateUndo>()(ofTemplate.extend({ toSeq: copySeq.nullable() })),
  'template:forget': call<null>()(ofTemplate),
} as const;
