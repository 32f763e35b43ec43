import type { KeyboardEvent, ReactNode } from 'react';
import { call } from '../bridge.ts';
import { classes } from '../design/class-names.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { hasCommandKey } from '../design/keyboard/platform.ts';
import { toast } from '../design/toast.tsx';
import { Tooltip } from '../design/tooltip.tsx';
import { fieldText } from '../messages/pods/fields.ts';
import { fieldState, isParentThere, stateNote, stateText, valueText, type FieldState } from './field-state.ts';
import { useShownPod } from './pod-context.ts';
import type { PodFieldInfo } from './pod-fields.ts';
import styles from './field.module.css';

export interface FieldProps {
  info: PodFieldInfo;
  /** A dotted path: `machine.cpuType.cores`. */
  path: string;
  /** Drawn instead of the value as `info` writes it. Not drawn if there is no value. */
  children?: ReactNode;
}

/** What the reply says of the field, and the text for it. */
export function useField(info: PodFieldInfo, path: string): { state: FieldState; text: string; note: string | null } {
  const pod = useShownPod();
  const state = fieldState(pod, path);
  const isParentHere = isParentThere(pod, path);
  const wasRequested = info.flag === undefined || pod.include.includes(info.flag);
  return {
    state,
    text: state.kind === 'value' ? valueText(info, state.value) : stateText(info, state, isParentHere, wasRequested),
    note: stateNote(info, state, isParentHere),
  };
}

/**
 * One field in any form. Its accessible name is the label and the name in the API; its meaning is shown on hover and
 * focus. Arrows move between fields (`moveBetweenFields`), Ctrl C copies.
 */
export function FieldShell({ info, path, className, children }: FieldProps & { className?: string | undefined }) {
  const { state, note } = useField(info, path);
  const description = [info.meaning, info.unit === undefined ? '' : fieldText.inUnit(info.unit), note ?? '']
    .filter((sentence) => sentence !== '')
    .join(' ');
  const copy = (event: KeyboardEvent): void => {
    if (
      event.target !== event.currentTarget ||
      !hasCommandKey(event) ||
      event.key.toLowerCase() !== 'c' ||
      window.getSelection()?.isCollapsed === false
    )
      return;
    event.preventDefault();
    void copyText(copyOf(state));
  };
  return (
    <Tooltip side="top" text={<Meaning path={path} info={info} note={note} />}>
      <div
        role="group"
        aria-label={fieldText.name(info.label, path)}
        aria-description={description}
        data-field={path}
        tabIndex={-1}
        className={classes(styles.shell, className)}
        onKeyDown={copy}
      >
        {children}
      </div>
    </Tooltip>
  );
}

/** A field as label and value. */
export function FieldRow({ info, path, children, isRight }: FieldProps & { isRight?: boolean }) {
  return (
    <FieldShell info={info} path={path} className={classes(styles.row, isRight === true && styles.right)}>
      <span className={styles.label}>{info.label}</span>
      <span className={styles.value}>
        <FieldValue info={info} path={path}>
          {children}
        </FieldValue>
      </span>
    </FieldShell>
  );
}

/** A field beside a title: the value alone. */
export function FieldNote({ info, path, children }: FieldProps) {
  return (
    <FieldShell info={info} path={path}>
      <FieldValue info={info} path={path}>
        {children}
      </FieldValue>
    </FieldShell>
  );
}

/** The value alone, or the text for a missing one. */
export function FieldValue({ info, path, children }: FieldProps) {
  const { state, text } = useField(info, path);
  switch (state.kind) {
    case 'absent':
    case 'null':
      return <span className={styles.none}>{text}</span>;
    case 'empty':
      return (
        <span className={styles.none}>
          {text} <span className={styles.json}>{state.json}</span>
        </span>
      );
    case 'odd':
      return (
        <span className={styles.odd}>
          <span className={styles.json}>{text}</span> <span className={styles.badge}>{fieldText.oddFormat}</span>
        </span>
      );
    case 'value':
      return children ?? <Plain info={info} value={state.value} text={text} />;
  }
}

function Plain({ info, value, text }: { info: PodFieldInfo; value: unknown; text: string }) {
  if (info.form === 'id') return <CopyableId label={info.label} text={text} />;
  if (info.form === 'raw') return <span className={classes('mono', 'sel')}>{text}</span>;
  if (info.form === 'arguments' && Array.isArray(value)) {
    return (
      <span className={styles.arguments}>
        {value.map((argument, index) => (
          <span key={index} className={classes(styles.argument, 'sel')}>
            {String(argument)}
          </span>
        ))}
      </span>
    );
  }
  return (
    <span className="sel" dir="auto">
      {text}
    </span>
  );
}

/** An id in monospace with a button that copies it. */
export function CopyableId({ label, text }: { label: string; text: string }) {
  return (
    <span className={styles.copyable}>
      <span className={classes('mono', 'sel', 'trunc')} title={text}>
        {text}
      </span>
      <CopyButton label={fieldText.copy(label)} text={() => text} />
    </span>
  );
}

function Meaning({ path, info, note }: { path: string; info: PodFieldInfo; note: string | null }) {
  return (
    <span className={styles.meaning}>
      <span className={styles.json}>
        {path}
        {info.unit === undefined ? '' : ` · ${info.unit}`}
      </span>
      <span>{info.meaning}</span>
      {note !== null && <span className={styles.none}>{note}</span>}
    </span>
  );
}

/** A string as it is, everything else as JSON. */
function copyOf(state: FieldState): string {
  switch (state.kind) {
    case 'absent':
      return '';
    case 'null':
      return 'null';
    case 'empty':
    case 'odd':
      return state.json;
    case 'value':
      return typeof state.value === 'string' ? state.value : JSON.stringify(state.value);
  }
}

async function copyText(text: string): Promise<void> {
  if (text === '') return toast(fieldText.nothingToCopy);
  const result = await call('app:copyText', { text });
  toast(result.ok ? fieldText.copied : result.failure.message);
}

/** Arrows, Home and End move between the fields of a window, which are one tab stop together. */
export function moveBetweenFields(event: KeyboardEvent<HTMLElement>): void {
  const from = event.target;
  if (!(from instanceof HTMLElement) || from.dataset['field'] === undefined) return;
  const fields = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-field]')];
  const at = fields.indexOf(from);
  const to = {
    ArrowDown: at + 1,
    ArrowRight: at + 1,
    ArrowUp: at - 1,
    ArrowLeft: at - 1,
    Home: 0,
    End: fields.length - 1,
  }[event.key];
  const next = to === undefined ? undefined : fields[to];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** Makes the field that had the focus last the tab stop. At first it is the first field. */
export function keepTabStop(area: HTMLElement): () => void {
  const set = (chosen: Element | null): void => {
    if (chosen === null) return;
    for (const field of area.querySelectorAll<HTMLElement>('[data-field][tabindex="0"]')) field.tabIndex = -1;
    if (chosen instanceof HTMLElement) chosen.tabIndex = 0;
  };
  const onFocus = (event: FocusEvent): void => {
    if (event.target instanceof HTMLElement && event.target.dataset['field'] !== undefined) set(event.target);
  };
  if (area.querySelector('[data-field][tabindex="0"]') === null) set(area.querySelector('[data-field]'));
  area.addEventListener('focusin', onFocus);
  return () => area.removeEventListener('focusin', onFocus);
}
