import type { ReactElement } from 'react';
import type { Endpoint, EndpointFlavour } from '../../src-preload/connection.ts';
import { classes } from '../design/class-names.ts';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { Select } from '../design/form/select.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { endpointRowsText, flavourNames } from '../messages/settings/connection.tsx';
import styles from './endpoint-rows.module.css';

const flavours: readonly EndpointFlavour[] = ['unknown', 'text', 'image', 'audio', 'embedding', 'other'];

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
      <div className={classes(styles.row, styles.heads)} aria-hidden="true">
        <span>{endpointRowsText.id}</span>
        <span>{endpointRowsText.name}</span>
        <span>{endpointRowsText.titles}</span>
        <span>{endpointRowsText.kind}</span>
      </div>
      <ul className={styles.rows} aria-label={endpointRowsText.label}>
        {endpoints.map((endpoint) => (
          <li key={endpoint.id} className={styles.row}>
            <code className={styles.id}>{endpoint.id}</code>
            <TextField
              aria-label={endpointRowsText.nameOf(endpoint.id)}
              size="sm"
              value={endpoint.label}
              placeholder={endpoint.id}
              onChange={(label) => change(endpoint.id, { label })}
            />
            <TextField
              aria-label={endpointRowsText.titlesOf(endpoint.id)}
              size="sm"
              value={endpoint.titleRule ?? ''}
              placeholder={endpointRowsText.titlesExample}
              onChange={(titleRule) => change(endpoint.id, { titleRule })}
            />
            <span className={styles.kind}>
              <Select
                label={endpointRowsText.kindOf(endpoint.id)}
                size="sm"
                value={endpoint.flavour}
                options={flavours.map((flavour) => ({
                  value: flavour,
                  label: flavourNames[flavour],
                  icon: <EndpointIcon endpoint={{ ...endpoint, flavour }} />,
                }))}
                onChange={(flavour) => change(endpoint.id, { flavour })}
              />
            </span>
          </li>
        ))}
      </ul>
      <p className={styles.hint}>{endpointRowsText.titlesHint}</p>
    </>
  );
}
