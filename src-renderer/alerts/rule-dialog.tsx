import { useState } from 'react';
import { alertKinds, needsHealth, type AlertKind, type AlertRule } from '../../src-preload/alert.ts';
import { endpointKey } from '../../src-preload/endpoint-key.ts';
import { alertNames } from '../../src-preload/messages/alert.ts';
import { endpointName, type Endpoint } from '../../src-preload/connection.ts';
import { Button } from '../design/button.tsx';
import { Checkbox } from '../design/form/choice.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Select } from '../design/form/select.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { toast, undoAction } from '../design/toast.tsx';
import { UnsavedNotice } from '../design/form/form-parts.tsx';
import { chooseSettings } from '../data/change-settings.ts';
import { isLike, unsavedForms } from '../data/unsaved-forms.ts';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { alertRulesText, judgedBy, kindHints, ruleDialogText } from '../messages/alerts.ts';
import { preferencesText } from '../messages/settings/preferences.ts';
import { commonText } from '../messages/common.ts';
import { placeOfRule, removeRule, restoreRule, saveRule } from './alerts.ts';
import {
  blankForm,
  formOf,
  readForm,
  ruleFields,
  type RuleField,
  type RuleFigures,
  type RuleForm,
} from './rule-form.ts';
import styles from './rule-dialog.module.css';

export interface RuleDialogProps {
  connectionId: string;
  /** The endpoint that a new rule is for, or null for all. */
  endpointId: string | null;
  /** Null to create a rule. */
  rule: AlertRule | null;
  onClose: () => void;
}

const unsaved = unsavedForms<RuleForm>({ kind: 'rule', isForm: isLike(blankForm('')) });

/** What the kind is for, and which data it needs. If those are not always read, a button has them read. */
function KindHint({ kind }: { kind: AlertKind }) {
  const isWatched = useSession((state) => state.settings.isHealthReadInBackground);
  return (
    <div className={styles.hint}>
      <p>{`${kindHints[kind]} ${judgedBy(kind, isWatched)}`}</p>
      {!isWatched && needsHealth(kind) && (
        <Button size="sm" onClick={() => void chooseSettings({ isHealthReadInBackground: true })}>
          {preferencesText.background}
        </Button>
      )}
    </div>
  );
}

/**
 * Creates a rule, or changes the figures of one. It stays open while something is invalid, and closes when the rule is
 * saved.
 */
export function RuleDialog({ connectionId, endpointId, rule, onClose }: RuleDialogProps) {
  const connection = useSession((state) => state.connections.find((one) => one.id === connectionId) ?? null);
  const { form, problems, problem, isBack, change, changeFigures, save, remove, end } = useRuleEdit({
    connectionId,
    endpointId,
    rule,
    onClose,
  });
  const everywhere =
    connection === null ? ruleDialogText.allEndpointsOfConnection : ruleDialogText.allEndpointsOf(connection.name);
  const whose =
    rule?.endpointId == null
      ? everywhere
      : endpointName(findEndpoint(connection === null ? [] : [connection], connectionId, rule.endpointId));
  return (
    <Dialog
      title={rule === null ? ruleDialogText.newTitle : alertRulesText.edit(rule.condition.kind)}
      isOpen
      onClose={onClose}
      width={460}
      actions={
        <div className={styles.actions}>
          {rule === null ? (
            <span />
          ) : (
            <Button variant="danger" onClick={() => void remove(rule)}>
              {ruleDialogText.deleteRule}
            </Button>
          )}
          <Button onClick={end}>{commonText.cancel}</Button>
          <Button variant="primary" onClick={() => void save()}>
            {rule === null ? alertRulesText.addRule : ruleDialogText.saveRule}
          </Button>
        </div>
      }
    >
      <form
        className={styles.form}
        aria-label={ruleDialogText.form}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {rule === null ? (
          <KindAndEndpoint
            form={form}
            endpoints={connection?.endpoints ?? []}
            onKind={(kind) => change({ kind })}
            onEndpoint={(id) => change({ endpointId: id })}
          />
        ) : (
          <div className={styles.choice}>
            <span>{ruleDialogText.watches}</span>
            <p className={styles.fixed}>{whose}</p>
          </div>
        )}
        <Figures form={form} problems={problems} onChange={changeFigures} />
        <KindHint kind={form.kind} />
        {isBack && <UnsavedNotice className={styles.hint} />}
        <Problem text={problem} />
        <button type="submit" hidden tabIndex={-1} aria-hidden="true" />
      </form>
    </Dialog>
  );
}

interface RuleEdit {
  form: RuleForm;
  /** Of its fields. */
  problems: Partial<Record<RuleField, string>>;
  /** Why it could not be saved or deleted, or null. */
  problem: string | null;
  /** What was typed before, and not saved, is shown again. */
  isBack: boolean;
  change: (patch: Partial<Pick<RuleForm, 'kind' | 'endpointId'>>) => void;
  changeFigures: (patch: Partial<RuleFigures>) => void;
  /** Saves the rule and closes the dialog, unless something is invalid. */
  save: () => Promise<void>;
  /** Deletes the rule and closes the dialog. It can be undone. */
  remove: (removed: AlertRule) => Promise<void>;
  /** Closes the dialog without keeping what is in it. Escape keeps it. */
  end: () => void;
}

/** What is entered for a rule, and what becomes of it. */
function useRuleEdit({ connectionId, endpointId, rule, onClose }: RuleDialogProps): RuleEdit {
  const name = rule?.id ?? endpointKey({ connectionId, endpointId: endpointId ?? '' });
  const start = rule === null ? blankForm(endpointId) : formOf(rule);
  const { fields: form, change: setForm, isBack } = unsaved.useForm(name, start);
  const [problems, setProblems] = useState<Partial<Record<RuleField, string>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const end = (): void => {
    unsaved.end(name);
    onClose();
  };
  const save = async (): Promise<void> => {
    if (isBusy) return;
    const read = readForm(form);
    if ('problems' in read) {
      setProblems(read.problems);
      return;
    }
    setBusy(true);
    const failure = await saveRule({
      ...(rule === null ? {} : { id: rule.id }),
      connectionId,
      endpointId: form.endpointId === '' ? null : form.endpointId,
      condition: read.condition,
    });
    setBusy(false);
    if (failure === null) end();
    else setProblem(failure.message);
  };
  const remove = async (removed: AlertRule): Promise<void> => {
    const place = placeOfRule(removed);
    const failure = await removeRule(connectionId, removed.id);
    if (failure !== null) {
      setProblem(failure.message);
      return;
    }
    end();
    toast(ruleDialogText.deleted(removed.condition.kind), {
      action: undoAction(() => void putBack(removed, place)),
    });
  };
  const change: RuleEdit['change'] = (patch) => {
    setForm({ ...form, ...patch });
    // Another kind has other fields.
    if (patch.kind !== undefined) setProblems({});
  };
  const changeFigures: RuleEdit['changeFigures'] = (patch) => {
    setForm({ ...form, figures: { ...form.figures, [form.kind]: { ...form.figures[form.kind], ...patch } } });
    setProblems((before) =>
      Object.fromEntries(Object.entries(before).filter(([field]) => !Object.hasOwn(patch, field))),
    );
  };
  return { form, problems, problem, isBack, change, changeFigures, save, remove, end };
}

/** Why the rule could not be saved. */
function Problem({ text }: { text: string | null }) {
  return text === null ? null : (
    <p className={styles.problem} role="alert">
      {text}
    </p>
  );
}

interface KindAndEndpointProps {
  form: RuleForm;
  endpoints: readonly Endpoint[];
  onKind: (kind: RuleForm['kind']) => void;
  onEndpoint: (endpointId: string) => void;
}

/** What a new rule measures, and at which endpoint. */
function KindAndEndpoint({ form, endpoints, onKind, onEndpoint }: KindAndEndpointProps) {
  return (
    <div className={styles.two}>
      <label className={styles.choice}>
        <span>{ruleDialogText.kind}</span>
        <Select
          label={ruleDialogText.kind}
          value={form.kind}
          options={alertKinds.map((value) => ({ value, label: alertNames[value] }))}
          onChange={onKind}
        />
      </label>
      <label className={styles.choice}>
        <span>{ruleDialogText.watches}</span>
        <Select
          label={ruleDialogText.watches}
          value={form.endpointId}
          options={[
            { value: '', label: ruleDialogText.allEndpoints },
            ...endpoints.map((endpoint) => ({ value: endpoint.id, label: endpointName(endpoint) })),
          ]}
          onChange={onEndpoint}
        />
      </label>
    </div>
  );
}

interface FiguresProps {
  form: RuleForm;
  problems: Partial<Record<RuleField, string>>;
  onChange: (patch: Partial<RuleFigures>) => void;
}

/** The figures of a rule's kind, each with its problem. */
function Figures({ form, problems, onChange }: FiguresProps) {
  const figures = form.figures[form.kind];
  return (
    <>
      <div className={styles.two}>
        {ruleFields[form.kind].map(({ field, label, unit }, index) => (
          <TextField
            key={`${form.kind} ${field}`}
            label={label}
            value={figures[field]}
            problem={problems[field]}
            inputMode={field === 'span' ? 'text' : 'decimal'}
            autoFocus={index === 0}
            trailing={unit === '' ? undefined : <span className="t3 small">{unit}</span>}
            onChange={(text) => onChange({ [field]: text })}
          />
        ))}
      </div>
      {form.kind === 'stuck-queue' && (
        <Checkbox
          label={ruleDialogText.onlyNoneIdle}
          isOn={figures.isNoneIdle}
          onChange={(isNoneIdle) => onChange({ isNoneIdle })}
        />
      )}
    </>
  );
}

async function putBack(rule: AlertRule, place: number): Promise<void> {
  const failure = await restoreRule(rule, place);
  if (failure !== null) toast(ruleDialogText.couldNotRestore(rule.condition.kind, failure.message));
}
