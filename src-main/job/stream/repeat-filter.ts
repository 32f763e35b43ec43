import { createHash } from 'node:crypto';
import type { NewChunk } from '../../history/records.ts';
import { withSuspectedRepeats, type SuspectedRepeat } from '../../history/stream/suspected-repeats.ts';

export interface ReplyRead {
  /** Epoch milliseconds. */
  receivedAtMs: number;
  /** The reply was cut off, so it may have been longer. */
  isPartial?: boolean;
  /** The job was known to be over when this was requested. */
  isAfterEnd?: boolean;
}

export interface NewOfReply {
  /** How many chunks that were left out of earlier replies turned out to be new. They are stored before `chunks`. */
  recoveredCount: number;
  /** What is new in the reply, to be stored after everything else. */
  chunks: readonly NewChunk[];
}

const nothingNew: NewOfReply = { recoveredCount: 0, chunks: [] };

/** This many different chunks do not come again in the same order by chance. */
const enoughDifferent = 3;
/** This many equal replies in a row, requested after the job's end, come from a server that does not drain. */
const enoughEqualAfterEnd = 3;

/**
 * What the replies so far show about the server. `unknown`: each began with the whole stream so far, which may be
 * chance while the stream has few different chunks. `repeats`: it returns the whole stream every time. `drains`: it
 * removes what it returns, although it may repeat all of it now and then.
 */
type Habit = 'unknown' | 'repeats' | 'drains';

/**
 * Finds what is new in the replies of one attempt's stream, if the server may repeat the stream from the start (ruling
 * 2). Only a reply that begins with everything stored can be a repetition. With three different chunks in that
 * beginning it certainly is one. With fewer, while the habit is unknown, the beginning is left out; it counts as new
 * when a reply shows that the server drains, or at the end if no reply showed that it repeats. The reasons are in
 * docs/decisions/017-what-a-repeated-stream-can-tell.md.
 */
export class RepeatFilter {
  /** Fingerprints of the stored chunks, in order. */
  #stored: string[] = [];
  #habit: Habit = 'unknown';
  /** Empty unless the habit is unknown. */
  #suspected: SuspectedRepeat[];
  #afterEnd = { reply: '', times: 0 };
  #isComplete = false;

  /** `suspected`: what an earlier run noted. */
  constructor(suspected: readonly SuspectedRepeat[] = []) {
    this.#suspected = [...suspected];
  }

  /** Adds what earlier runs stored, page by page, before any reply. */
  recall(page: readonly NewChunk[]): void {
    for (const chunk of page) this.#stored.push(fingerprint(chunk));
  }

  /** Takes a reply and returns what is new in it, which counts as stored from then on. */
  read(reply: readonly NewChunk[], { receivedAtMs, isPartial = false, isAfterEnd = false }: ReplyRead): NewOfReply {
    this.#isComplete = false;
    if (reply.length === 0)
      return isPartial || this.#stored.length === 0 ? nothingNew : { ...nothingNew, recoveredCount: this.#drains() };
    const own = reply.map(fingerprint);
    const isSameAfterEnd = this.#countEqualAfterEnd(own, isAfterEnd) >= enoughEqualAfterEnd;
    const repeated = this.#repeatedCount(own, isPartial);
    const isCertain = repeated > 0 && (isSameAfterEnd || new Set(own.slice(0, repeated)).size >= enoughDifferent);
    this.#isComplete = isSameAfterEnd || (isCertain && repeated === own.length && !isPartial);

    if (isCertain) {
      if (this.#habit === 'unknown') this.#habit = 'repeats';
      this.#suspected = [];
    } else if (repeated === 0 || this.#habit === 'drains') {
      const recoveredCount = this.#stored.length === 0 ? 0 : this.#drains();
      return { recoveredCount, chunks: this.#store(reply, own, 0) };
    } else if (this.#habit === 'unknown') {
      this.#suspected.push({ at: this.#stored.length, count: repeated, receivedAtMs });
    }
    return { recoveredCount: 0, chunks: this.#store(reply, own, repeated) };
  }

  /** No more replies will come. In doubt, what was left out is stored. */
  end(): NewOfReply {
    return { ...nothingNew, recoveredCount: this.#habit === 'unknown' ? this.#drains() : 0 };
  }

  /** What is left out and may be new. It must be noted on disk before the chunks that `read` returns are stored. */
  suspectedRepeats(): readonly SuspectedRepeat[] {
    return this.#suspected;
  }

  /** The last reply shows that nothing more will come, although it was not empty. */
  isComplete(): boolean {
    return this.#isComplete;
  }

  /** How many chunks at the start of the reply repeat everything that is stored. 0 if it does not begin with that. */
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

  /** Returns how many of the suspected repeats are new because of that. */
  #drains(): number {
    const beforeCount = this.#stored.length;
    this.#habit = 'drains';
    if (this.#suspected.length > 0)
      this.#stored = withSuspectedRepeats(this.#stored, this.#suspected, (equal) => equal);
    this.#suspected = [];
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
