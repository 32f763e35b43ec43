import { useEffect, useState } from 'react';
import type { Attempt, Job } from '../../../src-preload/job.ts';
import { SkeletonRows } from '../../design/skeleton.tsx';
import { useCommandKey } from '../../design/keyboard/use-keys.ts';
import { pauseMs, useLasting } from '../../design/use-pause.ts';
import { useSession } from '../../data/session-store.ts';
import { JsonView } from '../../json/json-view.tsx';
import { outputText } from '../../messages/job/output.ts';
import { ChunksView } from '../../stream/chunks-view.tsx';
import { Instruments, hasInstruments } from '../../stream/instruments.tsx';
import { LiveText } from '../../stream/live-text.tsx';
import type { StreamLog } from '../../stream/stream-log.ts';
import { timesBeside } from '../../stream/stream-times.ts';
import type { TextSource } from '../../stream/text-source.ts';
import type { Stream } from '../../stream/use-stream.ts';
import { copyOutput } from '../actions.ts';
import { CutNote, InputTab } from '../input-tab.tsx';
import { saveOutput } from './whole-output.ts';
import { FilesView } from '../media/files-view.tsx';
import type { OutputLink } from '../media/find-images.ts';
import { ImagesView } from '../media/images-view.tsx';
import { NoOutput } from './no-output.tsx';
import { OutputToolbar } from './output-toolbar.tsx';
import { usePaneState } from '../pane-state.ts';
import { PartProblem } from '../part-problem.tsx';
import { RawReply } from './raw-reply.tsx';
import { firstChunkMs, streamStartMs, attemptFacts } from '../timeline/attempt-facts.ts';
import { TranscriptView } from '../transcript/transcript-view.tsx';
import { useOutput, type Output } from './use-output.ts';
import { useRawChunks } from './raw-chunks.ts';
import styles from './output-tab.module.css';

/** JSON up to this size is read completely when it is shown. */
const wholeTree = 32_000_000;

interface OutputTabProps {
  job: Job;
  attempt: Attempt | null;
  /** Its stream is read at the moment. */
  isStreamRead: boolean;
  stream: Stream;
  /** The input is shown below the words that explain why an ended job has no output. */
  hasRoomForInput: boolean;
  /** What is not read yet has placeholders. */
  isPauseOver: boolean;
}

/** The output of one attempt, in the views that apply. */
export function OutputTab({ job, attempt, isStreamRead, stream, hasRoomForInput, isPauseOver }: OutputTabProps) {
  const output = useOutput(job, attempt, stream);
  const { body, view } = output;
  const [isFinding, setFinding] = useState(false);
  const [choiceAt, setChoiceAt] = useState<HTMLElement | null>(null);
  const canFind = view === 'text' || view === 'raw' || view === 'chunks';
  useCommandKey('f', canFind, () => setFinding(true));
  useCommandKey('s', view !== null, () => void saveOutput(job, attempt?.number ?? null));
  const { kept } = output;
  const { loadWhole } = body;
  useEffect(() => {
    if (view === 'raw' && kept !== null && kept.isCut && kept.bytes <= wholeTree) loadWhole();
  }, [view, kept, loadWhole]);
  // Its views come together. Only what takes long to search is shown as JSON before its other views are known.
  const isSearchedLong = useLasting(output.kept !== null && output.read === null, pauseMs);
  const number = attempt?.number ?? job.attempt;
  const [drawnAttempt, setDrawnAttempt] = useState<number | null>(null);
  const pending = isPauseOver && <SkeletonRows count={5} height={30} isDrawn />;
  // What streamed in stays while the body is searched that came with the end.
  const isSearched = output.read !== null || isSearchedLong || drawnAttempt === number;
  if (output.kept !== null && !isSearched) return pending;
  if (output.chunkCount > 0 && stream.version === 0 && stream.problem === null) return pending;
  if (view === null) {
    if (body.current.state === 'failed')
      return <PartProblem title={outputText.notRead} failure={body.current.failure} onRetry={body.retry} />;
    if (stream.problem !== null)
      return <PartProblem title={outputText.streamNotOpened} text={stream.problem} onRetry={stream.retry} />;
    if (body.current.state === 'loading' && output.bytes > 0) return pending;
    return output.isCurrent && (job.goneReason === 'too-large' || job.unreadReply !== undefined) ? (
      <RawReply job={job} attempt={attempt} />
    ) : (
      <>
        <NoOutput job={job} attempt={attempt} />
        {hasRoomForInput && endedWithout(job, attempt) && (
          <div className={styles.below}>
            <InputTab job={job} />
          </div>
        )}
      </>
    );
  }
  if (drawnAttempt !== number) setDrawnAttempt(number);
  return (
    <>
      <OutputToolbar
        job={job}
        attempt={attempt}
        log={stream.log}
        output={output}
        view={view}
        isFinding={isFinding}
        onFinding={setFinding}
        onChoicePlace={setChoiceAt}
      />
      <InView
        job={job}
        attempt={attempt}
        isStreamRead={isStreamRead}
        stream={stream}
        output={output}
        isFinding={isFinding}
        onFindEnd={() => setFinding(false)}
        choiceAt={choiceAt}
      />
    </>
  );
}

/** It ended without an output, and none is expected. */
function endedWithout(job: Job, attempt: Attempt | null): boolean {
  const { isLive, isSending, isStreamPending, kind, hasInput } = attemptFacts(job, attempt);
  return !isLive && !isSending && !isStreamPending && kind !== 'done' && hasInput;
}

interface InViewProps {
  job: Job;
  attempt: Attempt | null;
  isStreamRead: boolean;
  stream: Stream;
  output: Output;
  isFinding: boolean;
  onFindEnd: () => void;
  choiceAt: HTMLElement | null;
}

/** The output in the view that was chosen. */
function InView({ job, attempt, isStreamRead, stream, output, isFinding, onFindEnd, choiceAt }: InViewProps) {
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
          key={`${job.key} ${attempt?.number ?? job.attempt} ${log.hasText ? 'stream' : 'body'}`}
          source={textSource(output, log)}
          version={log.hasText ? stream.version : read}
          isLive={isLive && log.hasText}
          isArriving={isStreamRead && isLive && log.hasText}
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
          key={`${job.key} ${attempt?.number ?? job.attempt}`}
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
      {view === 'images' && (
        <ImagesView job={job} images={output.gallery} links={images?.links ?? noLinks} isCapped={output.isCapped} />
      )}
      {view === 'files' && images !== null && (
        <FilesView files={output.files} links={images.fileLinks} jobName={job.jobId?.slice(0, 8) ?? job.key} />
      )}
      {view === 'transcript' && read !== null && read.transcript !== null && (
        <TranscriptView
          job={job}
          segments={read.transcript}
          files={read.images.files}
          isFinding={isFinding}
          onFindEnd={onFindEnd}
        />
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
          choiceAt={choiceAt}
        />
      )}
      {kept !== null && view === 'raw' && <CutNote text={kept} body={body} />}
      {view === 'text' && log.hasText && hasInstruments(log.metrics) && (
        <Instruments
          metrics={log.metrics}
          firstChunkMs={firstChunkMs(job, attempt, log)}
          isLive={isLive && isStreamRead}
        />
      )}
    </>
  );
}

const noLinks: readonly OutputLink[] = [];

/** The text to show: the stream's, or else the body's. */
function textSource({ bodySource }: Output, log: StreamLog): TextSource {
  return log.hasText || bodySource === null ? log : bodySource;
}

interface RawProps {
  job: Job;
  attempt: number;
  log: StreamLog;
  text: string | null;
  isFinding: boolean;
  onFindEnd: () => void;
  choiceAt: HTMLElement | null;
}

/** The output unchanged: the saved body, or the chunks as one array if there is no body. */
function Raw({ job, attempt, log, text, isFinding, onFindEnd, choiceAt }: RawProps) {
  const chunks = useRawChunks(job.key, attempt, log, text === null);
  return (
    <>
      <JsonView
        text={text ?? chunks.text}
        label={outputText.json}
        endpointId={job.endpointId}
        isFinding={isFinding}
        onFindEnd={onFindEnd}
        choiceAt={choiceAt}
      />
      {text === null && chunks.shown < log.chunkCount && chunks.shown > 0 && (
        <div className={styles.cut}>
          <span>{outputText.firstChunks(chunks.shown, log.chunkCount)}</span>
        </div>
      )}
    </>
  );
}
