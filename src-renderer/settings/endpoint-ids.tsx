import { X } from 'lucide-react';
import { useId, useState, type ReactElement } from 'react';
import type { ConnectionCheck, Endpoint } from '../../src-preload/connection.ts';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { endpointIdsText } from '../messages/settings/connection.tsx';
import { addEndpointIds } from './connection-form-state.ts';
import styles from './endpoint-ids.module.css';

interface EndpointIdsProps {
  endpoints: Endpoint[];
  /** What the service answered about them, where they were checked. */
  checks: readonly ConnectionCheck[];
  onChange: (endpoints: Endpoint[]) => void;
}

/**
 * Endpoint ids as tokens. The service does not list endpoints, so the user adds those in use, one or several at a time.
 */
export function EndpointIds({ endpoints, checks, onChange }: EndpointIdsProps): ReactElement {
  const [text, setText] = useState('');
  const fieldId = useId();
  const add = (typed: string): void => {
    onChange(addEndpointIds(endpoints, typed));
    setText('');
  };
  return (
    <div>
      <label className={styles.label} htmlFor={fieldId}>
        {endpointIdsText.label} <em className={styles.aside}>{endpointIdsText.note}</em>
      </label>
      <div className={styles.box}>
        {endpoints.map((endpoint) => (
          <span key={endpoint.id} className={styles.token}>
            <Checked check={checks.find(({ endpointId }) => endpointId === endpoint.id)} />
            <code>{endpoint.id}</code>
            <button
              type="button"
              aria-label={endpointIdsText.remove(endpoint.id)}
              onClick={() => onChange(endpoints.filter((each) => each.id !== endpoint.id))}
            >
              <X size={12} strokeWidth={1.75} />
            </button>
          </span>
        ))}
        <input
          id={fieldId}
          className={styles.input}
          value={text}
          placeholder={endpointIdsText.add}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            if (/[\s,;]/.test(event.target.value)) add(event.target.value);
            else setText(event.target.value);
          }}
          onBlur={() => (text === '' ? undefined : add(text))}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              // Enter adds the id; it never submits the form.
              event.preventDefault();
              if (text !== '') add(text);
            } else if (event.key === 'Backspace' && text === '' && !event.repeat) {
              // A key that is held to clear the field stops before the ids.
              onChange(endpoints.slice(0, -1));
            }
          }}
        />
      </div>
    </div>
  );
}

/** How an endpoint answered when the connection was checked; nothing where it was not. */
function Checked({ check }: { check: ConnectionCheck | undefined }): ReactElement | null {
  if (check === undefined) return null;
  const isWell = check.problem === null;
  return (
    <span role="img" aria-label={isWell ? endpointIdsText.answers : endpointIdsText.answersBadly}>
      <StatusGlyph kind={isWell ? 'done' : 'fail'} size={12} />
    </span>
  );
}
