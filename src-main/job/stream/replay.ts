import { createHash } from 'node:crypto';
import type { StreamChunk } from '../../../src-preload/job.ts';
import type { NewChunk } from '../../history/records.ts';
import { leftOfThem } from './left-out.ts';
import type { LeftOut } from './left-out.ts';

/** A reply, or the part of it that is not stored yet, to be stored behind what is stored. */
export interface ReplyToKeep {
  chunks: readonly NewChunk[];
  receivedAtMs: number;
  /** They were left out until now, and are noted so. */
  isPutBack?: true;
}

export interface Telling {
  receivedAtMs: number;
  /** The reply broke off, so that its length tells nothing. */
  isPartial?: boolean;
  /** It was asked for when the job was known to be over: a server that drains has nothing for a second one. */
  isAfterEnd?: boolean;
}

/**
 * Tells the new chunks of replies from those told again (ruling 2), for one attempt. What it answers is taken as
 * stored. How it decides, and what nobody can: docs/decisions/017-what-a-repeated-stream-can-tell.md.
 */
export interface Replay {
  /** What a former run stored, page by page, before anything else; chunks of one time came in one reply. */
  recall(page: readonly StreamChunk[]): void;
  /** What of a reply is to be stored. Earlier replies come first that were left out and turn out to be new. */
  take(reply: readonly NewChunk[], telling: Telling): ReplyToKeep[];
  /** What is left out and not certainly told again: to be kept on disk beside the chunks. */
  leftOut(): readonly LeftOut[];
  storedCount(): number;
  /** The last reply shows that nothing more will come, though it was not empty. */
  isToldOut(): boolean;
  /** No more replies: what of those left out is to be stored behind the rest. */
  end(): ReplyToKeep[];
  /**
   * After the end: the places of chunks in an order that hangs on whether they count themselves so. Null: nothing does.
   */
  doubt(): number[] | null;
  /**
   * After the end: the stored chunks as the stream was, by their places, some left out and some twice. Null: as they
   * are.
   */
  order(areChunksCounted: boolean): number[] | null;
}

/**
 * So many values, each unlike the others, do not come again in the same order by chance; nor do fewer where the reply
 * goes on behind them.
 */
const telling = 3;
const tellingWithMore = 2;
/** And so many where the reply has others between them: it tells what was in replies that never arrived. */
const tellingInParts = 6;
/** So many equal replies in a row, asked for after the end, come from a server that does not drain. */
const enoughAfterEnd = 3;

/** A text that is equal exactly for equal chunks. */
export function fingerprint(chunk: NewChunk): string {
  const metrics = chunk.metricsJson === null ? '-' : `+${chunk.metricsJson}`;
  return createHash('sha1')
    .update(`${chunk.outputJson.length}:`)
    .update(chunk.outputJson)
    .update(metrics)
    .digest('base64');
}

/** Stored chunks, from `from` up to before `to`, in the order they came; `isToldAgain`: that is no coincidence. */
interface Span {
  from: number;
  to: number;
  isToldAgain: boolean;
}

/** `remembered`: what a former run left out. */
export function createReplay(remembered: readonly LeftOut[] = []): Replay {
  /** Of what is stored, in order. */
  const marks: string[] = [];
  const places = new Map<string, number>();
  /** Everything that came. */
  const came: Span[] = [];
  /** Every reply so far began with all there was: the server may repeat from the start and drain nothing. */
  let mayRepeatAll = true;
  let leftOut: (LeftOut & { span: Span })[] = [];
  /** Of what is left out, by their marks: held once, for a server that repeats tells the same again and again. */
  const held = new Map<string, NewChunk>();
  const unlike = createUnlikeReading((mark) => places.has(mark));
  let isToldOut = false;
  let afterEnd = { reply: '', times: 0 };
  let recalledAtMs: number | null = null;
  let recalledReply: string[] = [];
  let waiting = remembered;
  const waitingFor = remembered.reduce((end, { from, count }) => Math.max(end, from + count), 0);

  function store(own: readonly string[], span: Span = { from: 0, to: 0, isToldAgain: false }): Span {
    span.from = marks.length;
    for (const mark of own) {
      if (!places.has(mark)) places.set(mark, marks.length);
      marks.push(mark);
    }
    span.to = marks.length;
    return span;
  }

  function keep(chunks: readonly NewChunk[], own: readonly string[], receivedAtMs: number): ReplyToKeep[] {
    if (chunks.length === 0) return [];
    came.push(store(own));
    return [{ chunks, receivedAtMs }];
  }

  const unlikeOrder = (): number[] => unlike.marks().flatMap((mark) => places.get(mark) ?? []);
  /** It repeats from the start, no doubt: what is stored is all there is. */
  const isRepeated = (): boolean =>
    mayRepeatAll && (afterEnd.times >= enoughAfterEnd || came.some(({ isToldAgain }) => isToldAgain));

  /**
   * Certainly not a server that only repeats: what was left out for that is new, and can still be put behind the rest.
   */
  function drains(): ReplyToKeep[] {
    mayRepeatAll = false;
    if (unlike.isCertain() || leftOut.some(({ at }) => at !== marks.length)) return [];
    const restored = leftOut;
    leftOut = [];
    return restored.map(({ from, count, span, receivedAtMs }) => {
      const own = marks.slice(from, from + count);
      store(own, span);
      return { chunks: own.flatMap((mark) => held.get(mark) ?? []), receivedAtMs, isPutBack: true };
    });
  }

  function hold(mark: string, { outputJson, metricsJson }: NewChunk): void {
    if (!held.has(mark)) held.set(mark, { outputJson, metricsJson });
  }

  /** Leaves out chunks that equal the stored ones in these spans. */
  function leaveOut(chunks: readonly NewChunk[], spans: readonly Span[], receivedAtMs: number): void {
    let first = 0;
    for (const span of spans) {
      const { from, to, isToldAgain } = span;
      const own = chunks.slice(first, (first += to - from));
      came.push(span);
      if (isToldAgain) continue;
      for (const [place, chunk] of own.entries()) hold(marks[from + place] ?? '', chunk);
      leftOut.push({ at: marks.length, from, count: own.length, receivedAtMs, span });
    }
  }

  /** A reply told all again that is stored, so that this is the stream, without what was left out of it before. */
  function confirm(): void {
    for (const { span } of leftOut) span.isToldAgain = true;
    leftOut = [];
  }

  /** The handler itself goes back to the beginning: it stands in the stored chunks again, in the midst of what came. */
  function comesAgainByItself(): boolean {
    const count = came.reduce(
      (least, { from, to, isToldAgain }) => (isToldAgain && from === 0 && to >= telling ? Math.min(least, to) : least),
      Infinity,
    );
    for (let at = 1; at + count <= marks.length; at += 1) {
      let same = 0;
      while (same < count && marks[at + same] === marks[same]) same += 1;
      if (same === count) return true;
    }
    return false;
  }

  function recallReply(): void {
    if (recalledReply.length === 0) return;
    unlike.read(recalledReply, false);
    came.push(store(recalledReply));
    recalledReply = [];
  }

  function recallLeftOut(): void {
    for (const note of leftOfThem(waiting, marks.length)) {
      const span = { from: note.from, to: note.from + note.count, isToldAgain: false };
      const behind = came.findIndex(({ to }) => to > note.at);
      came.splice(behind === -1 ? came.length : behind, 0, span);
      leftOut.push({ ...note, span });
    }
    waiting = [];
  }

  function recalled(): void {
    recallReply();
    recallLeftOut();
  }

  /** Where the stored chunks are that a reply told again, in its order. */
  function spansOf(again: readonly string[]): Span[] {
    const spans: Span[] = [];
    for (const mark of again) {
      const from = places.get(mark);
      if (from === undefined) continue;
      const last = spans.at(-1);
      if (last?.to === from) last.to = from + 1;
      else spans.push({ from, to: from + 1, isToldAgain: again.length >= telling });
    }
    return spans;
  }

  return {
    recall(page) {
      for (const chunk of page) {
        if (chunk.receivedAtMs !== recalledAtMs) recallReply();
        recalledAtMs = chunk.receivedAtMs;
        const mark = fingerprint(chunk);
        recalledReply.push(mark);
        if (chunk.seq < waitingFor) hold(mark, chunk);
      }
    },

    take(reply, { receivedAtMs, isPartial = false, isAfterEnd = false }) {
      recalled();
      isToldOut = false;
      if (reply.length === 0) return isPartial || marks.length === 0 ? [] : drains();
      const own = reply.map(fingerprint);
      const whole = isAfterEnd ? own.join() : '';
      afterEnd = { reply: whole, times: !isAfterEnd ? 0 : whole === afterEnd.reply ? afterEnd.times + 1 : 1 };
      isToldOut = afterEnd.times >= enoughAfterEnd;
      const again = unlike.read(own, isPartial);
      const head = isPartial ? Math.min(marks.length, own.length) : marks.length;
      const isFromStart = head > 0 && head <= own.length && own.slice(0, head).every((mark, at) => mark === marks[at]);
      const isToldAgain = isFromStart && new Set(own.slice(0, head)).size >= telling;

      if (marks.length === 0) return keep(reply, own, receivedAtMs);
      if (isFromStart && (mayRepeatAll || isToldAgain)) {
        if (isToldAgain && !isPartial) confirm();
        leaveOut(reply, [{ from: 0, to: head, isToldAgain }], receivedAtMs);
        isToldOut ||= isToldAgain && own.length === head && !isPartial;
        return keep(reply.slice(head), own.slice(head), receivedAtMs);
      }
      const restored = drains();
      if (again === null || !unlike.isCertain()) return [...restored, ...keep(reply, own, receivedAtMs)];
      const isAgain = own.map((mark) => places.has(mark));
      leaveOut(
        reply.filter((_, at) => isAgain[at] === true),
        spansOf(again),
        receivedAtMs,
      );
      isToldOut ||= !isPartial && isAgain.every(Boolean);
      return [
        ...restored,
        ...keep(
          reply.filter((_, at) => isAgain[at] !== true),
          own.filter((_, at) => isAgain[at] !== true),
          receivedAtMs,
        ),
      ];
    },

    leftOut() {
      recalled();
      return leftOut.map(({ at, from, count, receivedAtMs }) => ({ at, from, count, receivedAtMs }));
    },

    storedCount: () => marks.length,
    isToldOut: () => isToldOut,

    end() {
      recalled();
      // Nothing came that told these from a repetition: what was received is kept rather than lost.
      return mayRepeatAll && !isRepeated() ? drains() : [];
    },

    doubt() {
      return unlike.isTold() && !unlike.isCertain() && !isRepeated() ? unlikeOrder() : null;
    },

    order(areChunksCounted) {
      if (isRepeated()) return null;
      const isUnlike = unlike.isCertain() || (areChunksCounted && unlike.isTold());
      const isOwn = !isUnlike && came.some((span) => span.isToldAgain) && comesAgainByItself();
      const order = isUnlike
        ? unlikeOrder()
        : came.flatMap(({ from, to, isToldAgain }) =>
            isToldAgain && !isOwn ? [] : Array.from({ length: to - from }, (_, at) => from + at),
          );
      return order.length === marks.length && order.every((place, at) => place === at) ? null : order;
    },
  };
}

/** The stream as it is if no chunk is like another: then there is one way to read each reply. */
interface UnlikeReading {
  /** Takes a reply. Answers what of it was told before; null: the chunks are not all unlike. */
  read(own: readonly string[], isPartial: boolean): readonly string[] | null;
  /** A reply told so much again that this must be it. */
  isCertain(): boolean;
  /** A reply told some again, if the chunks are all unlike. */
  isTold(): boolean;
  marks(): readonly string[];
}

/** `isKnown`: whether an equal chunk came before. */
function createUnlikeReading(isKnown: (mark: string) => boolean): UnlikeReading {
  let marks: string[] = [];
  let isAlive = true;
  let isCertain = false;
  let isTold = false;

  function dies(): null {
    isAlive = false;
    marks = [];
    return null;
  }

  return {
    read(own, isPartial) {
      if (!isAlive || new Set(own).size !== own.length) return dies();
      const again = own.filter(isKnown);
      if (again.length > 0) {
        // A reply that tells again tells everything until then; one that broke off, a beginning of it.
        if ((!isPartial && again.length !== marks.length) || again.some((mark, at) => mark !== marks[at]))
          return dies();
        const isHead = again.every((mark, at) => mark === own[at]);
        isCertain ||=
          again.length >= (!isHead ? tellingInParts : own.length > again.length ? tellingWithMore : telling);
        isTold = true;
        marks = [...own, ...marks.slice(again.length)];
      } else {
        for (const mark of own) marks.push(mark);
      }
      return again;
    },
    isCertain: () => isAlive && isCertain,
    isTold: () => isAlive && isTold,
    marks: () => marks,
  };
}
