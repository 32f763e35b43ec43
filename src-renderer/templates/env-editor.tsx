import styles from './form.module.css';
import { ClipboardPaste, Eye, EyeOff, PencilLine, Plus, Undo2, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { EnvEntry } from '../../src-preload/template.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { IconButton } from '../design/icon-button.tsx';
import { envEditorText, envLineText, dots } from '../messages/templates/env.ts';
import { EnvPaste } from './env-paste.tsx';
import { linesOfKnown } from './edit-rules.ts';
import { FieldFrame } from './field-frame.tsx';
import { currentEnv, edit, pasteEnv, useTemplate, type TemplateAt } from './template-store.ts';
import { useLineProblem } from './use-plan.ts';
import type { Failure } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import { useRevealed, type Revealed } from '../design/use-revealed.ts';

const none: readonly string[] = [];

/** The variables, one per line. Values are dots; one is shown at a time. */
export function EnvEditor() {
  const view = useTemplate((state) => state.view);
  const edits = useTemplate((state) => state.edits);
  const lostEnv = useTemplate((state) => state.lostEnv);
  const isPasteLost = useTemplate((state) => state.isPasteLost);
  const [isPasting, setPasting] = useState(false);
  const pasted = useTemplate((state) => state.pastedEnv);
  const list = useRef<HTMLUListElement>(null);
  const reveal = useReveal();
  const known = view?.known?.template.env;
  const entries = currentEnv({ view, edits });
  const knownLines = linesOfKnown(entries, known ?? none);
  const gone = (known ?? none).filter(
    (name) => edits.env !== undefined && !entries.some((entry) => entry.name === name),
  );

  const setAll = (next: EnvEntry[]): void => edit('env', next);
  const set = (index: number, entry: EnvEntry): void =>
    setAll(entries.map((other, at) => (at === index ? entry : other)));
  const add = (): void => {
    setAll([...entries, { name: '', value: '' }]);
    requestAnimationFrame(() => list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus());
  };
  const toggle = (entry: EnvEntry): void => {
    if (reveal.revealed?.name === entry.name) reveal.hide();
    else if (entry.value !== null) reveal.show({ name: entry.name, value: entry.value });
    else {
      const seq = entry.from ?? view?.known?.seq;
      if (view !== null && seq !== undefined) void reveal.ask(view, seq, entry.name);
    }
  };
  const aside = (
    <>
      <Button size="sm" variant="ghost" icon={<ClipboardPaste />} onClick={() => setPasting(true)}>
        {envEditorText.paste}
      </Button>
      <Button size="sm" variant="ghost" icon={<Plus />} onClick={add}>
        {envEditorText.add}
      </Button>
    </>
  );
  return (
    <FieldFrame field="env" aside={aside}>
      {view?.isEnvLost === true && <p className={styles.caution}>{envEditorText.valuesLost}</p>}
      {(known === undefined || known === null) && edits.env !== undefined && (
        <p className={styles.caution}>{envEditorText.replacesAll}</p>
      )}
      {lostEnv.length > 0 && <p className={styles.caution}>{envEditorText.enteredLost(lostEnv)}</p>}
      {isPasteLost && <p className={styles.caution}>{envEditorText.pasteLost}</p>}
      {entries.length === 0 && (
        <p className={styles.none}>
          {known === undefined && edits.env === undefined ? envEditorText.notKnown : envEditorText.none}
        </p>
      )}
      <ul ref={list} className={styles.lines}>
        {entries.map((entry, index) => (
          <EnvLine
            key={index}
            index={index}
            entry={entry}
            isKnown={knownLines.has(index)}
            isRevealed={reveal.revealed?.name === entry.name}
            shown={reveal.revealed?.name === entry.name ? reveal.revealed.value : null}
            revealProblem={reveal.failure?.name === entry.name ? reveal.failure.failure.message : null}
            onReveal={() => toggle(entry)}
            onChange={(next) => set(index, next)}
            onRemove={() => setAll(entries.filter((_, at) => at !== index))}
          />
        ))}
        {gone.map((name) => (
          <li key={`gone-${name}`} className={classes(styles.line, styles.lineGone)}>
            <span className={classes(styles.envName, 'trunc')}>{name}</span>
            <span className="grow">{envEditorText.removed}</span>
            <IconButton
              label={envEditorText.restore(name)}
              size="sm"
              hasSmallGlyph
              icon={<Undo2 />}
              onClick={() => setAll([...entries, { name, value: null }])}
            />
          </li>
        ))}
      </ul>
      {isPasting && (
        <EnvPaste
          entries={entries}
          text={pasted}
          onChange={pasteEnv}
          onClose={() => setPasting(false)}
          onTake={setAll}
        />
      )}
    </FieldFrame>
  );
}

interface EnvLineProps {
  index: number;
  entry: EnvEntry;
  isKnown: boolean;
  isRevealed: boolean;
  shown: string | null;
  revealProblem: string | null;
  onReveal: () => void;
  onChange: (entry: EnvEntry) => void;
  onRemove: () => void;
}

function EnvLine({
  index,
  entry,
  isKnown,
  isRevealed,
  shown,
  revealProblem,
  onReveal,
  onChange,
  onRemove,
}: EnvLineProps) {
  const nameProblem = useLineProblem('env', index, 'name');
  const valueProblem = useLineProblem('env', index, 'value');
  // A name may be that of a removed variable while it is typed, as the beginning of a longer one.
  const [isNaming, setNaming] = useState(false);
  const { name, value } = entry;
  const problem = nameProblem ?? valueProblem ?? revealProblem;
  const isKept = value === null;
  const label = name === '' ? envLineText.unnamed(index + 1) : name;
  const noteId = `env-${index}-problem`;
  const mark = isKept
    ? entry.from === undefined
      ? null
      : envLineText.asItWas
    : isKnown
      ? envLineText.changed
      : envLineText.new;
  return (
    <li>
      <div className={classes(styles.line, problem !== null && styles.bad, mark !== null && styles.lineChanged)}>
        {isKnown && !isNaming ? (
          <span className={classes(styles.envName, 'trunc')} title={name}>
            {name}
          </span>
        ) : (
          <input
            className={styles.envName}
            aria-label={envLineText.name(label)}
            aria-invalid={nameProblem !== null || undefined}
            aria-describedby={nameProblem === null ? undefined : noteId}
            placeholder={envLineText.namePlaceholder}
            spellCheck={false}
            value={name}
            onFocus={() => setNaming(true)}
            onBlur={() => setNaming(false)}
            onChange={(event) => onChange({ ...entry, name: event.target.value.trim() })}
          />
        )}
        <EnvValue
          label={label}
          value={value}
          isRevealed={isRevealed}
          shown={shown}
          problemId={valueProblem === null ? undefined : noteId}
          onChange={(next) => onChange({ name, value: next })}
        />
        {mark !== null && <span className={styles.was}>{mark}</span>}
        {isKnown && mark !== null && (
          <IconButton
            label={envLineText.keep(name)}
            size="sm"
            hasSmallGlyph
            icon={<Undo2 />}
            onClick={() => onChange({ name, value: null })}
          />
        )}
        {isKept && (
          <IconButton
            label={envLineText.change(name)}
            size="sm"
            hasSmallGlyph
            icon={<PencilLine />}
            onClick={() => onChange({ name, value: '' })}
          />
        )}
        <IconButton
          label={isRevealed ? envLineText.hide(label) : envLineText.reveal(label)}
          size="sm"
          hasSmallGlyph
          icon={isRevealed ? <EyeOff /> : <Eye />}
          onClick={onReveal}
        />
        <IconButton label={envLineText.remove(label)} size="sm" hasSmallGlyph icon={<X />} onClick={onRemove} />
      </div>
      {problem !== null && (
        <p id={noteId} className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </li>
  );
}

interface EnvValueProps {
  /** The variable, for the accessible name. */
  label: string;
  /** Null: the saved one, which is not changed. */
  value: string | null;
  isRevealed: boolean;
  /** The saved one, if it was read. */
  shown: string | null;
  /** The element that says what is wrong with it. */
  problemId: string | undefined;
  onChange: (value: string) => void;
}

/** The value of a variable: dots or text if it is a saved one, else a field whose text is shown while it is edited. */
function EnvValue({ label, value, isRevealed, shown, problemId, onChange }: EnvValueProps) {
  const [hasFocus, setFocus] = useState(false);
  if (value === null)
    return (
      <span className={classes(styles.envValue, 'trunc', isRevealed && 'sel')}>
        {isRevealed ? (
          shown
        ) : (
          <>
            <span aria-hidden="true">{dots}</span>
            <span className="visually-hidden">{envLineText.hidden}</span>
          </>
        )}
      </span>
    );
  return (
    <input
      className={styles.envValue}
      aria-label={envLineText.value(label)}
      aria-invalid={problemId !== undefined || undefined}
      aria-describedby={problemId}
      type={hasFocus || isRevealed ? 'text' : 'password'}
      autoComplete="off"
      spellCheck={false}
      placeholder={envLineText.valuePlaceholder}
      value={value}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/**
 * The one variable value that is shown, or why it could not be read. A saved value is requested; an entered one is
 * shown as it is.
 */
function useReveal(): {
  revealed: Revealed | null;
  failure: { name: string; failure: Failure } | null;
  show: (revealed: Revealed) => void;
  ask: (at: TemplateAt, seq: number, name: string) => Promise<void>;
  hide: () => void;
} {
  const { revealed, show: showValue, latest, hide } = useRevealed();
  const [failure, setFailure] = useState<{ name: string; failure: Failure } | null>(null);
  const show = (next: Revealed): void => {
    setFailure(null);
    showValue(next);
  };
  return {
    revealed,
    failure,
    show,
    hide,
    ask: async (at, seq, name) => {
      const result = await latest(call('template:reveal', { ...at, seq, name }));
      if (result === null) return;
      if (result.ok) show({ name, value: result.value.value });
      else setFailure({ name, failure: result.failure });
    },
  };
}
