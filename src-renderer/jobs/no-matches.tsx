import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { callQuery, queries } from '../data/calls.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { Button } from '../design/button.tsx';
import { useCurrentConnection } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { useBatches } from '../batches/batches.ts';
import { Token } from './filter-box.tsx';
import { toJobFilter, type Place } from '../data/query-to-job-filter.ts';
import {
  anyConnection,
  isOfAllConnections,
  queriesWithoutOnePart,
  tokenText,
  type FilterQuery,
} from '../data/parse-filter.ts';
import type { JobTotal } from '../../src-preload/history.ts';
import { useJobs } from '../data/jobs-store.ts';
import { filterBoxText, noMatchesText } from '../messages/jobs/filter.ts';
import { totalText } from '../messages/jobs/list.ts';
import styles from './no-matches.module.css';

/** A word that is being typed, and is too short to be searched for as a beginning in all texts. */
const shortEnd = /(?:^|\s)[\p{L}\p{N}]{1,2}$/u;

/** Shown if no job of a place matches a filter: each part of it, with the number of matches without that part. */
export function NoMatches({ place, query }: { place: Place; query: FilterQuery }) {
  const setQuery = useJobs((state) => state.setQuery);
  const shorterQueries = useMemo(() => queriesWithoutOnePart(query), [query]);
  const connection = useCurrentConnection();
  const nowMs = useNow(60_000);
  const batches = useBatches();
  const everywhere = { ...query, tokens: [...query.tokens, anyConnection] };
  const pages = useQueries(
    {
      queries: [...shorterQueries.map((shorter) => shorter.query), everywhere].map((wider) => {
        const filter = toJobFilter(place, wider, { connection, batches }, nowMs);
        return callQuery('job:list', { filter, beforeKey: null, limit: 1 }, { isFailureToast: true });
      }),
    },
    queries,
  );

  const searchAll = (): void => setQuery(everywhere);
  if (shorterQueries.length === 1) {
    const text = isOfAllConnections(query) ? noMatchesText.anywhere : noMatchesText.here;
    return (
      <EmptyState
        art={null}
        title={noMatchesText.title}
        text={shortEnd.test(query.text) ? `${text} ${noMatchesText.shortWord}` : text}
        actions={
          <>
            {!isOfAllConnections(query) && (
              <Button size="lg" onClick={searchAll}>
                {noMatchesText.searchAll}
              </Button>
            )}
            <Button size="lg" onClick={() => setQuery({ tokens: [], text: '' })}>
              {filterBoxText.clear}
            </Button>
          </>
        }
      />
    );
  }
  const isRemovingOneEnough = pages
    .slice(0, shorterQueries.length)
    .some(({ data }) => data === undefined || data.total > 0);
  return (
    <EmptyState
      art={null}
      title={noMatchesText.titleOf(shorterQueries.length)}
      text={isRemovingOneEnough ? noMatchesText.dropOne : noMatchesText.dropMore}
    >
      <ul className={styles.ways}>
        {shorterQueries.map((shorter, index) => {
          return (
            <li key={shorter.token === null ? 'text' : tokenText(shorter.token)}>
              <button type="button" className={styles.way} onClick={() => setQuery(shorter.query)}>
                <span>{noMatchesText.without}</span>
                {shorter.token === null ? (
                  <span className={styles.text}>{shorter.text}</span>
                ) : (
                  <Token token={shorter.token} />
                )}
                <Count page={pages[index]?.data} />
              </button>
            </li>
          );
        })}
        {!isOfAllConnections(query) && (
          <li>
            <button type="button" className={styles.way} onClick={searchAll}>
              <span>{noMatchesText.with}</span>
              <Token token={anyConnection} />
              <Count page={pages.at(-1)?.data} />
            </button>
          </li>
        )}
      </ul>
      {!isRemovingOneEnough && (
        <Button size="lg" className={styles.clear} onClick={() => setQuery({ tokens: [], text: '' })}>
          {filterBoxText.clear}
        </Button>
      )}
    </EmptyState>
  );
}

/** How many jobs a filter would leave; nothing until that is known. */
function Count({ page }: { page: JobTotal | undefined }) {
  return <span className={styles.count}>{page === undefined ? '' : totalText(page)}</span>;
}
