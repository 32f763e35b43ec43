import { hiddenFramesText } from './messages/job.ts';

/** Stack traces as workers send them: Python's, and Node's for JavaScript handlers. */

export interface Frame {
  kind: 'frame';
  /** Shortened for display: the file's name, with its folder if the name alone says little. */
  file: string;
  path: string;
  line: number;
  name: string;
  code: string | null;
  /** False for frames in installed packages and the language's own library. */
  isOwn: boolean;
  /** The package of a foreign frame, or null. */
  package: string | null;
}

/** Consecutive foreign frames, folded into one line. */
interface HiddenFrames {
  kind: 'hidden';
  frames: Frame[];
  /** "6 frames inside torch hidden" */
  label: string;
}

interface PlainLine {
  kind: 'text';
  text: string;
}

export type TraceLine = Frame | HiddenFrames | PlainLine;

const pythonFrame = /^\s*File "([^"]+)", line (\d+)(?:, in (.+))?\s*$/;
const nodeFrame = /^\s*at (?:async )?(?:(.+?) \()?((?:file:\/\/)?[^()\s]+?):(\d+)(?::\d+)?\)?\s*$/;
/** The paths of installed packages and the language's own library, with the package's name. The first match counts. */
const foreignPaths = [
  /(?:^|\/)(?:site-packages|dist-packages|node_modules)\/((?:@[^/]+\/)?[^/]+)/,
  /(?:^|\/)lib\/python[\d.]+\/([^/]+)/,
  /^(node:\w+)/,
  /^<(frozen [^>]+)>/,
] as const;

/**
 * Reads a traceback into frames and other lines, with consecutive foreign frames folded. The order stays: Python's
 * innermost frame is last, Node's first.
 */
export function readTraceback(text: string): TraceLine[] {
  const lines: TraceLine[] = [];
  const source = text.replace(/\r\n?/g, '\n').split('\n');
  for (let index = 0; index < source.length; index += 1) {
    const line = source[index] ?? '';
    const python = pythonFrame.exec(line);
    if (python !== null) {
      const next = source[index + 1];
      const hasCode = next !== undefined && next.trim() !== '' && /^\s{2,}/.test(next) && !pythonFrame.test(next);
      lines.push(frame(python[1] ?? '', Number(python[2]), python[3] ?? '<module>', hasCode ? next.trim() : null));
      if (hasCode) index += 1;
      // The markers that Python 3.11 writes under a line.
      while (/^\s*[\^~]+\s*$/.test(source[index + 1] ?? '')) index += 1;
      continue;
    }
    const node = nodeFrame.exec(line);
    if (node !== null) {
      lines.push(frame(node[2] ?? '', Number(node[3]), node[1] ?? '<anonymous>', null));
      continue;
    }
    if (line.trim() !== '') lines.push({ kind: 'text', text: line });
  }
  return foldForeign(lines);
}

function frame(path: string, line: number, name: string, code: string | null): Frame {
  const found = foreignPaths.map((pattern) => pattern.exec(path)?.[1]).find((name) => name !== undefined) ?? null;
  return {
    kind: 'frame',
    file: shortFile(path),
    path,
    line,
    name,
    code,
    isOwn: found === null,
    package: found === null ? null : found.replace(/\.py$/, ''),
  };
}

function shortFile(path: string): string {
  const parts = path
    .replace(/^file:\/\//, '')
    .split('/')
    .filter((part) => part !== '');
  const last = parts.at(-1) ?? path;
  // `__init__.py` and `index.js` say little without their folder.
  return /^(?:__init__|__main__|index)\.\w+$/.test(last) && parts.length > 1 ? parts.slice(-2).join('/') : last;
}

function foldForeign(lines: TraceLine[]): TraceLine[] {
  // Without a frame of the user's own, no frame is folded.
  if (!lines.some((line) => line.kind === 'frame' && line.isOwn)) return lines;
  const folded: TraceLine[] = [];
  let run: Frame[] = [];
  const flush = (): void => {
    if (run.length > 0)
      folded.push({ kind: 'hidden', frames: run, label: hiddenFramesText(run.length, packagesOf(run)) });
    run = [];
  };
  for (const line of lines) {
    if (line.kind === 'frame' && !line.isOwn) run.push(line);
    else {
      flush();
      folded.push(line);
    }
  }
  flush();
  return folded;
}

function packagesOf(frames: readonly Frame[]): string[] {
  return [...new Set(frames.flatMap((frame) => (frame.package === null ? [] : [frame.package])))];
}

/** How many lines of a long traceback are shown at its beginning and at its end. */
const firstLines = 100;
const lastLines = 300;

/** The lines of a traceback. In a long one, the middle lines are only counted. */
export function shortened(lines: TraceLine[]): TraceLine[] {
  const leftOut = lines.length - firstLines - lastLines;
  if (leftOut <= 0) return lines;
  const about: PlainLine = { kind: 'text', text: `… ${leftOut} lines hidden; Copy includes them …` };
  return [...lines.slice(0, firstLines), about, ...lines.slice(-lastLines)];
}

/** How many characters of a traceback are read at its beginning and at its end. */
const headChars = 50_000;
const tailChars = 200_000;

/** The part of a traceback that is shown: the beginning and the end if it is very long. */
export function readable(text: string): string {
  if (text.length <= headChars + tailChars) return text;
  const leftOut = text.length - headChars - tailChars;
  const about = `… ${leftOut} characters hidden; Copy includes them …`;
  return `${text.slice(0, headChars)}\n${about}\n${text.slice(-tailChars)}`;
}

/** The index of the frame to check first: the user's own frame closest to the error. -1 if there is none. */
export function hotFrame(lines: readonly TraceLine[], text: string): number {
  const own = lines.flatMap((line, index) => (line.kind === 'frame' && line.isOwn ? [index] : []));
  const isPython = /^[^\S\r\n\u2028\u2029]*File "/m.test(text);
  return (isPython ? own.at(-1) : own[0]) ?? -1;
}

/** Splits an error into a headline and the rest: at the first full stop or line break that leaves a short headline. */
export function splitSummary(summary: string): { headline: string; rest: string } {
  const text = summary.trim();
  const stop = /^(.{3,90}?)(?:\.\s+|:?\s*\n+)(\S[\s\S]*)$/.exec(text);
  if (stop === null) return { headline: text, rest: '' };
  return { headline: stop[1] ?? text, rest: (stop[2] ?? '').trim() };
}
