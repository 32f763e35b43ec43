import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { planUpdate, type UpdatePlan } from '../../src-preload/template-plan.ts';
import {
  confirmationOf,
  type EnvEntry,
  type Template,
  type TemplateEdits,
  type TemplateUpdate,
  type TemplateUpdateRecord,
} from '../../src-preload/template.ts';
import { valuesToRedact } from '../service/mask-env.ts';
import type { ManagementApi } from '../service/reply.ts';
import { isRefusal, outcomeDifferences, type WholeCopy } from './template-copy.ts';
import { isOfAnother, type TemplateStore } from './template-store.ts';
import type { TemplateAt } from './template-documents.ts';
import { templateUpdateText } from '../messages/resources.ts';

export interface UpdateRequest {
  /** The copy that the user saw. Null: none was known. */
  baseSeq: number | null;
  edits: TemplateEdits;
  /** What the user entered to confirm it. */
  confirmedWith: string | null;
}

export interface UpdateParts {
  store: TemplateStore;
  apiFor: (connectionId: string) => Promise<Result<Pick<ManagementApi, 'updateTemplate'>>>;
  /** The service that a connection points to now. */
  serviceOf: (connectionId: string) => Promise<Result<string>>;
  now: () => number;
}

interface ReadyUpdate {
  plan: UpdatePlan;
  former: WholeCopy | null;
  /** Exactly what is sent. */
  body: TemplateUpdate;
  /** Values of variables, to be removed from the service's answers. */
  secrets: string[];
}

/**
 * Sends an update once (rulings 9, 22, 31). The plan is made again from the same copy and edits as in the window. The
 * intent is on disk before the request leaves, and the outcome before this returns. It is never repeated automatically.
 * A refusal or an unknown outcome is part of the returned record.
 */
export async function sendUpdate(
  at: TemplateAt,
  request: UpdateRequest,
  { store, apiFor, serviceOf, now }: UpdateParts,
): Promise<Result<TemplateUpdateRecord>> {
  const service = await serviceOf(at.connectionId);
  if (!service.ok) return service;
  const ready = await readyUpdate(at, request, store, service.value);
  if (!ready.ok) return ready;
  const api = await apiFor(at.connectionId);
  if (!api.ok) return api;
  const { plan, former, body, secrets } = ready.value;
  const serviceAddress = service.value;

  const intent: TemplateUpdateRecord = {
    atMs: now(),
    changed: plan.changed,
    pinned: plan.pinned,
    formerSeq: former?.seq ?? null,
    outcome: { kind: 'pending' },
  };
  await store.change(at, (stored) => ({ ...stored, lastUpdate: intent }));
  const reply = await api.value.updateTemplate(at.templateId, body, { secrets });
  const record = { ...intent, outcome: await outcomeOf(reply.result) };
  await store.change(at, (stored) => ({ ...stored, lastUpdate: record }));
  return ok(record);

  async function outcomeOf(
    result: Awaited<ReturnType<ManagementApi['updateTemplate']>>['result'],
  ): Promise<TemplateUpdateRecord['outcome']> {
    if (!result.ok) return { kind: isRefusal(result.failure) ? 'refused' : 'unknown', failure: result.failure };
    const { template, oddFields } = result.value;
    const copy = await store.save(at, { template, oddFields, service: serviceAddress }, { kind: 'update-reply' }, body);
    return {
      kind: 'applied',
      seq: copy.seq,
      differences: outcomeDifferences(former?.template ?? null, body, template, isLost(former)),
    };
  }
}

async function readyUpdate(
  at: TemplateAt,
  { baseSeq, edits, confirmedWith }: UpdateRequest,
  store: TemplateStore,
  service: string,
): Promise<Result<ReadyUpdate>> {
  const refuse = (message: string, field?: string): Result<never> =>
    failed({ kind: 'refused', message, ...(field === undefined ? {} : { field }) });
  const { current } = await store.read(at);
  if ((current?.seq ?? null) !== baseSeq) return refuse(templateUpdateText.newerCopy);
  // The copy's values are secrets of its service, and its fields say nothing about another service's template with the
  // same id.
  if (current !== null && isOfAnother(current, service))
    return refuse(templateUpdateText.otherService(current.service ?? '', service));
  const whole = current === null ? ok(null) : await store.whole(at, current.seq);
  if (!whole.ok) return whole;
  const former = whole.value;
  const plan = planUpdate(current === null ? null : { template: current.template, isEnvLost: isLost(former) }, edits);
  const [problem] = plan.problems;
  if (problem !== undefined)
    return refuse(templateUpdateText.fieldProblem(problem.field, problem.message), problem.field);
  if (plan.changed.length === 0) return refuse(templateUpdateText.unchanged);
  const confirmation = confirmationOf(at.templateId, current?.template ?? null);
  if (confirmation !== null && confirmedWith !== confirmation.word)
    return refuse(templateUpdateText.confirm(confirmation.kind), 'confirmedWith');

  const { env: _planned, ...body } = plan.body;
  if (plan.body.env === undefined)
    return ok({ plan, former, body, secrets: valuesToRedact(Object.values(former?.env ?? {})) });
  const env = await filledEnv(at, edits.env ?? [], former, store);
  return env.ok
    ? ok({
        plan,
        former,
        body: { ...body, env: env.value },
        secrets: valuesToRedact([...Object.values(env.value), ...Object.values(former?.env ?? {})]),
      })
    : env;
}

/** Whether a copy has variables whose values can no longer be read. */
export function isLost(copy: WholeCopy | null): boolean {
  return copy !== null && copy.env === null && Object.keys(copy.template.env ?? {}).length > 0;
}

/** The variables as they are sent: entered values, and for the others those of the copy. */
async function filledEnv(
  at: TemplateAt,
  entries: readonly EnvEntry[],
  current: WholeCopy | null,
  store: TemplateStore,
): Promise<Result<NonNullable<Template['env']>>> {
  const copies = new Map<number, WholeCopy | null>();
  const values: [string, string][] = [];
  for (const { name, value, from } of entries) {
    if (from !== undefined && !copies.has(from)) {
      const copy = await store.whole(at, from);
      if (!copy.ok) return copy;
      copies.set(from, copy.value);
    }
    const kept = value ?? (from === undefined ? current : copies.get(from))?.env?.[name];
    if (kept === undefined)
      return failed({ kind: 'refused', field: 'env', message: templateUpdateText.valueLost(name) });
    values.push([name, kept]);
  }
  return ok(Object.fromEntries(values));
}
