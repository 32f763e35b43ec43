import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isNativeError } from 'node:util/types';

/** A place in a file; line and column count from 1. */
export interface SourceLocation {
  path: string;
  line: number;
  column: number;
}

/** The parts of an error's stack. */
export interface StackText {
  /** Name and message, with which the stack begins. */
  title: string;
  /** The `at ...` lines without those inside the sandbox or Node, with file paths instead of URLs. */
  frames: string[];
  /** The user's own line: the first frame outside of packages, or the place of a syntax error. */
  place: SourceLocation | null;
}

const FRAME = /^\s+at /;
const FRAME_PLACE = /^\s+at (?:async )?(?:.*? \()?((?:file:\/\/|\/|[A-Za-z]:[\\/]).*):(\d+):(\d+)\)?$/;
const NODE_FRAME = /(?: |\()node:/;
const FILE_URL = /file:\/\/[^\s()]+(?=:\d+:\d+)/;
/** Node puts the place of a syntax error before the error's name. */
const SYNTAX_PLACE = /^((?:file:\/\/|\/|[A-Za-z]:[\\/]).*):(\d+)$/;

/** True even for an error of another realm, for which `instanceof` returns false. */
export function isError(thrown: unknown): thrown is Error {
  return thrown instanceof Error || isNativeError(thrown);
}

function toPath(location: string): string {
  return location.startsWith('file://') ? fileURLToPath(location) : location;
}

function placeOf(frame: string): SourceLocation | null {
  const match = FRAME_PLACE.exec(frame);
  if (match?.[1] === undefined) return null;
  return { path: toPath(match[1]), line: Number(match[2]), column: Number(match[3]) };
}

/** `file:1`, the source and a line of carets, then (after an empty line) the error as usual. */
function syntaxPlace(head: readonly string[]): { place: SourceLocation; titleAt: number } | null {
  const match = SYNTAX_PLACE.exec(head[0] ?? '');
  const caretAt = head.findIndex((line, index) => index > 0 && /^\s*\^+\s*$/.test(line));
  if (match?.[1] === undefined || caretAt === -1) return null;
  // What follows the carets up to the next empty line is the source again (as TypeScript writes it).
  const emptyAt = head.indexOf('', caretAt);
  const column = (head[caretAt] ?? '').indexOf('^') + 1;
  return {
    place: { path: toPath(match[1]), line: Number(match[2]), column },
    titleAt: emptyAt === -1 ? caretAt + 1 : emptyAt + 1,
  };
}

/**
 * Splits an error's stack. Frames in `ownDirectory` (a `file:` URL ending with a slash) are the sandbox's; null keeps
 * them.
 */
export function readStack(error: Error, ownDirectory: string | null): StackText {
  const lines = typeof error.stack === 'string' ? error.stack.split('\n') : [];
  const firstFrame = lines.findIndex((line) => FRAME.test(line));
  const head = firstFrame === -1 ? lines : lines.slice(0, firstFrame);
  const ownPath = ownDirectory === null ? null : fileURLToPath(ownDirectory);
  const frames = (firstFrame === -1 ? [] : lines.slice(firstFrame)).filter((line) => {
    if (!FRAME.test(line) || NODE_FRAME.test(line)) return false;
    return (
      ownDirectory === null ||
      ownPath === null ||
      !(line.includes(ownDirectory) || line.includes(`(${ownPath}`) || line.includes(` ${ownPath}`))
    );
  });
  const syntax = syntaxPlace(head);
  const title = (syntax === null ? head : head.slice(syntax.titleAt)).join('\n');
  const places = frames.map(placeOf).filter((place) => place !== null);
  return {
    // If the message was changed after the stack was made, the changed one counts.
    title: title.includes(textOf(error.message)) && title !== '' ? title : `${error.name}: ${error.message}`,
    frames: frames.map((line) => line.replace(FILE_URL, (url) => toPath(url))),
    place: syntax?.place ?? places.find(({ path }) => !/[\\/]node_modules[\\/]/.test(path)) ?? places[0] ?? null,
  };
}

/** A path relative to a folder, if that is shorter. */
export function shortPath(path: string, fromDirectory: string): string {
  const short = relative(fromDirectory, path);
  return short !== '' && short.length < path.length ? short : path;
}

/** A stack's line with {@link shortPath}. */
export function shortFrame(frame: string, fromDirectory: string): string {
  const place = placeOf(frame);
  return place === null ? frame : frame.replace(place.path, () => shortPath(place.path, fromDirectory));
}

/** A handler may put anything in place of an error's text. */
export function textOf(value: unknown): string {
  return String(value);
}
