import { FileUp, Table2, X } from 'lucide-react';
import {
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactElement,
  type Ref,
} from 'react';
import { useShallow } from 'zustand/react/shallow';
import { Button } from '../design/button.tsx';
import { Checkbox } from '../design/form/choice.tsx';
import { classes } from '../design/class-names.ts';
import { formatBytes } from '../../src-preload/format.ts';
import { Select } from '../design/form/select.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import type { LearnedInputs } from '../../src-preload/learned.ts';
import { manyInputsText } from '../messages/composer/batch.ts';
import type { ComposerDraft } from './composer-draft.ts';
import type { CursorTaker } from './json-editor.tsx';
import { takeRows } from './drop/take-rows.ts';
import { useDrop } from './drop/use-drop.ts';
import { useLearnedInputs } from './learned/use-learned.ts';
import { discardInputs } from './discard-typed.ts';
import { NoticeBar } from './notice-bar.tsx';
import { savedCharsLimit, maxTypedChars, useBulk } from './bulk/bulk-store.ts';
import { InputCountSwitch } from './bulk/input-count-switch.tsx';
import { OpenFiles } from './open-files.tsx';
import type { BulkFormat } from './bulk/parsed-inputs.ts';
import { CellHelpRow } from './bulk/cell-help-row.tsx';
import { LineNumbers } from './bulk/line-numbers.tsx';
import { PreviewTable } from './bulk/preview-table.tsx';
import { RowProblems } from './bulk/row-problems.tsx';
import { usualHeader } from './bulk/cell-help.ts';
import frame from './composer.module.css';
import styles from './bulk/many-inputs.module.css';

/** The middle of the composer for many inputs: the field for them, the problems, and how they will be sent. */
export function ManyInputs({ ref, draft }: { ref?: Ref<CursorTaker>; draft: ComposerDraft }): ReactElement {
  const drop = useDrop(takeRows);
  const [cursor, setCursor] = useState(0);
  const learned = useLearnedInputs(draft);
  const isTyped = useBulk((state) => state.text.length <= maxTypedChars);
  const field = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus() }), []);
  useLayoutEffect(() => field.current?.focus(), []);
  const lastProblem = useRef(-1);
  const onKeyDown = (event: KeyboardEvent): void => {
    const { bad } = useBulk.getState().parsed;
    if (event.key !== 'F8' || bad.length === 0) return;
    event.preventDefault();
    lastProblem.current = (lastProblem.current + 1) % bad.length;
    goToLine(field.current, bad[lastProblem.current]?.line ?? 1);
  };
  return (
    <div
      className={classes(frame.editor, drop.isOver && frame.over)}
      onKeyDown={onKeyDown}
      role="presentation"
      {...drop.handlers}
    >
      <div className={frame.editorHead}>
        <InputCountSwitch />
        <span className={frame.grow} />
        <UsualHeader learned={learned} />
        <OpenFiles />
      </div>
      <NoticeBar onDone={() => field.current?.focus()} />
      <FormatLine />
      <div className={styles.box}>
        <TextOrFile fieldRef={field} onCursor={setCursor} />
      </div>
      {learned !== null && learned.keys.length > 0 && isTyped && (
        <CellHelpRow learned={learned} cursor={cursor} field={field} />
      )}
      <RowProblems onGo={(line) => goToLine(field.current, line)} />
      <PreviewTable />
      <div className={frame.editorFoot}>
        <Counts />
      </div>
    </div>
  );
}

/** Inserts a header row with the keys of the endpoint's earlier inputs, while the field is empty. */
function UsualHeader({ learned }: { learned: LearnedInputs | null }): ReactElement | null {
  const isEmpty = useBulk((state) => state.text === '');
  const setText = useBulk((state) => state.setText);
  const header = learned === null ? '' : usualHeader(learned);
  if (!isEmpty || header === '') return null;
  return (
    <Button
      variant="ghost"
      size="sm"
      icon={<Table2 size={14} strokeWidth={1.75} />}
      hint={header}
      onClick={() => setText(`${header}\n`)}
    >
      {manyInputsText.usualColumns}
    </Button>
  );
}

const formats: readonly { value: BulkFormat | 'auto'; label: string }[] = [
  { value: 'auto', label: manyInputsText.formats.auto },
  { value: 'ndjson', label: manyInputsText.formats.ndjson },
  { value: 'json', label: manyInputsText.formats.json },
  { value: 'csv', label: manyInputsText.formats.csv },
];

function FormatLine(): ReactElement {
  const { wanted, detected, isTextCells, change } = useBulk(
    useShallow((state) => ({
      wanted: state.wanted,
      detected: state.detected,
      isTextCells: state.isTextCells,
      change: state.change,
    })),
  );
  const isCsv = (wanted ?? detected?.format) === 'csv';
  return (
    <div className={styles.format}>
      <span className={styles.select}>
        <Select
          label={manyInputsText.format}
          size="sm"
          value={wanted ?? 'auto'}
          options={formats}
          onChange={(value) => change({ wanted: value === 'auto' ? null : value })}
        />
      </span>
      <span className={classes(frame.quiet, 'trunc')} role="status">
        {wanted === null ? (detected?.reason ?? manyInputsText.acceptedFormats) : manyInputsText.formatChosen}
      </span>
      <span className={frame.grow} />
      {isCsv && (
        <span className={styles.tick}>
          <Checkbox
            label={manyInputsText.allCellsAsText}
            isOn={isTextCells}
            onChange={(isOn) => change({ isTextCells: isOn })}
          />
        </span>
      )}
    </div>
  );
}

interface TextOrFileProps {
  fieldRef: React.RefObject<HTMLTextAreaElement | null>;
  /** Where the cursor is whenever it moved. */
  onCursor: (cursor: number) => void;
}

function TextOrFile({ fieldRef, onCursor }: TextOrFileProps): ReactElement {
  const text = useBulk((state) => state.text);
  const fileName = useBulk((state) => state.fileName);
  const setText = useBulk((state) => state.setText);
  if (text.length > maxTypedChars) {
    return (
      <div className={styles.file}>
        <span className={styles.chip}>
          <FileUp size={14} strokeWidth={1.75} aria-hidden />
          <span className="trunc">{fileName ?? manyInputsText.pastedText}</span>
          <span className={frame.quiet}>{formatBytes(text.length)}</span>
        </span>
        <span className={frame.quiet}>
          {manyInputsText.tooLong}
          {text.length > savedCharsLimit && ` ${manyInputsText.openAgain}`}
        </span>
        <Button size="sm" icon={<X size={14} strokeWidth={1.75} />} onClick={discardInputs}>
          {manyInputsText.remove}
        </Button>
      </div>
    );
  }
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const pasted = event.clipboardData.getData('text/plain');
    if (pasted.length + text.length <= maxTypedChars) return;
    // A field with so much text would block the window. The text is kept outside of it.
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    setText(text.slice(0, selectionStart) + pasted + text.slice(selectionEnd));
  };
  return (
    <div className={styles.numbered}>
      <LineNumbers field={fieldRef} />
      <textarea
        ref={fieldRef}
        className={styles.text}
        aria-label={manyInputsText.label}
        spellCheck={false}
        autoComplete="off"
        wrap="off"
        placeholder={manyInputsText.placeholder}
        value={text}
        onPaste={onPaste}
        onSelect={(event) => onCursor(event.currentTarget.selectionEnd)}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  );
}

function Counts(): ReactElement {
  const parsed = useBulk((state) => state.parsed);
  const isParsing = useBulk((state) => state.isParsing);
  const good = parsed.good.length;
  const bad = parsed.bad.length;
  if (isParsing)
    return (
      <span className={frame.quiet} role="status">
        {manyInputsText.reading}
      </span>
    );
  return (
    <span className={styles.counts} role="status">
      <span className={frame.figures}>{good === 0 ? manyInputsText.noRows : manyInputsText.validRows(good)}</span>
      {bad > 0 && (
        <span className={frame.problemText}>
          <StatusGlyph kind="fail" size={12} />
          {manyInputsText.skipped(bad)}
        </span>
      )}
    </span>
  );
}

/** Selects a line of the field and scrolls to it. */
function goToLine(field: HTMLTextAreaElement | null, line: number): void {
  if (field === null) return;
  let from = 0;
  for (let at = 1; at < line; at += 1) {
    const next = field.value.indexOf('\n', from);
    if (next === -1) break;
    from = next + 1;
  }
  const end = field.value.indexOf('\n', from);
  field.focus();
  field.setSelectionRange(from, end === -1 ? field.value.length : end);
  const lineHeight = Number.parseFloat(getComputedStyle(field).lineHeight);
  field.scrollTop = Math.max(0, (line - 3) * lineHeight);
  field.scrollLeft = 0;
}
