import { HardDriveDownload } from 'lucide-react';
import {
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
} from 'react';
import { retentionMs } from '../../src-preload/service-retention.ts';
import { beforeLeaving } from '../data/unsaved-forms.ts';
import { useConnectionState, useWhenSentAgain } from '../data/connection-state.ts';
import { useSession } from '../data/session-store.ts';
import { Afterwards } from '../design/afterwards.tsx';
import { Sheet } from '../design/dialog.tsx';
import { composerFootText, composerText } from '../messages/composer/sheet.ts';
import { PaneSplit } from '../navigation/pane-split.tsx';
import { BatchSection } from './bulk/batch-section.tsx';
import { useBulk } from './bulk/bulk-store.ts';
import type { RowsPlan } from './bulk/row-plan.ts';
import { batchProblem, useRowsPlan, useSubmitBatch } from './bulk/use-submit-batch.ts';
import { useComposerActions, type ComposerActions, composerKeyOf } from './composer-keys.ts';
import type { ComposerDraft } from './composer-draft.ts';
import { BatchFoot, OneFoot } from './composer-foot.tsx';
import { Head, sheetTitle } from './composer-head.tsx';
import { useComposerNotice } from './composer-notice.ts';
import { answerRequests, useComposer } from './composer-store.ts';
import { checkDraft, type DraftCheck } from './draft-check.ts';
import { saveWaiting } from './draft-slots.ts';
import type { CursorTaker } from './json-editor.tsx';
import { ManyInputs } from './many-inputs.tsx';
import { OneInput } from './one-input.tsx';
import { usePasteRequest } from './paste/use-paste-request.ts';
import { PolicyFields } from './policy-fields.tsx';
import { PresetNameDialog } from './presets/preset-name-dialog.tsx';
import { Rail, useRail } from './rail.tsx';
import { offerInput, takeEarlierInput } from './replace-input.ts';
import { S3Fields } from './s3-fields.tsx';
import { TagsField } from './tags-field.tsx';
import { useSubmit, type AfterSubmit } from './use-submit.ts';
import { GridSection } from './variables/grid-section.tsx';
import { variableWarnings } from './variables/variable-warnings.ts';
import { VariablesSection } from './variables/variables-section.tsx';
import { WebhookField } from './webhook-field.tsx';
import styles from './composer.module.css';

/**
 * The sheet in which a job is written and submitted. Rendered once; visible while the store says so. `palette`: the
 * one that opens over it.
 */
export function Composer({ palette }: { palette: ReactNode }): ReactElement | null {
  const isOpen = useComposer((state) => state.isOpen);
  const draft = useComposer((state) => state.draft);
  const title = useComposer((state) => sheetTitle(state.originTitle));
  const close = useComposer((state) => state.close);
  const input = useRef<CursorTaker>(null);
  useEffect(() => answerRequests(offerInput), []);
  useEffect(
    () =>
      beforeLeaving(() => {
        saveWaiting();
        useBulk.getState().saveWaiting();
      }),
    [],
  );
  const frame = useRef<HTMLDivElement>(null);
  // The editor takes the focus when it is there, a moment after the sheet.
  const takeFocus = (): boolean => {
    (input.current ?? frame.current)?.focus();
    return input.current !== null || frame.current !== null;
  };
  return (
    <Sheet label={title} isOpen={isOpen && draft !== null} onClose={close} width={1208} isRoomy takeFocus={takeFocus}>
      {draft === null ? null : <ComposerBody draft={draft} input={input} frame={frame} />}
      {palette}
    </Sheet>
  );
}

interface ComposerBodyProps {
  draft: ComposerDraft;
  /** The editor of one input, or the field for many. */
  input: RefObject<CursorTaker | null>;
  frame: RefObject<HTMLDivElement | null>;
}

function ComposerBody({ draft, input, frame }: ComposerBodyProps): ReactElement {
  const change = useComposer((state) => state.change);
  const close = useComposer((state) => state.close);
  const isMany = useComposer((state) => state.inputCount === 'many');
  const connections = useSession((state) => state.connections);
  const check = useMemo(() => checkDraft(draft, connections), [draft, connections]);
  const rowsPlan = useRowsPlan(draft, isMany);
  const submitOne = useSubmit(draft, check);
  const submitMany = useSubmitBatch(draft, check);
  const submit = (after: AfterSubmit): void => void (isMany ? submitMany() : submitOne(after));
  useEffect(() => void useBulk.getState().load(), []);
  const isParsing = useBulk((state) => state.isParsing);
  const jobs = isMany ? rowsPlan.jobs : check.plan.jobs;
  useOfferedActions({
    submit,
    submitLabel: jobs === 1 && !isMany ? composerFootText.submitJob : composerFootText.submitJobs(jobs),
    problem: isMany ? batchProblem(check, rowsPlan, isParsing) : (check.problems[0]?.message ?? null),
  });
  const [previewed, setPreviewed] = useState(0);
  const index = Math.min(previewed, check.plan.jobs - 1);
  const policy = useRef<HTMLInputElement>(null);
  const condition = useConnectionState(
    useSession((state) => state.connections.find(({ id }) => id === draft.connectionId)),
  );
  const sentAgain = useWhenSentAgain(condition);
  const sentWhen = condition === null ? null : sentAgain;
  const paste = usePasteRequest(input);

  return (
    // A click on nothing leaves the focus in here, so that the keys still work.
    <div
      ref={frame}
      className={styles.frame}
      data-palette-sheet
      tabIndex={-1}
      onKeyDown={(event) => onSheetKey(event, { submit, input, policy })}
      role="presentation"
      {...(isMany ? {} : paste)}
    >
      <Head draft={draft} check={check} isMany={isMany} onClose={close} />
      <PaneSplit
        pane="composerRail"
        className={styles.body}
        edgeClass={styles.railEdge}
        left={
          <Rail draft={draft} onInput={isMany ? addRow : takeEarlierInput} onLeave={() => input.current?.focus()} />
        }
        right={
          <PaneSplit
            pane="composerOptions"
            className={styles.work}
            left={
              isMany ? (
                <ManyInputs ref={input} draft={draft} />
              ) : (
                <OneInput
                  input={input}
                  draft={draft}
                  check={check}
                  onChange={change}
                  onSubmit={() => submit('open')}
                  index={index}
                  onIndex={setPreviewed}
                />
              )
            }
            right={
              <Options
                draft={draft}
                check={check}
                rowsPlan={rowsPlan}
                sentWhen={sentWhen}
                policy={policy}
                index={index}
                onIndex={setPreviewed}
              />
            }
          />
        }
      />
      {isMany ? (
        <BatchFoot draft={draft} check={check} plan={rowsPlan} sentWhen={sentWhen} onSubmit={() => submit('open')} />
      ) : (
        <OneFoot draft={draft} check={check} sentWhen={sentWhen} onSubmit={submit} />
      )}
      <PresetNameDialog draft={draft} />
    </div>
  );
}

/** Offers what can be done with the draft to the keys and the palette, while the composer is open. */
function useOfferedActions(actions: ComposerActions): void {
  useEffect(() => useComposerActions.setState({ actions }));
  useEffect(() => () => useComposerActions.setState({ actions: null }), []);
}

interface SheetKeyParts {
  submit: (after: AfterSubmit) => void;
  input: RefObject<CursorTaker | null>;
  /** The first field of the policy. */
  policy: RefObject<HTMLInputElement | null>;
}

/** The keys of the sheet. Any other key means what it means in its field. */
function onSheetKey(event: KeyboardEvent, { submit, input, policy }: SheetKeyParts): void {
  const key = composerKeyOf(event);
  if (key === null) return;
  event.preventDefault();
  if (key === 'submit') submit('open');
  else if (key === 'submit-and-stay') submit('stay');
  else if (key === 'policy') policy.current?.focus();
  else if (key === 'input') input.current?.focus();
  else if (key !== 'held') useRail.getState().call(key);
}

interface OptionsProps {
  draft: ComposerDraft;
  check: DraftCheck;
  /** What many inputs make. */
  rowsPlan: RowsPlan;
  /** When a batch is sent that cannot be sent now. Null: immediately. */
  sentWhen: string | null;
  /** The first field of the policy. */
  policy: RefObject<HTMLInputElement | null>;
  /** The combination of variables that is shown. */
  index: number;
  onIndex: (index: number) => void;
}

/** Everything of a job but its input. */
function Options({ draft, check, rowsPlan, sentWhen, policy, index, onIndex }: OptionsProps): ReactElement {
  const change = useComposer((state) => state.change);
  const isMany = useComposer((state) => state.inputCount === 'many');
  return (
    <aside className={styles.options} aria-label={composerText.options}>
      <Afterwards>
        {isMany && <BatchSection draft={draft} plan={rowsPlan} sentWhen={sentWhen} onChange={change} />}
        <VariablesSection
          variables={draft.variables}
          used={isMany ? rowsPlan.used : check.plan.used}
          warnings={isMany ? variableWarnings('', { placeholders: [], used: rowsPlan.used }) : check.warnings}
          onChange={change}
        />
        {!isMany && <GridSection draft={draft} plan={check.plan} index={index} onIndex={onIndex} onChange={change} />}
        <PolicyFields draft={draft} check={check} firstField={policy} onChange={change} />
        <TagsField draft={draft} check={check} onChange={change} />
        <WebhookField draft={draft} check={check} onChange={change} />
        <S3Fields draft={draft} onChange={change} />
        <RetentionNote operation={draft.operation} />
      </Afterwards>
    </aside>
  );
}

/** Adds an earlier input as the last row of many. */
function addRow(inputText: string): void {
  if (useBulk.getState().addRow(inputText)) return;
  useComposerNotice.getState().show({
    title: composerText.rowsUnchanged,
    detail: composerText.ndjsonOnly,
    actions: [],
  });
}

function RetentionNote({ operation }: Pick<ComposerDraft, 'operation'>): ReactElement {
  return (
    <p className={styles.note}>
      <HardDriveDownload size={16} strokeWidth={1.75} aria-hidden />
      <span>{composerText.resultStays(retentionMs[operation] / 60_000)}</span>
    </p>
  );
}
