import { Braces, HardDriveDownload, Lock, Paperclip, RotateCcw, X } from 'lucide-react';
import {
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactElement,
  type Ref,
  type RefObject,
} from 'react';
import { endpointName } from '../../src-preload/connection.ts';
import { payloadLimitBytes, retentionMs, waitBounds } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { FlavourIcon } from '../design/flavour-icon.tsx';
import { formatCountOf, formatDuration } from '../design/format.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Kbd } from '../design/kbd.tsx';
import { Segmented } from '../design/segmented.tsx';
import { Select } from '../design/select.tsx';
import { Sheet } from '../design/dialog.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { TextField } from '../design/text-field.tsx';
import { useJobs } from '../data/jobs-store.ts';
import { useCondition } from '../data/condition.ts';
import { useSession } from '../data/session-store.ts';
import { BatchSection } from './bulk/batch-section.tsx';
import { useBulk } from './bulk/bulk-store.ts';
import { InputCountSwitch } from './bulk/input-count-switch.tsx';
import { ManyInputs } from './bulk/many-inputs.tsx';
import { batchProblem, useSubmitBatch } from './bulk/use-submit-batch.ts';
import { checkDraft, toSubmission, type DraftCheck } from './draft-check.ts';
import type { ComposerDraft } from './composer-draft.ts';
import type { CursorTaker } from './json-editor.tsx';
import { originOf, useComposer } from './composer-store.ts';
import { lazyPart } from '../design/lazy-part.ts';
import styles from './composer.module.css';
import { CurlPreview } from './curl-preview.tsx';
import { InputHistory } from './input-history.tsx';
import { PolicyFields } from './policy-fields.tsx';
import { ProblemCard } from './problem-card.tsx';
import { S3Fields } from './s3-fields.tsx';
import { SizeMeter } from './size-meter.tsx';
import { WebhookField } from './webhook-field.tsx';

const JsonEditor = lazyPart(async () => (await import('./json-editor.tsx')).JsonEditor);

/** The sheet in which a job is written and sent. Rendered once; it shows itself when the store says so. */
export function Composer(): ReactElement | null {
  const isOpen = useComposer((state) => state.isOpen);
  const draft = useComposer((state) => state.draft);
  const close = useComposer((state) => state.close);
  const input = useRef<CursorTaker>(null);
  const takeFocus = (): boolean => {
    input.current?.focus();
    return input.current !== null;
  };
  return (
    <Sheet label="New job" isOpen={isOpen && draft !== null} onClose={close} width={1208} takeFocus={takeFocus}>
      {draft === null ? null : <ComposerBody draft={draft} input={input} />}
    </Sheet>
  );
}

interface ComposerBodyProps {
  draft: ComposerDraft;
  /** Where the input is typed: the editor of one, or the field of many. */
  input: RefObject<CursorTaker | null>;
}

function ComposerBody({ draft, input }: ComposerBodyProps): ReactElement {
  const { change, close, refusal, isSubmitting } = useComposer();
  const connections = useSession((state) => state.connections);
  const check = useMemo(() => checkDraft(draft, connections), [draft, connections]);
  const isMany = useComposer((state) => state.inputCount) === 'many';
  const submitOne = useSubmit(draft, check);
  const submitMany = useSubmitBatch(draft, check);
  const submit = isMany ? submitMany : submitOne;
  useEffect(() => void useBulk.getState().load(), []);
  const options = useRef<HTMLElement>(null);
  const condition = useCondition(useSession((state) => state.connections.find(({ id }) => id === draft.connectionId)));
  const canSend = condition === null || condition.kind === 'ready';

  const onKeyDown = (event: React.KeyboardEvent): void => {
    const isMod = event.ctrlKey || event.metaKey;
    if (isMod && event.key === 'Enter') {
      event.preventDefault();
      void submit();
    } else if (isMod && event.key === '2') {
      event.preventDefault();
      options.current?.querySelector('input')?.focus();
    } else if (isMod && event.key === '1') {
      event.preventDefault();
      input.current?.focus();
    }
  };

  return (
    <div className={styles.frame} onKeyDown={onKeyDown} role="presentation">
      <Head draft={draft} check={check} isMany={isMany} onClose={close} />
      <div className={classes(styles.body, isMany && styles.many)}>
        {!isMany && <InputHistory draft={draft} onTake={(inputText) => change({ inputText })} />}
        {isMany ? (
          <ManyInputs ref={input} />
        ) : (
          <OneInput ref={input} draft={draft} check={check} onChange={change} onSubmit={() => void submit()} />
        )}
        <aside className={styles.options} ref={options} aria-label="Options">
          {isMany && <BatchSection operation={draft.operation} canSend={canSend} />}
          <PolicyFields draft={draft} check={check} onChange={change} />
          <WebhookField draft={draft} check={check} onChange={change} />
          <S3Fields draft={draft} onChange={change} />
          <p className={styles.note}>
            <HardDriveDownload size={16} strokeWidth={1.75} aria-hidden />
            <span>
              The result stays on the server for{' '}
              {draft.operation === 'run' ? `${retentionMs.run / 60_000} min` : `${retentionMs.runsync / 60_000} min`}.
              Jobdeck saves it on arrival.
            </span>
          </p>
        </aside>
      </div>
      {isMany ? (
        <BatchFoot check={check} canSend={canSend} onSubmit={() => void submit()} />
      ) : (
        <Foot
          problem={check.problems[0]?.message ?? null}
          refusal={refusal?.message ?? null}
          isSubmitting={isSubmitting}
          canSend={canSend}
          label="Submit job"
          onSubmit={() => void submit()}
        />
      )}
    </div>
  );
}

interface OneInputProps {
  ref: Ref<CursorTaker>;
  draft: ComposerDraft;
  check: DraftCheck;
  onChange: (patch: Partial<ComposerDraft>) => void;
  onSubmit: () => void;
}

/** The editor of a job's input, with what is wrong in it and the request as a curl command. */
function OneInput({ ref, draft, check, onChange, onSubmit }: OneInputProps): ReactElement {
  const [cursor, setCursor] = useState({ line: 1, column: 1 });
  const fix = check.json.ok ? undefined : check.json.fix;
  const applyFix = useCallback(() => {
    if (fix !== undefined)
      onChange({ inputText: draft.inputText.slice(0, fix.from) + fix.text + draft.inputText.slice(fix.to) });
  }, [fix, draft.inputText, onChange]);
  const problem = useMemo(
    () =>
      check.json.ok
        ? null
        : { from: fix?.from ?? check.json.offset, to: fix?.to ?? check.json.offset + 1, message: check.json.reason },
    [check.json, fix],
  );
  const [problemAt, setProblemAt] = useState<{ left: number; top: number } | null>(null);

  return (
    <div className={styles.editor}>
      <div className={styles.editorHead}>
        <InputCountSwitch />
        <span className={styles.grow} />
        <EarlierEdits />
        <AttachFile draft={draft} />
        <Button
          variant="ghost"
          size="sm"
          icon={<Braces size={14} strokeWidth={1.75} />}
          disabledReason={check.json.ok ? undefined : 'Fix the input first'}
          onClick={() => format(draft, check, onChange)}
        >
          Format
        </Button>
      </div>
      <div className={styles.editorBox}>
        <Suspense fallback={null}>
          <JsonEditor
            ref={ref}
            label="Input JSON"
            value={draft.inputText}
            problem={problem}
            onChange={(inputText) => onChange({ inputText })}
            onCursor={setCursor}
            onProblemAt={setProblemAt}
            onSubmit={onSubmit}
            onFix={applyFix}
          />
        </Suspense>
        {check.json.ok || problemAt === null ? null : (
          <ProblemCard reason={check.json.reason} fixLabel={fix?.label ?? null} at={problemAt} onFix={applyFix} />
        )}
      </div>
      <div className={styles.editorFoot}>
        <ProblemCount check={check} />
        <span className={styles.figures}>
          Ln {cursor.line}, Col {cursor.column}
        </span>
        <span className={styles.grow} />
        <SizeMeter bytes={check.bodyBytes} operation={draft.operation} />
      </div>
      <CurlPreview draft={draft} check={check} />
    </div>
  );
}

interface HeadProps {
  draft: ComposerDraft;
  check: DraftCheck;
  isMany: boolean;
  onClose: () => void;
}

function Head({ draft, check, isMany, onClose }: HeadProps): ReactElement {
  const change = useComposer((state) => state.change);
  const connections = useSession((state) => state.connections);
  const health = useSession((state) => state.health);
  const connection = connections.find((each) => each.id === draft.connectionId);
  const options = (connection?.endpoints ?? []).map((endpoint) => {
    const now = Object.values(health).find(
      (each) => each.connectionId === draft.connectionId && each.endpointId === endpoint.id,
    );
    return {
      value: endpoint.id,
      label: endpointName(endpoint),
      icon: <FlavourIcon flavour={endpoint.flavour} />,
      ...(now === undefined
        ? {}
        : { note: `${now.workers.running} running, ${now.workers.idle} idle, queue ${now.jobs.inQueue}` }),
    };
  });
  const isTooLargeForRun = !isMany && check.bodyBytes >= payloadLimitBytes.run;
  const waitProblem = check.problems.find((each) => each.field === 'wait')?.message;
  return (
    <header className={styles.head}>
      <h2 className={styles.title}>{isMany ? 'New batch' : 'New job'}</h2>
      <span className={styles.endpoint}>
        <Select
          label="Endpoint"
          value={draft.endpointId}
          options={options}
          onChange={(endpointId) => change({ endpointId })}
        />
      </span>
      <Segmented
        label="Operation"
        value={draft.operation}
        options={[
          {
            value: 'run',
            label: 'run',
            ...(isTooLargeForRun
              ? {
                  icon: <Lock size={12} strokeWidth={1.75} />,
                  disabledReason: 'The body is over the 10 MB limit of run',
                }
              : {}),
          },
          { value: 'runsync', label: 'runsync' },
        ]}
        onChange={(operation) => change({ operation: operation === 'runsync' ? 'runsync' : 'run' })}
      />
      {draft.operation === 'runsync' ? (
        <span className={styles.wait}>
          <span className={styles.label}>Wait up to</span>
          <input
            type="range"
            className={styles.slider}
            aria-label="Wait slider"
            min={waitBounds.minMs / 1_000}
            max={waitBounds.maxMs / 1_000}
            value={Math.round(check.waitMs / 1_000)}
            onChange={(event) => change({ waitText: formatDuration(Number(event.target.value) * 1_000) })}
          />
          <span className={styles.waitField}>
            <TextField
              aria-label="Wait"
              size="sm"
              value={draft.waitText}
              placeholder={formatDuration(waitBounds.defaultMs)}
              onChange={(waitText) => change({ waitText })}
            />
          </span>
          <span className={waitProblem === undefined ? styles.quiet : styles.problemText}>
            {waitProblem ?? '1 s to 5 min'}
          </span>
        </span>
      ) : null}
      <span className={styles.grow} />
      <IconButton label="Close" icon={<X size={16} strokeWidth={1.75} />} onClick={onClose} />
    </header>
  );
}

function ProblemCount({ check }: { check: DraftCheck }): ReactElement {
  const count = check.problems.length;
  if (count === 0) {
    const [hint] = check.hints;
    return (
      <span className={styles.quiet} role="status">
        {hint ?? 'No problems'}
      </span>
    );
  }
  return (
    <span className={styles.problemText} role="status">
      <StatusGlyph look="fail" size={12} />
      {count === 1 ? '1 problem' : `${count} problems`}
    </span>
  );
}

interface BatchFootProps {
  check: DraftCheck;
  canSend: boolean;
  onSubmit: () => void;
}

function BatchFoot({ check, canSend, onSubmit }: BatchFootProps): ReactElement {
  const { parsed, isParsing, isSubmitting } = useBulk();
  const rows = parsed.good.length;
  const problem = batchProblem(check, rows, isParsing);
  // An empty field is no mistake yet.
  const isEmpty = rows === 0 && parsed.bad.length === 0;
  return (
    <Foot
      problem={problem}
      refusal={null}
      isQuiet={isEmpty || isParsing}
      isSubmitting={isSubmitting}
      canSend={canSend}
      label={
        isSubmitting
          ? `Saving ${formatCountOf(rows, 'row')}`
          : rows === 0
            ? 'Submit jobs'
            : `Submit ${formatCountOf(rows, 'job')}`
      }
      onSubmit={onSubmit}
    />
  );
}

function Foot(props: {
  problem: string | null;
  refusal: string | null;
  isQuiet?: boolean;
  isSubmitting: boolean;
  canSend: boolean;
  label: string;
  onSubmit: () => void;
}): ReactElement {
  const said = props.isQuiet === true ? null : (props.refusal ?? props.problem);
  return (
    <footer className={styles.foot}>
      <span className={styles.keyHint}>
        <Kbd keys={['Ctrl', '1']} /> input
      </span>
      <span className={styles.keyHint}>
        <Kbd keys={['Ctrl', '2']} /> policy
      </span>
      <span className={styles.keyHint}>
        <Kbd keys={['F8']} /> next problem
      </span>
      <span className={styles.grow} />
      {said === null && !props.canSend && (
        <span className={styles.quiet}>Waits here until the service can be reached</span>
      )}
      {said === null ? null : (
        <span className={styles.footProblem} role="alert">
          <StatusGlyph look="fail" size={14} />
          <span>{said}</span>
        </span>
      )}
      <Button
        variant="primary"
        size="lg"
        keys={['Ctrl', '↵']}
        disabledReason={props.problem ?? (props.isSubmitting ? 'Saving…' : undefined)}
        onClick={props.onSubmit}
      >
        {props.label}
      </Button>
    </footer>
  );
}

/** Where a job was edited before and not sent: those edits are what is shown, and can be given up. */
function EarlierEdits(): ReactElement | null {
  const isEdited = useComposer((state) => state.unedited !== null);
  const dropEdits = useComposer((state) => state.dropEdits);
  return isEdited ? (
    <Button variant="ghost" size="sm" icon={<RotateCcw size={14} strokeWidth={1.75} />} onClick={dropEdits}>
      Discard earlier edits
    </Button>
  ) : null;
}

/** Puts a file into the input as base64 under a name, the way most workers take files. */
function AttachFile({ draft }: { draft: ComposerDraft }): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  const change = useComposer((state) => state.change);
  const setRefusal = useComposer((state) => state.setRefusal);
  const attach = async (file: File): Promise<void> => {
    const { attachFile } = await import('./attach-file.ts');
    const attached = await attachFile(draft.inputText, file);
    if (attached.ok) change({ inputText: attached.value });
    else setRefusal({ message: attached.failure.message, field: 'input' });
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File to attach"
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file !== undefined) void attach(file);
        }}
      />
      <Button
        variant="ghost"
        size="sm"
        icon={<Paperclip size={14} strokeWidth={1.75} />}
        onClick={() => input.current?.click()}
      >
        Attach file
      </Button>
    </>
  );
}

function format(draft: ComposerDraft, check: DraftCheck, change: (patch: Partial<ComposerDraft>) => void): void {
  if (check.json.ok)
    void import('./format-json.ts').then(({ formatJson }) => change({ inputText: formatJson(draft.inputText) }));
}

/** Journals the job and closes the sheet, or says why not and keeps everything as typed. */
function useSubmit(draft: ComposerDraft, check: DraftCheck): () => Promise<void> {
  const { setRefusal, setSubmitting, submitted } = useComposer();
  const isUnderWay = useRef(false);
  return useCallback(async () => {
    if (check.problems.length > 0 || isUnderWay.current) return;
    isUnderWay.current = true;
    setSubmitting(true);
    const result = await call('job:submit', {
      ...toSubmission(draft, check),
      ...originOf(useComposer.getState().slot),
    });
    isUnderWay.current = false;
    setSubmitting(false);
    if (!result.ok) {
      setRefusal({
        message: result.failure.message,
        field: 'field' in result.failure ? (result.failure.field ?? null) : null,
      });
      return;
    }
    submitted();
    useJobs.getState().apply([result.value]);
    useJobs.getState().select(result.value.key);
  }, [draft, check, setRefusal, setSubmitting, submitted]);
}
