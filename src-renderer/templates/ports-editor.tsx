import { Plus, X } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Segmented } from '../design/segmented.tsx';
import { portsEditorText } from '../messages/templates/form.tsx';
import { FieldFrame } from './field-frame.tsx';
import { edit, useTemplate } from './template-store.ts';
import { useLineProblem } from './use-plan.ts';
import styles from './form.module.css';

const protocols = [
  { value: 'http', label: 'http' },
  { value: 'tcp', label: 'tcp' },
] as const;

/** An entry as its line shows it: port and protocol separately if the protocol is a known one, otherwise as entered. */
function portParts(entry: string): { port: string; protocol: 'http' | 'tcp' | null } {
  const found = /^(.*)\/(http|tcp)$/.exec(entry);
  const protocol = found?.[2];
  return protocol === 'http' || protocol === 'tcp'
    ? { port: found?.[1] ?? '', protocol }
    : { port: entry, protocol: null };
}

/** The entry after `port` was entered in a line. A whole `22/tcp` is accepted too. */
function typedPort(port: string, protocol: 'http' | 'tcp' | null): string {
  return port.includes('/') || protocol === null ? port : `${port}/${protocol}`;
}

/** The ports, one per line. */
export function PortsEditor() {
  const known = useTemplate(({ view }) => view?.known?.template.ports);
  const edited = useTemplate(({ edits }) => edits.ports);
  const list = useRef<HTMLUListElement>(null);
  const ports = edited ?? known ?? [];
  const set = (index: number, entry: string): void =>
    edit(
      'ports',
      ports.map((other, at) => (at === index ? entry : other)),
    );
  const add = (): void => {
    edit('ports', [...ports, '/http']);
    requestAnimationFrame(() => list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus());
  };
  return (
    <FieldFrame
      field="ports"
      aside={
        <Button size="sm" variant="ghost" icon={<Plus />} onClick={add}>
          {portsEditorText.add}
        </Button>
      }
    >
      {ports.length === 0 && (
        <p className={styles.none}>
          {known === undefined && edited === undefined ? portsEditorText.notKnown : portsEditorText.none}
        </p>
      )}
      <ul ref={list} className={styles.lines}>
        {ports.map((entry, index) => (
          <PortLine
            key={index}
            index={index}
            entry={entry}
            isNew={known?.includes(entry) !== true && known !== undefined && known !== null}
            onChange={(next) => set(index, next)}
            onRemove={() =>
              edit(
                'ports',
                ports.filter((_, at) => at !== index),
              )
            }
          />
        ))}
      </ul>
    </FieldFrame>
  );
}

interface PortLineProps {
  index: number;
  entry: string;
  isNew: boolean;
  onChange: (entry: string) => void;
  onRemove: () => void;
}

function PortLine({ index, entry, isNew, onChange, onRemove }: PortLineProps) {
  const problem = useLineProblem('ports', index);
  const { port, protocol } = portParts(entry);
  return (
    <li>
      <div className={classes(styles.line, problem !== null && styles.bad, isNew && styles.lineChanged)}>
        <input
          className={styles.port}
          aria-label={portsEditorText.port(index + 1)}
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem === null ? undefined : `port-${index}-problem`}
          spellCheck={false}
          placeholder="8080"
          value={port}
          onChange={(event) => onChange(typedPort(event.target.value.trim(), protocol))}
        />
        <Segmented
          size="sm"
          label={portsEditorText.protocol(index + 1)}
          value={protocol ?? ''}
          options={protocols}
          onChange={(next) => onChange(`${port.replace(/\/.*$/, '')}/${next}`)}
        />
        <span className="grow" />
        {isNew && <span className={styles.was}>{portsEditorText.new}</span>}
        <IconButton label={portsEditorText.remove(port)} size="sm" hasSmallGlyph icon={<X />} onClick={onRemove} />
      </div>
      {problem !== null && (
        <p id={`port-${index}-problem`} className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </li>
  );
}
