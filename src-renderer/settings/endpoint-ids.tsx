import { X } from 'lucide-react';
import { useId, useState, type ReactElement } from 'react';
import type { Endpoint } from '../../src-preload/connection.ts';
import { addEndpointIds } from './connection-form-state.ts';
import styles from './endpoint-ids.module.css';

interface EndpointIdsProps {
  endpoints: Endpoint[];
  onChange: (endpoints: Endpoint[]) => void;
}

/**
 * Endpoint ids as tokens. The service does not list endpoints, so the user adds those in use, one or several at a time.
 */
export function EndpointIds({ endpoints, onChange }: EndpointIdsProps): ReactElement {
  const [text, setText] = useState('');
  const fieldId = useId();
  const add = (typed: string): void => {
    onChange(addEndpointIds(endpoints, typed));
    setText('');
  };
  return (
    <div>
      <label className={styles.label} htmlFor={fieldId}>
        Endpoint ids <em className={styles.aside}>the service does not list them, so add the ones you use</em>
      </label>
      <div className={styles.box}>
        {endpoints.map((endpoint) => (
          <span key={endpoint.id} className={styles.token}>
            <code>{endpoint.id}</code>
            <button
              type="button"
              aria-label={`Remove ${endpoint.id}`}
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
          placeholder="Add id"
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
            } else if (event.key === 'Backspace' && text === '') {
              onChange(endpoints.slice(0, -1));
            }
          }}
        />
      </div>
    </div>
  );
}
