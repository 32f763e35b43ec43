import { connectionCheckText, connectionFormText } from '../messages/settings/connection.tsx';
import styles from './connection-form.module.css';
import { Check, KeyRound, Plug, ShieldCheck } from 'lucide-react';
import { useEffect, useId, useRef, type ReactElement } from 'react';
import type { AddressNeeds } from '../../src-preload/connection.ts';
import { Button } from '../design/button.tsx';
import { RadioCards } from '../design/form/radio-cards.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { useSession } from '../data/session-store.ts';
import { groupChecks, useConnectionCheck, type ConnectionChecking } from './connection-check.ts';
import { filledIn, type ConnectionFields } from './connection-form-state.ts';
import { EndpointIds } from './endpoint-ids.tsx';
import { EndpointRows } from './endpoint-rows.tsx';
import { PlainHttpQuestions } from './plain-http.tsx';
import type { FieldProblem } from './save-connection.ts';
import { useCall } from '../data/calls.ts';
import { useSettled } from '../design/use-pause.ts';

export interface ConnectionFormProps {
  fields: ConnectionFields;
  onChange: (fields: ConnectionFields) => void;
  /** A key is saved already: the field says so and stays empty. */
  hasKey: boolean;
  problems: readonly FieldProblem[];
  /** Fields get a tick once they are filled in, as on the first start. */
  hasTicks?: boolean;
  /** Which field has the focus when the settings open; null: none. */
  focusFirst?: FirstField | null;
}

export type FirstField = 'name' | 'key';

/**
 * Name, addresses, key, authorization form and endpoints of a connection, with a button that checks them at the
 * service.
 */
export function ConnectionForm({
  fields,
  onChange,
  hasKey,
  problems,
  hasTicks = false,
  focusFirst = null,
}: ConnectionFormProps): ReactElement {
  const checking = useConnectionCheck(fields);
  const keyStorage = useSession((state) => state.keyStorage);
  const needs = useAddressNeeds(fields);
  // The entered key is what was needed.
  const keyNeed = fields.key === '' ? needs.key : null;
  const change = (patch: Partial<ConnectionFields>): void => onChange({ ...fields, ...patch });
  const problemOf = (wanted: string): { problem?: string } => {
    const found = problems.find(({ field }) => field === wanted);
    return found === undefined ? {} : { problem: found.message };
  };
  const tickOf = (wanted: string): ReactElement | null =>
    hasTicks && filledIn(fields)[wanted] === true && problemOf(wanted).problem === undefined ? (
      <Check role="img" aria-label={connectionFormText.filledIn} />
    ) : null;
  return (
    <div className={styles.form}>
      <TextField
        label={connectionFormText.name}
        value={fields.name}
        placeholder={connectionFormText.nameExample}
        trailing={tickOf('name')}
        {...problemOf('name')}
        data-focus-first={focusFirst === 'name' || undefined}
        onChange={(name) => change({ name })}
      />
      <Addresses {...{ fields, change, problemOf, tickOf }} />
      <PlainHttpQuestions
        places={needs.plainHttp}
        agreed={fields.plainHttpOrigins}
        problem={problemOf('plainHttp').problem ?? null}
        onChange={(plainHttpOrigins) => change({ plainHttpOrigins })}
      />
      <TextField
        label={connectionFormText.key}
        isSecret
        data-focus-first={focusFirst === 'key' || undefined}
        value={fields.key}
        placeholder={hasKey && keyNeed === null ? connectionFormText.keySaved : ''}
        icon={<KeyRound size={16} strokeWidth={1.75} />}
        trailing={keyNeed === null ? tickOf('key') : null}
        hint={
          keyStorage === null ? undefined : (
            <span className={styles.hintLine}>
              <ShieldCheck size={14} strokeWidth={1.75} aria-hidden />
              {keyStorage.explanation}
            </span>
          )
        }
        {...(keyNeed === null ? problemOf('key') : { problem: keyNeed })}
        onChange={(key) => change({ key })}
      />
      <SentAs value={fields.authorization} onChange={(authorization) => change({ authorization })} />
      <EndpointIds
        endpoints={fields.endpoints}
        checks={checking.checks ?? []}
        onChange={(endpoints) => change({ endpoints })}
      />
      {fields.endpoints.length > 0 ? (
        <EndpointRows endpoints={fields.endpoints} onChange={(endpoints) => change({ endpoints })} />
      ) : null}
      {hasTicks ? null : <ServiceLinks fields={fields} change={change} problemOf={problemOf} />}
      <ConnectionChecker fields={fields} checking={checking} isKeyNeeded={keyNeed !== null} />
    </div>
  );
}

interface FieldsProps {
  fields: ConnectionFields;
  change: (patch: Partial<ConnectionFields>) => void;
  problemOf: (field: string) => { problem?: string };
}

/** Where the service is: its endpoints, and their management. */
function Addresses({
  fields,
  change,
  problemOf,
  tickOf,
}: FieldsProps & { tickOf: (field: string) => ReactElement | null }): ReactElement {
  return (
    <div className={styles.two}>
      <TextField
        label={
          <>
            {connectionFormText.baseUrl} <em className={styles.aside}>{connectionFormText.baseUrlNote}</em>
          </>
        }
        isMono
        value={fields.baseUrl}
        placeholder="https://"
        trailing={tickOf('baseUrl')}
        {...problemOf('baseUrl')}
        onChange={(baseUrl) => change({ baseUrl })}
      />
      <TextField
        label={
          <>
            {connectionFormText.restUrl} <em className={styles.aside}>{connectionFormText.restUrlNote}</em>
          </>
        }
        isMono
        value={fields.restUrl}
        placeholder={connectionFormText.optional}
        trailing={tickOf('restUrl')}
        {...problemOf('restUrl')}
        onChange={(restUrl) => change({ restUrl })}
      />
    </div>
  );
}

interface SentAsProps {
  value: ConnectionFields['authorization'];
  onChange: (value: ConnectionFields['authorization']) => void;
}

/** In which form requests carry the key. */
function SentAs({ value, onChange }: SentAsProps): ReactElement {
  return (
    <div>
      <span className={styles.label}>{connectionFormText.sentAs}</span>
      <RadioCards
        label={connectionFormText.sentAs}
        value={value}
        options={[
          { value: 'bearer', label: <code className={styles.mono}>{connectionFormText.bearer}</code> },
          {
            value: 'bare',
            label: (
              <>
                <code className={styles.mono}>{connectionFormText.bareKey}</code>{' '}
                <span className={styles.aside}>{connectionFormText.bareNote}</span>
              </>
            ),
          },
        ]}
        onChange={onChange}
      />
      <p className={styles.hint}>{connectionFormText.sentAsHint}</p>
    </div>
  );
}

/** Links to pages of the service: no first start needs them. */
function ServiceLinks({ fields, change, problemOf }: FieldsProps): ReactElement {
  return (
    <div>
      <div className={styles.two}>
        <TextField
          label={
            <>
              {connectionFormText.consoleUrl} <em className={styles.aside}>{connectionFormText.consoleUrlNote}</em>
            </>
          }
          isMono
          value={fields.consoleUrl}
          placeholder={connectionFormText.consoleExample}
          {...problemOf('consoleUrl')}
          onChange={(consoleUrl) => change({ consoleUrl })}
        />
        <TextField
          label={
            <>
              {connectionFormText.logUrl} <em className={styles.aside}>{connectionFormText.logUrlNote}</em>
            </>
          }
          isMono
          value={fields.logUrl}
          placeholder={connectionFormText.logExample}
          {...problemOf('logUrl')}
          onChange={(logUrl) => change({ logUrl })}
        />
      </div>
      <p className={styles.hint}>{connectionFormText.linksHint}</p>
    </div>
  );
}

interface ConnectionCheckerProps {
  fields: ConnectionFields;
  checking: ConnectionChecking;
  /** The key must be entered first, and its field says so. */
  isKeyNeeded: boolean;
}

/** Shows what the service answered to a check, and offers another. */
function ConnectionChecker({ fields, checking, isKeyNeeded }: ConnectionCheckerProps): ReactElement {
  const { isChecking, checks, check } = checking;
  // While the key is asked for, the problem of an earlier check is not shown as well.
  const problem = isKeyNeeded ? null : checking.problem;
  const headId = useId();
  const reason = isChecking
    ? connectionCheckText.stillChecking
    : fields.baseUrl.trim() === '' || fields.endpoints.length === 0
      ? connectionCheckText.needs
      : isKeyNeeded
        ? connectionCheckText.needsKey
        : undefined;
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // The result is below the fields, where a toolbar may cover it.
    if (checks !== null || problem !== null) section.current?.scrollIntoView({ block: 'nearest' });
  }, [checks, problem]);
  const isAllWell = checks !== null && checks.every((each) => each.problem === null);
  const title =
    problem !== null
      ? connectionCheckText.couldNotCheck
      : checks === null
        ? connectionCheckText.notChecked
        : isAllWell
          ? connectionCheckText.good
          : connectionCheckText.bad;
  return (
    <section ref={section} className={styles.check} aria-labelledby={headId} aria-live="polite">
      <div className={styles.checkHead}>
        <Plug size={16} strokeWidth={1.75} aria-hidden className={isAllWell ? styles.well : styles.neutral} />
        <span id={headId} className={styles.strong}>
          {isChecking ? connectionCheckText.checking : title}
        </span>
        <span className={styles.grow} />
        <Button variant="ghost" size="sm" disabledReason={reason} onClick={() => void check()}>
          {checks === null ? connectionCheckText.check : connectionCheckText.checkAgain}
        </Button>
      </div>
      {problem === null ? null : (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {groupChecks(checks ?? []).map(({ problem, checks: those }) => (
        <div key={problem ?? ''}>
          {those.map((each) => (
            <div key={each.endpointId} className={styles.checkLine}>
              <span className={styles.mono}>
                {each.method} {each.path}
              </span>
              <span className={problem === null ? styles.good : styles.problem}>
                {each.httpStatus ?? connectionCheckText.noAnswer}{' '}
                <span className={styles.took}>{connectionCheckText.took(each.tookMs)}</span>
              </span>
            </div>
          ))}
          {problem === null ? null : <p className={styles.checkProblem}>{problem}</p>}
        </div>
      ))}
    </section>
  );
}

const nothing: AddressNeeds = { key: null, plainHttp: [] };
/** An address is judged when the user pauses. */
const pauseMs = 120;

/**
 * What the user must confirm about the addresses in the form before anything is sent to them (ruling 44). Sends
 * nothing.
 */
function useAddressNeeds({ id, ...typed }: Pick<ConnectionFields, 'id' | 'baseUrl' | 'restUrl'>): AddressNeeds {
  const baseUrl = useSettled(typed.baseUrl, pauseMs);
  const restUrl = useSettled(typed.restUrl, pauseMs);
  const { data } = useCall(
    'connection:addressNeeds',
    { baseUrl, restUrl, ...(id !== null && { connectionId: id }) },
    { placeholder: (former) => former, isFailureToast: true },
  );
  return data ?? nothing;
}
