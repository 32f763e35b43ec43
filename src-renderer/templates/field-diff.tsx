import { useMemo, type ReactNode } from 'react';
import type { EnvEntry, SeenTemplate, TemplateEdits, UpdatableField } from '../../src-preload/template.ts';
import { classes } from '../design/class-names.ts';
import { diffLines, diffParts, diffWords, lineCountText, type DiffPart } from '../design/text-diff.ts';
import { fieldDiffText } from '../messages/templates/review.ts';
import styles from './review.module.css';

interface FieldDiffProps {
  field: UpdatableField;
  known: SeenTemplate | null;
  edits: TemplateEdits;
}

/** The change of one field, line by line. Values of variables are dots. */
export function FieldDiff({ field, known, edits }: FieldDiffProps) {
  switch (field) {
    case 'ports':
    case 'dockerEntrypoint':
    case 'dockerStartCmd':
      return <ListDiff from={known?.[field] ?? []} to={edits[field] ?? []} />;
    case 'env':
      return <EnvDiff names={known?.env ?? []} entries={edits.env ?? []} />;
    case 'readme':
      return <ReadmeDiff from={known?.readme ?? ''} to={edits.readme ?? ''} />;
    default:
      return <ValueDiff from={text(known?.[field])} to={text(edits[field])} />;
  }
}

function text(value: string | number | boolean | null | undefined): string | null {
  return value === undefined || value === null ? null : String(value);
}

function Line({ kind, children }: { kind: DiffPart['kind']; children: ReactNode }) {
  const mark = { same: '', added: '+', removed: '−' }[kind];
  const kindText = kind === 'same' ? '' : `${fieldDiffText[kind]} `;
  return (
    <div className={classes(styles.line, styles[kind])}>
      <span className={styles.mark} aria-hidden="true">
        {mark}
      </span>
      <span className="visually-hidden">{kindText}</span>
      {children}
    </div>
  );
}

function Marked({ parts, side }: { parts: readonly DiffPart[]; side: 'added' | 'removed' }) {
  return (
    <>
      {parts
        .filter(({ kind }) => kind === 'same' || kind === side)
        .map((part, index) =>
          part.kind === 'same' ? <span key={index}>{part.text}</span> : <u key={index}>{part.text}</u>,
        )}
    </>
  );
}

function ValueDiff({ from, to }: { from: string | null; to: string | null }) {
  const parts = useMemo(() => diffWords(from ?? '', to ?? ''), [from, to]);
  return (
    <>
      {from === null ? (
        <Line kind="removed">
          <i>{fieldDiffText.notKnown}</i>
        </Line>
      ) : (
        <Line kind="removed">
          {from === '' ? <i>{fieldDiffText.empty}</i> : <Marked parts={parts} side="removed" />}
        </Line>
      )}
      <Line kind="added">
        {to === null || to === '' ? <i>{fieldDiffText.empty}</i> : <Marked parts={parts} side="added" />}
      </Line>
    </>
  );
}

function ListDiff({ from, to }: { from: readonly string[]; to: readonly string[] }) {
  const parts = useMemo(() => diffParts(from, to), [from, to]);
  if (to.length === 0)
    return (
      <>
        {from.map((each, index) => (
          <Line key={index} kind="removed">
            <u>{each}</u>
          </Line>
        ))}
        <Line kind="added">
          <i>{fieldDiffText.emptyList}</i>
        </Line>
      </>
    );
  return (
    <>
      {parts.map((part, index) => (
        <Line key={index} kind={part.kind}>
          {part.kind === 'same' ? part.text : <u>{part.text === '' ? '""' : part.text}</u>}
        </Line>
      ))}
    </>
  );
}

const masked = '••••••';

function EnvDiff({ names, entries }: { names: readonly string[]; entries: readonly EnvEntry[] }) {
  const known = new Set(names);
  const kept = entries.filter(
    ({ value, from, name }) => value === null && from === undefined && known.has(name),
  ).length;
  return (
    <>
      {names
        .filter((name) => !entries.some((entry) => entry.name === name))
        .map((name) => (
          <Line key={`gone-${name}`} kind="removed">
            <u>
              {name}={masked}
            </u>
          </Line>
        ))}
      {entries
        .filter(({ value, from }) => value !== null || from !== undefined)
        .map(({ name, value }, index) => (
          <div key={`${index}-${name}`}>
            {known.has(name) && (
              <Line kind="removed">
                {name}=<u>{masked}</u>
              </Line>
            )}
            <Line kind="added">
              {known.has(name) ? (
                <>
                  {name}=<u>{shownValueText(value)}</u>
                </>
              ) : (
                <u>
                  {name}={shownValueText(value)}
                </u>
              )}
            </Line>
          </div>
        ))}
      {kept > 0 && (
        <Line kind="same">
          <i>{fieldDiffText.kept(kept)}</i>
        </Line>
      )}
    </>
  );
}

function shownValueText(value: string | null): string {
  return value === '' ? fieldDiffText.emptyValue : value === null ? fieldDiffText.asItWas(masked) : masked;
}

const shownLines = 24;

function ReadmeDiff({ from, to }: { from: string; to: string }) {
  const parts = useMemo(() => diffLines(from, to), [from, to]);
  const changed = parts.filter(({ kind }) => kind !== 'same');
  return (
    <details className={styles.fold}>
      <summary>{lineCountText(parts)}</summary>
      {changed.slice(0, shownLines).map((part, index) => (
        <Line key={index} kind={part.kind}>
          {part.text === '' ? ' ' : part.text}
        </Line>
      ))}
      {changed.length > shownLines && (
        <Line kind="same">
          <i>{fieldDiffText.more(changed.length - shownLines)}</i>
        </Line>
      )}
    </details>
  );
}
