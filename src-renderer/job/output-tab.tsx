import { ArrowDownToLine, Copy, Download, Pilcrow } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { BodyText } from '../../src-preload/history.ts';
import { isLive as isLiveJob, type Attempt, type Job } from '../../src-preload/job.ts';
import { Button } from '../design/button.tsx';
import { formatBytes, formatCount, formatCountOf } from '../design/format.ts';
import { FindButton } from '../design/find-button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { Segmented } from '../design/segmented.tsx';
import { useCommandKey } from '../design/use-command-key.ts';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { JsonView } from '../json/json-view.tsx';
import { outputCaption } from './output-caption.ts';
import { ChunksView } from '../stream/chunks-view.tsx';
import { Instruments, hasInstruments } from '../stream/instruments.tsx';
import { LiveText } from '../stream/live-text.tsx';
import type { StreamLog } from '../stream/stream-log.ts';
import { timesBeside } from '../stream/stream-times.ts';
import { wholeText, type TextSource } from '../stream/text-source.ts';
import type { Stream } from '../stream/use-stream.ts';
import { copyOutput, saveOutput } from './actions.ts';
import type { FoundImage } from './find-images.ts';
import { FilesView } from './files-view.tsx';
import { ImageTools } from './image-tools.tsx';
import { ImagesView, useImageUrls } from './images-view.tsx';
import { NoOutput } from './no-output.tsx';
import { outputViews, promisesImages, readOutput, viewToShow } from './output-views.ts';
import type { OutputView, ReadOutput } from './output-views.ts';
import { firstChunkMs, streamStartMs } from './stream-start.ts';
import { PartProblem } from './part-problem.tsx';
import { TranscriptView } from './transcript-view.tsx';
import { ViewMenu } from './view-menu.tsx';
import { RawReply } from './raw-reply.tsx';
import { usePaneState } from './pane-state.ts';
import { useBody, type Body } from './use-body.ts';
import { useRawChunks } from './use-raw-chunks.ts';
import { useSteps, type Steps } from '../stream/use-steps.ts';
import styles from './output-tab.module.css';

const viewNames: Readonly<Record<OutputView, string>> = {
  text: 'Text',
  chunks: 'Chunks',
  images: 'Images',
  files: 'Files',
  transcript: 'Transcript',
  raw: 'JSON',
};
/** A cut output up to this size is read completely without a request if it probably has images. */
const wholeUnasked = 80_000_000;

/** JSON up to this size is read completely when it is shown. */
const wholeTree = 32_000_000;

interface OutputTabProps {
  job: Job;
  attempt: Attempt | null;
  stream: Stream;
  /** Whether there is a list, which the comparison can replace. */
  hasList: boolean;
}

/** The output of one attempt, in the views that apply. */
export function OutputTab({ job, attempt, stream, hasList }: OutputTabProps) {
  const output = useOutput(job, attempt, stream);
  const { body, view } = output;
  const [isFinding, setFinding] = useState(false);
  const canFind = view === 'text' || view === 'raw' || view === 'chunks';
  useCommandKey('f', canFind, () => setFinding(true));
  useCommandKey('s', view !== null, () => void saveOutput(job, attempt?.number ?? null));
  const { kept } = output;
  const { loadWhole } = body;
  useEffect(() => {
    if (view === 'raw' && kept !== null && kept.isCut && kept.bytes <= wholeTree) loadWhole();
  }, [view, kept, loadWhole]);
  if (view === null) {
    if (body.current.state === 'failed')
      return <PartProblem title="Could not read the output" failure={body.current.failure} onRetry={body.retry} />;
    if (stream.problem !== null)
      return <PartProblem title="Could not open the stream" text={stream.problem} onRetry={stream.retry} />;
    if (body.current.state === 'loading' && output.bytes > 0) return null;
    if (output.chunkCount > 0 && stream.version === 0) return null;
    return output.isCurrent && (job.goneReason === 'too-large' || job.unreadReply !== undefined) ? (
      <RawReply job={job} attempt={attempt} />
    ) : (
      <NoOutput job={job} attempt={attempt} />
    );
  }
  return (
    <>
      <Toolbar
        job={job}
        attempt={attempt}
        log={stream.log}
        output={output}
        view={view}
        hasList={hasList}
        isFinding={isFinding}
        onFinding={setFinding}
      />
      <InView
        job={job}
        attempt={attempt}
        stream={stream}
        output={output}
        hasList={hasList}
        isFinding={isFinding}
        onFindEnd={() => setFinding(false)}
      />
    </>
  );
}

/** The parts of an output, and the user's choices. */
interface Output {
  isCurrent: boolean;
  /** More may come. */
  isLive: boolean;
  bytes: number;
  chunkCount: number;
  body: Body;
  /** The body as far as it was read. Null if there is none. */
  kept: BodyText | null;
  /** What was found in the body. Null until it was searched. */
  read: ReadOutput | null;
  /** The text of the body. */
  bodySource: TextSource | null;
  urls: readonly (string | null)[];
  imageAt: number;
  showImage: (index: number) => void;
  views: readonly OutputView[];
  /** Null if there is nothing to show. */
  view: OutputView | null;
  isFollowing: boolean;
  follow: (isFollowing: boolean) => void;
}

function useOutput(job: Job, attempt: Attempt | null, { log }: Stream): Output {
  const isCurrent = attempt === null || attempt.number === job.attempt;
  // An ended job has its result. Only the rest of its stream may still come (ruling 36).
  const isLive = isCurrent && isLiveJob(job) && job.pendingStream === undefined;
  const bytes = isCurrent ? job.outputBytes : attempt.outputBytes;
  const chunkCount = isCurrent ? job.chunkCount : attempt.chunkCount;
  const flavour = useSession((state) => findEndpoint(state.connections, job.connectionId, job.endpointId).flavour);
  const { following, setFollowing, chosenViews } = usePaneState();

  // While the job streams, the chunks are the output. A body comes with the end, or as progress of a job without a
  // stream.
  const isKept = job.outputForgottenAtMs === undefined;
  const hasBody = isKept && (isLive ? bytes > 0 && chunkCount === 0 : bytes > 0 || attempt?.hasOutput === true);
  const body = useBody({ key: job.key, part: 'output', attempt: attempt?.number ?? null, isWanted: hasBody });
  const kept = body.current.state === 'ready' ? body.current.body : null;
  const { loadWhole } = body;
  useEffect(() => {
    if (kept !== null && kept.isCut && kept.bytes <= wholeUnasked && promisesImages(kept.text, flavour)) loadWhole();
  }, [kept, flavour, loadWhole]);

  const startReading = useCallback(() => readKept(kept), [kept]);
  const reading = useSteps(startReading);
  const read = reading?.start === startReading ? reading.result : null;
  const images = read?.images ?? null;
  const urls = useImageUrls(images?.found ?? noneFound);
  const [imageAt, showImage] = useState(0);
  const bodySource = useMemo(() => (read?.text == null ? null : wholeText(read.text)), [read]);

  const views = outputViews({
    streamText: log.hasText,
    chunks: log.chunkCount > 0,
    bodyText: bodySource !== null,
    images: images !== null && (images.found.length > 0 || images.links.length > 0),
    files: images !== null && (images.files.length > 0 || images.fileLinks.length > 0),
    transcript: read !== null && read.transcript !== null,
    body: kept !== null,
  });
  // A stream that has ended is still read for a moment. If the user scrolls to its end meanwhile, the view stays there.
  const [isAtEnd, setAtEnd] = useState(false);
  return {
    isCurrent,
    isLive,
    bytes,
    chunkCount,
    body,
    kept,
    read,
    bodySource,
    urls,
    imageAt: images === null || imageAt >= images.found.length ? 0 : imageAt,
    showImage,
    views,
    view: viewToShow(views, chosenViews[job.key] ?? null),
    isFollowing: isLive ? (following[job.key] ?? true) : isAtEnd,
    follow: (next) => (isLive ? setFollowing(job.key, next) : setAtEnd(next)),
  };
}

interface ToolbarProps {
  job: Job;
  attempt: Attempt | null;
  log: StreamLog;
  output: Output;
  view: OutputView;
  hasList: boolean;
  isFinding: boolean;
  onFinding: (isFinding: boolean) => void;
}

/** The choice of a view, a caption, and the actions on the output. */
function Toolbar({ job, attempt, log, output, view, hasList, isFinding, onFinding }: ToolbarProps) {
  const { chooseView, isPlain, setPlain } = usePaneState();
  const { isLive, isFollowing, follow, imageAt } = output;
  const images = output.read?.images.found ?? noneFound;
  return (
    <div className={styles.toolbar}>
      <Segmented
        size="sm"
        label="Output view"
        value={view}
        options={output.views.map((value) => ({ value, label: viewNames[value] }))}
        onChange={(next) => chooseView(job.key, next)}
      />
      <span className={styles.caption}>{outputCaption(view, log, output)}</span>
      <span className={styles.gap} />
      {isLive && (view === 'text' || view === 'chunks') && (
        <Button
          variant="ghost"
          size="sm"
          icon={<ArrowDownToLine />}
          aria-keyshortcuts="F"
          onClick={() => follow(!isFollowing)}
        >
          <span className={styles.wide}>{isFollowing ? 'Following' : 'Follow'}</span>
        </Button>
      )}
      {(view === 'text' || view === 'raw' || view === 'chunks') && (
        <FindButton label="Search the output" isOn={isFinding} onChange={onFinding} />
      )}
      {view === 'text' && (
        <IconButton
          label={isPlain ? 'Show formatted' : 'Show as plain text'}
          size="sm"
          hasSmallGlyph
          icon={<Pilcrow />}
          isOn={isPlain}
          onClick={() => setPlain(!isPlain)}
        />
      )}
      {(view === 'text' || view === 'chunks') && <ViewMenu view={view} isStreamed={log.hasText || view === 'chunks'} />}
      {view === 'images' && images.length > 0 ? (
        <ImageTools job={job} attempt={attempt?.number ?? null} images={images} at={imageAt} hasList={hasList} />
      ) : (
        <>
          <IconButton
            label="Copy output"
            size="sm"
            hasSmallGlyph
            icon={<Copy />}
            keys={['Ctrl', 'C']}
            onClick={() => void copyOutput(job.key, attempt?.number ?? null)}
          />
          <IconButton
            label="Save output"
            size="sm"
            hasSmallGlyph
            icon={<Download />}
            keys={['Ctrl', 'S']}
            onClick={() => void saveOutput(job, attempt?.number ?? null)}
          />
        </>
      )}
    </div>
  );
}

interface InViewProps {
  job: Job;
  attempt: Attempt | null;
  stream: Stream;
  output: Output;
  hasList: boolean;
  isFinding: boolean;
  onFindEnd: () => void;
}

/** The output in the chosen view. */
function InView({ job, attempt, stream, output, hasList, isFinding, onFindEnd }: InViewProps) {
  const { isPlain } = usePaneState();
  const { isWrapped, times } = useSession((state) => state.settings.plainOutput);
  const { log } = stream;
  const startMs = streamStartMs(job, attempt, log);
  const { body, kept, read, view, isLive, isFollowing, follow } = output;
  const images = read?.images ?? null;
  return (
    <>
      {view === 'text' && (
        <LiveText
          key={`${job.key} ${attempt?.number ?? 0} ${log.hasText ? 'stream' : 'body'}`}
          source={textSource(output, log)}
          version={log.hasText ? stream.version : read}
          isLive={isLive && log.hasText}
          isFollowing={isFollowing}
          onFollowChange={follow}
          isPlain={isPlain}
          isWrapped={isWrapped}
          timeWithin={log.hasText ? timesBeside(log.arrivals, times, startMs) : undefined}
          isFinding={isFinding}
          onFindEnd={onFindEnd}
          onCopyAll={() => void copyOutput(job.key, attempt?.number ?? null)}
        />
      )}
      {view === 'chunks' && (
        <ChunksView
          key={`${job.key} ${attempt?.number ?? 0}`}
          log={log}
          version={stream.version}
          jobKey={job.key}
          attempt={attempt?.number ?? job.attempt}
          isLive={isLive}
          isFollowing={isFollowing}
          onFollowChange={follow}
          times={times}
          startMs={startMs}
          isWrapped={isWrapped}
          isFinding={isFinding}
          onFindEnd={onFindEnd}
        />
      )}
      {view === 'images' && images !== null && (
        <ImagesView
          job={job}
          hasList={hasList}
          images={images}
          urls={output.urls}
          at={output.imageAt}
          onMove={output.showImage}
        />
      )}
      {view === 'files' && images !== null && (
        <FilesView files={images.files} links={images.fileLinks} jobName={job.jobId?.slice(0, 8) ?? job.key} />
      )}
      {view === 'transcript' && read !== null && read.transcript !== null && (
        <TranscriptView job={job} segments={read.transcript} files={read.images.files} />
      )}
      {view === 'raw' && (
        <Raw
          key={attempt?.number ?? job.attempt}
          job={job}
          attempt={attempt?.number ?? job.attempt}
          log={log}
          text={kept?.text ?? null}
          isFinding={isFinding}
          onFindEnd={onFindEnd}
        />
      )}
      {kept !== null && kept.isCut && view === 'raw' && (
        <div className={styles.cut}>
          <span>
            The first {formatBytes(kept.text.length)} of {formatBytes(kept.bytes)}.
          </span>
          <Button size="sm" disabled={body.isLoadingRest} onClick={body.loadWhole}>
            {body.isLoadingRest ? 'Reading' : 'Show all'}
          </Button>
        </div>
      )}
      {view === 'text' && log.hasText && hasInstruments(log.metrics) && (
        <Instruments metrics={log.metrics} firstChunkMs={firstChunkMs(job, attempt, log)} isLive={isLive} />
      )}
    </>
  );
}

/** The text to show: the stream's, or else the body's. */
function textSource({ bodySource }: Output, log: StreamLog): TextSource {
  return log.hasText || bodySource === null ? log : bodySource;
}

const noneFound: readonly FoundImage[] = [];

function* readKept(kept: BodyText | null): Steps<ReadOutput | null> {
  return kept === null ? null : yield* readOutput(kept.text, kept.isCut);
}

interface RawProps {
  job: Job;
  attempt: number;
  log: StreamLog;
  text: string | null;
  isFinding: boolean;
  onFindEnd: () => void;
}

/** The output unchanged: the saved body, or the chunks as one array if there is no body. */
function Raw({ job, attempt, log, text, isFinding, onFindEnd }: RawProps) {
  const chunks = useRawChunks(job.key, attempt, log, text === null);
  return (
    <>
      <JsonView text={text ?? chunks.text} label="Output JSON" isFinding={isFinding} onFindEnd={onFindEnd} />
      {text === null && chunks.shown < log.chunkCount && chunks.shown > 0 && (
        <div className={styles.cut}>
          <span>
            The first {formatCount(chunks.shown)} of {formatCountOf(log.chunkCount, 'chunk')}. Copy output includes all
            of it.
          </span>
        </div>
      )}
    </>
  );
}
