import { useCallback, useEffect, useRef, useState } from 'react';
import { useSteps, type Steps } from '../../stream/use-steps.ts';
import { type JsonIndex, indexJson, valueText } from '../json-index.ts';
import { fromRoot } from '../json-path.ts';
import type { FilterReply, FilterRequest } from './filter-answer.ts';
import { startFilterThread } from './start-filter-thread.ts';

const valuesAStep = 500;

/**
 * The values that a filter selected, as an array that is shown as a tree or a table. Each knows its place in the whole
 * text, so that a path copied from it is valid for the whole.
 */
export function* indexFound(whole: JsonIndex, nodes: Int32Array): Steps<JsonIndex> {
  const texts: string[] = [];
  for (const node of nodes) {
    texts.push(valueText(whole, node));
    if (texts.length % valuesAStep === 0) yield;
  }
  const found = yield* indexJson(`[${texts.join(',\n')}]`);
  return { ...found, origin: { whole, nodes } };
}

/** The result of the filters entered so far. */
export interface FilteredJson {
  /** The values that the last valid filter selected, as an array. */
  found: { index: JsonIndex; isCut: boolean; tookMs: number } | null;
  /** What is wrong with the current filter. */
  problem: string | null;
}

/** What was answered about a text. */
export interface Replies {
  text: string;
  last: FilterReply;
  lastFound: FilterReply | null;
}

/** The replies after another one about `text`. Those about another text count no longer. Pure. */
export function withReply(before: Replies | null, text: string, reply: FilterReply): Replies {
  const lastFound = before?.text === text ? before.lastFound : null;
  return { text, last: reply, lastFound: reply.answer.kind === 'found' ? reply : lastFound };
}

/** The replies about this text: the numbers of values in another one would name other values here. Pure. */
export function repliesAbout(replies: Replies | null, text: string): Replies | null {
  return replies?.text === text ? replies : null;
}

/** A filter runs after the user pauses for this long, because each one searches the whole text. */
const pauseMs = 120;

/**
 * Runs a JSONPath over a text in a worker, which ends with the component. A filter that takes long is stopped by the
 * next one. Null without a path, or before the first answer.
 */
export function useJsonFilter(index: JsonIndex, path: string): FilteredJson | null {
  const wanted = fromRoot(path);
  const replies = useReplies(index.text, wanted);
  const lastFound = replies?.lastFound ?? null;
  const start = useCallback(() => foundOf(index, lastFound), [index, lastFound]);
  const done = useSteps(start);
  // The last result is shown until the next one of the same text, but never that of another text.
  const found = done?.result?.index.origin?.whole === index ? done.result : null;
  if (wanted === '' || replies === null) return null;
  return { found, problem: replies.last.answer.kind === 'problem' ? replies.last.answer.message : null };
}

function* foundOf(whole: JsonIndex, reply: FilterReply | null): Steps<FilteredJson['found']> {
  if (reply?.answer.kind !== 'found') return null;
  const { nodes, isCut } = reply.answer;
  return { index: yield* indexFound(whole, nodes), isCut, tookMs: reply.tookMs };
}

function useReplies(text: string, path: string): Replies | null {
  const thread = useRef<{ worker: Worker; text: string; isBusy: boolean } | null>(null);
  const [replies, setReplies] = useState<Replies | null>(null);
  useEffect(() => {
    if (path === '') return undefined;
    const timer = setTimeout(() => {
      if (thread.current !== null && (thread.current.isBusy || thread.current.text !== text)) {
        thread.current.worker.terminate();
        thread.current = null;
      }
      const current = (thread.current ??= { worker: startThread(text), text, isBusy: false });
      current.isBusy = true;
      current.worker.onmessage = ({ data }: MessageEvent<FilterReply>) => {
        current.isBusy = false;
        setReplies((before) => withReply(before, text, data));
      };
      send(current.worker, { kind: 'filter', path });
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text, path]);
  useEffect(() => () => thread.current?.worker.terminate(), []);
  return repliesAbout(replies, text);
}

function startThread(text: string): Worker {
  const worker = startFilterThread();
  send(worker, { kind: 'text', text });
  return worker;
}

function send(worker: Worker, request: FilterRequest): void {
  worker.postMessage(request);
}
