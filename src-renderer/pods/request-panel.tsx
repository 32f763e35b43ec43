import { Terminal } from 'lucide-react';
import { Suspense, useMemo, useRef, useState } from 'react';
import { lazyPart } from '../design/lazy-part.ts';
import { type PodReading, podIdProblem } from '../../src-preload/pod-reading.ts';
import type { Failure } from '../../src-preload/failure.ts';
import { podIncludes, type PodInclude, type PodReply } from '../../src-preload/pod.ts';
import { call } from '../bridge.ts';
import { formatJson } from '../../src-preload/format-json.ts';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { FindButton } from '../design/find-button.tsx';
import { SearchBar } from '../design/search-bar.tsx';
import { Switch } from '../design/form/choice.tsx';
import { toast } from '../design/toast.tsx';
import { includeHints } from '../messages/pods/fields.ts';
import { replyText, requestText } from '../messages/pods/reading.tsx';
import type { JsonSearch } from './json-reader.tsx';
import { workersText } from '../messages/pods/sections.tsx';
import styles from './request-panel.module.css';

/** A worker pod that can be opened, with what the listing says of it. */
interface WorkerLink {
  id: string;
  about: string;
}

/**
 * The pod ids in the listing of includeWorkers. Its form is not specified: an array, or an object of entries. Pure;
 * never throws on JSON.
 */
export function workersIn(workersJson: string): { workers: WorkerLink[]; others: number } {
  const value: unknown = JSON.parse(workersJson);
  const entries: unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'object' && value !== null
      ? Object.values(value)
      : [];
  const workers = new Map<string, WorkerLink>();
  let others = 0;
  for (const entry of entries) {
    const fields = new Map<string, unknown>(typeof entry === 'object' && entry !== null ? Object.entries(entry) : []);
    const id = typeof entry === 'string' ? entry : fields.get('id');
    if (typeof id !== 'string' || podIdProblem(id) !== null) {
      others += 1;
      continue;
    }
    const about = [
      fields.get('desiredStatus'),
      fields.get('endpointId'),
      fields.get('slsVersion') == null ? null : workersText.version(String(fields.get('slsVersion'))),
    ].filter((part): part is string => typeof part === 'string' && part !== '');
    workers.set(id, { id, about: about.join(', ') });
  }
  return { workers: [...workers.values()], others };
}

// By far the largest part of the window. It is loaded after everything else is drawn.
const JsonReader = lazyPart(async () => (await import('./json-reader.tsx')).JsonReader);

interface RequestPanelProps {
  connectionId: string;
  podId: string;
  include: readonly PodInclude[];
  onInclude: (flag: PodInclude, isOn: boolean) => void;
  reading: PodReading | null;
  /** Why the last read failed; its reply is shown while no other has come. */
  failure: Failure | null;
  isSearching: boolean;
  onSearching: (isSearching: boolean) => void;
}

const method = 'GET';

/** What a flag added to the reply, in a few words. If the flag is off: what it would add. */
function broughtBy(flag: PodInclude, reply: PodReply | null, isOn: boolean): string {
  if (!isOn || reply === null) return includeHints[flag];
  const { pod } = reply;
  const fields = (value: object | null | undefined): string =>
    value == null ? requestText.none : requestText.fields(Object.keys(value).length);
  switch (flag) {
    case 'includeMachine':
      return fields(pod.machine);
    case 'includeNetworkVolume':
      return fields(pod.networkVolume);
    case 'includeSavingsPlans':
      return pod.savingsPlans == null ? requestText.none : requestText.plans(pod.savingsPlans.length);
    case 'includeTemplate':
      return fields(pod.template);
    case 'includeWorkers': {
      if (reply.workersJson === null) return requestText.none;
      const { workers, others } = workersIn(reply.workersJson);
      return requestText.workers(workers.length + others);
    }
  }
}

/** The request with its flags, and the reply as it came. */
export function RequestPanel({
  connectionId,
  podId,
  include,
  onInclude,
  reading,
  failure,
  isSearching,
  onSearching,
}: RequestPanelProps) {
  const flags = podIncludes.filter((flag) => include.includes(flag));
  const copyCurl = async (): Promise<void> => {
    const made = await call('pod:curl', { connectionId, podId, include: flags });
    const copied = made.ok ? await call('app:copyText', { text: made.value.command }) : made;
    toast(copied.ok ? requestText.curlCopied : copied.failure.message);
  };
  return (
    <aside className={styles.panel} aria-label={requestText.panel}>
      <div className={styles.head}>
        <h2 className={styles.title}>{requestText.title}</h2>
        <Button variant="ghost" size="sm" icon={<Terminal />} onClick={() => void copyCurl()}>
          {requestText.copyCurl}
        </Button>
      </div>
      <div className={styles.request} role="group" aria-label={requestText.line}>
        <span className="t3">{method}</span> {`/v1/pods/${podId}`}
        {flags.map((flag, index) => (
          <span key={flag} className={styles.query}>
            <span className="t3">{index === 0 ? '?' : '&'}</span>
            {`${flag}=true`}
          </span>
        ))}
      </div>
      <div className={styles.includes}>
        {podIncludes.map((flag) => (
          <div key={flag} className={styles.include}>
            <Switch label={flag} isOn={include.includes(flag)} onChange={(isOn) => onInclude(flag, isOn)} />
            <span className={styles.brought}>
              {broughtBy(
                flag,
                reading?.reply ?? null,
                reading?.include.includes(flag) === true && include.includes(flag),
              )}
            </span>
          </div>
        ))}
      </div>
      <Response reply={shownReply(reading, failure)} isSearching={isSearching} onSearching={onSearching} />
    </aside>
  );
}

interface ShownReply {
  raw: string;
  isJson: boolean;
  httpStatus: number;
  /** How long it took and how large it is; empty where that is not known. */
  figures: string;
}

/** The last reply that could be read; else that of the read which failed; null where the service has not answered. */
function shownReply(reading: PodReading | null, failure: Failure | null): ShownReply | null {
  if (reading !== null) {
    const figures = replyText.figures(reading.tookMs, reading.bytesReceived);
    return { raw: reading.reply.raw, isJson: true, httpStatus: reading.httpStatus, figures };
  }
  if (failure === null || !('rawReply' in failure)) return null;
  const { rawReply: raw, httpStatus, isJson = false } = failure;
  return raw === undefined || httpStatus === undefined ? null : { raw, isJson, httpStatus, figures: '' };
}

interface ResponseProps extends Pick<RequestPanelProps, 'isSearching' | 'onSearching'> {
  reply: ShownReply | null;
}

function Response({ reply, isSearching, onSearching }: ResponseProps) {
  const search = useRef<JsonSearch>(null);
  const [typed, setTyped] = useState('');
  const [count, setCount] = useState(0);
  // The next search begins with an empty field.
  if (!isSearching && typed !== '') setTyped('');
  const wanted = isSearching ? typed : '';
  const { raw, isJson } = reply ?? { raw: '', isJson: false };
  const text = useMemo(() => (isJson ? formatJson(raw) : raw), [raw, isJson]);
  if (reply === null)
    return (
      <div className={styles.head}>
        <h2 className={styles.title}>{replyText.title}</h2>
        <span className={styles.quiet}>{replyText.none}</span>
      </div>
    );
  return (
    <>
      <div className={`${styles.head} ${styles.second}`}>
        <h2>{replyText.title}</h2>
        <span className={styles.badge}>{reply.httpStatus}</span>
        <span className={styles.figures}>{reply.figures}</span>
        <span className={styles.gap} />
        <FindButton label={replyText.search} isOn={isSearching} onChange={onSearching} />
        <CopyButton label={replyText.copy} text={() => text} />
      </div>
      {isSearching && (
        <SearchBar
          label={replyText.searchField}
          search={{
            wanted,
            setWanted: setTyped,
            found: wanted === '' ? '' : replyText.matches(count),
            next: () => search.current?.next(),
            previous: () => search.current?.previous(),
          }}
          onClose={() => onSearching(false)}
        />
      )}
      <div className={styles.reply}>
        <Suspense fallback={null}>
          <JsonReader text={text} label={replyText.json} wanted={wanted} onFound={setCount} searchRef={search} />
        </Suspense>
      </div>
    </>
  );
}
