import type { History } from '../../src-main/history/history.ts';
import type { Jobs } from '../../src-main/job/jobs.ts';
import { createStreamReading } from '../../src-renderer/stream/stream-reading.ts';
import type { StreamReading } from '../../src-renderer/stream/stream-reading.ts';
import { joinText } from '../../src-renderer/stream/text-source.ts';

/** A window's pane on a stream, without the window: it reads for itself and is connected to the engine. */
export interface StreamPane {
  reading: StreamReading;
  text(): string;
  isOver(): boolean;
  close(): void;
}

export function openStreamPane(
  { jobs, history }: { jobs: Jobs; history: History },
  key: string,
  attempt = 1,
): StreamPane {
  const reading = createStreamReading({
    async readPage(fromSeq, run) {
      const page = await history.streamPage(key, attempt, fromSeq, { run });
      return page === null
        ? { ok: false, failure: { kind: 'absent', message: 'There is no such job.' } }
        : { ok: true, value: page };
    },
    openPort: (onMessage) => jobs.subscribe(key, attempt, onMessage),
  });
  return {
    reading,
    text: () => joinText(reading.log),
    isOver: () => reading.log.ended !== null,
    close: reading.open(),
  };
}
