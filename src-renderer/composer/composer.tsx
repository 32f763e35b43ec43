import { HardDriveDownload } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactElement, type RefObject } from 'react';
import { retentionMs } from '../../src-preload/job.ts';
import { useCondition } from '../data/condition.ts';
import { useSession } from '../data/session-store.ts';
import { classes } from '../design/class-names.ts';
import { Sheet } from '../design/dialog.tsx';
import { BatchSection } from './bulk/batch-section.tsx';
import { useBulk } from './bulk/bulk-store.ts';
import { ManyInputs } from './bulk/many-inputs.tsx';
import { useSubmitBatch } from './bulk/use-submit-batch.ts';
import type { ComposerDraft } from './composer-draft.ts';
import { BatchFoot, OneFoot } from './composer-foot.tsx';
import { Head, sheetTitle } from './composer-head.tsx';
import { useComposer } from './composer-store.ts';
import { checkDraft } from './draft-check.ts';
import type { CursorTaker } from './json-editor.tsx';
import { OneInput } from './one-input.tsx';
import { usePasteRequest } from './paste/use-paste-request.ts';
import { PolicyFields } from './policy-fields.tsx';
import { PresetNameDialog } from './presets/preset-name-dialog.tsx';
import { Rail, useRail } from './rail.tsx';
import { S3Fields } from './s3-fields.tsx';
import { TagsField } from './tags-field.tsx';
import { useSubmit } from './use-submit.ts';
import { GridSection } from './variables/grid-section.tsx';
import { VariablesSection } from './variables/variables-section.tsx';
import { WebhookField } from './webhook-field.tsx';
import styles from './composer.module.css';

/** The sheet in which a job is written and sent. Rendered once; it shows itself when the store says so. */
export function Composer(): ReactElement | null {
  const isOpen = useComposer((state) => state.isOpen);
  const draft = useComposer((state) => state.draft);
  const title = useComposer((state) => sheetTitle(state.originTitle));
  const close = useComposer((state) => state.close);
  const input = useRef<CursorTaker>(null);
  const takeFocus = (): boolean => {
    input.current?.focus();
    return input.current !== null;
  };
  return (
    <Sheet label={title} isOpen={isOpen && draft !== null} onClose={close} width={1208} isRoomy takeFocus={takeFocus}>
      {draft === null ? null : <ComposerBody draft={draft} input={input} />}
    </Sheet>
  );
}

const railKeys: ReadonlyMap<string, 'presets' | 'history'> = new Map([
  ['p', 'presets'],
  ['h', 'history'],
]);

interface ComposerBodyProps {
  draft: ComposerDraft;
  /** Where the input is typed: the editor of one, or the field of many. */
  input: RefObject<CursorTaker | null>;
}

function ComposerBody({ draft, input }: ComposerBodyProps): ReactElement {
  const { change, close } = useComposer();
  const connections = useSession((state) => state.connections);
  const check = useMemo(() => checkDraft(draft, connections), [draft, connections]);
  const isMany = useComposer((state) => state.inputCount) === 'many';
  const submitOne = useSubmit(draft, check);
  const submitMany = useSubmitBatch(draft, check);
  const submit = isMany ? submitMany : submitOne;
  useEffect(() => void useBulk.getState().load(), []);
  const [previewed, setPreviewed] = useState(0);
  const index = Math.min(previewed, check.plan.jobs - 1);
  const options = useRef<HTMLElement>(null);
  const condition = useCondition(useSession((state) => state.connections.find(({ id }) => id === draft.connectionId)));
  const canSend = condition === null || condition.kind === 'ready';

  const paste = usePasteRequest(input);
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const isMod = event.ctrlKey || event.metaKey;
    if (isMod && event.key === 'Enter') {
      event.preventDefault();
      void submit();
    } else if (isMod && event.key === '2') {
      event.preventDefault();
      options.current?.querySelector<HTMLElement>('[data-policy] input')?.focus();
    } else if (isMod && event.key === '1') {
      event.preventDefault();
      input.current?.focus();
    } else if (isMod && !event.shiftKey && !event.altKey && !isMany) {
      const tab = railKeys.get(event.key.toLowerCase());
      if (tab === undefined) return;
      event.preventDefault();
      useRail.getState().call(tab);
    }
  };

  return (
    <div className={styles.frame} onKeyDown={onKeyDown} role="presentation" {...(isMany ? {} : paste)}>
      <Head draft={draft} check={check} isMany={isMany} onClose={close} />
      <div className={classes(styles.body, isMany && styles.many)}>
        {!isMany && (
          <Rail draft={draft} onInput={(inputText) => change({ inputText })} onLeave={() => input.current?.focus()} />
        )}
        {isMany ? (
          <ManyInputs ref={input} />
        ) : (
          <OneInput
            input={input}
            draft={draft}
            check={check}
            onChange={change}
            onSubmit={() => void submit()}
            index={index}
            onIndex={setPreviewed}
          />
        )}
        <aside className={styles.options} ref={options} aria-label="Options">
          {isMany && <BatchSection draft={draft} canSend={canSend} onChange={change} />}
          {!isMany && (
            <>
              <VariablesSection variables={draft.variables} used={check.plan.used} onChange={change} />
              <GridSection draft={draft} plan={check.plan} index={index} onIndex={setPreviewed} onChange={change} />
            </>
          )}
          <PolicyFields draft={draft} check={check} onChange={change} />
          <TagsField draft={draft} check={check} onChange={change} />
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
        <OneFoot draft={draft} check={check} canSend={canSend} onSubmit={() => void submit()} />
      )}
      <PresetNameDialog draft={draft} />
    </div>
  );
}
