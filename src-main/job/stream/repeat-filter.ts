import { createHash } from 'node:crypto';
import type { NewChunk } from '../../history/records.ts';
import { withLeftOut, type LeftOut } from '../../history/stream/left-out.ts';

export interface ReplyRead {
  /** Epoch milliseconds. */
  receivedAtMs: number;
  /** The reply broke off: it may have been longer. */
  isPartial?: boolean;
  /** The job was known to be over when this was asked for. */
  isAfterEnd?: boolean;
}

export interface NewOfReply {
  /** So many chunks were left out of earlier replies and are new after all: to be stored before `chunks`. */
  leftOutCount: number;
  /** What is new in the reply: to be stored behind all the rest. */
  chunks: readonly NewChunk[];
}

const nothingNew: NewOfReply = { leftOutCount: 0, chunks: [] };

/** So many different chunks do not come again in the same order by chance. */
const enoughDifferent = 3;
/** So many equal replies in a row, asked for after the job's end, come from a server that does not drain. */
const enoughEqualAfterEnd = 3;

/**
 * What the replies so far say about the server. `unknown`: each began with the whole stream so far, which may be chance
 * as long as the stream has few different chunks. `repeats`: it answers the whole stream every time. `drains`: it takes
 * off what it answers, though it may repeat all of it now and then.
 */
type Habit = 'unknown' | 'repeats' | 'drains';

/**
 * Finds what is new in the replies of one attempt's stream, where the server may repeat the stream from the start
 * (ruling 2). Only a reply that begins with everything stored can be a repetition. With three different chunks in that
 * beginning it certainly is one. With fewer, and as long as the habit is unknown, the beginning is left out; what is
 * left out counts as new again as soon as a reply shows that the server drains, and at the end if nothing showed that
 * it repeats. Why so: docs/decisions/017-what-a-repeated-stream-can-tell.md.
 */
export class RepeatFilter {
  /** Fingerprints of the stored chunks, in order. */
  #stored: string[] = [];
  #habit: Habit = 'unknown';
  /** Empty unless the habit is unknown. */
  #leftOut: LeftOut[];
  #afterEnd = { reply: '', times: 0 };
  #isComplete = false;

  /** `leftOut`: what a former run noted. */
  constructor(leftOut: readonly LeftOut[] = []) {
    this.#leftOut = [...leftOut];
  }

  /** Takes what a former run stored, page by page, before any reply. */
  recall(page: readonly NewChunk[]): void {
    for (const chunk of page) this.#stored.push(fingerprint(chunk));
  }

  /** Takes a reply and answers what of it is new. That counts as stored from then on. */
  read(reply: readonly NewChunk[], { receivedAtMs, isPartial = false, isAfterEnd = false }: ReplyRead): NewOfReply {
    this.#isComplete = false;
    if (reply.length === 0)
      return isPartial || this.#stored.length === 0 ? nothingNew : { ...nothingNew, leftOutCount: this.#drains() };
    const own = reply.map(fingerprint);
    const isSameAfterEnd = this.#countEqualAfterEnd(own, isAfterEnd) >= enoughEqualAfterEnd;
    const repeated = this.#repeatedCount(own, isPartial);
    const isCertain = repeated > 0 && (isSameAfterEnd || new Set(own.slice(0, repeated)).size >= enoughDifferent);
    this.#isComplete = isSameAfterEnd || (isCertain && repeated === own.length && !isPartial);

    if (isCertain) {
      if (this.#habit === 'unknown') this.#habit = 'repeats';
      this.#leftOut = [];
    } else if (repeated === 0 || this.#habit === 'drains') {
      const leftOutCount = this.#stored.length === 0 ? 0 : this.#drains();
      return { leftOutCount, chunks: this.#store(reply, own, 0) };
    } else if (this.#habit === 'unknown') {
      this.#leftOut.push({ at: this.#stored.length, count: repeated, receivedAtMs });
    }
    return { leftOutCount: 0, chunks: this.#store(reply, own, repeated) };
  }

  /** No more replies come. In doubt, what was left out is stored. */
  end(): NewOfReply {
    return { ...nothingNew, leftOutCount: this.#habit === 'unknown' ? this.#drains() : 0 };
  }

  /** What is left out and may be new: to be noted on disk before the chunks that `read` answers are stored. */
  leftOut(): readonly LeftOut[] {
    return this.#leftOut;
  }

  /** The last reply shows that nothing more will come, though it was not empty. */
  isComplete(): boolean {
    return this.#isComplete;
  }

  /** How many chunks at the start of the reply are all that is stored, repeated. 0: it does not begin so. */
  #repeatedCount(own: readonly string[], isPartial: boolean): number {
    const count = isPartial ? Math.min(this.#stored.length, own.length) : this.#stored.length;
    return count <= own.length && own.slice(0, count).every((mark, at) => mark === this.#stored[at]) ? count : 0;
  }

  #countEqualAfterEnd(own: readonly string[], isAfterEnd: boolean): number {
    const reply = isAfterEnd ? own.join() : '';
    const times = !isAfterEnd ? 0 : reply === this.#afterEnd.reply ? this.#afterEnd.times + 1 : 1;
    this.#afterEnd = { reply, times };
    return times;
  }

  /** Answers how many chunks of those left out are new by that. */
  #drains(): number {
    const beforeCount = this.#stored.length;
    this.#habit = 'drains';
    if (this.#leftOut.length > 0) this.#stored = withLeftOut(this.#stored, this.#leftOut, (equal) => equal);
    this.#leftOut = [];
    return this.#stored.length - beforeCount;
  }

  #store(reply: readonly NewChunk[], own: readonly string[], from: number): readonly NewChunk[] {
    for (const mark of own.slice(from)) this.#stored.push(mark);
    return reply.slice(from);
  }
}

/** A text that is equal exactly for equal chunks. */
export function fingerprint({ outputJson, metricsJson }: NewChunk): string {
  const metrics = metricsJson === null ? '-' : `+${metricsJson}`;
  return createHash('sha1').update(`${outputJson.length}:`).update(outputJson).update(metrics).digest('base64');
}
