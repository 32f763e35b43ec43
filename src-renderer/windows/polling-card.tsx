import { Pause, Play, RefreshCw, Settings } from 'lucide-react';
import { callOrReport } from '../call-or-report.ts';
import { useCurrentConnectionState } from '../data/connection-state.ts';
import { describePolling } from '../data/polling.ts';
import { useCurrentConnection, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { classes } from '../design/class-names.ts';
import { IconButton } from '../design/icon-button.tsx';
import { commonText } from '../messages/common.ts';
import { sidebarText } from '../messages/windows/main-window.ts';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';
import styles from './sidebar.module.css';

/** Whether jobs are polled, the button that pauses it, and a link to the settings. */
export function PollingCard({ isFolded }: { isFolded: boolean }) {
  const tracker = useSession((state) => state.tracker);
  const connection = useCurrentConnection();
  const isTicking =
    tracker !== null &&
    !tracker.isPaused &&
    (tracker.nextStatusReadAtMs !== null || connection?.state.kind === 'offline');
  const openSettings = (): void => useSettingsDialog.getState().open('preferences');
  if (isFolded) {
    return (
      <div className={styles.foot}>
        <PauseButton />
        <IconButton label={sidebarText.settings} icon={<Settings />} onClick={openSettings} />
      </div>
    );
  }
  return (
    <div className={styles.foot}>
      <div className={styles.polling}>
        {isTicking ? <TickingText /> : <PollingText nowMs={0} />}
        <PauseButton />
        <IconButton
          label={sidebarText.settings}
          size="sm"
          hasSmallGlyph
          icon={<Settings />}
          className={styles.close}
          onClick={openSettings}
        />
      </div>
    </div>
  );
}

function TickingText() {
  return <PollingText nowMs={useNow(500)} />;
}

function PollingText({ nowMs }: { nowMs: number }) {
  const tracker = useSession((state) => state.tracker);
  const polling = describePolling(tracker, useCurrentConnectionState(), nowMs);
  return (
    <>
      <span className={classes(styles.dot, styles[`dot-${polling.dot}`])} />
      <div className="grow">
        <div className={classes('small', 'm', 'trunc')}>{polling.title}</div>
        <div className={classes('cap', 't3', 'num', 'trunc')}>{polling.text}</div>
      </div>
    </>
  );
}

function PauseButton() {
  const isPaused = useSession((state) => state.tracker?.isPaused ?? false);
  const connection = useCurrentConnection();
  if (connection?.state.kind === 'offline' && !isPaused) {
    return (
      <IconButton
        label={commonText.tryNow}
        size="sm"
        hasSmallGlyph
        icon={<RefreshCw />}
        onClick={() => callOrReport('tracker:tryNow', undefined)}
      />
    );
  }
  return isPaused ? (
    <IconButton
      label={sidebarText.resumePolling}
      size="sm"
      hasSmallGlyph
      icon={<Play />}
      onClick={() => callOrReport('tracker:resume', undefined)}
    />
  ) : (
    <IconButton
      label={sidebarText.pausePolling}
      size="sm"
      hasSmallGlyph
      icon={<Pause />}
      onClick={() => callOrReport('tracker:pause', undefined)}
    />
  );
}
