import { Lock, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { endpointName } from '../../src-preload/connection.ts';
import { endpointKey } from '../../src-preload/endpoint-key.ts';
import { payloadLimitBytes, waitBounds } from '../../src-preload/job-bounds.ts';
import { useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { validReading } from '../data/watch-health.ts';
import { classes } from '../design/class-names.ts';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { formatDuration } from '../../src-preload/format.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Segmented } from '../design/segmented.tsx';
import { Select } from '../design/form/select.tsx';
import { Slider } from '../design/form/slider.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { commonText } from '../messages/common.ts';
import { composerHeadText } from '../messages/composer/sheet.ts';
import { changeEndpoint } from './change-endpoint.ts';
import type { ComposerDraft } from './composer-draft.ts';
import { useComposer } from './composer-store.ts';
import type { DraftCheck } from './draft-check.ts';
import styles from './composer.module.css';

interface HeadProps {
  draft: ComposerDraft;
  check: DraftCheck;
  isMany: boolean;
  onClose: () => void;
}

/** The title of the sheet: a new job, or the job whose input is edited. */
export function sheetTitle(originTitle: string | null): string {
  return originTitle === null ? commonText.newJob : composerHeadText.resubmit(originTitle);
}

/** The destination: endpoint, run or runsync, and how long runsync waits. */
export function Head({ draft, check, isMany, onClose }: HeadProps): ReactElement {
  const change = useComposer((state) => state.change);
  const savedAtMs = useComposer((state) => state.savedAtMs);
  const originTitle = useComposer((state) => state.originTitle);
  const connections = useSession((state) => state.connections);
  const health = useSession((state) => state.health);
  const nowMs = useNow(5_000);
  const connection = connections.find((each) => each.id === draft.connectionId);
  const options = (connection?.endpoints ?? []).map((endpoint) => {
    const now = validReading(health[endpointKey({ connectionId: draft.connectionId, endpointId: endpoint.id })], nowMs);
    return {
      value: endpoint.id,
      label: endpointName(endpoint),
      icon: <EndpointIcon endpoint={endpoint} />,
      ...(now === undefined
        ? {}
        : { note: composerHeadText.health(now.workers.running, now.workers.idle, now.jobs.inQueue) }),
    };
  });
  const isTooLargeForRun = !isMany && check.bodyBytes >= payloadLimitBytes.run;
  const waitProblem = check.problems.find((each) => each.field === 'wait')?.message;
  return (
    <header className={styles.head}>
      <h2 className={classes(styles.title, originTitle !== null && styles.origin)} title={originTitle ?? undefined}>
        {isMany ? composerHeadText.newBatch : sheetTitle(originTitle)}
      </h2>
      <span className={styles.endpoint}>
        <Select
          label={composerHeadText.endpoint}
          value={draft.endpointId}
          options={options}
          onChange={(endpointId) => void changeEndpoint(endpointId)}
        />
      </span>
      <Segmented
        label={composerHeadText.operation}
        value={draft.operation}
        options={[
          {
            value: 'run',
            label: 'run',
            ...(isTooLargeForRun
              ? {
                  icon: <Lock size={12} strokeWidth={1.75} />,
                  disabledReason: composerHeadText.tooLargeForRun,
                }
              : {}),
          },
          { value: 'runsync', label: 'runsync' },
        ]}
        onChange={(operation) => change({ operation: operation === 'runsync' ? 'runsync' : 'run' })}
      />
      {draft.operation === 'runsync' ? (
        <span className={styles.wait}>
          <span className={styles.label}>{composerHeadText.waitUpTo}</span>
          <Slider
            className={styles.slider}
            aria-label={composerHeadText.waitSlider}
            min={waitBounds.minMs / 1_000}
            max={waitBounds.maxMs / 1_000}
            value={Math.round(check.waitMs / 1_000)}
            onChange={(seconds) => change({ waitText: formatDuration(seconds * 1_000) })}
          />
          <span className={styles.waitField}>
            <TextField
              aria-label={composerHeadText.wait}
              size="sm"
              value={draft.waitText}
              placeholder={formatDuration(waitBounds.defaultMs)}
              onChange={(waitText) => change({ waitText })}
            />
          </span>
          <span className={waitProblem === undefined ? styles.quiet : styles.problemText}>
            {waitProblem ?? composerHeadText.waitBounds}
          </span>
        </span>
      ) : null}
      <span className={styles.grow} />
      {savedAtMs !== null && <span className={styles.kept}>{composerHeadText.savedAt(savedAtMs)}</span>}
      <IconButton label={commonText.close} icon={<X size={16} strokeWidth={1.75} />} onClick={onClose} />
    </header>
  );
}
