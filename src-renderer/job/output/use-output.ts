import { useCallback, useEffect, useMemo, useState } from 'react';
import type { BodyText } from '../../../src-preload/history.ts';
import { isLive as isLiveJob, type Attempt, type Job } from '../../../src-preload/job.ts';
import { findEndpoint, useSession } from '../../data/session-store.ts';
import { wholeText, type TextSource } from '../../stream/text-source.ts';
import { useSteps, type Steps } from '../../stream/use-steps.ts';
import type { Stream } from '../../stream/use-stream.ts';
import { isLongAsStream, isStreamAgain, outputMedia } from '../media/output-media.ts';
import type { FoundFile, FoundImage } from '../media/find-images.ts';
import {
  outputViews,
  promisesImages,
  readOutput,
  viewToShow,
  type OutputView,
  type ReadOutput,
} from '../output-views.ts';
import { usePaneState } from '../pane-state.ts';
import { useBody, type Body } from '../use-body.ts';
import { useGallery, type Gallery } from '../media/use-gallery.ts';

/** A cut output up to this size is read completely without a request if it probably has images. */
const maxReadWholeBytes = 80_000_000;

/** The parts of an output, and the user's choices. */
export interface Output {
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
  gallery: Gallery;
  /** Sounds, videos and other files of the body that are not in the gallery. */
  files: readonly FoundFile[];
  /** Whether the images of the body are not all that it has. */
  isCapped: boolean;
  views: readonly OutputView[];
  /** Null if there is nothing to show. */
  view: OutputView | null;
  isFollowing: boolean;
  follow: (isFollowing: boolean) => void;
}

/** Reads an attempt's output and determines its views. */
export function useOutput(job: Job, attempt: Attempt | null, { log, isReading, problem }: Stream): Output {
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
  const body = useBody({ key: job.key, part: 'output', attempt: attempt?.number ?? job.attempt, isWanted: hasBody });
  const kept = body.current.state === 'ready' ? body.current.body : null;
  const { loadWhole } = body;
  const isStreamRead = chunkCount === 0 || problem !== null || (log.chunkCount > 0 && !isReading);
  // Its images and sounds are read one by one, from their chunks.
  const isCutStream = kept !== null && kept.isCut && isLongAsStream(kept, log);
  useEffect(() => {
    if (kept === null || !kept.isCut || kept.bytes > maxReadWholeBytes || !isStreamRead || isCutStream) return;
    if (promisesImages(kept.text, flavour)) loadWhole();
  }, [kept, flavour, loadWhole, isStreamRead, isCutStream]);

  const startReading = useCallback(() => readKept(kept), [kept]);
  const reading = useSteps(startReading);
  const read = reading?.start === startReading ? reading.result : null;
  const images = read?.images ?? null;
  const isAgain = isStreamAgain(log, read);
  const own = isAgain ? noneFound : (images?.found ?? noneFound);
  const all = outputMedia(log.media, own);
  const files = useMemo(
    () => (images?.files ?? []).filter(({ kind }) => !isAgain || kind === 'file'),
    [images, isAgain],
  );
  const bodySource = useMemo(() => (read?.text == null ? null : wholeText(read.text)), [read]);

  const isOnlyLinks = read?.isOnlyLinks === true;
  const imageLinks = images !== null && images.links.length > 0;
  const fileLinks = images !== null && images.fileLinks.length > 0;
  const views = outputViews({
    streamText: log.hasText,
    chunks: log.chunkCount > 0,
    bodyText: bodySource !== null,
    images: all.count > 0 || (imageLinks && isOnlyLinks),
    files: files.length > 0 || (fileLinks && isOnlyLinks),
    transcript: read !== null && read.transcript !== null,
    body: kept !== null,
    imageLinks,
    fileLinks,
  });
  const view = viewToShow(views, chosenViews[job.key] ?? null);
  const number = attempt?.number ?? job.attempt;
  // The attempt whose end the view keeps to after its job has ended: one that was followed until then. And a stream
  // that has ended is still read for a moment: if the user scrolls to its end meanwhile, the view stays there.
  const run = `${job.key} ${number}`;
  const [endKept, keepEnd] = useState<string | null>(null);
  const isFollowed = following[job.key] ?? true;
  if (isLive && isFollowed !== (endKept === run)) keepEnd(isFollowed ? run : null);
  const isFollowing = isLive ? isFollowed : endKept === run;
  const follow = (next: boolean): void => (isLive ? setFollowing(job.key, next) : keepEnd(next ? run : null));
  const gallery = useGallery({
    jobKey: job.key,
    attempt: number,
    log,
    media: all,
    // While a stored stream is read, the newest one is another one after each page.
    isShown: view === 'images' && !isReading,
    isLive,
    isFollowing,
    follow,
  });
  return {
    isCurrent,
    isLive,
    bytes,
    chunkCount,
    body,
    kept,
    read,
    bodySource,
    gallery,
    files,
    isCapped: own.length > 0 && images?.isCapped === true,
    views,
    view,
    isFollowing,
    follow,
  };
}

const noneFound: readonly FoundImage[] = [];

function* readKept(kept: BodyText | null): Steps<ReadOutput | null> {
  return kept === null ? null : yield* readOutput(kept.text, kept.isCut);
}
