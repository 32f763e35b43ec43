import type { ReactElement } from 'react';
import type { Endpoint, EndpointFlavour } from '../../src-preload/connection.ts';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { Select } from '../design/select.tsx';
import { TextField } from '../design/text-field.tsx';
import styles from './endpoint-rows.module.css';

const flavours: { value: EndpointFlavour; label: string }[] = [
  { value: 'unknown', label: 'Automatic' },
  { value: 'text', label: 'Text' },
  { value: 'image', label: 'Images' },
  { value: 'audio', label: 'Audio' },
  { value: 'embedding', label: 'Embeddings' },
  { value: 'other', label: 'Other' },
];

interface EndpointRowsProps {
  endpoints: Endpoint[];
  onChange: (endpoints: Endpoint[]) => void;
}

/**
 * A name, a title rule and a kind for each endpoint, since the service has none of them. The kind only chooses an icon;
 * `Automatic` derives it from the outputs.
 */
export function EndpointRows({ endpoints, onChange }: EndpointRowsProps): ReactElement {
  const change = (id: string, patch: Partial<Endpoint>): void =>
    onChange(endpoints.map((each) => (each.id === id ? { ...each, ...patch } : each)));
  return (
    <>
      <ul className={styles.rows} aria-label="Endpoint names">
        {endpoints.map((endpoint) => (
          <li key={endpoint.id} className={styles.row}>
            <code className={styles.id}>{endpoint.id}</code>
            <TextField
              aria-label={`Name of ${endpoint.id}`}
              size="sm"
              value={endpoint.label}
              placeholder="Name"
              onChange={(label) => change(endpoint.id, { label })}
            />
            <TextField
              aria-label={`Job titles of ${endpoint.id}`}
              size="sm"
              value={endpoint.titleRule ?? ''}
              placeholder="Titles: {{prompt}}"
              onChange={(titleRule) => change(endpoint.id, { titleRule })}
            />
            <span className={styles.kind}>
              <Select
                label={`Kind of ${endpoint.id}`}
                size="sm"
                value={endpoint.flavour}
                options={flavours.map((one) => ({
                  ...one,
                  icon: <EndpointIcon endpoint={{ ...endpoint, flavour: one.value }} />,
                }))}
                onChange={(flavour) => change(endpoint.id, { flavour })}
              />
            </span>
          </li>
        ))}
      </ul>
      <p className={styles.hint}>
        {'Titles such as {{prompt}}, seed {{seed}} take these fields of an input. Left empty, Jobdeck picks one.'}
      </p>
    </>
  );
}
