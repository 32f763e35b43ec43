import { oneLine, type ParsedInputs, type ParseSteps, type BulkFormat } from './parsed-inputs.ts';
import { create } from 'zustand';
import type { RefusedRow } from '../../../src-preload/batch.ts';
import { call } from '../../bridge.ts';
import { callOrReport, orReport } from '../../call-or-report.ts';
import { useComposer } from '../composer-store.ts';
import { detect, parseInputs, type Detected } from './read-inputs.ts';

/** The duration of a piece of work, well under a frame. */
const sliceMs = 6;

/** Runs a parse between frames, so that the window stays responsive. Null when `signal` is aborted. */
export async function parseInSlices(steps: ParseSteps, signal: AbortSignal): Promise<ParsedInputs | null> {
  for (;;) {
    const untilMs = performance.now() + sliceMs;
    do {
      if (signal.aborted) return null;
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < untilMs);
    await nextTurn();
  }
}

/** Waits for the next task, without the 4 ms of nested timers. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** A longer text is kept and sent, but not shown in the field, because browsers are too slow to edit it. */
export const maxTypedChars = 1_000_000;
/** A longer text is not kept over a restart. Its file is still there. */
export const savedCharsLimit = 4_000_000;
const metaSlot = 'composer-bulk';
const textSlot = 'composer-bulk-text';
const saveAfterMs = 400;
const parseAfterMs = 100;

interface BulkState {
  text: string;
  /** The file it came from. Null if it was typed or pasted. */
  fileName: string | null;
  /** The user's name for the batch. Empty: named by its file or time. */
  name: string;
  /** The format that the user chose. Null: as detected. */
  wanted: BulkFormat | null;
  isTextCells: boolean;
  detected: Detected | null;
  parsed: ParsedInputs;
  isParsing: boolean;
  /** Why the last submission was refused. */
  problem: string | null;
  isSubmitting: boolean;
  load(): Promise<void>;
  /** Saves the draft soon. Also called when the other form was chosen. */
  saveSoon(): void;
  /** Saves now what waits to be saved. */
  saveWaiting(): void;
  setText(text: string, fileName?: string | null): void;
  /** Adds an input as the last row. Returns false if the text is not NDJSON, so that it cannot have such a row. */
  addRow(inputText: string): boolean;
  change(patch: Partial<Pick<BulkState, 'name' | 'wanted' | 'isTextCells'>>): void;
  setProblem(problem: string | null): void;
  setSubmitting(isSubmitting: boolean): void;
  /** Moves rows that the engine refused to the bad ones, with its reason. */
  leaveOut(refused: readonly RefusedRow[]): void;
  /** Called after a batch was submitted: the next one starts empty. False: what was typed since stays. */
  submitted(sent: Pick<BulkState, 'text' | 'name'>): boolean;
}

const none: ParsedInputs = { good: [], bad: [] };
const empty = {
  text: '',
  fileName: null,
  name: '',
  wanted: null,
  isTextCells: false,
  detected: null,
  parsed: none,
  isParsing: false,
  problem: null,
  isSubmitting: false,
} as const;

let parsing = new AbortController();
let parseTimer: ReturnType<typeof setTimeout> | undefined;
let keepTimer: ReturnType<typeof setTimeout> | undefined;
let keptText: string | null = null;
let isLoaded = false;

export const useBulk = create<BulkState>((set, get) => {
  const parse = async (): Promise<void> => {
    parsing.abort();
    parsing = new AbortController();
    const { signal } = parsing;
    const { text, wanted, isTextCells } = get();
    set({ isParsing: true, detected: detect(text) });
    const parsed = await parseInSlices(parseInputs(text, { wanted, isTextCells }), signal);
    if (parsed !== null) set({ parsed, isParsing: false });
  };

  const keep = (): void => {
    clearTimeout(keepTimer);
    keepTimer = undefined;
    const { text, fileName, name, wanted, isTextCells } = get();
    const { inputCount } = useComposer.getState();
    callOrReport('draft:save', {
      slot: metaSlot,
      text: JSON.stringify({ inputCount, fileName, name, wanted, isTextCells }),
    });
    const kept = text.length > savedCharsLimit ? '' : text;
    if (kept === keptText) return;
    keptText = kept;
    callOrReport('draft:save', { slot: textSlot, text: kept });
  };

  const saveSoon = (): void => {
    clearTimeout(keepTimer);
    keepTimer = setTimeout(keep, saveAfterMs);
  };

  const saveWaiting = (): void => {
    if (keepTimer !== undefined) keep();
  };

  // Closing the sheet saves the text immediately, as with one input.
  useComposer.subscribe((now, before) => {
    if (before.isOpen && !now.isOpen) saveWaiting();
  });

  const changed = (patch: Partial<BulkState>, parseIn: number | null): void => {
    set({ ...patch, problem: null });
    saveSoon();
    if (parseIn === null) return;
    clearTimeout(parseTimer);
    set({ isParsing: true });
    parseTimer = setTimeout(() => void parse(), parseIn);
  };

  return {
    ...empty,
    saveSoon,
    saveWaiting,
    async load() {
      if (isLoaded) return;
      isLoaded = true;
      const [meta, text] = await Promise.all([
        call('draft:load', { slot: metaSlot }),
        call('draft:load', { slot: textSlot }),
      ]);
      orReport(meta);
      orReport(text);
      // What was typed in the meantime is newer.
      if (get().text !== '') return;
      // What could not be read is not overwritten by nothing, and is read again when the sheet is opened again.
      if (!text.ok) isLoaded = false;
      keptText = text.ok ? (text.value?.text ?? '') : '';
      const kept = meta.ok && meta.value !== null ? readMeta(meta.value.text) : null;
      set({ ...kept?.fields, text: keptText });
      if (useComposer.getState().inputCount === null)
        useComposer.getState().setInputCount(kept?.isMany === true ? 'many' : 'one');
      if (get().text !== '') void parse();
    },
    setText: (text, fileName = get().fileName) =>
      changed({ text, fileName: text === '' ? null : fileName }, text.length > maxTypedChars ? 0 : parseAfterMs),
    addRow(inputText) {
      const { text, wanted } = get();
      if ((wanted ?? detect(text)?.format ?? 'ndjson') !== 'ndjson') return false;
      const before = text.trim() === '' ? '' : `${text.trimEnd()}\n`;
      get().setText(`${before}${oneLine(inputText)}\n`);
      return true;
    },
    change: (patch) => changed(patch, 'name' in patch ? null : 0),
    setProblem: (problem) => set({ problem }),
    setSubmitting: (isSubmitting) => set({ isSubmitting }),
    leaveOut: (refused) => set(({ parsed }) => ({ parsed: withRefused(parsed, refused) })),
    submitted(sent) {
      if (get().text !== sent.text || get().name !== sent.name) return false;
      parsing.abort();
      clearTimeout(parseTimer);
      set(empty);
      useComposer.getState().setInputCount('one');
      keep();
      return true;
    },
  };
});

/** Moves the rows that the engine refused to the bad ones, with its reason. Pure. */
function withRefused(parsed: ParsedInputs, refused: readonly RefusedRow[]): ParsedInputs {
  const messages = new Map(refused.map(({ row, message }) => [row, message]));
  const bad = parsed.good.flatMap(({ line, inputText }, index) => {
    const message = messages.get(index + 1);
    return message === undefined ? [] : [{ line, message, text: inputText.slice(0, 300) }];
  });
  return {
    good: parsed.good.filter((_, index) => !messages.has(index + 1)),
    bad: [...parsed.bad, ...bad].toSorted((a, b) => a.line - b.line),
  };
}

function readMeta(
  json: string,
): { isMany: boolean; fields: Pick<BulkState, 'name' | 'fileName' | 'wanted' | 'isTextCells'> } | null {
  try {
    const kept: unknown = JSON.parse(json);
    if (typeof kept !== 'object' || kept === null) return null;
    const field = (name: string): unknown => Object.entries(kept).find(([key]) => key === name)?.[1];
    const name = field('name');
    const fileName = field('fileName');
    const wanted = (['ndjson', 'json', 'csv'] as const).find((format) => format === field('wanted')) ?? null;
    return {
      isMany: field('inputCount') === 'many',
      fields: {
        isTextCells: field('isTextCells') === true,
        wanted,
        name: typeof name === 'string' ? name : '',
        fileName: typeof fileName === 'string' ? fileName : null,
      },
    };
  } catch {
    return null;
  }
}
