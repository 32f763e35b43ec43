import { closeBrackets, closeBracketsKeymap, completionStatus } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import type { EditorState, Extension } from '@codemirror/state';
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  type ViewUpdate,
} from '@codemirror/view';
import { useEffect, useEffectEvent, useImperativeHandle, useRef, type ReactElement, type Ref } from 'react';
import type { LearnedInputs } from '../../src-preload/learned.ts';
import { isMac } from '../design/keyboard/platform.ts';
import { openCodeView, codeTheme, jsonHighlight } from '../design/editor/code-view.ts';
import { useEditorFind } from '../design/editor/editor-find.tsx';
import { hangingWrap } from '../design/editor/hanging-wrap.ts';
import { inputEditorText } from '../messages/composer/input.ts';
import { ghostValues } from './learned/ghost-value.ts';
import { learnedCompletion } from './learned/learned-completion.ts';
import { jsonWithVariables, placeholderMarks } from './variables/json-with-variables.ts';
import { changeBetween, typedOver } from '../design/editor/text-change.ts';
import styles from './json-editor.module.css';

interface EditorProblem {
  from: number;
  to: number;
  message: string;
}

/** What can be focused by other components. An editor also offers changes of its text. */
export interface CursorTaker {
  focus: () => void;
  /** Whether the next typed character replaces everything. */
  isAllSelected?: () => boolean;
  /** Replaces the selection, as one undoable step. `textFor` gets the selected text and the text before it. */
  replaceSelection?: (textFor: (selected: string, before: string) => string) => void;
}

export interface JsonEditorProps {
  ref?: Ref<CursorTaker>;
  label: string;
  value: string;
  problem: EditorProblem | null;
  /** The keys and values offered while typing. Null: nothing. */
  learned: LearnedInputs | null;
  onChange: (text: string) => void;
  onCursor?: (at: { line: number; column: number }) => void;
  /** The place of the problem in the editor's own pixels, for the card beside it. */
  onProblemAt?: (at: { left: number; top: number } | null) => void;
  onSubmit: () => void;
  onFix: () => void;
}

const theme = codeTheme({ fontPx: 12.5, linePx: 21 });

/** The extensions of every JSON editor. */
const ofAnyJson = [
  // Left of the numbers, where no room is missed while there is no problem.
  lintGutter(),
  lineNumbers(),
  foldGutter(),
  codeFolding(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  jsonWithVariables,
  syntaxHighlighting(jsonHighlight),
  placeholderMarks,
  indentUnit.of('  '),
  hangingWrap,
  theme,
  typedOver,
];

// Tab belongs to the window, so that the keyboard can leave the editor (WCAG 2.1.2). Ctrl ] and Ctrl [ indent.
const editingKeys = [...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...foldKeymap];

/** Whether the code of an editor has run once. */
let isWarm = false;

/** Makes and drops an editor while the window is idle, so that the first that is shown is there 20 ms sooner. */
export function warmUpJsonEditor(): void {
  if (!isWarm) openCodeView(document.createElement('div'), '{"a": [1, "b"]}', ofAnyJson).destroy();
  isWarm = true;
}

/**
 * A JSON editor, in a shadow root, where CodeMirror uses adopted style sheets: the window's CSP allows no inline style
 * element. The caller owns the text; the editor shows it and reports changes.
 */
export function JsonEditor({
  ref,
  label,
  value,
  problem,
  learned,
  onChange,
  onCursor,
  onProblemAt,
  onSubmit,
  onFix,
}: JsonEditorProps): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const { extension: findAndReplace, bar: findBar } = useEditorFind();
  useImperativeHandle(
    ref,
    () => ({
      focus: () => view.current?.focus(),
      isAllSelected: () => view.current !== null && isAllSelected(view.current.state),
      replaceSelection: (textFor) => {
        if (view.current !== null) replaceSelection(view.current, textFor);
      },
    }),
    [],
  );

  const shownFirst = useEffectEvent(() => ({ value, label }));
  const learnedNow = useEffectEvent(() => learned);
  const submit = useEffectEvent(onSubmit);
  const fix = useEffectEvent(onFix);
  const goToProblem = useEffectEvent((target: EditorView): boolean => {
    if (problem === null) return false;
    target.dispatch({ selection: { anchor: Math.min(problem.from, target.state.doc.length) }, scrollIntoView: true });
    return true;
  });
  const reportProblemPlace = useEffectEvent((target: EditorView): void => {
    if (onProblemAt !== undefined)
      target.requestMeasure({ read: () => placeOf(problem, target, frame.current), write: onProblemAt });
  });
  const onUpdate = useEffectEvent((update: ViewUpdate): void => {
    if (update.docChanged) onChange(update.state.doc.toString());
    if (update.docChanged || update.selectionSet) onCursor?.(cursorOf(update.state));
    const hasOffersChanged = completionStatus(update.startState) !== completionStatus(update.state);
    if (update.docChanged || update.geometryChanged || update.viewportChanged || hasOffersChanged)
      reportProblemPlace(update.view);
  });

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    isWarm = true;
    const first = shownFirst();
    const created = openCodeView(element, first.value, [
      ofAnyJson,
      findAndReplace,
      learnedCompletion(() => learnedNow()),
      ghostValues(() => learnedNow()),
      keymap.of([
        { key: 'Mod-Enter', run: () => (submit(), true) },
        { key: 'Mod-.', run: () => (fix(), true) },
        { key: 'F8', run: (target) => goToProblem(target) },
        ...editingKeys,
      ]),
      attributesOf(first.label),
      EditorView.updateListener.of((update) => onUpdate(update)),
    ]);
    created.scrollDOM.addEventListener('scroll', () => reportProblemPlace(created), { passive: true });
    view.current = created;
    if (!hasFocusElsewhere(document.activeElement)) created.focus();
    placeCaret(created);
    return () => {
      view.current = null;
      created.destroy();
    };
  }, [findAndReplace]);

  // A text from elsewhere (history, format, another draft) replaces the document in one undoable step.
  useEffect(() => {
    const current = view.current;
    const changes = current === null ? null : changeBetween(current.state.doc.toString(), value);
    if (changes !== null) current?.dispatch({ changes });
  }, [value]);

  useEffect(() => {
    const current = view.current;
    if (current === null) return;
    current.dispatch(setDiagnostics(current.state, marksOf(problem, current.state)));
    reportProblemPlace(current);
  }, [problem]);

  return (
    <div ref={frame} className={styles.frame}>
      {findBar}
      <div ref={host} className={styles.host} data-editor />
    </div>
  );
}

/** What a screen reader says of the editor. */
function attributesOf(label: string): Extension {
  return EditorView.contentAttributes.of({
    'aria-label': label,
    'aria-description': inputEditorText.description(isMac),
    spellcheck: 'false',
  });
}

/** The mark of a problem in the text, which may have become shorter since it was checked. */
function marksOf(problem: EditorProblem | null, { doc }: EditorState): Diagnostic[] {
  if (problem === null) return [];
  const { from, to, message } = problem;
  return [
    { from: Math.min(from, doc.length), to: Math.min(Math.max(to, from), doc.length), severity: 'error', message },
  ];
}

function replaceSelection(target: EditorView, textFor: (selected: string, before: string) => string): void {
  const { from, to } = target.state.selection.main;
  const insert = textFor(target.state.sliceDoc(from, to), target.state.sliceDoc(0, from));
  target.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    scrollIntoView: true,
    userEvent: 'input',
  });
  target.focus();
}

/** Where the user probably types next: in the first empty string, or else at the end. */
function placeCaret(target: EditorView): void {
  const emptyString = target.state.doc.toString().indexOf('""');
  target.dispatch({ selection: { anchor: emptyString === -1 ? target.state.doc.length : emptyString + 1 } });
}

function isAllSelected({ selection, doc }: EditorState): boolean {
  return selection.main.from === 0 && selection.main.to === doc.length;
}

function cursorOf({ selection, doc }: EditorState): { line: number; column: number } {
  const { head } = selection.main;
  const line = doc.lineAt(head);
  return { line: line.number, column: head - line.from + 1 };
}

/** The place of the problem in pixels of the frame. Null while it is out of view. */
function placeOf(
  problem: EditorProblem | null,
  target: EditorView,
  frame: HTMLElement | null,
): { left: number; top: number } | null {
  // The list of completions is in the same place, and usually solves the problem.
  if (problem === null || frame === null || completionStatus(target.state) === 'active') return null;
  const at = target.coordsAtPos(Math.min(problem.from, target.state.doc.length));
  const box = target.dom.getBoundingClientRect();
  const within = frame.getBoundingClientRect();
  return at === null || at.bottom < box.top || at.top > box.bottom
    ? null
    : { left: at.left - within.left, top: at.bottom - within.top };
}

/**
 * The editor loads a moment after the sheet. If the user has opened a list or begun to type meanwhile, the focus stays
 * there, as it does if Tab was pressed in the sheet.
 */
function hasFocusElsewhere(active: Element | null): boolean {
  return (
    active !== null &&
    (active.getAttribute('aria-expanded') === 'true' ||
      active.closest('[role="listbox"], input, textarea, [data-tabbed]') !== null)
  );
}
