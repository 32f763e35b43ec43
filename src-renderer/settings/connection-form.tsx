import { KeyRound, Plug, ShieldCheck } from 'lucide-react';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import type { ConnectionCheck } from '../../src-preload/connection.ts';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { RadioCards } from '../design/radio-cards.tsx';
import { TextField } from '../design/text-field.tsx';
import { useSession } from '../data/session-store.ts';
import { toConnectionDraft } from './connection-form-state.ts';
import type { ConnectionFields } from './connection-form-state.ts';
import styles from './connection-form.module.css';
import { EndpointIds } from './endpoint-ids.tsx';
import { EndpointRows } from './endpoint-rows.tsx';
import { PlainHttpQuestions } from './plain-http.tsx';
import { useAddressNeeds } from './use-address-needs.ts';

export interface ConnectionFormProps {
  fields: ConnectionFields;
  onChange: (fields: ConnectionFields) => void;
  /** True where a key is kept already: the field then says so and stays empty. */
  hasKey: boolean;
  problem: { message: string; field: string | null } | null;
}

/** Name, addresses, key, authorization form and endpoints of one connection, with a check that asks the service. */
export function ConnectionForm({ fields, onChange, hasKey, problem }: ConnectionFormProps): ReactElement {
  const keyStorage = useSession((state) => state.info?.keyStorage ?? null);
  const needs = useAddressNeeds(fields);
  // What was typed answers it.
  const keyNeed = fields.key === '' ? needs.key : null;
  const change = (patch: Partial<ConnectionFields>): void => onChange({ ...fields, ...patch });
  const problemOf = (field: string): { problem?: string } =>
    problem?.field === field ? { problem: problem.message } : {};
  return (
    <div className={styles.form}>
      <TextField
        label="Connection name"
        value={fields.name}
        placeholder="Production"
        {...problemOf('name')}
        onChange={(name) => change({ name })}
      />
      <div className={styles.two}>
        <TextField
          label={
            <>
              Base URL <em className={styles.aside}>queue interface, /v2</em>
            </>
          }
          isMono
          value={fields.baseUrl}
          placeholder="https://"
          {...problemOf('baseUrl')}
          onChange={(baseUrl) => change({ baseUrl })}
        />
        <TextField
          label={
            <>
              REST URL <em className={styles.aside}>pods and templates, /v1</em>
            </>
          }
          isMono
          value={fields.restUrl}
          placeholder="optional"
          {...problemOf('restUrl')}
          onChange={(restUrl) => change({ restUrl })}
        />
      </div>
      <PlainHttpQuestions
        places={needs.plainHttp}
        agreed={fields.plainHttpOrigins}
        problem={problem?.field === 'plainHttp' ? problem.message : null}
        onChange={(plainHttpOrigins) => change({ plainHttpOrigins })}
      />
      <TextField
        label="API key"
        isSecret
        value={fields.key}
        placeholder={keyPlaceholder(hasKey, keyNeed !== null)}
        icon={<KeyRound size={16} strokeWidth={1.75} />}
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
      <div>
        <span className={styles.label}>Sent as</span>
        <RadioCards
          label="Sent as"
          value={fields.authorization}
          options={[
            { value: 'bearer', label: <code className={styles.mono}>Bearer &lt;key&gt;</code> },
            {
              value: 'bare',
              label: (
                <>
                  <code className={styles.mono}>&lt;key&gt;</code> <span className={styles.aside}>bare</span>
                </>
              ),
            },
          ]}
          onChange={(authorization) => change({ authorization })}
        />
        <p className={styles.hint}>Queue requests accept either form. Pods and templates always use Bearer.</p>
      </div>
      <EndpointIds endpoints={fields.endpoints} onChange={(endpoints) => change({ endpoints })} />
      {fields.endpoints.length > 0 ? (
        <EndpointRows endpoints={fields.endpoints} onChange={(endpoints) => change({ endpoints })} />
      ) : null}
      {/* What was found out of one address says nothing of another. */}
      <ConnectionChecker key={fields.baseUrl} fields={fields} />
    </div>
  );
}

function keyPlaceholder(hasKey: boolean, isAskedAgain: boolean): string {
  if (isAskedAgain) return 'Type the key again';
  return hasKey ? 'A key is kept. Type to replace it' : '';
}

/** Reads each endpoint's health once and shows what the service answered. */
function ConnectionChecker({ fields }: { fields: ConnectionFields }): ReactElement {
  const [checks, setChecks] = useState<ConnectionCheck[] | null>(null);
  const [isChecking, setChecking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const headId = useId();
  const canCheck = fields.baseUrl.trim() !== '' && fields.endpoints.length > 0;
  const check = async (): Promise<void> => {
    setChecking(true);
    const draft = toConnectionDraft(fields);
    const result = await call('connection:test', {
      ...(fields.id === null ? {} : { connectionId: fields.id }),
      draft: { ...draft, name: draft.name === '' ? 'unnamed' : draft.name },
      ...(fields.key === '' ? {} : { key: fields.key }),
    });
    setChecking(false);
    setChecks(result.ok ? result.value : null);
    setProblem(result.ok ? null : result.failure.message);
  };
  const isAllWell = checks !== null && checks.every((each) => each.problem === null);
  const title =
    problem !== null
      ? 'The check could not be made'
      : checks === null
        ? 'Not checked yet'
        : isAllWell
          ? 'Connection checked'
          : 'The check found a problem';
  return (
    <section className={styles.check} aria-labelledby={headId} aria-live="polite">
      <div className={styles.checkHead}>
        <Plug size={16} strokeWidth={1.75} aria-hidden className={isAllWell ? styles.well : styles.neutral} />
        <span id={headId} className={styles.strong}>
          {isChecking ? 'Asking the service' : title}
        </span>
        <span className={styles.grow} />
        <Button
          variant="ghost"
          size="sm"
          disabledReason={
            isChecking ? 'The service is being asked' : canCheck ? undefined : 'Needs a base URL and an endpoint id'
          }
          onClick={() => void check()}
        >
          {checks === null ? 'Check' : 'Check again'}
        </Button>
      </div>
      {problem === null ? null : (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {(checks ?? []).map((each) => (
        <div key={each.endpointId} className={styles.checkLine}>
          <span className={styles.mono}>
            {each.method} {each.path}
          </span>
          <span className={each.problem === null ? styles.good : styles.problem}>
            {each.httpStatus ?? 'no answer'} <span className={styles.took}>{Math.round(each.tookMs)} ms</span>
          </span>
          {each.problem === null ? null : <span className={styles.checkProblem}>{each.problem}</span>}
        </div>
      ))}
    </section>
  );
}
