import { ArrowDownToLine, Copy, Download, ExternalLink, Pilcrow, Captions } from 'lucide-react';
import type { Attempt, Job } from '../../../src-preload/job.ts';
import { Button } from '../../design/button.tsx';
import { classes } from '../../design/class-names.ts';
import { FindButton } from '../../design/find-button.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { Segmented } from '../../design/segmented.tsx';
import { commonText } from '../../messages/common.ts';
import { mediaViewName, outputText, outputViewNames } from '../../messages/job/output.ts';
import type { StreamLog } from '../../stream/stream-log.ts';
import { copyOutput } from '../actions.ts';
import { openOutputInEditor, saveOutput } from './whole-output.ts';
import { ImageTools } from '../media/image-tools.tsx';
import { outputCaption } from './output-caption.ts';
import type { OutputView } from '../output-views.ts';
import { usePaneState } from '../pane-state.ts';
import type { Output } from './use-output.ts';
import { ViewMenu } from '../view-menu.tsx';
import { Menu } from '../../design/menu/menu.tsx';
import { transcriptText } from '../../messages/job/media.ts';
import { saveText } from '../../data/save-file.ts';
import { subRipOf, webVttOf } from '../transcript/subtitles.ts';
import type { TranscriptSegment } from '../transcript/transcript.ts';
import styles from './output-tab.module.css';

/** Saves a transcript as subtitles. */
function TranscriptMenu({ job, segments }: { job: Job; segments: readonly TranscriptSegment[] }) {
  const name = job.jobId?.slice(0, 8) ?? job.key;
  return (
    <Menu
      align="end"
      trigger={<IconButton label={transcriptText.save} size="sm" hasSmallGlyph icon={<Captions />} />}
      items={[
        {
          kind: 'item',
          label: transcriptText.saveSubRip,
          onSelect: () => saveText(`${name}.srt`, subRipOf(segments), 'application/x-subrip'),
        },
        {
          kind: 'item',
          label: transcriptText.saveWebVtt,
          onSelect: () => saveText(`${name}.vtt`, webVttOf(segments), 'text/vtt'),
        },
      ]}
    />
  );
}

interface ToolbarProps {
  job: Job;
  attempt: Attempt | null;
  log: StreamLog;
  output: Output;
  view: OutputView;
  isFinding: boolean;
  onFinding: (isFinding: boolean) => void;
  /** Gets the place for the choice between the forms of JSON. */
  onChoicePlace: (place: HTMLElement | null) => void;
}

/** The choice of a view, a caption, and the actions on the output. */
export function OutputToolbar({ job, attempt, log, output, view, isFinding, onFinding, onChoicePlace }: ToolbarProps) {
  const { chooseView, isPlain, setPlain } = usePaneState();
  const { isLive, isFollowing, follow, gallery } = output;
  const caption = outputCaption(view, log, output);
  return (
    <div className={classes(styles.toolbar, view === 'raw' && output.views.length > 1 && styles.both)}>
      <Segmented
        size="sm"
        label={outputText.view}
        value={view}
        options={output.views.map((value) => ({ value, label: nameOf(value, output) }))}
        onChange={(next) => chooseView(job.key, next)}
      />
      <span className={styles.caption}>
        {caption.map((part, at) => (
          <span key={at}>{part}</span>
        ))}
      </span>
      {view === 'raw' && <div className={styles.choice} ref={onChoicePlace} />}
      <span className={styles.gap} />
      {isLive && (view === 'text' || view === 'chunks' || view === 'images') && (
        <Button
          variant="ghost"
          size="sm"
          icon={<ArrowDownToLine />}
          aria-keyshortcuts="F"
          onClick={() => follow(!isFollowing)}
        >
          <span className={styles.wide}>{isFollowing ? outputText.following : outputText.follow}</span>
        </Button>
      )}
      {(view === 'text' || view === 'raw' || view === 'chunks' || view === 'transcript') && (
        <FindButton label={outputText.search} isOn={isFinding} onChange={onFinding} />
      )}
      {view === 'text' && (
        <IconButton
          label={isPlain ? outputText.showFormatted : outputText.showPlain}
          size="sm"
          hasSmallGlyph
          icon={<Pilcrow />}
          isOn={isPlain}
          onClick={() => setPlain(!isPlain)}
        />
      )}
      {(view === 'text' || view === 'chunks') && <ViewMenu view={view} isStreamed={log.hasText || view === 'chunks'} />}
      {view === 'transcript' && output.read?.transcript != null && (
        <TranscriptMenu job={job} segments={output.read.transcript} />
      )}
      {view === 'images' && gallery.count > 0 ? (
        <ImageTools job={job} attempt={attempt?.number ?? null} images={gallery} />
      ) : (
        <>
          <IconButton
            label={commonText.copyOutput}
            size="sm"
            hasSmallGlyph
            icon={<Copy />}
            keys={['Ctrl', 'C']}
            onClick={() => void copyOutput(job.key, attempt?.number ?? null)}
          />
          <IconButton
            label={outputText.save}
            size="sm"
            hasSmallGlyph
            icon={<Download />}
            keys={['Ctrl', 'S']}
            onClick={() => void saveOutput(job, attempt?.number ?? null)}
          />
          <IconButton
            label={outputText.openInEditor}
            size="sm"
            hasSmallGlyph
            icon={<ExternalLink />}
            onClick={() => void openOutputInEditor(job, attempt?.number ?? null)}
          />
        </>
      )}
    </div>
  );
}

function nameOf(view: OutputView, { gallery }: Output): string {
  return view === 'images' && gallery.hasPlayed ? mediaViewName : outputViewNames[view];
}
