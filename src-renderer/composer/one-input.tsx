import { Braces, Paperclip, RotateCcw, Variable } from 'lucide-react';
import { Suspense, useCallback, useMemo, useState, type ReactElement, type RefObject } from 'react';
import { Afterwards } from '../design/afterwards.tsx';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { FileButton } from '../design/form/file-button.tsx';
import { lazyPart } from '../design/lazy-part.ts';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { attachText, inputEditorText } from '../messages/composer/input.ts';
import { attachToDraft } from './attach-file.ts';
import { InputCountSwitch } from './bulk/input-count-switch.tsx';
import type { ComposerDraft } from './composer-draft.ts';
import { useComposer } from './composer-store.ts';
import { CurlPreview } from './curl-preview.tsx';
import { discardEdits } from './discard-typed.ts';
import type { DraftCheck } from './draft-check.ts';
import { takeDrop } from './drop/take-drop.ts';
import { useDrop } from './drop/use-drop.ts';
import type { CursorTaker } from './json-editor.tsx';
import { useLearnedInputs } from './learned/use-learned.ts';
import { NoticeBar } from './notice-bar.tsx';
import { ProblemCard } from './problem-card.tsx';
import { SizeMeter } from './size-meter.tsx';
import { variableFrom } from './variables/variable-from.ts';
import { newVariable } from './variables/variable.ts';
import styles from './composer.module.css';

const JsonEditor = lazyPart(async () => {
  const { JsonEditor: Editor, warmUpJsonEditor } = await import('./json-editor.tsx');
  requestIdleCallback(warmUpJsonEditor);
  return Editor;
});

interface OneInputProps {
  /** The editor or field with the input. */
  input: RefObject<CursorTaker | null>;
  draft: ComposerDraft;
  check: DraftCheck;
  onChange: (patch: Partial<ComposerDraft>) => void;
  onSubmit: () => void;
  /** Which of the inputs that the variables make is previewed, from 0. */
  index: number;
  onIndex: (index: number) => void;
}

/** The editor of a job's input, with its problem and the request as a curl command. */
export function OneInput({ input, draft, check, onChange, onSubmit, index, onIndex }: OneInputProps): ReactElement {
  const [cursor, setCursor] = useState({ line: 1, column: 1 });
  const fix = check.json.ok ? undefined : check.json.fix;
  const applyFix = useCallback(() => {
    if (fix !== undefined)
      onChange({ inputText: draft.inputText.slice(0, fix.from) + fix.text + draft.inputText.slice(fix.to) });
  }, [fix, draft.inputText, onChange]);
  const drop = useDrop((dropped) => takeDrop(dropped, input.current));
  const learned = useLearnedInputs(draft);
  const problem = useMemo(
    () =>
      check.json.ok
        ? check.plan.problem
        : { from: fix?.from ?? check.json.offset, to: fix?.to ?? check.json.offset + 1, message: check.json.reason },
    [check.json, check.plan.problem, fix],
  );
  const insertVariable = (selected: string, before: string): string => {
    const { name, text, one } = variableFrom(selected, before, draft.variables);
    if (one !== '') onChange({ variables: [...draft.variables, { ...newVariable(name), one }] });
    return text;
  };
  const [problemAt, setProblemAt] = useState<{ left: number; top: number } | null>(null);

  return (
    <div className={classes(styles.editor, drop.isOver && styles.over)} role="presentation" {...drop.handlers}>
      <div className={styles.editorHead}>
        <InputCountSwitch />
        <span className={styles.grow} />
        <EarlierEdits />
        <Button
          variant="ghost"
          size="sm"
          icon={<Variable size={14} strokeWidth={1.75} />}
          onClick={() => input.current?.replaceSelection?.((selected, before) => insertVariable(selected, before))}
        >
          {inputEditorText.variable}
        </Button>
        <FileButton
          label={attachText.label}
          icon={<Paperclip size={14} strokeWidth={1.75} />}
          onFiles={([file]) => void attachToDraft(file)}
        >
          {attachText.attach}
        </FileButton>
        <Button
          variant="ghost"
          size="sm"
          icon={<Braces size={14} strokeWidth={1.75} />}
          disabledReason={check.json.ok ? undefined : inputEditorText.fixFirst}
          onClick={() => format(draft, check, onChange)}
        >
          {inputEditorText.format}
        </Button>
      </div>
      <NoticeBar onDone={() => input.current?.focus()} />
      <div className={styles.editorBox}>
        <Suspense fallback={null}>
          <Afterwards>
            <JsonEditor
              ref={input}
              label={inputEditorText.label}
              value={draft.inputText}
              problem={problem}
              learned={learned}
              onChange={(inputText) => onChange({ inputText })}
              onCursor={setCursor}
              onProblemAt={setProblemAt}
              onSubmit={onSubmit}
              onFix={applyFix}
            />
          </Afterwards>
        </Suspense>
        {check.json.ok || problemAt === null ? null : (
          <ProblemCard reason={check.json.reason} fixLabel={fix?.label ?? null} at={problemAt} onFix={applyFix} />
        )}
      </div>
      <div className={styles.editorFoot}>
        <ProblemCount check={check} />
        <span className={styles.figures}>{inputEditorText.cursor(cursor.line, cursor.column)}</span>
        <span className={styles.grow} />
        <SizeMeter bytes={check.bodyBytes} operation={draft.operation} />
      </div>
      <CurlPreview draft={draft} check={check} index={index} onIndex={onIndex} />
    </div>
  );
}

function ProblemCount({ check }: { check: DraftCheck }): ReactElement {
  const count = check.problems.length;
  if (count === 0) {
    const [hint] = check.hints;
    return (
      <span className={styles.quiet} role="status">
        {hint ?? inputEditorText.noProblems}
      </span>
    );
  }
  return (
    <span className={styles.problemText} role="status">
      <StatusGlyph kind="fail" size={12} />
      {inputEditorText.problems(count)}
    </span>
  );
}

/** Shown if a job was edited before and not sent: those edits are in the editor, and can be discarded. */
function EarlierEdits(): ReactElement | null {
  const isEdited = useComposer((state) => state.unedited !== null);
  return isEdited ? (
    <Button variant="ghost" size="sm" icon={<RotateCcw size={14} strokeWidth={1.75} />} onClick={discardEdits}>
      {inputEditorText.discardEdits}
    </Button>
  ) : null;
}

function format(draft: ComposerDraft, check: DraftCheck, change: (patch: Partial<ComposerDraft>) => void): void {
  if (!check.json.ok) return;
  void import('./format-input.ts').then(({ formatInput }) => {
    // What was typed in the meantime stays.
    if (useComposer.getState().draft === draft) change({ inputText: formatInput(draft.inputText) });
  });
}
