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

export interface ReplyRead {
  receivedAtMs: number;
  /** The reply broke off, so that its length tells nothing. */
  isPartial?: boolean;
  /** It was asked for when the job was known to be over: a server that drains has nothing for a second one. */
  isAfterEnd?: boolean;
}

/**
 * So many values, each unlike the others, do not come again in the same order by chance; nor do fewer where the reply
 * goes on behind them.
 */
const telling = 3;
const tellingWithMore = 2;
/** The same number where the reply has other chunks between them, which came in replies that never arrived. */
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

/**
 * Tells the new chunks of replies from those told again (ruling 2), for one attempt. What it answers counts as
 * stored. How it decides, and what nobody can: docs/decisions/017-what-a-repeated-stream-can-tell.md.
 */
export class Replay {
  /** Of what is stored, in order. */
  readonly #marks: string[] = [];
  readonly #places = new Map<string, number>();
  /** Everything that came. */
  readonly #came: Span[] = [];
  /** Every reply so far began with all there was: the server may repeat from the start and drain nothing. */
  #mayRepeatAll = true;
  #leftOut: (LeftOut & { span: Span })[] = [];
  /** Of what is left out, by their marks: held once, for a server that repeats tells the same again and again. */
  readonly #held = new Map<string, NewChunk>();
  readonly #unlike: UnlikeReading;
  #isToldOut = false;
  #afterEnd = { reply: '', times: 0 };
  #recalledAtMs: number | null = null;
  #recalledReply: string[] = [];
  #waiting: readonly LeftOut[];
  readonly #waitingFor: number;
  /** `remembered`: what a former run left out. */
  constructor(remembered: readonly LeftOut[] = []) {
    this.#unlike = createUnlikeReading((mark) => this.#places.has(mark));
    this.#waiting = remembered;
    this.#waitingFor = remembered.reduce((end, { from, count }) => Math.max(end, from + count), 0);
  }

  /** What a former run stored, page by page, before anything else; chunks of one time came in one reply. */
  recall(page: readonly StreamChunk[]): void {
    for (const chunk of page) {
      if (chunk.receivedAtMs !== this.#recalledAtMs) this.#recallReply();
      this.#recalledAtMs = chunk.receivedAtMs;
      const mark = fingerprint(chunk);
      this.#recalledReply.push(mark);
      if (chunk.seq < this.#waitingFor) this.#hold(mark, chunk);
    }
  }

  /** What of a reply is to be stored. Earlier replies come first that were left out and turn out to be new. */
  take(reply: readonly NewChunk[], { receivedAtMs, isPartial = false, isAfterEnd = false }: ReplyRead): ReplyToKeep[] {
    this.#recalled();
    this.#isToldOut = false;
    if (reply.length === 0) return isPartial || this.#marks.length === 0 ? [] : this.#drains();
    const own = reply.map(fingerprint);
    const whole = isAfterEnd ? own.join() : '';
    this.#afterEnd = {
      reply: whole,
      times: !isAfterEnd ? 0 : whole === this.#afterEnd.reply ? this.#afterEnd.times + 1 : 1,
    };
    this.#isToldOut = this.#afterEnd.times >= enoughAfterEnd;
    const again = this.#unlike.read(own, isPartial);
    const head = isPartial ? Math.min(this.#marks.length, own.length) : this.#marks.length;
    const isFromStart =
      head > 0 && head <= own.length && own.slice(0, head).every((mark, at) => mark === this.#marks[at]);
    const isToldAgain = isFromStart && new Set(own.slice(0, head)).size >= telling;

    if (this.#marks.length === 0) return this.#keep(reply, own, receivedAtMs);
    if (isFromStart && (this.#mayRepeatAll || isToldAgain)) {
      if (isToldAgain && !isPartial) this.#confirm();
      this.#leaveOut(reply, [{ from: 0, to: head, isToldAgain }], receivedAtMs);
      this.#isToldOut ||= isToldAgain && own.length === head && !isPartial;
      return this.#keep(reply.slice(head), own.slice(head), receivedAtMs);
    }
    const restored = this.#drains();
    if (again === null || !this.#unlike.isCertain()) return [...restored, ...this.#keep(reply, own, receivedAtMs)];
    const isAgain = own.map((mark) => this.#places.has(mark));
    this.#leaveOut(
      reply.filter((_, at) => isAgain[at] === true),
      this.#spansOf(again),
      receivedAtMs,
    );
    this.#isToldOut ||= !isPartial && isAgain.every(Boolean);
    return [
      ...restored,
      ...this.#keep(
        reply.filter((_, at) => isAgain[at] !== true),
        own.filter((_, at) => isAgain[at] !== true),
        receivedAtMs,
      ),
    ];
  }

  /** What is left out and not certainly told again: to be kept on disk beside the chunks. */
  leftOut(): readonly LeftOut[] {
    this.#recalled();
    return this.#leftOut.map(({ at, from, count, receivedAtMs }) => ({ at, from, count, receivedAtMs }));
  }

  storedCount(): number {
    return this.#marks.length;
  }

  /** The last reply shows that nothing more will come, though it was not empty. */
  isToldOut(): boolean {
    return this.#isToldOut;
  }

  /** No more replies: what of those left out is to be stored behind the rest. */
  end(): ReplyToKeep[] {
    this.#recalled();
    // Nothing came that told these from a repetition: what was received is kept rather than lost.
    return this.#mayRepeatAll && !this.#isRepeated() ? this.#drains() : [];
  }

  /**
   * After the end: the places of the chunks in an order that holds only if their contents count up in it. Null: no
   * order depends on that.
   */
  doubt(): number[] | null {
    return this.#unlike.isTold() && !this.#unlike.isCertain() && !this.#isRepeated() ? this.#unlikeOrder() : null;
  }

  /**
   * After the end: the stored chunks as the stream was, by their places, some left out and some twice. Null: as they
   * are.
   */
  order(areChunksCounted: boolean): number[] | null {
    if (this.#isRepeated()) return null;
    const isUnlike = this.#unlike.isCertain() || (areChunksCounted && this.#unlike.isTold());
    const isOwn = !isUnlike && this.#came.some((span) => span.isToldAgain) && this.#comesAgainByItself();
    const order = isUnlike
      ? this.#unlikeOrder()
      : this.#came.flatMap(({ from, to, isToldAgain }) =>
          isToldAgain && !isOwn ? [] : Array.from({ length: to - from }, (_, at) => from + at),
        );
    return order.length === this.#marks.length && order.every((place, at) => place === at) ? null : order;
  }

  #store(own: readonly string[], span: Span = { from: 0, to: 0, isToldAgain: false }): Span {
    span.from = this.#marks.length;
    for (const mark of own) {
      if (!this.#places.has(mark)) this.#places.set(mark, this.#marks.length);
      this.#marks.push(mark);
    }
    span.to = this.#marks.length;
    return span;
  }

  #keep(chunks: readonly NewChunk[], own: readonly string[], receivedAtMs: number): ReplyToKeep[] {
    if (chunks.length === 0) return [];
    this.#came.push(this.#store(own));
    return [{ chunks, receivedAtMs }];
  }

  /**
   * Certainly not a server that only repeats: what was left out for that is new, and can still be put behind the rest.
   */
  #drains(): ReplyToKeep[] {
    this.#mayRepeatAll = false;
    if (this.#unlike.isCertain() || this.#leftOut.some(({ at }) => at !== this.#marks.length)) return [];
    const restored = this.#leftOut;
    this.#leftOut = [];
    return restored.map(({ from, count, span, receivedAtMs }) => {
      const own = this.#marks.slice(from, from + count);
      this.#store(own, span);
      return { chunks: own.flatMap((mark) => this.#held.get(mark) ?? []), receivedAtMs, isPutBack: true };
    });
  }

  #hold(mark: string, { outputJson, metricsJson }: NewChunk): void {
    if (!this.#held.has(mark)) this.#held.set(mark, { outputJson, metricsJson });
  }

  /** Leaves out chunks that equal the stored ones in these spans. */
  #leaveOut(chunks: readonly NewChunk[], spans: readonly Span[], receivedAtMs: number): void {
    let first = 0;
    for (const span of spans) {
      const { from, to, isToldAgain } = span;
      const own = chunks.slice(first, (first += to - from));
      this.#came.push(span);
      if (isToldAgain) continue;
      for (const [place, chunk] of own.entries()) this.#hold(this.#marks[from + place] ?? '', chunk);
      this.#leftOut.push({ at: this.#marks.length, from, count: own.length, receivedAtMs, span });
    }
  }

  /** A reply told all again that is stored, so that this is the stream, without what was left out of it before. */
  #confirm(): void {
    for (const { span } of this.#leftOut) span.isToldAgain = true;
    this.#leftOut = [];
  }

  /** The handler itself goes back to the beginning: it stands in the stored chunks again, in the midst of what came. */
  #comesAgainByItself(): boolean {
    const count = this.#came.reduce(
      (least, { from, to, isToldAgain }) => (isToldAgain && from === 0 && to >= telling ? Math.min(least, to) : least),
      Infinity,
    );
    for (let at = 1; at + count <= this.#marks.length; at += 1) {
      let same = 0;
      while (same < count && this.#marks[at + same] === this.#marks[same]) same += 1;
      if (same === count) return true;
    }
    return false;
  }

  #unlikeOrder(): number[] {
    return this.#unlike.marks().flatMap((mark) => this.#places.get(mark) ?? []);
  }

  /** It repeats from the start, no doubt: what is stored is all there is. */
  #isRepeated(): boolean {
    return (
      this.#mayRepeatAll &&
      (this.#afterEnd.times >= enoughAfterEnd || this.#came.some(({ isToldAgain }) => isToldAgain))
    );
  }

  #recallReply(): void {
    if (this.#recalledReply.length === 0) return;
    this.#unlike.read(this.#recalledReply, false);
    this.#came.push(this.#store(this.#recalledReply));
    this.#recalledReply = [];
  }

  #recallLeftOut(): void {
    for (const note of leftOfThem(this.#waiting, this.#marks.length)) {
      const span = { from: note.from, to: note.from + note.count, isToldAgain: false };
      const behind = this.#came.findIndex(({ to }) => to > note.at);
      this.#came.splice(behind === -1 ? this.#came.length : behind, 0, span);
      this.#leftOut.push({ ...note, span });
    }
    this.#waiting = [];
  }

  #recalled(): void {
    this.#recallReply();
    this.#recallLeftOut();
  }

  /** Where the stored chunks are that a reply told again, in its order. */
  #spansOf(again: readonly string[]): Span[] {
    const spans: Span[] = [];
    for (const mark of again) {
      const from = this.#places.get(mark);
      if (from === undefined) continue;
      const last = spans.at(-1);
      if (last?.to === from) last.to = from + 1;
      else spans.push({ from, to: from + 1, isToldAgain: again.length >= telling });
    }
    return spans;
  }
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
        // A reply that repeats chunks repeats all that came so far; one that broke off repeats the beginning of it.
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
